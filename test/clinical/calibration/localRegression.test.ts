import { describe, expect, it } from 'vitest';
import { binaryRows } from '../../../src/clinical/binaryRows.js';
import { flexibleCurve, type LocalWeights, localQuadratic } from '../../../src/clinical/calibration/flexibleCurve.js';
import { randomSource } from '../../../src/core/random.js';
import type { Undefined } from '../../../src/metrics/metric.js';

/** Value of the local fit to `y` at a place. */
function height(x: readonly number[], y: readonly number[], at: number, span = 0.75, weight?: readonly number[]) {
  return heightOf(localQuadratic(x, span, weight)(at), y);
}

function heightOf(found: LocalWeights | Undefined, y: readonly number[]) {
  return 'reason' in found ? found : found.values.reduce((sum, each, i) => sum + each * y[found.rows[i]], 0);
}

// The values of R's loess are those of calibrationCurve.test.ts.
describe('localQuadratic', () => {
  const x = Array.from({ length: 40 }, (_, row) => ((row * 17) % 40) / 40 + 0.01 * (row % 3));

  it('reproduces every parabola, whatever the span', () => {
    const y = x.map((each) => 3 - 2 * each + 5 * each * each);
    for (const span of [0.2, 0.75, 1]) {
      for (const at of [0, 0.31, 0.5, 1]) expect(height(x, y, at, span)).toBeCloseTo(3 - 2 * at + 5 * at * at, 10);
    }
  });

  it('does not lose digits far from the nearest rows', () => {
    const far = x.map((each) => 0.999 + each * 1e-4).concat([0, 0.001, 0.002]);
    const y = far.map((each) => 1 + each - each * each);
    expect(height(far, y, 0.001)).toBeCloseTo(1.000999, 6);
    expect(height(far, y, 0.9991)).toBeCloseTo(1 + 0.9991 - 0.9991 ** 2, 8);
  });

  it('takes weight k as the row k times, and a common factor as nothing', () => {
    const y = x.map((each) => Math.sin(6 * each));
    const weight = x.map((_, row) => 1 + (row % 3));
    const repeated = (values: readonly number[]) => values.flatMap((each, row) => new Array(weight[row]).fill(each));
    const found = height(x, y, 0.4, 0.5, weight) as number;
    expect(height(repeated(x), repeated(y), 0.4, 0.5)).toBeCloseTo(found, 12);
    expect(
      height(
        x,
        y,
        0.4,
        0.5,
        weight.map((w) => w / 7),
      ),
    ).toBeCloseTo(found, 12);
  });

  it('has no parabola through fewer than three different values', () => {
    const reason = 'the nearest rows have fewer than three different probabilities';
    expect(height([0.2, 0.2, 0.6, 0.6], [0, 1, 1, 1], 0.3, 1)).toEqual({ reason });
    expect(height([0.5, 0.5, 0.5, 0.5, 0.9], [0, 1, 1, 1, 0], 0.5)).toEqual({ reason });
    expect(height([0.5], [1], 0.5)).toEqual({ reason });
  });
});

describe('flexibleCurve', () => {
  it('of more than 500 different probabilities interpolates the fits between quantiles', () => {
    const random = randomSource(4);
    const p = Array.from({ length: 1500 }, () => random.random() ** 2);
    const y = p.map((each) => (random.random() < each ** 1.5 ? 1 : 0));
    const fitAt = localQuadratic(p, 0.75);
    const direct = p.map((each) => Math.abs((heightOf(fitAt(each), y) as number) - each)).sort((a, b) => a - b);
    const { ici, e50, e90 } = flexibleCurve(binaryRows(y, p, {}), 0.75, 2);
    expect(ici.value).toBeCloseTo(direct.reduce((sum, each) => sum + each, 0) / 1500, 5);
    expect(e50.value).toBeCloseTo((direct[749] + direct[750]) / 2, 5);
    expect(e90.value).toBeCloseTo(direct[1349] + 0.1 * (direct[1350] - direct[1349]), 5);
  });
});
