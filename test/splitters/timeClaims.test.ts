import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import type { Splitter, SplitterClaims } from '../../src/splitters/splitter.js';
import { refusal } from '../helpers/messages.js';

/** A foreign splitter with one fold and claims that may be lies. */
const claiming = (claims: SplitterClaims, train: number[], test: number[]): Splitter => ({
  claims,
  getNSplits: () => 1,
  split: () => [{ id: 'only', train: Int32Array.from(train), test: Int32Array.from(test) }],
});

const timestamps = [0, 10, 10, 20, 30, 30, 40, 50];

describe('foldsOf holds a foreign splitter to', () => {
  const check = (claims: SplitterClaims, train: number[], test: number[], labelEndTimes?: number[]) => () =>
    foldsOf(claiming(claims, train, test), 8, null, { timestamps, ...(labelEndTimes ? { labelEndTimes } : {}) });

  it('keepsTies', () => {
    expect(check({ keepsTies: true }, [0, 2, 4, 7], [1, 5])).toThrow(refusal('invalid_folds', 'rows 2, 4'));
    expect(check({ keepsTies: true }, [0, 3, 4, 5], [1, 2])).not.toThrow();
  });

  it('purged, where an interval without a label end is its timestamp', () => {
    expect(check({ purged: true }, [0, 2, 4, 4], [1, 5])).toThrow(refusal('invalid_folds', 'rows 2, 4'));
    expect(check({ purged: true }, [0, 3, 6], [1, 5])).not.toThrow();
  });

  it('purged, where touching is meeting, on either side and across rows between', () => {
    const ends = [10, 10, 10, 20, 30, 30, 40, 50];
    expect(check({ purged: true }, [0, 3], [1], ends)).toThrow('Got training row 0 whose interval meets');
    expect(check({ purged: true }, [1, 3], [0], ends)).toThrow('Got training row 1 whose interval meets');
    ends[0] = 30;
    expect(check({ purged: true }, [5, 6, 7], [0, 3], ends)).toThrow('Got training row 5 whose');
    expect(check({ purged: true }, [0, 6], [3], ends)).toThrow('Got training row 0 whose');
  });

  it('timeOrdered, of which it names five rows', () => {
    expect(check({ timeOrdered: true, keepsTies: true }, [1, 2, 3, 4, 5, 6, 7], [0])).toThrow(
      refusal('invalid_folds', 'rows 1, 2, 3, 4, 5'),
    );
  });

  it('nothing about times where there are none', () => {
    const claims = { timeOrdered: true, keepsTies: true, purged: true };
    expect(foldsOf(claiming(claims, [3], [0]), 8).length).toBe(1);
  });
});

it('purged is a comparison of all pairs, whatever the data', () => {
  const row = fc.record({
    start: fc.integer({ min: 0, max: 30 }),
    length: fc.integer({ min: 0, max: 6 }),
    side: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 25 }), (rows) => {
      const on = (sides: number[]) => [...rows.keys()].filter((at) => sides.includes(rows[at].side));
      const [train, test] = [on([0, 1, 2]), on([3])];
      fc.pre(train.length > 0 && test.length > 0);
      const starts = rows.map(({ start }) => start);
      const ends = rows.map(({ start, length }) => start + length);
      const met = train.filter((a) => test.some((b) => starts[a] <= ends[b] && starts[b] <= ends[a]));
      const split = () =>
        foldsOf(claiming({ purged: true }, train, test), rows.length, null, {
          timestamps: starts,
          labelEndTimes: ends,
        });
      const named = `training row${met.length > 1 ? 's' : ''} ${met.slice(0, 5).join(', ')} whose`;
      if (met.length > 0) expect(split).toThrow(named);
      else expect(split).not.toThrow();
    }),
  );
});
