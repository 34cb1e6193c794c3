import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { intervalMethodNames } from '../../src/intervals/methodNames.js';
import { intervalMethods } from '../../src/intervals/registry.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('intervalMethods', () => {
  const table = scoreTable({
    yTrue: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
    yPred: [0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1],
  });
  const units = Int32Array.from({ length: 12 }, (_, row) => row);
  const input = () => ({
    metric: accuracy,
    folds: [{ score: { value: 11 / 12 }, table, units, nTrain: 30, repeat: 0 }],
    level: 0.95,
    unit: 'row',
    nBootstrap: 100,
    random: randomSource(1),
  });

  it('has an entry for every name', () => {
    expect(Object.keys(intervalMethods)).toEqual([...intervalMethodNames]);
  });

  it('names each interval by its method', () => {
    for (const method of intervalMethodNames) expect(intervalMethods[method](input()).method).toBe(method);
  });
});
