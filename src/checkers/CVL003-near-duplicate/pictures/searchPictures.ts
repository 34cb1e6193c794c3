/** Pictures of one input that are other ones moved, and whether they come in clusters. */
import type { Features, ImageFeatures } from '../../features/columns.js';
import { areMasks } from '../../features/images/areMasks.js';
import { calibrate, FEWEST } from '../calibration.js';
import { clustersOf, type PointOptions, type PointPair, type PointSearch, type Trial } from '../searchPoints.js';
import { nearVectors } from '../vectors.js';
import { picturePairs } from './picturePairs.js';
import { MOVED } from './trialCopies.js';

/** Finds them, and exact copies. Every draw comes from `random`. */
export function searchPictures({ n, columns, images = [] }: Features, options: PointOptions): PointSearch {
  const [image] = images;
  const features = image.perceptual.width;
  const shown = image.blank.reduce((count, blank) => count + 1 - blank, 0);
  if (shown < FEWEST) {
    const reason = `What pictures have in common by chance can be told from ${FEWEST} with content. Got ${shown}.`;
    return { pairs: [], leastSimilarity: 1, features, detectable: 0, reason };
  }
  // Masks of one thing are one pixel apart here and there: no clusters.
  const clusters = areMasks(image)
    ? undefined
    : calibrate(nearVectors({ n, columns, images }, options.random), options).clusters;
  const { pairs, leastLikeness, trial } = picturePairs(image, n, options);
  const isBlind = pairs.length === 0 && trial.found < LEAST_FOUND * trial.of;
  const moved = pairs.map(
    ({ first, second, likeness }): PointPair => ({
      first,
      second,
      similarity: likeness,
      distance: Math.sqrt(1 - likeness),
    }),
  );
  return {
    pairs: [...equalPairs(image, options), ...moved],
    leastSimilarity: leastLikeness,
    features,
    detectable: 0,
    trial,
    ...(isBlind ? { reason: blind(trial), notDetectable: true } : {}),
    ...clustersOf(clusters, options),
  };
}

/** Where fewer of the trial copies would be found than this part, nothing is to be told. */
const LEAST_FOUND = 0.5;

const blind = ({ found, of }: Trial) =>
  `Moved copies are not told from other images here: of ${of} copies that were made of these images, ${MOVED}, ${found} would be found. At the 32 pixels a side at which images are compared they have too little detail of their own, or too much noise.`;

/** Of pictures of equal pixels, so many are named with each. */
const EQUAL = 20;

/** Each picture that shows something with the first of equal pixels that it is wanted with. */
function equalPairs({ content, blank }: ImageFeatures, { codes, wanted }: PointOptions): PointPair[] {
  const known = new Map<string, number[]>();
  const pairs: PointPair[] = [];
  for (let second = 0; second < blank.length; second++) {
    if (blank[second]) continue;
    const key = `${content.high[second]} ${content.low[second]}`;
    const equal = known.get(key) ?? [];
    if (equal.length < EQUAL) known.set(key, [...equal, second]);
    for (const first of equal) {
      if (wanted(first, second) && !(codes && codes[first] === codes[second])) {
        pairs.push({ first, second, similarity: 1, distance: 0 });
      }
    }
  }
  return pairs;
}
