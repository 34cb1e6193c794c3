import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  judge,
  type NullModel,
  nullModel,
} from '../../../src/checkers/CVL002-duplicate/judgeCandidates.js';
import { rowNumbers } from '../../../src/data/labels.js';

/** 100 rows of nine columns, of which each row is worth `worth(row)` nats: 4,950 pairs. */
function modelOf(worth: (row: number) => number): NullModel {
  const cellWeights = (row: number) => ({
    conditionalWeights: new Float64Array(9).fill(worth(row) / 9),
    marginal: new Float64Array(9),
  });
  return nullModel({ cellWeights }, rowNumbers(100), { columns: 9, count: 100 });
}
const pair = (differing: number, score: number, first = 0): Candidate => ({
  first,
  second: first + 1,
  differing,
  score,
});

describe('judge', () => {
  it('calls one pair a copy where fewer than .01 pairs would be as rare, were all rows so', () => {
    const model = modelOf(() => 5);
    // log(4950 / .01) = 13.11; in nine ways one cell may differ: log 9 = 2.20 more.
    for (const [differing, score, copies] of [
      [0, 13.2, 1],
      [0, 13, 0],
      [1, 15.4, 1],
      [1, 15.2, 0],
    ]) {
      expect(judge([pair(differing, score)], model, [1, 1, 1]).copies).toHaveLength(copies);
    }
    expect(judge([pair(0, 13.2)], model, [1, 1, 1]).expected).toBeCloseTo(4950 * Math.exp(-13.2), 10);
  });

  it('takes the sum over the rows that are as rare for several equal pairs', () => {
    // Four of 100 rows are worth 12 nats, the others 3: (3 + 4) / 103 of the pairs, 4950 exp(-12) 7 / 103 = .0021, for .002 of two.
    const model = modelOf((row) => (row < 4 ? 12 : 3));
    const expected = (4950 * Math.exp(-12) * 7) / 103;
    expect(model.expected({ score: 12, differing: 0 })).toBeCloseTo(expected, 10);
    expect(expected).toBeGreaterThan(0.002);
    expect(judge([pair(0, 12), pair(0, 12, 2)], model, [1]).copies).toHaveLength(0);
    const rarer = modelOf((row) => (row < 4 ? 12.1 : 3));
    expect(judge([pair(0, 12.1), pair(0, 12.1, 2)], rarer, [1]).copies).toHaveLength(2);
  });

  it('leaves pairs out of a kind of which hardly any copy could be found, but for many, and no exact ones', () => {
    const model = modelOf(() => 5);
    expect(judge([pair(1, 18), pair(2, 20, 2)], model, [1, 0.05, 0.04]).copies).toMatchObject([{ differing: 1 }]);
    expect(judge([pair(0, 50)], model, [0, 0, 0]).copies).toHaveLength(1);
    const many = Array.from({ length: 10 }, (_, at) => pair(2, 20, 2 * at));
    expect(judge(many, model, [0, 0, 0]).copies).toHaveLength(10);
  });
});
