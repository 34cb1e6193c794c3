import { describe, expect, it } from 'vitest';
import { HoldOut, type HoldOutOptions } from '../../../src/splitters/iid/holdOut.js';
import { refusal } from '../../helpers/messages.js';
import { casesOf, groupIds, labels, ourFolds } from '../sklearn.js';

describe('HoldOut equals ShuffleSplit and StratifiedShuffleSplit (test/reference/splitters.json)', () => {
  it.each(casesOf('HoldOut'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});

const cut = (options: HoldOutOptions, n: number, y?: unknown, groups?: ArrayLike<number>) => {
  const [fold] = new HoldOut(options).split(n, y as number[], groups ? { groups } : {});
  return fold;
};

describe('HoldOut', () => {
  it('rounds a share up and takes an integer as a count', () => {
    expect(cut({ testSize: 0.2 }, 11).test.length).toBe(3);
    expect(cut({ testSize: 1 }, 11).test.length).toBe(1);
    expect(cut({ testSize: 10 }, 11).train.length).toBe(1);
    expect(cut({ test_size: 0.5 } as HoldOutOptions, 11).id).toBe('fold-0');
  });

  it('stratifies by y or by an array, with the same result', () => {
    const y = labels(250, 3);
    expect(cut({ stratify: y, randomState: 1 }, 250)).toEqual(cut({ stratify: true, randomState: 1 }, 250, y));
    expect(cut({ stratify: false, randomState: 1 }, 250, y)).toEqual(cut({ randomState: 1 }, 250));
  });

  it('keeps groups whole and comes as near to testSize as whole groups allow', () => {
    const groups = groupIds(300, 80);
    const sizes = new Map<number, number>();
    for (const id of groups) sizes.set(id, (sizes.get(id) ?? 0) + 1);
    for (let randomState = 0; randomState < 50; randomState++) {
      const { train, test } = cut({ testSize: 0.3, randomState }, 300, undefined, groups);
      const tested = new Set(Array.from(test, (row) => groups[row]));
      expect(Array.from(train).some((row) => tested.has(groups[row]))).toBe(false);
      // by hand: the groups are added in a random order, so the nearest sum is off by half the largest group at most
      expect(Math.abs(test.length - 90)).toBeLessThanOrEqual(Math.max(...sizes.values()) / 2);
    }
  });

  it('leaves a group on each side, however large they are', () => {
    for (let randomState = 0; randomState < 10; randomState++) {
      const { train, test } = cut({ testSize: 0.01, randomState }, 8, undefined, [1, 1, 1, 1, 1, 1, 2, 2]);
      expect([train.length, test.length].sort()).toEqual([2, 6]);
    }
  });

  it('has patients of the rare class on both sides when it stratifies groups', () => {
    // 3 of 20 patients are positive, and each only in one of five images
    const groups = Array.from({ length: 100 }, (_, row) => Math.floor(row / 5));
    const y = groups.map((patient, row) => (patient % 7 === 0 && row % 5 === 2 ? 'case' : 'control'));
    for (let randomState = 0; randomState < 50; randomState++) {
      const { train, test } = cut({ stratify: true, randomState }, 100, y, groups);
      for (const side of [train, test]) expect(new Set(Array.from(side, (row) => y[row])).size).toBe(2);
      expect(test.length).toBe(20);
    }
  });

  it('passes over a group that is too large while smaller ones meet the size', () => {
    // one group of 60 rows and forty of one row: 20 test rows can be met exactly, whatever the draw
    const groups = Array.from({ length: 100 }, (_, row) => Math.max(0, row - 59));
    for (let randomState = 0; randomState < 20; randomState++) {
      const [{ test }] = new HoldOut({ testSize: 0.2, randomState }).split(100, { groups });
      expect(test.length).toBe(20);
    }
  });
});

describe('HoldOut refuses', () => {
  const split = (options: object, n = 10, y?: unknown, groups?: unknown[]) => {
    return () => new HoldOut(options).split(n, y as number[], groups ? { groups: groups as number[] } : {});
  };

  it('bad options', () => {
    for (const testSize of [0, 1.5, -1, Number.NaN]) {
      expect(split({ testSize })).toThrow(
        `must be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1. Got ${testSize}.`,
      );
    }
    expect(split({ stratify: 'y' })).toThrow(refusal('invalid_option', 'stratify', 'y'));
    expect(split({ stratify: new DataView(new ArrayBuffer(80)) })).toThrow(
      /^The `stratify` option of HoldOut must be .* Got a DataView/,
    );
    expect(split({ shuffle: true })).toThrow(refusal('unknown_option', 'shuffle'));
    expect(split({ testSise: 0.3 })).toThrow(refusal('unknown_option', 'testSise', 'testSize'));
    expect(split({ testSize: 0.3, test_size: 0.3 })).toThrow(refusal('duplicate_option', 'testSize', 'test_size'));
  });

  it('data that do not fit, at the call of split', () => {
    const y = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2];
    expect(split({ testSize: 10 })).toThrow(refusal('infeasible_split', 'testSize', 10));
    expect(split({ stratify: true })).toThrow(refusal('missing_y', 'y'));
    expect(split({ stratify: true }, 10, y)).toThrow(refusal('infeasible_split', 'testSize', 3, '10 rows'));
    expect(split({ stratify: true }, 4, ['a', 'a', 'a', 'b'])).toThrow(
      refusal('infeasible_split', '1 row', "class 'b'"),
    );
    expect(split({ stratify: y.map((v) => v / 3) })).toThrow(refusal('continuous_y', 'stratify'));
    expect(split({}, 3, null, ['a', 'a', 'a'])).toThrow(refusal('infeasible_split', 1));
    expect(split({}, 3, null, ['a', null, 'b'])).toThrow(refusal('missing_group', 'groups', 'row 1'));
    expect(split({ stratify: true }, 4, [0, 0, 0, 1], [1, 2, 3, 3])).toThrow(
      refusal('infeasible_split', '1 group', 'class 1'),
    );
  });
});
