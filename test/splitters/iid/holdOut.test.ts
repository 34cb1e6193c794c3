import { describe, expect, it } from 'vitest';
import { HoldOut, type HoldOutOptions } from '../../../src/splitters/iid/holdOut.js';
import { groupIds, labels } from '../sklearn.js';

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
