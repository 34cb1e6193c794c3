import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lateTraining } from '../../../src/checkers/CVL004-temporal/temporalOrder.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import type { Splitter } from '../../../src/splitters/splitter.js';

/** The definition, written out: every training row of every fold. */
function oneByOne(splitter: Splitter, times: Float64Array, known: Float64Array) {
  return Array.from(foldsOf(splitter, times.length), ({ id, train, test }) => {
    const start = Math.min(...test.map((row) => times[row]));
    const late = [...train].filter((row) => known[row] >= start);
    const end = Math.max(...train.map((row) => known[row]));
    return {
      id,
      first: test.find((row) => times[row] === start),
      trained: train.length,
      late: {
        rows: late.length,
        tied: late.filter((row) => times[row] === start).length,
        byLabel: late.filter((row) => times[row] < start).length,
        latest: train.find((row) => known[row] === end),
      },
    };
  });
}

it('equals a look at every training row, for few folds and many', () => {
  const splitters: ((seed: number) => Splitter)[] = [
    () => new LOOCV(),
    (seed) => new KFold({ nSplits: 3, shuffle: true, randomState: seed }),
    (seed) => new KFold({ nSplits: 31, shuffle: true, randomState: seed }),
    (seed) => new BootstrapValidation({ nIterations: 31, randomState: seed }),
  ];
  const row = fc.record({ time: fc.integer({ min: -3, max: 12 }), lasts: fc.nat({ max: 4 }) });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 35, maxLength: 45 }),
      fc.nat({ max: splitters.length - 1 }),
      fc.nat({ max: 99 }),
      (rows, which, seed) => {
        const times = Float64Array.from(rows, ({ time }) => time);
        const known = Float64Array.from(rows, ({ time, lasts }) => time + lasts);
        const splitter = splitters[which](seed);
        expect([...lateTraining(foldsOf(splitter, rows.length), { times, known })]).toEqual(
          oneByOne(splitter, times, known),
        );
      },
    ),
  );
});

it('of leave-one-out lists no training rows', () => {
  const plan = foldsOf(new LOOCV(), 40);
  const watched = { ...plan, [Symbol.iterator]: () => expect.unreachable() };
  const times = Float64Array.from({ length: 40 }, (_, row) => row);
  const found = [...lateTraining(watched, { times, known: times })];
  // Row 7 is tested: rows 8 to 39 come later, and 39 last; before row 39 come all.
  expect(found[7].late).toEqual({ rows: 32, tied: 0, byLabel: 0, latest: 39 });
  expect(found[39].late).toEqual({ rows: 0, tied: 0, byLabel: 0, latest: 38 });
});
