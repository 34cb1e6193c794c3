import { describe, expect, it } from 'vitest';
import { screenFeatures } from '../../../src/checkers/CVL009-feature-target/featureScreens.js';
import { labelsOf } from '../../../src/data/labels.js';

const column = (values: ArrayLike<number>) =>
  ({ name: 'x', kind: 'number', values: Float64Array.from(values) }) as const;
const copyOf = async (x: ArrayLike<number>, y: number[], groups?: number[]) => {
  const options = { threshold: 0.95, ownThreshold: false };
  const data = groups ? { groups } : {};
  const { found } = await screenFeatures([column(x)], labelsOf(y, { task: 'regression' }), data, options);
  return found[0]?.copy;
};
/** Different numbers without order. */
const scattered = (n: number) => Array.from({ length: n }, (_, row) => Math.sin(row ** 2) * 5);

describe('copies of numbers', () => {
  it('finds what rises or falls, with 1 % of the rows wrong', async () => {
    const y = scattered(200);
    expect(await copyOf(y.map(Math.exp), y)).toEqual({ kind: 'non_monotone', errors: 0, rows: 200, close: true });
    const falling = y.map((value) => -value);
    expect(await copyOf(falling, y)).toEqual({ kind: 'non_monotone', errors: 0, rows: 200, close: true });
    const wrong = y.map((value, row) => (row === 3 || row === 90 ? -9 : Math.exp(value)));
    expect(await copyOf(wrong, y)).toMatchObject({ errors: 0, close: true });
  });

  it('finds steps: y is the feature rounded', async () => {
    const x = scattered(300);
    expect(await copyOf(x, x.map(Math.round))).toMatchObject({ errors: 0, close: true });
  });

  it('finds a curve of few turns, and one with little noise', async () => {
    const x = scattered(100);
    const square = x.map((value) => (value - 0.5) ** 2);
    expect(await copyOf(x, square)).toMatchObject({ kind: 'non_monotone' });
    const many = scattered(2000);
    const noisy = many.map((value, row) => Math.cos(value) + 0.001 * Math.sin(7 * row ** 3));
    expect(await copyOf(many, noisy)).toMatchObject({ kind: 'non_monotone' });
  });

  it('does not find noise, a strong predictor, or patients whose rows are alike', async () => {
    const y = scattered(500);
    const noise = Array.from({ length: 500 }, (_, row) => Math.cos(3 * row ** 2));
    expect(await copyOf(noise, y)).toBeUndefined();
    const strong = y.map((value, row) => value + 1.5 * noise[row]);
    expect(await copyOf(strong, y)).toBeUndefined();
    // 60 patients of 50 rows: neighbours are nearly always of one patient, whose y is one value.
    const groups = Array.from({ length: 3000 }, (_, row) => Math.floor(row / 50));
    const x = groups.map((id, row) => Math.sin(id ** 2) + 1e-6 * Math.cos(3 * row ** 2));
    const ofPatient = groups.map((id) => Math.cos(id ** 2) * 3 + 0.1);
    expect(await copyOf(x, ofPatient, groups)).toBeUndefined();
  });

  it('says nothing of fewer than 30 units', async () => {
    const y = scattered(29);
    expect(await copyOf(y, y)).toBeUndefined();
  });
});
