/** The option `pruner`: a name, or an object that ends trials. */
import { InvalidOptionError, sentence, show, suggestion } from '../../core/errors.js';
import type { Pruner } from '../pruner.js';
import { HyperbandPruner } from './hyperbandPruner.js';
import { MedianPruner } from './medianPruner.js';
import { NoPruner } from './noPruner.js';
import { WilcoxonPruner } from './wilcoxonPruner.js';

const PRUNERS = {
  none: () => new NoPruner(),
  median: () => new MedianPruner(),
  hyperband: () => new HyperbandPruner(),
  wilcoxon: () => new WilcoxonPruner(),
} as const satisfies Record<string, () => Pruner>;

export type PrunerName = keyof typeof PRUNERS;
export type PrunerOption = PrunerName | Pruner;

const NAMES = Object.keys(PRUNERS);

const isPruner = (value: unknown): value is Pruner => typeof (value as Pruner | null)?.shouldPrune === 'function';

/** @throws {InvalidOptionError} `unknown_pruner`: neither a name of one nor an object that is one. */
export function prunerOf(option: PrunerOption): Pruner {
  if (isPruner(option)) return option;
  if (typeof option === 'string' && Object.hasOwn(PRUNERS, option)) return PRUNERS[option as PrunerName]();
  const must = `be ${NAMES.map(show).join(', ')} or an object with \`shouldPrune\``;
  const way = typeof option === 'string' ? suggestion(option, NAMES) : undefined;
  throw new InvalidOptionError(sentence('The `pruner` option', must, option, way), { code: 'unknown_pruner' });
}
