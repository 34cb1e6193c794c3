/** Pictures that are other ones but for how they lie: candidates by what they show roughly, judged by their details. */
import { mean } from '../../../core/numbers.js';
import { type RandomSource, sample } from '../../../core/random.js';
import type { ImageFeatures } from '../../features/columns.js';
import { ALPHA } from '../calibration.js';
import type { Transform } from './alignment.js';
import { candidatesOf } from './candidates.js';
import { BEHIND, type Jump, jumpIn, spreadOf, stepOf, surenessOf } from './jumps.js';
import { Pictures, RegisteredPair } from './registeredPairs.js';
import { type Trial, trialCopies } from './trialCopies.js';

/** Two pictures, and how alike they are. */
export interface PicturePair {
  readonly first: number;
  readonly second: number;
  /** Correlation of their details. */
  readonly likeness: number;
  /** How one is moved onto the other: see {@link orientationOf}, and where it is then. */
  readonly orientation: number;
  readonly transform: Transform;
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

/** The nearest of a picture that tell how wide steps are around it. */
const USUAL = 12;
/** Pairs among so many nearest are judged, if they are nearer than the next by this at least, as a logarithm. */
const [NEAREST, CLEAR] = [2, 0.1];
/** Pictures around which it is learnt. */
const LEARNT = 60;
/** Neighbours of a picture that is asked about, around which it is learnt, too. */
const AROUND = 8;
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
  const candidates = candidatesOf(image, (rows) => pictures.images(rows), options);
  const pairs = new Map<number, RegisteredPair>();
  const pairOf = (i: number, j: number): RegisteredPair => {
    const [first, second] = i < j ? [i, j] : [j, i];
    const at = first * n + second;
    let known = pairs.get(at);
    if (!known) {
      known = new RegisteredPair(first, second, pictures, image, candidates.positions(first, second));
      pairs.set(at, known);
    }
    return known;
  };
  const around = new Map<number, RegisteredPair[]>();
  /** The candidates of a picture, the most alike first. */
  const ranked = (row: number): RegisteredPair[] => {
    let known = around.get(row);
    if (!known) {
      known = candidates.of(row).map((other) => pairOf(row, other));
      known.sort((a, b) => a.gap - b.gap);
      around.set(row, known);
    }
    return known;
  };
  const gaps = (row: number) =>
    ranked(row)
      .slice(0, USUAL)
      .map((each) => each.gap);
  const learnt = sample(random, candidates.rows.length, Math.min(LEARNT, candidates.rows.length));
  const steps = Array.from(learnt, (at) => stepOf(gaps(candidates.rows[at]).slice(1))).filter(Number.isFinite);
  const scale = steps.length > 0 ? mean(steps) : Infinity;
  // Each picture is asked about every place where a jump may be.
  const enough = Math.log((candidates.rows.length * (USUAL - BEHIND)) / ALPHA);
  const jumps = new Map<number, Jump>();
  const jumpOf = (row: number): Jump => {
    let known = jumps.get(row);
    if (!known) {
      known = jumpIn(gaps(row));
      jumps.set(row, known);
    }
    return known;
  };
  /** Steps between the neighbours of a row and of those, and how many tell. */
  const spreadAround = (row: number) => {
    const spreads: number[] = [];
    for (const { first, second } of ranked(row).slice(0, AROUND)) {
      const other = first === row ? second : first;
      const list = gaps(other);
      const { at } = jumpOf(other);
      if (list.length - at > BEHIND) spreads.push(spreadOf(list.slice(at)));
    }
    const own = spreadOf(gaps(row).slice(jumpOf(row).at));
    return { spread: mean([own, ...spreads]), count: 6 * (spreads.length + 1) };
  };
  /** -log of the chance of such a jump, whose steps are known from so many. */
  const sureOf = (row: number, jump: Pick<Jump, 'from' | 'to'>) => {
    const { spread, count } = spreadAround(row);
    return surenessOf(jump, spread * scale, count);
  };
  // In a mask of two values an edge says little.
  const isMask = (row: number) => image.perceptual.pixelStep[row] > 0;
  const suspects = new Set<RegisteredPair>();
  for (const row of candidates.rows) {
    const nearest = ranked(row);
    const next = nearest[Math.min(NEAREST, nearest.length - 1)];
    for (const pair of nearest.slice(0, NEAREST)) {
      const { first, second, likeness, gap } = pair;
      if (likeness < LEAST || isMask(first) || isMask(second) || !wanted(first, second)) continue;
      if (Math.log(next.gap / gap) >= CLEAR) suspects.add(pair);
    }
  }
  const found: PicturePair[] = [];
  for (const { first, second, likeness, gap, orientation, transform } of suspects) {
    const isSure = [first, second].every((row) => gap <= jumpOf(row).from && sureOf(row, jumpOf(row)) > enough);
    if (isSure) found.push({ first, second, likeness, orientation, transform });
  }
  const trial = trialCopies(candidates.rows, pictures, random, (row, gap) => {
    const list = gaps(row).slice(jumpOf(row).at);
    const jump = { from: gap, to: list[0] };
    return list.length >= BEHIND && gap < list[0] && !isMask(row) && sureOf(row, jump) > enough;
  });
  return { pairs: found.sort((a, b) => b.likeness - a.likeness), leastLikeness: LEAST, trial };
}
