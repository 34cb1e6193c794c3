import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import {
  commonObstacle,
  countUnits,
  type IntervalFold,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from '../../src/intervals/interval.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [0, 1], yPred: [0, 1] });
const fold = (units: number[], nTrain: number): IntervalFold => ({
  score: { value: 1 },
  table,
  units: Int32Array.from(units),
  nTrain,
  repeat: 0,
});
const input = (folds: IntervalFold[]): IntervalInput => ({
  metric: accuracy,
  folds,
  level: 0.9,
  unit: 'patient',
  nBootstrap: 10,
  random: randomSource(1),
});

describe('interval facts', () => {
  it('counts each unit once and rounds the mean training size', () => {
    expect(countUnits([fold([4, 4], 3), fold([7, 4], 3)])).toBe(2);
    expect(intervalFacts(input([fold([0, 0], 10), fold([1, 2], 11), fold([1, 2], 11)]))).toEqual({
      level: 0.9,
      unit: 'patient',
      nUnits: 3,
      unitOfAnalysis: 'row',
      independentUnit: 'patient',
      averagedOver: 'row',
      nTrain: 11,
      sampling: 'cohort',
    });
  });

  it('names what stands in the way of any interval', () => {
    const { table: _, ...failed } = fold([0, 1], 3);
    expect(commonObstacle(input([fold([0, 1], 3), failed]), 60)).toBe('1 of 2 folds failed');
    expect(commonObstacle(input([fold([0, 1], 3)]), 9)).toBe('only 9 patients, fewer than 10');
    const ten = [0, 1, 2, 3, 4].map((at) => fold([2 * at, 2 * at + 1], 3));
    expect(commonObstacle(input(ten), 10)).toBeUndefined();
    const heavy = { ...table, weight: Float64Array.of(1e6, 1) };
    expect(commonObstacle(input([...ten.slice(1), { ...ten[0], table: heavy }]), 10)).toBe(
      'the weight lies on few patients, worth 1 of equal weight, fewer than 5',
    );
  });

  it('joins notes', () => {
    expect(joinNotes(undefined, 'One.', 'Two.')).toEqual({ note: 'One. Two.' });
    expect(joinNotes(undefined)).toEqual({});
  });
});
