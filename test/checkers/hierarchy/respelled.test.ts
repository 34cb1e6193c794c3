import { describe, expect, it } from 'vitest';
import { respelled } from '../../../src/checkers/hierarchy/respelled.js';
import { groupsOf } from '../../../src/core/sideData.js';

const of = (ids: (string | number | boolean)[]) => respelled(groupsOf(ids, ids.length));

describe('respelled', () => {
  it('joins ids that differ in spaces or case alone', () => {
    const groups = of(['p7', 'P7 ', 'p 7', 'p8', 'p7\t', 'p-7']);
    expect(groups?.count).toBe(3); // p-7, p7, p8
    expect([...(groups as { codes: Int32Array }).codes]).toEqual([1, 1, 1, 2, 1, 0]);
  });

  it('leaves all others as they are', () => {
    expect(of(['p7', 'p8', 'q7'])).toBeUndefined();
    expect(of([7, 8, 70])).toBeUndefined();
    expect(of([true, false])).toBeUndefined();
  });
});
