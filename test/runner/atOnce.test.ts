import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/runner/atOnce.js';

const collected = async <T>(from: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const each of from) all.push(each);
  return all;
};
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('atOnce', () => {
  it('does the work of as many items at once as it may, takes no item before, and gives results as they come', async () => {
    let [running, most, taken] = [0, 0, 0];
    function* items() {
      for (const ms of [30, 5, 5, 5]) {
        taken++;
        expect(taken - 1).toBeLessThanOrEqual(running + 3);
        yield ms;
      }
    }
    const results = atOnce(items(), 2, async (ms) => {
      running++;
      most = Math.max(most, running);
      await later(ms);
      running--;
      return ms;
    });
    expect(await collected(results)).toEqual([5, 5, 5, 30]);
    expect(most).toBe(2);
  });

  it('waits for work that has begun when nobody listens any more, and says so first', async () => {
    const ended: number[] = [];
    let abandoned = 0;
    const results = atOnce(
      [1, 20, 3, 4],
      2,
      async (ms) => {
        await later(ms);
        ended.push(ms);
        return ms;
      },
      () => void abandoned++,
    );
    for await (const first of results) {
      expect(first).toBe(1);
      break;
    }
    expect(abandoned).toBe(1);
    expect(ended).toEqual([1, 20]);
  });

  it('throws what work throws, after the work beside it has ended', async () => {
    let ended = false;
    const results = atOnce([1, 20], 2, async (ms) => {
      await later(ms);
      if (ms === 1) throw new Error('no');
      ended = true;
      return ms;
    });
    await expect(collected(results)).rejects.toThrow('no');
    expect(ended).toBe(true);
  });
});
