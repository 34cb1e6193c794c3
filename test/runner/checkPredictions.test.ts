import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { checkPredictions } from '../../src/runner/checkPredictions.js';
import { failure } from '../helpers/failure.js';

const strings = labelsOf(['no', 'yes', 'yes']);
const three = labelsOf([0, 1, 2, 1], { task: 'multiclass' });

describe('checkPredictions', () => {
  it('takes P(positive) whatever the order of the columns', () => {
    const data = new Float64Array([0.9, 0.1, 0.2, 0.8, 0.4, 0.6]);
    const inOrder = checkPredictions({ probabilities: { data, shape: [3, 2] } }, strings, 1, undefined);
    expect(Array.from(inOrder.yProba as Float64Array)).toEqual([0.1, 0.8, 0.6]);
    expect(Array.from(inOrder.yPred)).toEqual([0, 1, 1]);
    const swapped = checkPredictions(
      { probabilities: { data, shape: [3, 2] }, classes: ['yes', 'no'] },
      strings,
      1,
      undefined,
    );
    expect(Array.from(swapped.yProba as Float64Array)).toEqual([0.9, 0.2, 0.4]);
  });

  it('takes one column for P(positive), whichever class that is, unless the column is named', () => {
    const probabilities = { data: new Float64Array([0.1, 0.8, 0.6]), shape: [3, 1] as const };
    const of = (positive: number, classes?: string[]) => {
      const { yProba, yPred } = checkPredictions({ probabilities, classes }, strings, positive, undefined);
      return [Array.from(yProba ?? []), Array.from(yPred)];
    };
    expect(of(1)).toEqual([
      [0.1, 0.8, 0.6],
      [0, 1, 1],
    ]);
    expect(of(0)).toEqual([
      [0.1, 0.8, 0.6],
      [1, 0, 0],
    ]);
    expect(of(1, ['no'])[0]).toEqual([1 - 0.1, 1 - 0.8, 1 - 0.6]);
  });

  it('gives a class that the model has not seen the probability 0', () => {
    const data = new Float64Array([0.3, 0.7, 0.6, 0.4, 0.5, 0.5, 1, 0]);
    const table = checkPredictions({ probabilities: { data, shape: [4, 2] }, classes: [0, 2] }, three, -1, undefined);
    expect(Array.from((table.yProba as Float64Array).subarray(0, 3))).toEqual([0.3, 0, 0.7]);
    expect(Array.from(table.yPred)).toEqual([2, 0, 0, 0]);
  });

  it('refuses columns of a class that y does not have, or of one twice; fewer columns than classes are taken', () => {
    const numbers = labelsOf([0, 1, 1]);
    const of = (classes: unknown, truth = numbers) => {
      const width = (classes as ArrayLike<unknown>).length ?? 2;
      const data = new Float64Array(3 * width).fill(1 / width);
      const predictions = { probabilities: { data, shape: [3, width] as const }, classes: classes as number[] };
      return () => checkPredictions(predictions, truth, 1, undefined);
    };
    expect(failure(of(['0', '1']))).toMatch(/^unknown_label: The `classes` .*0, 1\. Got a string/);
    expect(failure(of(['control', 'case']))).toContain('unknown_label');
    expect(failure(of([false, true]))).toContain('Got a boolean.');
    expect(failure(of([undefined, 1]))).toContain('Got undefined.');
    expect(failure(of([0, 1, 2]))).toContain('unknown_label');
    expect(
      failure(
        of(
          ['a', 'b'],
          labelsOf([
            [1, 0],
            [0, 1],
            [1, 1],
          ]),
        ),
      ),
    ).toContain('unknown_label');
    expect(failure(of([1, 1]))).toMatch(/^invalid_predictions: The `classes` .*twice/);
    expect(failure(of({ 0: 0, 1: 1 }))).toContain('must be an array of labels. Got an object');
    expect(of([1, 0])().yProba).toHaveLength(3);
    expect(of([1])().yProba).toHaveLength(3);
  });

  it('refuses probabilities without their numbers and shape', () => {
    const of = (probabilities: unknown) =>
      failure(() => checkPredictions({ probabilities } as object, strings, 1, undefined));
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
    expect(failure(() => checkPredictions({ probabilities }, strings, 1, undefined))).toMatch(
      /^invalid_probabilities: .* row 1 /,
    );
    const tags = labelsOf({ data: Uint8Array.of(1, 0, 0, 1, 1, 1), shape: [3, 2] });
    expect(checkPredictions({ probabilities }, tags, -1, undefined).yProba).toHaveLength(6);
  });

  it("prefers the model's own labels over those of its probabilities", () => {
    const probabilities = { data: new Float64Array([0.9, 0.1, 0.9, 0.1, 0.9, 0.1]), shape: [3, 2] as const };
    const table = checkPredictions({ values: ['yes', 'yes', 'no'], probabilities }, strings, 1, undefined);
    expect(Array.from(table.yPred)).toEqual([1, 1, 0]);
  });

  it('takes masks as probabilities and as nested 0/1, and keeps their shape', () => {
    const truth = labelsOf({ data: Uint8Array.of(0, 1, 1, 0, 0, 0, 1, 1), shape: [2, 2, 2] });
    const data = Float32Array.of(0.1, 0.9, 0.4, 0, 0.6, 0, 1, 0.75);
    const table = checkPredictions({ probabilities: { data, shape: [2, 4] } }, truth, -1, undefined);
    expect(table).toMatchObject({ task: 'multilabel', length: 2, shape: [2, 2] });
    expect(Array.from(table.yPred)).toEqual([0, 1, 0, 0, 1, 0, 1, 1]);
    const values = truth.toArray() as number[][];
    expect(Array.from(checkPredictions({ values }, truth, -1, undefined).yPred)).toEqual(Array.from(truth.indicators));
  });

  it('refuses masks of another shape with as many pixels; flat ones have none', () => {
    const truth = labelsOf({ data: new Uint8Array(16), shape: [1, 4, 4] });
    const got = (values: unknown) =>
      failure(() => checkPredictions({ values: values as number[][] }, truth, -1, undefined));
    const line = Array(8).fill(0);
    expect(got([[line, line]])).toMatch(/^invalid_predictions: .*4 x 4.*2 x 8/);
    const flat = checkPredictions({ values: [[...line, ...line]] }, truth, -1, undefined);
    expect(flat.yPred).toHaveLength(16);
  });
});
