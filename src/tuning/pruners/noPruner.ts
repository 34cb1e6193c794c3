import type { Pruner } from '../pruner.js';

/** Ends no trial. */
export class NoPruner implements Pruner {
  readonly name = 'none';
  readonly reads = 'progress';

  shouldPrune(): boolean {
    return false;
  }
}
