/** Parameters to make a first model from, which tells the adapter before any trial begins. */
import type { Params } from './distribution.js';
import { RandomSampler } from './samplers/randomSampler.js';
import type { Space } from './space.js';
import { Study } from './study.js';

/** So many are tried where models cannot be made; what is wrong with all of them is wrong with modelFn. */
const TRIES = 10;

export function* firstLooks(
  space: Space,
  defaults: Params | undefined,
  randomState: number | string,
): Generator<Params> {
  if (defaults) yield defaults;
  const study = new Study({ sampler: new RandomSampler(), randomState });
  let refused: unknown;
  let given = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const params = space.paramsOf(study.ask());
      given++;
      yield params;
    } catch (error) {
      refused ??= error;
    }
  }
  if (given === 0 && refused !== undefined) throw refused;
}
