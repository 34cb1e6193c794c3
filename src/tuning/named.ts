/** The options `sampler` and `pruner`: a name, or an object that does the work. */
import { InvalidOptionError, sentence, show, suggestion } from '../core/errors.js';
import { NoPruner, type Pruner } from './pruner.js';
import { HyperbandPruner } from './pruners/hyperbandPruner.js';
import { MedianPruner } from './pruners/medianPruner.js';
import { WilcoxonPruner } from './pruners/wilcoxonPruner.js';
import type { Sampler } from './sampler.js';
import { RandomSampler } from './samplers/randomSampler.js';
import { TPESampler } from './samplers/tpeSampler.js';

const SAMPLERS = { random: () => new RandomSampler(), tpe: () => new TPESampler() };
const PRUNERS = {
  none: () => new NoPruner(),
  median: () => new MedianPruner(),
  hyperband: () => new HyperbandPruner(),
  wilcoxon: () => new WilcoxonPruner(),
};

export type SamplerOption = keyof typeof SAMPLERS | 'grid' | Sampler;
export type PrunerOption = keyof typeof PRUNERS | Pruner;

export const isSampler = (value: unknown): value is Sampler => typeof (value as Sampler | null)?.sample === 'function';
const isPruner = (value: unknown): value is Pruner => typeof (value as Pruner | null)?.shouldPrune === 'function';

/** `grid`: makes the sampler of that name, where the space is known. */
export function samplerOf(option: SamplerOption, grid?: () => Sampler): Sampler {
  if (isSampler(option)) return option;
  const makers = grid ? { ...SAMPLERS, grid } : SAMPLERS;
  const { make, must, way } = named<Sampler>(option, makers, 'sample');
  if (make) return make();
  const instead = option === 'grid' ? 'Use new GridSampler(space).' : way;
  throw new InvalidOptionError(sentence('The `sampler` option', must, option, instead), { code: 'unknown_sampler' });
}

export function prunerOf(option: PrunerOption): Pruner {
  if (isPruner(option)) return option;
  const { make, must, way } = named<Pruner>(option, PRUNERS, 'shouldPrune');
  if (make) return make();
  throw new InvalidOptionError(sentence('The `pruner` option', must, option, way), { code: 'unknown_pruner' });
}

/** What makes the object of a name, or the words for what has none. */
function named<T>(option: unknown, makers: Readonly<Record<string, () => T>>, method: string) {
  const names = Object.keys(makers);
  const isText = typeof option === 'string';
  return {
    make: isText && Object.hasOwn(makers, option) ? makers[option] : undefined,
    must: `be ${names.map(show).join(', ')} or an object with \`${method}\``,
    way: isText ? suggestion(option, names) : undefined,
  };
}
