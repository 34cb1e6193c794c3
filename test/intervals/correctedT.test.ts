import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { correctedT } from '../../src/intervals/correctedT.js';
import type { IntervalInput } from '../../src/intervals/interval.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { mse } from '../../src/metrics/definitions/regression.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { failure } from '../helpers/failure.js';
import reference from '../reference/intervals.json' with { type: 'json' };

const tableOf = (length: number) => {
  const labels = Array.from({ length }, (_, row) => row % 2);
  return scoreTable({ yTrue: labels, yPred: labels, task: 'binary', classes: [0, 1] });
};

/** Folds of `nTest` units each; every row is a unit of its own. */
function input(
  scores: (number | null)[],
  nTest: number,
  nTrain: number,
  more: Partial<IntervalInput> = {},
): IntervalInput {
  const folds = scores.map((value, fold) => ({
    score: value === null ? { value, reason: 'no positive rows' } : { value },
    table: tableOf(nTest),
    units: Int32Array.from({ length: nTest }, (_, i) => fold * nTest + i),
    nTrain,
    repeat: 0,
  }));
  return { metric: accuracy, folds, level: 0.95, unit: 'row', nBootstrap: 0, random: randomSource(1), ...more };
}

const golden = [0.8, 0.82, 0.78, 0.85, 0.79];

describe('correctedT', () => {
  it('of the golden scores, 100 rows, 5 folds, is .808 [.7563, .8597]', () => {
    const { estimate, lower, upper, ...facts } = correctedT(input(golden, 20, 80));
    expect([estimate, lower, upper].map((v) => Number(v?.toFixed(4)))).toEqual([0.808, 0.7563, 0.8597]);
    expect(facts).toEqual({
      level: 0.95,
      method: 'corrected_t',
      estimand: 'procedure',
      unit: 'row',
      nUnits: 100,
      unitOfAnalysis: 'row',
      independentUnit: 'row',
      averagedOver: 'row',
      nTrain: 80,
      sampling: 'cohort',
    });
  });

  it('is none of values whose variance no number holds', () => {
    const found = correctedT(input([1e155, 3e155, 2e155], 20, 80, { metric: mse }));
    expect(found).toMatchObject({ estimate: 2e155, lower: null, upper: null, reason: 'the values are too large' });
  });

  it.each(reference.correctedT)('equals numpy and scipy: $scores.length folds, level $level', (each) => {
    const found = correctedT(input(each.scores, each.nTest, each.nTrain, { level: each.level, metric: mse }));
    expect(found.estimate).toBeCloseTo(each.estimate, 13);
    expect(found.upper).toBeCloseTo(each.upper, 12);
    expect(found.lower).toBeCloseTo(Math.max(0, each.lower), 12);
  });

  it('counts units, not rows: patients with two rows each halve n_test', () => {
    const rows = input(golden, 20, 80);
    const patients = rows.folds.map((fold) => ({ ...fold, units: fold.units.map((unit) => unit >> 1), nTrain: 40 }));
    const found = correctedT({ ...rows, folds: patients, unit: 'patient' });
    expect(found).toMatchObject({ nUnits: 50, nTrain: 40, unit: 'patient' });
    expect(found.upper).toBeCloseTo(correctedT(rows).upper as number, 14);
  });

  it('clips to the range of the metric and says so', () => {
    const found = correctedT(input([0.99, 0.9, 1, 0.98, 0.93], 20, 80));
    expect(found.upper).toBe(1);
    expect(found.note).toBe('Clipped to the range of the metric, 0 to 1.');
  });

  it('says that it undercovers over repeats', () => {
    const folds = input(golden, 20, 80).folds.map((fold, i) => ({ ...fold, repeat: i % 2 }));
    const { note } = correctedT({ ...input(golden, 20, 80), folds });
    expect(note).toBe('Undercovers: over repeats the corrected t interval is too narrow.');
  });

  it('gives no limits of what changes with the prevalence where stratified folds hold it alike', () => {
    // 294 patients of the toenail data: .784 to .788 around .786; 35 % of such intervals held the accuracy, 58 % the Brier score.
    const of = (name: string, design: object) =>
      correctedT({ ...input(golden, 20, 80), metric: metricRegistry.get(name), design });
    for (const name of ['accuracy', 'brier', 'log_loss', 'f1', 'ppv', 'npv', 'mcc', 'average_precision']) {
      const found = of(name, { stratified: true });
      expect(found).toMatchObject({ estimate: expect.closeTo(0.808, 12), lower: null, upper: null });
      expect(found.reason).toContain("Take ciMethod: 'bootstrap'");
      expect(of(name, {}).lower).not.toBeNull();
    }
    for (const name of ['roc_auc', 'sensitivity', 'balanced_accuracy']) {
      expect(of(name, { stratified: true }).lower).not.toBeNull();
    }
  });

  it.each([
    ['a fold without a value', [...golden.slice(1), null], 20, '4 of 5 folds have a value (no positive rows)'],
    ['no value at all', [null, null], 20, '0 of 2 folds have a value (no positive rows)'],
    ['one fold', [0.8], 20, 'one fold alone has no variance'],
    ['equal values', [1, 1, 1], 20, 'all folds have the same value and so no variance'],
    ['few units', [0.8, 0.9], 4, 'only 8 rows, fewer than 10'],
  ])('gives no limits for %s, with the reason', (_what, scores, nTest, reason) => {
    expect(correctedT(input(scores, nTest, 80))).toMatchObject({ lower: null, upper: null, reason });
  });

  it('keeps the mean of the folds that have a value', () => {
    expect(correctedT(input([0.8, null, 0.9], 20, 80)).estimate).toBeCloseTo(0.85, 14);
    expect(correctedT(input([null], 20, 80)).estimate).toBeNull();
  });

  it('refuses time-ordered and leave-one-out folds', () => {
    expect(failure(() => correctedT(input(golden, 20, 80, { design: { timeOrdered: true } })))).toMatch(
      /interval_method.*`ciMethod: corrected_t`.*time/,
    );
    expect(failure(() => correctedT(input(golden, 1, 4)))).toMatch(/interval_method.*one unit each/);
  });
});
