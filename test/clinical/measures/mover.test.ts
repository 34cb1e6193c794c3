import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapValue, moverSum, reciprocal } from '../../../src/clinical/measures/mover.js';
import type { Value } from '../../../src/intervals/sample.js';

const value = (estimate: number | null, lower: number | null, upper: number | null, more = {}): Value => ({
  method: 'wilson',
  estimate,
  lower,
  upper,
  ...more,
});

describe('moverSum', () => {
  it('adds what lies between estimates and limits as standard errors (hand calculation: 3, 4, 5)', () => {
    expect(moverSum(value(10, 7, 13), value(20, 16, 24), 0)).toMatchObject({ estimate: 30, lower: 25, upper: 35 });
  });

  it('of wholly dependent values adds the limits', () => {
    expect(moverSum(value(10, 7, 12), value(20, 16, 25), 1)).toMatchObject({ estimate: 30, lower: 23, upper: 37 });
  });

  it('of opposites that cancel still has width', () => {
    expect(moverSum(value(10, 7, 13), value(20, 17, 23), -1)).toMatchObject({ lower: 30 - Math.sqrt(18) });
  });

  it('hands on why there is no value or no limit, and says each note once', () => {
    expect(moverSum(value(1, 0, 2), value(null, null, null, { reason: 'a' }), 0)).toMatchObject({
      estimate: null,
      reason: 'a',
    });
    expect(moverSum(value(1, 0, 2), value(3, null, null, { reason: 'b' }), 0)).toMatchObject({
      estimate: 4,
      lower: null,
      reason: 'b',
    });
    expect(moverSum(value(1, 0, 2, { note: 'N.' }), value(3, 2, 4, { note: 'N.' }), 0).note).toBe('N.');
  });
});

describe('mapValue', () => {
  it('keeps the order of the limits', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (factor) => {
        const { lower, upper } = mapValue(value(2, 1, 4), (each) => factor * each);
        expect(lower as number).toBeLessThanOrEqual(upper as number);
      }),
    );
  });
});

describe('reciprocal', () => {
  it('turns the limits round on either side of 0', () => {
    expect(reciprocal(value(0.5, 0.25, 1), 'J')).toMatchObject({ estimate: 2, lower: 1, upper: 4 });
    expect(reciprocal(value(-0.5, -1, -0.25), 'J')).toMatchObject({ estimate: -2, lower: -4, upper: -1 });
  });

  it('of limits around 0 has none, and of 0 no value', () => {
    const reason = 'the interval of J contains 0';
    expect(reciprocal(value(0.5, -0.1, 1), 'J')).toMatchObject({ estimate: 2, lower: null, upper: null, reason });
    expect(reciprocal(value(1e-17, -0.1, 1), 'J')).toMatchObject({ estimate: null, lower: null, upper: null, reason });
  });

  it('of a share of 0 has a lower limit alone', () => {
    expect(reciprocal(value(0, 0, 0.2), 'the share')).toMatchObject({
      estimate: null,
      lower: 5,
      upper: null,
      reason: 'unbounded, since the share is 0',
    });
  });
});
