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
export function samplerOf(given: SamplerOption, grid?: () => Sampler): Sampler {
  if (isSampler(given)) return given;
  if (given === 'grid' && grid) return grid();
  if (typeof given === 'string' && Object.hasOwn(SAMPLERS, given)) return SAMPLERS[given as keyof typeof SAMPLERS]();
  const names = [...Object.keys(SAMPLERS), ...(grid ? ['grid'] : [])];
  const way =
    given === 'grid' ? 'Use new GridSampler(space).' : typeof given === 'string' ? suggestion(given, names) : undefined;
  throw new InvalidOptionError(
    sentence('The `sampler` option', `be ${names.map(show).join(', ')} or an object with \`sample\``, given, way),
    { code: 'unknown_sampler' },
  );
}
