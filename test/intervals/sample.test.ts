import { describe, expect, it } from 'vitest';
import { influenceOf, obstacleOf, sampleFacts, sampleOf, varianceIn } from '../../src/intervals/sample.js';
import { sensitivity } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = (yTrue: number[], yPred: number[], sampleWeight?: number[]) =>
  scoreTable({ yTrue, yPred, classes: [0, 1], ...(sampleWeight ? { sampleWeight } : {}) });

describe('sampleOf', () => {
  it('leaves out rows of weight 0 and counts patients', () => {
    const sample = sampleOf(table([1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 2, 1]), ['b', 'x', 'a', 'a'], 0.95);
    expect(sample.table.length).toBe(3);
    expect([...sample.units]).toEqual([1, 0, 0]);
    expect(sampleFacts(sample)).toMatchObject({ unit: 'patient', nUnits: 2, level: 0.95, nTrain: null });
    expect(sample.clustered).toBe(true);
    expect(sampleOf(table([1, 0], [1, 1]), undefined, 0.95)).toMatchObject({
      unit: 'row',
      nUnits: 2,
      clustered: false,
    });
  });
});

describe('varianceIn', () => {
  it('of a share of independent rows is p (1 - p) / (n - 1) (hand calculation: .8 x .2 / 9)', () => {
    const sample = sampleOf(table(new Array(10).fill(1), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]), undefined, 0.95);
    const { variance, df } = varianceIn(sample, accuracy)(influenceOf(accuracy, sample, 0.8));
    expect(variance).toBeCloseTo(0.16 / 9, 14);
    expect(df).toBeCloseTo(9, 10);
  });

  it('rests on the patients with rows that count', () => {
    const sample = sampleOf(table([1, 1, 1, 1, 0, 0, 0], [1, 0, 1, 1, 0, 0, 0]), [0, 0, 1, 2, 3, 4, 5], 0.95);
    expect(varianceIn(sample, sensitivity)(influenceOf(sensitivity, sample, 0.75)).nUnits).toBe(3);
  });
});

describe('obstacleOf', () => {
  it('counts units, and patients or rows of the smallest stratum', () => {
    const labels = Array.from({ length: 12 }, (_, row) => (row === 0 ? 1 : 0));
    const rows = sampleOf(table(labels, labels), undefined, 0.95);
    expect(obstacleOf(rows, sensitivity)).toBeUndefined();
    expect(obstacleOf(rows, sensitivity, 2)).toBe('rests on 1 row, fewer than 2');
    const patients = sampleOf(table(labels, labels), [0, ...labels.keys()].slice(0, 12), 0.95);
    expect(obstacleOf(patients, sensitivity)).toBe('rests on 1 patient, fewer than 3');
    expect(obstacleOf(patients, accuracy)).toBeUndefined();
    expect(obstacleOf(sampleOf(table([1, 0], [1, 0]), undefined, 0.95), accuracy)).toBe('only 2 rows, fewer than 10');
  });
});
