/** The option `pruner`: a name, or an object that ends trials. */
import type { Pruner } from '../pruner.js';

export type PrunerOption = 'none' | Pruner;

export const prunerOf = (given: PrunerOption): Pruner =>
  given === 'none' ? { name: 'none', reads: 'progress', shouldPrune: () => false } : given;
