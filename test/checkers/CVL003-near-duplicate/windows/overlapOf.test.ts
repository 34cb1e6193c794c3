import { describe, expect, it } from 'vitest';
import { overlapOf } from '../../../../src/checkers/CVL003-near-duplicate/windows/overlaps.js';
import { randomSource } from '../../../../src/core/random.js';

const random = randomSource(8);
const signal = Float64Array.from({ length: 300 }, () => random.random());
const slide = Float64Array.from({ length: 48 * 48 }, () => random.random());
const tile = (top: number, left: number) =>
  Float64Array.from({ length: 256 }, (_, at) => slide[(top + (at >> 4)) * 48 + left + (at % 16)]);

describe('overlapOf', () => {
  it('finds the end of one window in the head of another, in either order', () => {
    const [a, b] = [signal.slice(0, 100), signal.slice(40, 140)];
    expect(overlapOf(a, b, [100], 40)).toEqual({ shift: [40], share: 0.6, mostlyOne: false });
    expect(overlapOf(b, a, [100], -40)).toEqual({ shift: [-40], share: 0.6, mostlyOne: false });
    // Less than half is left alone.
    expect(overlapOf(a, signal.slice(70, 170), [100], 70)).toBeUndefined();
  });

  it('finds tiles moved along both sides, also by half of one', () => {
    expect(overlapOf(tile(10, 10), tile(13, 8), [16, 16], 3 * 16 - 2)).toEqual({
      shift: [3, -2],
      share: (13 / 16) * (14 / 16),
      mostlyOne: false,
    });
    expect(overlapOf(tile(10, 10), tile(10, 18), [16, 16], 8)).toEqual({ shift: [0, 8], share: 0.5, mostlyOne: false });
  });

  it('one other value is no overlap', () => {
    const b = signal.slice(40, 140);
    b[20] += 1e-9;
    expect(overlapOf(signal.slice(0, 100), b, [100], 40)).toBe('differ');
  });

  it('does not take a period, few values, or a thing on an empty ground for an overlap', () => {
    const wave = Float64Array.from({ length: 140 }, (_, at) => Math.round(20 * Math.sin((at * Math.PI) / 10)));
    expect(overlapOf(wave.slice(0, 100), wave.slice(37, 137), [100], 37)).toBeUndefined();
    const flags = Float64Array.from(signal, (value) => (value > 0.5 ? 1 : 0));
    expect(overlapOf(flags.slice(0, 100), flags.slice(40, 140), [100], 40)).toBeUndefined();
    const spike = Float64Array.from({ length: 140 }, (_, at) => (at >= 60 && at < 90 ? signal[at] : 0));
    expect(overlapOf(spike.slice(0, 100), spike.slice(40, 140), [100], 40)).toBeUndefined();
  });

  it('says where most of what is shared is one value', () => {
    const things = Float64Array.from(signal, (value, at) => (at % 70 < 20 ? value : 0));
    expect(overlapOf(things.slice(0, 100), things.slice(40, 140), [100], 40)).toMatchObject({ mostlyOne: true });
  });
});
