import { expect, it } from 'vitest';
import { NoPruner } from '../../../src/tuning/pruners/noPruner.js';
import { checkPruner } from '../../helpers/pruning.js';

it('NoPruner ends no trial', () => {
  const pruner = new NoPruner();
  expect(pruner).toMatchObject({ name: 'none', reads: 'progress' });
  expect(checkPruner(pruner)).toBe(0);
});
