import { expect, it } from 'vitest';
import { NoPruner } from '../../src/tuning/pruner.js';

it('NoPruner ends no trial', () => {
  const pruner = new NoPruner();
  expect([pruner.name, pruner.reads, pruner.shouldPrune()]).toEqual(['none', 'progress', false]);
});
