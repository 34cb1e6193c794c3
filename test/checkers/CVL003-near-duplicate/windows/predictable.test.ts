import { describe, expect, it } from 'vitest';
import { isPeriodic, isPredictable } from '../../../../src/checkers/CVL003-near-duplicate/windows/predictable.js';
import { randomSource } from '../../../../src/core/random.js';

const random = randomSource(3);
const series = (length: number, at: (t: number) => number) => Float64Array.from({ length }, (_, t) => at(t));

describe('isPredictable', () => {
  it.each([
    ['a sine', series(100, (t) => Math.sin(0.37 * t))],
    ['whole numbers of a sine', series(100, (t) => Math.round(100 * Math.sin(0.05 * t)))],
    ['a ramp', series(64, (t) => 5 + 3 * t)],
    ['a dose that falls', series(64, (t) => 100 * 0.95 ** t)],
  ])('%s goes on as it must', (_, values) => {
    expect(isPredictable(values, [values.length])).toBe(true);
    const both = series(2 * values.length, (t) => values[t >> 1]);
    expect(isPredictable(both, [values.length, 2])).toBe(true);
  });

  it('noise does not, nor a walk, nor a sine with noise', () => {
    let sum = 0;
    const walk = series(200, () => (sum += random.random() - 0.5));
    expect(isPredictable(walk, [200])).toBe(false);
    expect(
      isPredictable(
        series(200, (t) => Math.sin(0.3 * t) + 0.1 * random.random()),
        [200],
      ),
    ).toBe(false);
    expect(
      isPredictable(
        series(10, (t) => t),
        [10],
      ),
    ).toBe(false);
  });
});

describe('isPeriodic', () => {
  const beat = (period: number) => (t: number) => Math.max(0, 30 - 5 * (t % period));
  it('sees a beat in silence, also where it comes hardly twice', () => {
    expect(isPeriodic(series(100, beat(20)), [100])).toBe(true);
    expect(isPeriodic(series(110, beat(70)), [110])).toBe(false);
    expect(isPeriodic(series(160, beat(70)), [160])).toBe(true);
    expect(isPeriodic(new Float64Array(100), [100])).toBe(false);
    expect(
      isPeriodic(
        series(100, () => random.random()),
        [100],
      ),
    ).toBe(false);
  });

  it('sees stripes along either side of a tile', () => {
    const stripes = series(1024, (at) => (at >> 5) % 5);
    expect(isPeriodic(stripes, [32, 32])).toBe(true);
    expect(
      isPeriodic(
        series(1024, (at) => at % 5),
        [32, 32],
      ),
    ).toBe(true);
  });
});
