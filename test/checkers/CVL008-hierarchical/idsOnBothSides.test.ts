import { describe, expect, it } from 'vitest';
import {
  checkHierarchicalLeakage,
  type TwoSetsOfIds,
} from '../../../src/checkers/CVL008-hierarchical/idsOnBothSides.js';

const shared = (sets: TwoSetsOfIds) => checkHierarchicalLeakage({ revealIds: true }, sets);

describe('checkHierarchicalLeakage', () => {
  it('counts groups and parents on both sides, and the test rows concerned', () => {
    // Visit v2 is on both sides; v4 is not, but its patient B is. Test rows 0 and 1 of 3 are concerned.
    const sets = { groupsTrain: ['v1', 'v2', 'v3'], groupsTest: ['v2', 'v4', 'v5'] };
    const parents = { parentGroupsTrain: ['A', 'A', 'B'], parentGroupsTest: ['A', 'B', 'C'] };
    expect(shared({ ...sets, ...parents })).toMatchObject({
      overlapping: { groups: ['v2'], parents: ['A', 'B'] },
      count: 3,
      fraction: 2 / 3,
      evidence: { groups: 1, parents: 2 },
    });
  });

  it('counts ids that are on both sides in two spellings alone', () => {
    // P7 is on both sides as it is; P007 is P7 again. P8 and p8, 9 and '09' are on both sides in two spellings.
    const found = shared({ groupsTrain: ['P7', 'P8', 9], groupsTest: ['P7', 'P007', 'p8', '09', 'q'] });
    expect(found).toMatchObject({
      overlapping: { groups: ['P7'] },
      count: 1,
      evidence: { respelled: 2 },
      fraction: 1 / 5,
    });
    // Respelled on one side alone.
    expect(shared({ groupsTrain: ['P7', 'p7'], groupsTest: ['P8'] }).evidence).toEqual({ groups: 0 });
    const parents = { groupsTrain: [1], groupsTest: [2], parentGroupsTrain: ['a '], parentGroupsTest: ['A'] };
    expect(shared(parents)).toMatchObject({ count: 0, evidence: { respelled: 1 }, fraction: 0 });
  });

  it('does without parents, and reads 1 and "1" as one id', () => {
    const overlapping = { groups: ['2'], parents: [] };
    const found = shared({ groupsTrain: [1, 2], groupsTest: ['2', '3', '3'] });
    expect(found).toMatchObject({ overlapping, count: 1, fraction: 1 / 3 });
    expect(shared({ groupsTrain: ['a'], groupsTest: ['b'] })).toMatchObject({ count: 0, fraction: 0 });
  });
});
