/** Near-duplicates come together: the second step of `mergeDuplicates`. */

import type { Components } from '../../core/components.js';
import { InvalidOptionError, sentence } from '../../core/errors.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import type { Features } from '../features/columns.js';
import { nearPairs } from './nearPairs.js';

export type Pair = readonly [number, number];

interface NearSettings {
  readonly near: boolean | readonly Pair[];
  readonly randomState: number | string;
}

const ROUNDS = 10;
/** Where some were found, pairs that are so many times as likely by chance count, too: no other draw then finds more. */
const EAGER = 5;

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
    const invalid = near.flat().find((row) => !Number.isInteger(row) || row < 0 || row >= n);
    if (invalid !== undefined)
      throw new InvalidOptionError(sentence('A row of `near`', `be an integer from 0 to ${n - 1}`, invalid));
    join(near);
    return '';
  }
  let [clustered, groups] = ['', 0];
  for (let round = 0; near && round < ROUNDS; round++) {
    const { codes, sizes } = components[components.length - 1].codes();
    if (sizes.length === groups) break;
    groups = sizes.length;
    const found = await nearPairs(features, {
      codes: sizes.length < n ? codes : undefined,
      units: sizes.length,
      crossPairs: (n * (n - 1)) / 2 / (round > 0 ? EAGER : 1),
      random: randomSource(deriveSeed(randomState, 'near_duplicate')),
    });
    const { pairs, tightClusters = [], reason = '' } = found;
    if (tightClusters.length > 0)
      clustered ||= `${reason} Each became one group: if they are sites or batches, pass \`near: false\`.`;
    else if (pairs.length === 0)
      return clustered || (reason && `No ${round > 0 ? 'further ' : ''}near-duplicates were joined. ${reason}`);
    for (const clusters of tightClusters) {
      const places = await clusters.places();
      for (const each of components) each.joinEqual(places);
    }
    join(pairs.map(({ first, second }): Pair => [first, second]));
  }
  return clustered;
}
