import { describe, expect, it } from 'vitest';
import { prevalenceShift } from '../../../src/metrics/intervals/prevalenceShift.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../../src/metrics/scoreTable.js';

const logistic = (u: number) => 1 / (1 + Math.exp(-u));
/** Logits -1, -.8, ..., 1 for either class: eleven negative rows, eleven positive ones. */
const logits = Array.from({ length: 11 }, (_, at) => -1 + 0.2 * at);
const table = scoreTable({
  yTrue: [...logits.map(() => 0), ...logits.map(() => 1)],
  yProba: [...logits, ...logits].map(logistic),
});
const block = (given: ScoreTable) => [{ table: given, units: Int32Array.from({ length: given.length }, (_, i) => i) }];
const shiftOf = (name: string, given = table) => prevalenceShift(metricRegistry.get(name), block(given));

describe('prevalenceShift', () => {
  it('is the slope in the cut-off times the influence on the log-odds of the prevalence (hand calculation)', () => {
    // Standard deviation of the logits .6473, quartiles (ranks 5 and 15 of 0 ... 21) -.6 and .4, so spread 1 / 1.349 =
    // .7413: the smaller is .6473. Half a window: sqrt(3) * .9 * .6473 * 22^-.2 = .5438. With that added, logits above
    // -.5438 are called positive: -.4 ... 1, 8 of 11; taken away, those above .5438: .6, .8, 1, 3 of 11.
    const slope = (8 / 11 - 3 / 11) / (2 * 0.5438);
    const found = shiftOf('sensitivity') as Float64Array;
    // (y - 1/2) / (22 * 1/4)
    expect(found[21]).toBeCloseTo((slope * 0.5) / 5.5, 4);
    expect(found[0]).toBeCloseTo((-slope * 0.5) / 5.5, 4);
  });

  it('moves sensitivity and specificity against each other, and adds up to nothing', () => {
    const [sensitivity, specificity] = ['sensitivity', 'specificity'].map((name) => shiftOf(name) as Float64Array);
    sensitivity.forEach((value, row) => void expect(specificity[row]).toBeCloseTo(-value, 2));
    expect(sensitivity.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  });

  it('does not mind the scale of weights', () => {
    const weigh = (factor: number) => ({
      ...table,
      weight: Float64Array.from({ length: 22 }, (_, row) => factor * (1 + (row % 3))),
    });
    const [a, b] = [weigh(1), weigh(10)].map((given) => shiftOf('f1', given) as Float64Array);
    a.forEach((value, row) => void expect(b[row]).toBeCloseTo(value, 12));
  });

  it('is for labels that are probabilities cut at one half, in a binary task', () => {
    expect(shiftOf('brier')).toBeUndefined();
    expect(shiftOf('roc_auc')).toBeUndefined();
    const yPred = Int32Array.from(table.yPred).map((label) => 1 - label);
    expect(shiftOf('sensitivity', { ...table, yPred })).toBeUndefined();
    const { yProba: _, ...without } = table;
    expect(shiftOf('sensitivity', without)).toBeUndefined();
    expect(prevalenceShift(metricRegistry.get('sensitivity'), [...block(table), ...block(table)])).toBeUndefined();
    expect(prevalenceShift(metricRegistry.get('sensitivity'), [])).toBeUndefined();
  });

  it('is undefined where the slope cannot be had: all probabilities equal', () => {
    const flat = scoreTable({ yTrue: [0, 1, 0, 1], yProba: [0.7, 0.7, 0.7, 0.7] });
    expect(shiftOf('sensitivity', flat)).toBeUndefined();
  });
});
