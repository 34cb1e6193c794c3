import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import {
  BootstrapValidation,
  type BootstrapValidationOptions,
} from '../../../src/splitters/iid/bootstrapValidation.js';

const seed = fc.integer({ min: 0, max: 0xffffffff });
const timesIn = (rows: Int32Array, row: number) => rows.filter((each) => each === row).length;

describe('BootstrapValidation', () => {
  it('draws n of n rows with replacement and tests on the others', () => {
    // numpy 2.4.6: RandomState(42).randint(0, 10, 10) is [6, 3, 7, 4, 6, 9, 2, 6, 7, 4]
    const [fold] = new BootstrapValidation({ randomState: 42 }).split(10);
    expect(fold).toEqual({
      id: 'fold-0',
      train: Int32Array.of(2, 3, 4, 4, 6, 6, 6, 7, 7, 9),
      test: Int32Array.of(0, 1, 5, 8),
    });
  });

  it('draws as many whole groups as there are, whatever their ids and order', () => {
    const ids = fc.oneof(fc.constantFrom(-1e300, -7, 0, 0.5, 2 ** 53, 1e300), fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(fc.array(ids, { minLength: 2, maxLength: 40 }), seed, (groups, randomState) => {
        const distinct = [...new Set(groups)];
        fc.pre(distinct.length >= 2);
        const splitter = new BootstrapValidation({ nIterations: 3, randomState });
        for (const { train, test } of foldsOf(splitter, groups.length, { groups })) {
          const drawn = distinct.map((id) => {
            const times = [...groups.keys()].filter((row) => groups[row] === id).map((row) => timesIn(train, row));
            expect(new Set(times).size).toBe(1);
            return times[0];
          });
          expect(drawn.reduce((sum, times) => sum + times, 0)).toBe(distinct.length);
          expect([...test]).toEqual([...groups.keys()].filter((row) => drawn[distinct.indexOf(groups[row])] === 0));
        }
      }),
    );
  });

  it('leaves out each row with probability (1 - 1/n)^n', () => {
    const [n, nIterations] = [20, 2000];
    const left = new Float64Array(n);
    for (const { test } of new BootstrapValidation({ nIterations, randomState: 1 }).split(n)) {
      for (const row of test) left[row]++;
    }
    const share = (1 - 1 / n) ** n;
    const error = Math.sqrt((share * (1 - share)) / nIterations);
    for (const count of left) expect(Math.abs(count / nIterations - share)).toBeLessThan(4 * error);
  });

  it('draws again what leaves no row to test', () => {
    // of 2 rows, half of all draws take both
    for (const { train, test } of new BootstrapValidation({ nIterations: 200, randomState: 0 }).split(2)) {
      expect([...train, ...test]).toEqual(train[0] === 0 ? [0, 0, 1] : [1, 1, 0]);
    }
  });

  it('gives the same folds for each estimator, the first ones of a longer design, and continues a source', () => {
    const split = (options: BootstrapValidationOptions) => [...new BootstrapValidation(options).split(30)];
    const five = split({ nIterations: 5, randomState: 7 });
    expect(split({ nIterations: 5, randomState: 7, estimator: '.632+' })).toEqual(five);
    expect(split({ nIterations: 9, randomState: 7 }).slice(0, 5)).toEqual(five);
    const source = randomSource(7);
    const [first, second] = [1, 1].map((nIterations) => split({ nIterations, randomState: source })[0]);
    expect([first.train, second.train]).toEqual([five[0].train, five[1].train]);
    expect(split({ random_state: 7, n_iterations: 5 } as object)).toEqual(five);
    expect(new BootstrapValidation().getNSplits()).toBe(100);
  });
});
