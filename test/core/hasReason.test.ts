import { afterEach, expect, it } from 'vitest';
import { hasReason } from '../../src/core/hasReason.js';
import { KFold, MonteCarloCV, RepeatedKFold, score, scoreTable } from '../../src/index.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { bbcCV } from '../../src/stats/index.js';

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, 'reason');
});

it('looks at what is its own', () => {
  Object.defineProperty(Object.prototype, 'reason', { value: 'polluted', configurable: true });
  expect([hasReason({ reason: 'none' }), hasReason({ value: 1 })]).toEqual([true, false]);
  const table = scoreTable({ yTrue: [0, 1, 1, 0], yPred: [0, 1, 0, 0] });
  expect(score(accuracy, table)).toEqual({ value: 0.75 });
  const odd = { ...accuracy, compute: () => ({}) as never };
  expect(() => score(odd, table)).toThrow(/must give a number or \{ reason \}\. Got an empty object/);
  expect(() => bbcCV({} as never)).toThrow(/two configurations or more/);
});

it('counts that no machine could hold are refused at once', () => {
  const must = 'must be an integer >= 1 and <= 1000000. Got 1000000000.';
  expect(() => new MonteCarloCV({ nIterations: 1e9 })).toThrow(must);
  expect(() => new RepeatedKFold({ nRepeats: 1e9 })).toThrow(must);
  expect(() => [...new KFold({ nSplits: 1e9 }).split(10)]).toThrow('be at most the number of rows, 10');
});
