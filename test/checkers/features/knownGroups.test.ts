import { expect, it } from 'vitest';
import { knownGroups } from '../../../src/checkers/features/knownGroups.js';

it('gives codes to ids, and -1 to rows without one', () => {
  const ids = ['b', null, 'a', '', undefined, Number.NaN, 'b'] as string[];
  expect(knownGroups(ids, 7)).toEqual({ codes: Int32Array.of(1, -1, 0, -1, -1, -1, 1), ids: ['a', 'b'], count: 2 });
  expect(knownGroups([3, 1, 3], 3)).toMatchObject({ codes: Int32Array.of(1, 0, 1), ids: [1, 3] });
  expect(knownGroups([null, null] as unknown as string[], 2)).toMatchObject({ codes: Int32Array.of(-1, -1), count: 0 });
});
