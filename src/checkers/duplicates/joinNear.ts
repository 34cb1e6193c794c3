/** Near-duplicates come together: the second step of `mergeDuplicates`. */
import { InvalidOptionError, sentence } from '../../core/errors.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import type { Features } from '../features.js';
import type { Components } from './components.js';

/** Two rows. */
export type Pair = readonly [number, number];

interface NearSettings {
  /** Whether to look for pairs, or the pairs. */
  readonly near: boolean | readonly Pair[];
  readonly randomState: number | string;
}

/** Rounds of looking among what was joined. */
const ROUNDS = 10;

/**
 * Joins the pairs given, or those that CVL003 accuses: among the groups so far, again and again, until it accuses none of
 * the groups that are left. Says why when it cannot tell.
 *
 * @param components each joined alike; the last holds the groups so far
 */
export async function joinNear(
  { near, randomState }: NearSettings,
  features: Features,
  components: readonly Components[],
): Promise<string> {
  const { n } = features;
  const join = (pairs: readonly Pair[]) => {
    for (const each of components) for (const [a, b] of pairs) each.join(a, b);
  };
  if (typeof near !== 'boolean') {
    const odd = near.flat().find((row) => !Number.isInteger(row) || row < 0 || row >= n);
    if (odd !== undefined)
      throw new InvalidOptionError(sentence('A row of `near`', `be an integer from 0 to ${n - 1}`, odd));
    join(near);
    return '';
  }
  const { nearPairs } = near ? await import('../near/nearPairs.js') : {};
  for (let round = 0; nearPairs && round < ROUNDS; round++) {
    const { codes, sizes } = components[components.length - 1].codes();
    const found = nearPairs(features, {
      codes,
      units: sizes.length,
      crossPairs: (n * (n - 1)) / 2,
      random: randomSource(deriveSeed(randomState, 'near_duplicate')),
    });
    if (found.reason && found.pairs.length === 0)
      return `No ${round > 0 ? 'further ' : ''}near-duplicates were joined. ${found.reason}`;
    if (found.pairs.length === 0) break;
    join(found.pairs.map(({ first, second }): Pair => [first, second]));
  }
  return '';
}
