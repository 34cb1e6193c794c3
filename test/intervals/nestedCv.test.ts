import { describe, expect, it } from 'vitest';
import { wilson } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import type { IntervalFold, IntervalInput, NestedTest } from '../../src/intervals/interval.js';
import { nestedCv } from '../../src/intervals/nestedCv.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import { takeRows } from '../../src/metrics/tableRows.js';
import reference from '../reference/nestedCv.json' with { type: 'json' };

type Case = (typeof reference.cases)[number];

const testsOf = ({ tests, regression }: Case, scale = 1): NestedTest[] =>
  tests.map(({ repeat, outer, inner, yTrue, yPred, units, weight }) => {
    const sampleWeight = weight ? { sampleWeight: weight.map((w) => scale * w) } : {};
    const table = regression
      ? scoreTable({ yTrue, yPred, task: 'regression', ...sampleWeight })
      : scoreTable({ yTrue, yProba: yPred, classes: [0, 1], ...sampleWeight });
    return { repeat, outer, inner, units: Int32Array.from(units), table };
  });

/** The folds of the run itself are the outer ones of the first repeat. */
function inputOf(metric: Metric, nested: readonly NestedTest[], more: Partial<IntervalInput> = {}): IntervalInput {
  const folds: IntervalFold[] = nested
    .filter(({ repeat, inner }) => repeat === 0 && inner === null)
    .map((test) => {
      const table = test.table as ScoreTable;
      return { table, units: test.units, nTrain: 30, repeat: 0, score: score(metric, table) };
    });
  return { metric, folds, nested, level: 0.95, unit: 'row', nBootstrap: 100, random: randomSource(1), ...more };
}

const [independent] = reference.cases;
const brier = metricRegistry.get('brier');
const accuracy = metricRegistry.get('accuracy');

describe('nestedCv', () => {
  it.each(reference.cases)('follows the published formulas: $name', (each) => {
    for (const { metric, estimate, lower, upper, bound } of each.expected) {
      const found = nestedCv(inputOf(metricRegistry.get(metric), testsOf(each), { unit: each.unit }));
      expect(found, metric).toMatchObject({ method: 'nested_cv', estimand: 'refitted_model', unit: each.unit });
      expect(found.nTrain).toBe(found.nUnits);
      expect(found.estimate, metric).toBeCloseTo(estimate, 10);
      expect(found.lower, metric).toBeCloseTo(lower, 10);
      expect(found.upper, metric).toBeCloseTo(upper, 10);
      if (bound) expect(found.note).toContain(`The standard error is at its ${bound} bound.`);
      else expect(found.note).not.toContain('bound');
    }
  });

  it('says how many models it rests on', () => {
    expect(nestedCv(inputOf(brier, testsOf(independent))).note).toMatch(/ 3 .* 5 .* 45 /);
  });

  it('does not change when all weights are multiplied by a constant', () => {
    for (const each of reference.cases.filter(({ tests }) => tests[0].weight)) {
      const [a, b] = [1, 7].map((scale) => nestedCv(inputOf(accuracy, testsOf(each, scale), { unit: each.unit })));
      expect(b.lower).toBeCloseTo(a.lower as number, 12);
      expect(b.upper).toBeCloseTo(a.upper as number, 12);
    }
  });

  it('takes a row of weight 0 for absent', () => {
    const tests = testsOf(independent);
    const withAbsent = tests.map(({ table, units, ...test }) => {
      const { length } = table as ScoreTable;
      const rows = Int32Array.from({ length: length + 1 }, (_, row) => Math.min(row, length - 1));
      const weight = Float64Array.from(rows, (_, row) => (row < length ? 1 : 0));
      const more = { ...takeRows(table as ScoreTable, rows), weight };
      return { ...test, table: more, units: Int32Array.from([...units, 1000 + test.outer]) };
    });
    const [plain, more] = [tests, withAbsent].map((nested) => nestedCv(inputOf(brier, nested)));
    expect(more.lower).toBeCloseTo(plain.lower as number, 12);
    expect(more.upper).toBeCloseTo(plain.upper as number, 12);
  });

  it('reads the losses row by row where a metric has no influence function', () => {
    const { influence: _, ...bare } = brier;
    const [full, alone] = [brier, bare].map((metric) => nestedCv(inputOf(metric, testsOf(independent))));
    expect(alone.lower).toBeCloseTo(full.lower as number, 12);
    expect(alone.estimate).toBeCloseTo(full.estimate as number, 12);
  });

  it('has width where every prediction is right: Wilson for the effective rows (60)', () => {
    const right = testsOf(independent).map((test) => {
      const table = test.table as ScoreTable;
      return { ...test, table: { ...table, yPred: table.yTrue } };
    });
    const found = nestedCv(inputOf(accuracy, right));
    expect(found).toMatchObject({ estimate: 1, upper: 1, estimand: 'refitted_model' });
    expect(found.lower).toBeCloseTo(wilson(1, 60, 0.95)[0], 12);
  });

  it('keeps estimate and limits within the range, with width, and says so', () => {
    // Outer models are right throughout and inner ones often wrong: the correction overshoots 1.
    const over = testsOf(independent).map((test) => {
      const table = test.table as ScoreTable;
      return test.inner === null ? { ...test, table: { ...table, yPred: table.yTrue } } : test;
    });
    const found = nestedCv(inputOf(accuracy, over));
    expect(found).toMatchObject({ estimate: 1, upper: 1 });
    expect(found.lower).toBeLessThan(1);
    expect(found.note).toContain('Clipped to the range of the metric, 0 to 1.');
  });

  it('has null limits where an outer fold has rows of weight 0 alone', () => {
    const tests = testsOf(independent);
    const idle = tests.map((test) => {
      if (test.outer !== 2 || test.inner !== null) return test;
      return { ...test, table: { ...(test.table as ScoreTable), weight: new Float64Array(test.units.length) } };
    });
    const found = nestedCv({ ...inputOf(brier, tests), nested: idle });
    expect(found).toMatchObject({ lower: null, upper: null, reason: expect.stringContaining('two rows') });
  });
});

describe('decomposable', () => {
  const table = scoreTable({
    yTrue: [0, 1, 1, 0, 1],
    yProba: [0.2, 0.9, 0.3, 0.7, 0.65],
    sampleWeight: [1, 2, 0.5, 1, 3],
  });
  const numbers = scoreTable({ yTrue: [1, 2.5, 3], yPred: [1.5, 2, 4.25], task: 'regression' });
  const labels = scoreTable({
    yTrue: [
      [1, 0],
      [0, 0],
      [1, 1],
    ],
    yProba: [
      [0.7, 0.6],
      [0.1, 0.2],
      [0.9, 0.3],
    ],
  });
  const kinds = scoreTable({
    yTrue: ['a', 'b', 'c', 'a'],
    yProba: [
      [0.6, 0.3, 0.1],
      [0.5, 0.4, 0.1],
      [0.2, 0.2, 0.6],
      [0.3, 0.4, 0.3],
    ],
  });
  const tables = [table, numbers, labels, kinds];

  it('is said of just the metrics that are the weighted mean of what each row alone gives', () => {
    for (const metric of metricRegistry) {
      const holds = tables
        .filter(({ task }) => metric.tasks.includes(task))
        .every((each) => {
          const alone = Array.from({ length: each.length }, (_, row) =>
            score(metric, takeRows(each, Int32Array.of(row))),
          );
          const weight = each.weight ?? new Float64Array(each.length).fill(1);
          const sum = alone.reduce((total, { value }, row) => total + weight[row] * (value ?? Number.NaN), 0);
          return Math.abs(sum / weight.reduce((a, b) => a + b) - (score(metric, each).value ?? Number.NaN)) < 1e-12;
        });
      expect(holds, metric.name).toBe(metric.decomposable ?? false);
    }
  });
});
