/** Pictures that are other ones but for how they lie: candidates by what they show roughly, judged by their details. */

import { mean } from '../../../core/numbers.js';
import type { RandomSource } from '../../../core/random.js';
import type { ImageFeatures } from '../../features/columns.js';
import { ALPHA } from '../calibration.js';
import type { Trial } from '../searchPoints.js';
import { candidatesOf } from './candidates.js';
import { FOREMOST, stepOf } from './jumps.js';
import { Neighbourhoods } from './neighbourhoods.js';
import { Pictures, RegisteredPair } from './registeredPairs.js';
import { trialCopies } from './trialCopies.js';

/** Two pictures, and how alike they are. */
export interface PicturePair {
  readonly first: number;
  readonly second: number;
  /** Correlation of their details. */
  readonly likeness: number;
}

export interface PictureSearch {
  /** The most alike first. */
  readonly pairs: readonly PicturePair[];
  /** Pairs must be at least so much alike to be accused, in a typical place. */
  readonly leastLikeness: number;
  /** Of copies that were made of some of these pictures, those that would be found. */
  readonly trial: Trial;
}

export interface PictureOptions {
  /** Code of the patient of each row. */
  readonly codes?: Int32Array | undefined;
  readonly wanted: (first: number, second: number) => boolean;
  readonly random: RandomSource;
}

/** Pairs that are less alike are never accused. */
const LEAST = 0.5;

/**
 * Pairs of pictures that are nearer to each other, once aligned, than chance explains. Around each picture the ascending distances of
 * the ones that look most alike are in steps, of a mean that the dimensions there give; a copy is a jump of many steps,
 * judged by those of both pictures and their neighbours. How wide steps are of the best of a few candidates is learnt from
 * others. Fewer than .01 such jumps are expected by chance among all pictures.
 *
 * Source: Hill 1975, Annals of Statistics 3:1163 (log-spacings); Levina & Bickel 2004, NIPS 17 (around each point).
 */
export function picturePairs(image: ImageFeatures, n: number, options: PictureOptions): PictureSearch {
  const { wanted, random } = options;
  const pictures = new Pictures(image);
  const candidates = candidatesOf(image, pictures, options);
  const pairs = new Map<number, RegisteredPair>();
  const pairOf = (i: number, j: number): RegisteredPair => {
    const [first, second] = i < j ? [i, j] : [j, i];
    const at = first * n + second;
    let known = pairs.get(at);
    if (!known) {
      known = new RegisteredPair(i, j, pictures, candidates.positions(first, second));
      pairs.set(at, known);
    }
    return known;
  };
  const around = new Neighbourhoods(candidates.of, pairOf);
  const steps = Array.from(candidates.rows, (row) => stepOf(around.gaps(row).slice(1))).filter(Number.isFinite);
  // As wide as exponential steps of this root mean square: where some are far wider than most, more is asked of a jump.
  const scale = steps.length > 0 ? Math.sqrt(mean(steps.map((step) => step ** 2)) / 2) : Infinity;
  // Each picture is asked about every place where a jump may be.
  const enough = Math.log((candidates.rows.length * FOREMOST) / ALPHA);
  // In a mask of two values an edge says little.
  const isMask = (row: number) => image.perceptual.pixelStep[row] > 0;
  const mayBe = ({ first, second, likeness }: RegisteredPair) => likeness >= LEAST && !isMask(first) && !isMask(second);
  const suspects = new Set<RegisteredPair>();
  for (const row of candidates.rows) {
    for (const pair of around.clear(row)) if (mayBe(pair) && wanted(pair.first, pair.second)) suspects.add(pair);
  }
  const found: PicturePair[] = [];
  for (const pair of suspects) {
    const { first, second, likeness } = pair;
    if (around.isSure(pair, scale, enough)) found.push({ first, second, likeness });
  }
  /** Whether a copy of a row would be accused if it were a row of its own: by the same candidates and the same judgement. */
  const isFound = (row: number, copy: Float32Array): boolean => {
    const added = pictures.add(copy);
    const { its, listing, positions } = candidates.with(added);
    if (!its.includes(row) && !listing.has(row)) return false;
    const own = new Map<number, RegisteredPair>();
    const among = new Neighbourhoods(
      (each) => (each === added ? its : listing.has(each) ? [...candidates.of(each), added] : undefined),
      (i, j) => {
        const other = Math.min(i, j);
        if (Math.max(i, j) !== added) return pairOf(i, j);
        const pair = own.get(other) ?? new RegisteredPair(added, other, pictures, positions(other));
        own.set(other, pair);
        return pair;
      },
      around,
    );
    const pair = [row, added].flatMap((each) => among.clear(each)).find((each) => each === own.get(row));
    return pair !== undefined && mayBe(pair) && among.isSure(pair, scale, enough);
  };
  const trial = trialCopies(candidates.rows, (row) => pictures.at(row).grey, random, isFound);
  return { pairs: found.sort((a, b) => b.likeness - a.likeness), leastLikeness: LEAST, trial };
}
