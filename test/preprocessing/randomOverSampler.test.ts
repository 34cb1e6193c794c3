import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { RandomOverSampler } from '../../src/preprocessing/randomOverSampler.js';
import { Stage } from '../../src/preprocessing/table.js';

const X = [['a'], ['b'], ['c'], ['d'], ['e'], ['f']];
const y = [0, 0, 0, 0, 1, 1];
const counts = (labels: unknown[]) => [0, 1].map((label) => labels.filter((each) => each === label).length);

describe('RandomOverSampler', () => {
  it('repeats rows of the smaller class, after those that there are', async () => {
    const made = await new RandomOverSampler({ randomState: 3 }).fitResample(X, y);
    expect(counts(made.y)).toEqual([4, 4]);
    expect(made.X.slice(0, 6)).toEqual(X);
    expect(Array.from(made.rows.slice(6)).every((row) => row >= 4)).toBe(true);
    expect(made.X).toEqual(Array.from(made.rows, (row) => X[row]));
    expect(await new RandomOverSampler({ randomState: 3 }).fitResample(X, y)).toEqual(made);
  });

  it('goes as far as it is told', async () => {
    expect(counts((await new RandomOverSampler({ samplingStrategy: 0.75 }).fitResample(X, y)).y)).toEqual([4, 3]);
    expect(counts((await new RandomOverSampler({ samplingStrategy: { 1: 9 } }).fitResample(X, y)).y)).toEqual([4, 9]);
  });

  it('takes the share that the classes have, whatever rounding makes of it', async () => {
    const labels = Array.from({ length: 157 }, (_, row) => Number(row < 57));
    const rows = labels.map((_, row) => [row]);
    expect(57 / 100).toBe(0.57);
    const made = await new RandomOverSampler({ samplingStrategy: 0.57 }).fitResample(rows, labels);
    expect(counts(made.y)).toEqual([100, 57]);
  });

  it('refuses rows of a class that the training rows of a fold lack', async () => {
    const labels = labelsOf(['a', 'a', 'a', 'b', 'b', 'c']);
    const step = new RandomOverSampler({ samplingStrategy: { a: 3, b: 3, c: 3 }, randomState: 1 });
    const stage = new Stage({ rows: rowsOf([[1], [2], [3], [4], [5], [6]]).take(Int32Array.of(0, 1, 2, 3, 4)) });
    await expect(step.resampleStage(stage, labels.take(Int32Array.of(0, 1, 2, 3, 4)), 7)).rejects.toThrow(
      "must ask for rows of classes that the training rows have. Got 3 of 'c', which they lack.",
    );
  });
});
