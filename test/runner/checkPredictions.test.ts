import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { checkPredictions } from '../../src/runner/checkPredictions.js';
import type { Predictions } from '../../src/runner/frameworkAdapter.js';
import { failure } from '../helpers/failure.js';

const strings = labelsOf(['no', 'yes', 'yes']);
const three = labelsOf([0, 1, 2, 1], { task: 'multiclass' });

/** What the table of these predictions holds, as lists. */
const checked = (predictions: Predictions, truth = strings, positive = 1) => {
  const { yProba = [], yPred, ...rest } = checkPredictions(predictions, truth, positive, undefined);
  return { ...rest, yProba: Array.from(yProba), yPred: Array.from(yPred) };
};
const refusal = (...given: Parameters<typeof checked>) => failure(() => checked(...given));

describe('checkPredictions', () => {
  it('takes P(positive) whatever the order of the columns', () => {
    const data = new Float64Array([0.9, 0.1, 0.2, 0.8, 0.4, 0.6]);
    const probabilities = { data, shape: [3, 2] as const };
    expect(checked({ probabilities })).toMatchObject({ yProba: [0.1, 0.8, 0.6], yPred: [0, 1, 1] });
    expect(checked({ probabilities, classes: ['yes', 'no'] }).yProba).toEqual([0.9, 0.2, 0.4]);
  });

  it('takes one column for P(positive), whichever class that is, unless the column is named', () => {
    const probabilities = { data: new Float64Array([0.1, 0.8, 0.6]), shape: [3, 1] as const };
    expect(checked({ probabilities })).toMatchObject({ yProba: [0.1, 0.8, 0.6], yPred: [0, 1, 1] });
    expect(checked({ probabilities }, strings, 0)).toMatchObject({ yProba: [0.1, 0.8, 0.6], yPred: [1, 0, 0] });
    expect(checked({ probabilities, classes: ['no'] }).yProba).toEqual([1 - 0.1, 1 - 0.8, 1 - 0.6]);
  });

  it('gives a class that the model has not seen the probability 0', () => {
    const data = new Float64Array([0.3, 0.7, 0.6, 0.4, 0.5, 0.5, 1, 0]);
    const { yProba, yPred } = checked({ probabilities: { data, shape: [4, 2] }, classes: [0, 2] }, three, -1);
    expect(yProba.slice(0, 3)).toEqual([0.3, 0, 0.7]);
    expect(yPred).toEqual([2, 0, 0, 0]);
  });

  it('refuses columns of a class that y does not have, or of one twice; fewer columns than classes are taken', () => {
    const numbers = labelsOf([0, 1, 1]);
    const of = (classes: unknown, truth = numbers) => {
      const width = (classes as ArrayLike<unknown>).length ?? 2;
      const data = new Float64Array(3 * width).fill(1 / width);
      return () => checked({ probabilities: { data, shape: [3, width] }, classes: classes as number[] }, truth);
    };
    const pairs = [
      [1, 0],
      [0, 1],
      [1, 1],
    ];
    expect(failure(of(['0', '1']))).toMatch(/^unknown_label: The `classes` .*0, 1\. Got a string/);
    expect(failure(of(['control', 'case']))).toContain('unknown_label');
    expect(failure(of([false, true]))).toContain('Got a boolean.');
    expect(failure(of([undefined, 1]))).toContain('Got undefined.');
    expect(failure(of([0, 1, 2]))).toContain('unknown_label');
    expect(failure(of(['a', 'b'], labelsOf(pairs)))).toContain('unknown_label');
    expect(failure(of([1, 1]))).toMatch(/^invalid_predictions: The `classes` .*twice/);
    expect(failure(of({ 0: 0, 1: 1 }))).toContain('must be an array of labels. Got an object');
    expect(of([1, 0])().yProba).toHaveLength(3);
    expect(of([1])().yProba).toHaveLength(3);
  });

  it('refuses probabilities without their numbers and shape', () => {
    const of = (probabilities: unknown) => refusal({ probabilities } as Predictions);
    const rows = [
      [0.1, 0.9],
      [0.2, 0.8],
      [0.3, 0.7],
    ];
    expect(of(rows)).toMatch(/^invalid_predictions: .*\{ data, shape: \[rows, columns\] \}.*length 3/);
    expect(of({ data: rows.flat() })).toContain('must be { data, shape: [rows, columns] }');
    expect(of({ shape: [3, 2] })).toContain('must be { data, shape: [rows, columns] }');
    expect(of(0.5)).toContain('must be { data, shape: [rows, columns] }');
  });

  it('refuses probabilities of a row that do not sum to 1, but for labels of their own', () => {
    const probabilities = { data: Float64Array.of(0.2, 0.8, 0.5, 0.4, 0.1, 0.9), shape: [3, 2] as const };
    expect(refusal({ probabilities })).toMatch(/^invalid_probabilities: .* row 1 /);
    const tags = labelsOf({ data: Uint8Array.of(1, 0, 0, 1, 1, 1), shape: [3, 2] });
    expect(checked({ probabilities }, tags, -1).yProba).toHaveLength(6);
  });

  it("prefers the model's own labels over those of its probabilities", () => {
    const probabilities = { data: new Float64Array([0.9, 0.1, 0.9, 0.1, 0.9, 0.1]), shape: [3, 2] as const };
    expect(checked({ values: ['yes', 'yes', 'no'], probabilities }).yPred).toEqual([1, 1, 0]);
  });

  it('takes masks as probabilities and as nested 0/1, and keeps their shape', () => {
    const truth = labelsOf({ data: Uint8Array.of(0, 1, 1, 0, 0, 0, 1, 1), shape: [2, 2, 2] });
    const data = Float32Array.of(0.1, 0.9, 0.4, 0, 0.6, 0, 1, 0.75);
    const yPred = [0, 1, 0, 0, 1, 0, 1, 1];
    const table = checked({ probabilities: { data, shape: [2, 4] } }, truth, -1);
    expect(table).toMatchObject({ task: 'multilabel', length: 2, shape: [2, 2], yPred });
    const values = truth.toArray() as number[][];
    expect(checked({ values }, truth, -1).yPred).toEqual(Array.from(truth.indicators));
  });

  it('refuses masks of another shape with as many pixels; flat ones have none', () => {
    const truth = labelsOf({ data: new Uint8Array(16), shape: [1, 4, 4] });
    const line = Array(8).fill(0);
    expect(refusal({ values: [[line, line]] as never }, truth, -1)).toMatch(/^invalid_predictions: .*4 x 4.*2 x 8/);
    expect(checked({ values: [[...line, ...line]] }, truth, -1).yPred).toHaveLength(16);
  });
});
