/** Distributions of every kind, with the bounds that go wrong most easily. */

import fc from 'fast-check';
import type { Distribution } from '../../src/core/tuningTrial.js';
import { categoricalDistribution, floatDistribution, intDistribution } from '../../src/tuning/distribution.js';

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const ordered = <T extends number>(bound: fc.Arbitrary<T>) =>
  fc.tuple(bound, bound).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const anyBound = fc.oneof(double(-1, 1), double(-1e308, 1e308), fc.constantFrom(-0, 0, 0.1, 1 / 3, 1e-300, 5e-324));

/** Tenths and the like, counted from bounds that are no round numbers, too. */
const stepped = fc
  .record({
    low: fc.oneof(fc.constantFrom(0, -0.3, 1 / 3, -100, 1e6, 0.1), double(-1000, 1000)),
    step: fc.oneof(fc.constantFrom(0.1, 0.25, 1e-3, 1 / 3, 1e-7), double(1e-6, 10)),
    steps: fc.integer({ min: 0, max: 400 }),
    part: fc.constantFrom(0, 0.3, 0.9),
  })
  .map(({ low, step, steps, part }) => floatDistribution('x', low, low + Math.max(steps + part, 1.1) * step, { step }));

const whole = ordered(
  fc.oneof(
    fc.integer({ min: -50, max: 50 }),
    fc.maxSafeInteger().map((value) => Math.trunc(value / 2)),
  ),
);

const anyChoice = fc.oneof(
  fc.constantFrom<null | boolean | number | string>(null, true, false, 0, -1, 0.1, '', '0', 'null', '[1]', '__proto__'),
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  fc.record({ units: fc.integer({ min: 1, max: 9 }) }),
);

/** Each choice once, as JSON tells them apart. */
export const anyChoices = fc.uniqueArray(anyChoice, {
  minLength: 1,
  maxLength: 6,
  selector: (choice) => JSON.stringify(choice),
});

/** With values that can be counted, not very many. */
export const countable: fc.Arbitrary<Distribution> = fc.oneof(
  stepped,
  fc
    .tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 60 }))
    .map(([low, step, steps]) => intDistribution('x', low, low + steps * step, { step })),
  anyChoices.map((choices) => categoricalDistribution('x', choices)),
);

export const anyDistribution: fc.Arbitrary<Distribution> = fc.oneof(
  countable,
  ordered(anyBound).map(([low, high]) => floatDistribution('x', low, high)),
  ordered(double(5e-324, 1e308)).map(([low, high]) => floatDistribution('x', low, high, { log: true })),
  whole.map(([low, high]) => intDistribution('x', low, high)),
  ordered(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })).map(([low, high]) =>
    intDistribution('x', low, high, { log: true }),
  ),
);
