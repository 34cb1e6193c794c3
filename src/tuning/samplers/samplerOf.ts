/** The option `sampler`: a name, or an object that proposes parameters. */
import { InvalidOptionError, sentence, show, suggestion } from '../../core/errors.js';
import type { Sampler } from '../sampler.js';
import { RandomSampler } from './randomSampler.js';
import { TPESampler } from './tpeSampler.js';

/** Samplers that need to know nothing of the space. */
const SAMPLERS = {
  random: () => new RandomSampler(),
  tpe: () => new TPESampler(),
} as const satisfies Record<string, () => Sampler>;

export type SamplerName = keyof typeof SAMPLERS | 'grid';
export type SamplerOption = SamplerName | Sampler;

export const isSampler = (value: unknown): value is Sampler => typeof (value as Sampler | null)?.sample === 'function';

/** `grid`: makes the sampler of that name, where the space is known. */
export function samplerOf(option: SamplerOption, grid?: () => Sampler): Sampler {
  if (isSampler(option)) return option;
  if (option === 'grid' && grid) return grid();
  if (typeof option === 'string' && Object.hasOwn(SAMPLERS, option)) return SAMPLERS[option as keyof typeof SAMPLERS]();
  const names = [...Object.keys(SAMPLERS), ...(grid ? ['grid'] : [])];
  const way =
    option === 'grid'
      ? 'Use new GridSampler(space).'
      : typeof option === 'string'
        ? suggestion(option, names)
        : undefined;
  const must = `be ${names.map(show).join(', ')} or an object with \`sample\``;
  throw new InvalidOptionError(sentence('The `sampler` option', must, option, way), { code: 'unknown_sampler' });
}
