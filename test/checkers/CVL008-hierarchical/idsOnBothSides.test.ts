import { describe, expect, it } from 'vitest';
import { idsOnBothSides } from '../../../src/checkers/CVL008-hierarchical/idsOnBothSides.js';
import { refusal } from '../../helpers/messages.js';

describe('idsOnBothSides', () => {
  it('counts groups and parents on both sides, and the test rows concerned', () => {
    // Visit v2 is on both sides; v4 is not, but its patient B is. Test rows 0 and 1 of 3 are concerned.
    const found = idsOnBothSides(
      {
        groupsTrain: ['v1', 'v2', 'v3'],
        groupsTest: ['v2', 'v4', 'v5'],
        parentGroupsTrain: ['A', 'A', 'B'],
        parentGroupsTest: ['A', 'B', 'C'],
      },
      (id) => `<${id}>`,
    );
    expect(found).toEqual({
      overlapping: { groups: ['<v2>'], parents: ['<A>', '<B>'] },
      count: 3,
      respelled: 0,
      fraction: 2 / 3,
    });
  });

  it('counts ids that are on both sides in two spellings alone', () => {
    // P7 is on both sides as it is; P007 is P7 again. P8 and p8, 9 and '09' are on both sides in two spellings.
    const found = idsOnBothSides({ groupsTrain: ['P7', 'P8', 9], groupsTest: ['P7', 'P007', 'p8', '09', 'q'] }, String);
    expect(found).toMatchObject({ overlapping: { groups: ['P7'] }, count: 1, respelled: 2, fraction: 1 / 5 });
    // Respelled on one side alone.
    expect(idsOnBothSides({ groupsTrain: ['P7', 'p7'], groupsTest: ['P8'] }, String).respelled).toBe(0);
    const parents = { groupsTrain: [1], groupsTest: [2], parentGroupsTrain: ['a '], parentGroupsTest: ['A'] };
    expect(idsOnBothSides(parents, String)).toMatchObject({ count: 0, respelled: 1, fraction: 0 });
  });

  it('does without parents, and reads 1 and "1" as one id', () => {
    expect(idsOnBothSides({ groupsTrain: [1, 2], groupsTest: ['2', '3', '3'] }, String)).toEqual({
      overlapping: { groups: ['2'], parents: [] },
      count: 1,
      respelled: 0,
      fraction: 1 / 3,
    });
    expect(idsOnBothSides({ groupsTrain: ['a'], groupsTest: ['b'] }, String)).toMatchObject({ count: 0, fraction: 0 });
  });

  it('refuses what it cannot compare', () => {
    const refuse = (ids: Parameters<typeof idsOnBothSides>[0]) => expect(() => idsOnBothSides(ids, String));
    const ids = { groupsTrain: ['a', 'b'], groupsTest: ['c'] };
    refuse({ ...ids, parentGroupsTrain: ['A', 'A'] }).toThrow(
      refusal('invalid_data', 'checkHierarchicalLeakage', 'parentGroupsTest'),
    );
    refuse({ ...ids, parentGroupsTrain: ['A'], parentGroupsTest: ['B'] }).toThrow(
      refusal('length_mismatch', 'parentGroupsTrain', 'groupsTrain', 2, 1),
    );
    refuse({ ...ids, groupsTest: [] }).toThrow(refusal('invalid_data', 'groupsTest'));
    refuse({ ...ids, groupsTest: [Number.NaN] }).toThrow(refusal('missing_group', 'row 2', 'NaN'));
  });
});
