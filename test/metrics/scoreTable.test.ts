import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { checkedProbabilities, labelsFromProbabilities, scoreTable } from '../../src/metrics/scoreTable.js';
import { failure } from '../helpers/failure.js';

describe('scoreTable', () => {
  it('codes labels and takes predictions from probabilities', () => {
    const table = scoreTable({ yTrue: ['benign', 'malignant', 'benign'], yProba: [0.2, 0.7, 0.5] });
    expect(table).toMatchObject({ task: 'binary', length: 3, classes: ['benign', 'malignant'], positive: 1 });
    expect(Array.from(table.yPred)).toEqual([0, 1, 0]);
  });

  it('knows the other class of 0/1 and false/true when only one occurs', () => {
    expect(scoreTable({ yTrue: [0, 0], yPred: [0, 0] })).toMatchObject({ classes: [0, 1], positive: 1 });
    expect(scoreTable({ yTrue: [false], yPred: [false] })).toMatchObject({ classes: [false, true], positive: 1 });
  });

  it('takes the other class from the positive label', () => {
    expect(scoreTable({ yTrue: ['b'], yPred: ['b'], positiveLabel: 'a' })).toMatchObject({
      classes: ['a', 'b'],
      positive: 0,
    });
  });

  it('takes the most probable of several classes', () => {
    const yProba = [
      [0.2, 0.5, 0.3],
      [0.6, 0.3, 0.1],
    ];
    const table = scoreTable({ yTrue: [1, 2], classes: [0, 1, 2], yProba });
    expect(table.task).toBe('multiclass');
    expect(Array.from(table.yPred)).toEqual([1, 0]);
  });

  it('clips rounding of probabilities without touching the input', () => {
    const yProba = Float64Array.of(1 + 1e-7, -1e-7);
    expect(Array.from(scoreTable({ yTrue: [1, 0], yProba }).yProba ?? [])).toEqual([1, 0]);
    expect(yProba[0]).toBe(1 + 1e-7);
  });
});

describe('a table of masks', () => {
  it('refuses predictions of another shape with as many pixels', () => {
    const of = (...shape: number[]) => ({ data: new Uint8Array(16), shape }) as never;
    const got = (yPred: never) => failure(() => scoreTable({ yTrue: of(1, 4, 4), yPred }));
    expect([got(of(1, 2, 8)), got(of(1, 16))]).toEqual([
      'invalid_data: yPred must be masks of 4 x 4, as yTrue is. Got masks of 2 x 8.',
      'invalid_data: yPred must be masks of 4 x 4, as yTrue is. Got one list of 0 and 1 per row.',
    ]);
  });
});

describe('checkedProbabilities', () => {
  it('allows rounding, and rows that do not sum to 1 unless asked', () => {
    expect(() => checkedProbabilities([1 + 1e-7, 0.9], 2, 'p', InvalidDataError)).not.toThrow();
    expect(() => checkedProbabilities([0.7, 0.9], 2, 'p', InvalidDataError, true)).toThrow('sum to 1');
    expect(() => checkedProbabilities([0.33333, 0.66666], 2, 'p', InvalidDataError, true)).not.toThrow();
  });
});

describe('labelsFromProbabilities', () => {
  it('needs more than .5 for the positive class and for each of several labels', () => {
    const p = Float64Array.of(0.5, 0.51);
    expect(Array.from(labelsFromProbabilities(p, { task: 'binary', classes: ['x', 'y'], positive: 0 }))).toEqual([
      1, 0,
    ]);
    expect(Array.from(labelsFromProbabilities(p, { task: 'multilabel', classes: [0, 1], positive: -1 }))).toEqual([
      0, 1,
    ]);
  });
});
