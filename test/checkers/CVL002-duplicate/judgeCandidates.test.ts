import { describe, expect, it } from 'vitest';
import { type Candidate, judge } from '../../../src/checkers/CVL002-duplicate/judgeCandidates.js';

const pair = (differing: number, score: number): Candidate => ({ first: 0, second: 1, differing, score });
const judged = (all: Candidate[], power: number[]) => judge(all, { columns: 9, pairs: 5000, power });

describe('judge', () => {
  it('calls a pair a copy where fewer than .01 such pairs are expected', () => {
    // 5000 pairs: log(5000 / .01) = 13.12.
    expect(judged([pair(0, 13.2)], [1, 1, 1])).toMatchObject({ copies: [{ score: 13.2 }] });
    expect(judged([pair(0, 13.2)], [1]).expected).toBeCloseTo(5000 * Math.exp(-13.2), 10);
    expect(judged([pair(0, 13)], [1, 1, 1])).toEqual({ copies: [], expected: 0 });
    // In nine ways one cell may differ: log 9 = 2.2 more.
    expect(judged([pair(1, 15)], [1, 1, 1]).copies).toHaveLength(0);
    expect(judged([pair(1, 15.4)], [1, 1, 1]).copies).toHaveLength(1);
  });

  it('leaves pairs out of a kind of which hardly any copy could be found, but no exact ones', () => {
    expect(judged([pair(1, 18), pair(2, 20)], [1, 0.05, 0.04]).copies).toMatchObject([{ differing: 1 }]);
    // What chance gives in less than a millionth of such tables is a copy, however rare its kind.
    expect(judged([pair(1, 18), pair(2, 60)], [1, 0.04, 0.04]).copies).toMatchObject([{ differing: 2 }]);
    expect(judged([pair(0, 50)], [0, 0, 0]).copies).toHaveLength(1);
  });
});
