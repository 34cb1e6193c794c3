import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { probabilitiesFrom } from '../../../adapters/estimator/index.js';
import { resultLabels, resultNumbers } from '../../../adapters/estimator/predictions.js';
import { classOf } from '../../../adapters/inputs.js';
import { tf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const binary = { task: 'binary', classes: [0, 1] } as const;

describe('resultNumbers', () => {
  it.each<[string, unknown]>([
    ['an array', [1.5, 2]],
    ['a typed array', Float32Array.of(1.5, 2)],
    ['a column of arrays', [[1.5], [2]]],
    ['a matrix', Matrix.columnVector([1.5, 2])],
    ['a tensor', tf.tensor1d([1.5, 2])],
    ['a column tensor', tf.tensor2d([[1.5], [2]])],
    ['a result with its shape', { data: Float64Array.of(1.5, 2), shape: [2, 1] }],
  ])('reads %s', async (_, result) => {
    expect(await resultNumbers(result, 2)).toEqual(Float64Array.of(1.5, 2));
  });
});

describe('resultLabels', () => {
  it('gives labels as y has them', async () => {
    expect(await resultLabels(Float32Array.of(1, 0), 2, binary)).toEqual([1, 0]);
    expect(await resultLabels([['yes'], ['no']], 2, { task: 'binary', classes: ['no', 'yes'] })).toEqual(['yes', 'no']);
    expect(await resultLabels([1, 0], 2, { task: 'binary', classes: [false, true] })).toEqual([true, false]);
    expect(await resultLabels([[1, 0, 1]], 1, { task: 'multilabel', classes: [0, 1, 2] })).toEqual([[1, 0, 1]]);
  });

  it('refuses labels that y does not have', async () => {
    expect(await thrown(() => resultLabels([[1, 2]], 1, { task: 'multilabel', classes: [0, 1] }))).toContain(
      'unknown_label',
    );
  });
});

describe('masks', () => {
  const facts = { task: 'multilabel', classes: [0, 1, 2, 3, 4, 5], shape: [2, 3] } as const;
  const mask = [
    [1, 0, 1],
    [0, 0, 1],
  ];

  it('may be nested, with a channel, or flat', async () => {
    for (const given of [mask, mask.map((row) => row.map((pixel) => [pixel])), mask.flat()]) {
      expect(await resultLabels([given], 1, facts)).toEqual([mask.flat()]);
    }
  });

  it('have the shape of those of y', async () => {
    const turned = [0, 1, 2].map((column) => mask.map((row) => row[column]));
    const model = { fit: () => undefined, predict: () => [mask], predictProba: () => [turned] };
    expect(await thrown(() => probabilitiesFrom(model, [[1]], facts))).toContain('masks of 2 x 3. Got masks of 3 x 2');
  });
});

it('classOf takes 0 and 1 for false and true, and for nothing else', () => {
  expect(classOf(1, [false, true])).toBe(true);
  expect([classOf(1, ['0', '1']), classOf('1', [0, 1])]).toEqual([undefined, undefined]);
});
