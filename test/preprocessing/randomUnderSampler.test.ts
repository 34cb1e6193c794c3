import { describe, expect, it } from 'vitest';
import { RandomUnderSampler } from '../../src/preprocessing/randomUnderSampler.js';

const X = [[0], [1], [2], [3], [4], [5]];
const y = ['a', 'a', 'a', 'a', 'b', 'b'];

describe('RandomUnderSampler', () => {
  it('keeps some rows of the larger class and all of the smallest, in their order', async () => {
    const made = await new RandomUnderSampler({ randomState: 1 }).fitResample(X, y);
    expect([...made.y].sort()).toEqual(['a', 'a', 'b', 'b']);
    const rows = Array.from(made.rows);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    expect(rows.slice(-2)).toEqual([4, 5]);
    expect(await new RandomUnderSampler({ randomState: 1 }).fitResample(X, y)).toEqual(made);
    const seeds = await Promise.all(
      [2, 3, 4, 5].map((randomState) => new RandomUnderSampler({ randomState }).fitResample(X, y)),
    );
    expect(new Set(seeds.map((each) => each.rows.join())).size).toBeGreaterThan(1);
  });

  it('goes as far as it is told', async () => {
    const made = await new RandomUnderSampler({ samplingStrategy: { a: 3 } }).fitResample(X, y);
    expect(made.y.filter((label) => label === 'a')).toHaveLength(3);
  });
});
