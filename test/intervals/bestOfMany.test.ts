import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { bestOfMany } from '../../src/intervals/bestOfMany.js';
import type { IntervalFold } from '../../src/intervals/interval.js';
import { drawUnits } from '../../src/intervals/unitDraws.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import { scoredFolds, valuedFolds } from '../../src/stats/results.js';
import { failure } from '../helpers/failure.js';
import reference from '../reference/bbcCV.json' with { type: 'json' };
import { givenResults } from '../stats/given.js';

const accuracy = metricRegistry.get('accuracy');
const drawn = { level: 0.9, nBootstrap: 100 };
const settings = { ...drawn, unit: 'row' };

/** Two folds whose rows are right (1) or wrong (0), as said. */
const foldsOf = (right: readonly (readonly number[])[], metric = accuracy): IntervalFold[] => {
  let row = 0;
  return right.map((each) => {
    const yTrue = each.map((_, at) => at % 2);
    const table = scoreTable({
      yTrue,
      yPred: each.map((ok, at) => (ok ? yTrue[at] : 1 - yTrue[at])),
      classes: [0, 1],
      positiveLabel: 1,
      task: 'binary',
    });
    return { table, units: Int32Array.from(each, () => row++), nTrain: 6, repeat: 0, score: score(metric, table) };
  });
};
const failed = (fold: IntervalFold): IntervalFold => {
  const { table: _, ...rest } = fold;
  return { ...rest, score: { value: null, reason: 'it failed' } };
};

const A = [
  [1, 1, 1, 0, 1, 0],
  [1, 0, 1, 1, 0, 1],
];
const B = [
  [0, 1, 1, 1, 0, 1],
  [1, 1, 1, 0, 1, 1],
];
const best = (configurations: readonly (readonly IntervalFold[])[], more = {}) =>
  bestOfMany({ ...settings, metric: accuracy, configurations, random: randomSource(3), ...more });

describe('bestOfMany', () => {
  it('scores on the rows not drawn what is best on those drawn: counted by hand on the same draws', () => {
    const [a, b] = [A.flat(), B.flat()];
    const sum = (times: ArrayLike<number>, right: readonly number[]) =>
      right.reduce((total, each, row) => total + times[row] * each, 0);
    const values: number[] = [];
    let second = 0;
    for (const times of drawUnits(randomSource(3), 12, settings.nBootstrap)) {
      const later = sum(times, b) > sum(times, a);
      const left = Array.from(times, (each) => Number(each === 0));
      values.push(sum(left, later ? b : a) / left.reduce((total, each) => total + each, 0));
      second += Number(later);
    }
    const found = best([foldsOf(A), foldsOf(B)]);
    expect(found).toMatchObject({ naive: 9 / 12, chosen: 1, nUnits: 12, nTrain: 6, method: 'bbc_cv' });
    expect(found.estimate).toBeCloseTo(values.reduce((total, each) => total + each, 0) / 100, 12);
    expect(found.shares).toEqual([1 - second / 100, second / 100].map((each) => expect.closeTo(each, 12)));
    const sorted = [...values].sort((x, y) => x - y);
    // Type 7 of 100 values: 4.95 and 94.05 places from the smallest.
    expect(found.lower).toBeCloseTo(sorted[4] + 0.95 * (sorted[5] - sorted[4]), 12);
    expect(found.upper).toBeCloseTo(sorted[94] + 0.05 * (sorted[95] - sorted[94]), 12);
  });

  it('is what bbcCV gives for results of runs', async () => {
    const { y, fold, configurations, groups, weight } = reference.cases[1];
    const given = { y, fold: fold as number[], groups: groups as number[], weight: weight as number[] };
    const results = await Promise.all(configurations.map((p) => givenResults({ ...given, p })));
    const metric = metricRegistry.get('roc_auc');
    const sides = results.map((each) => scoredFolds(each));
    const found = bestOfMany({
      ...settings,
      metric,
      configurations: sides.map(({ folds }) => valuedFolds(metric, folds)),
      unit: 'patient',
      random: randomSource(7),
    });
    const { shares, ...rest } = found;
    const { chosenShare, ...expected } = bbcCV(results, { metric: 'roc_auc', ...drawn, randomState: 7 });
    expect(rest).toEqual(expected);
    expect(shares).toEqual(Object.values(chosenShare as object));
  });

  it('has no limits where folds failed, planned or given, and no estimate without a value', () => {
    const torn = (right: number[][]) => [...foldsOf(right), failed(foldsOf(A)[0])];
    expect(best([torn(A), torn(B)])).toMatchObject({ chosen: 1, lower: null, reason: '1 of 3 folds failed' });
    expect(best([foldsOf(A), foldsOf(B)], { nFolds: 4 })).toMatchObject({ reason: '2 of 4 folds failed' });
    const auc = metricRegistry.get('roc_auc');
    const blind = foldsOf(A, auc);
    expect(best([blind, blind], { metric: auc })).toMatchObject({ naive: null, chosen: null, shares: null });
    expect(best([blind, blind], { metric: auc }).reason).toContain('no probabilities');
  });

  it('refuses configurations that were tested on other units, folds or repeats', () => {
    const [first, second] = foldsOf(B);
    const moved = [{ ...first, units: first.units.map((each) => each + 1) }, second];
    const must = /^different_folds: Configurations '0' and '1' must be tested on the same units in the same folds/;
    for (const other of [moved, [second, first], [first, failed(second)], [first, { ...second, repeat: 1 }]]) {
      expect(failure(() => best([foldsOf(A), other]))).toMatch(must);
    }
    expect(failure(() => best([foldsOf(A), moved], { names: ['small', 'large'] }))).toContain("'small' and 'large'");
  });
});
