/** Pictures that are other ones but for how they lie: candidates by what they show roughly, judged by their details. */
import { mean } from '../../../core/numbers.js';
import { type RandomSource, sample } from '../../../core/random.js';
import type { ImageFeatures } from '../../features/columns.js';
import { ALPHA } from '../calibration.js';
import type { Motion } from './alignment.js';
import { candidatesOf } from './candidates.js';
import { BEHIND, type Jump, jumpIn, spreadOf, stepOf, surenessOf } from './jumps.js';
import { Laying, Pictures } from './layings.js';

/** Two pictures, and how alike they are. */
export interface PicturePair {
  readonly first: number;
  readonly second: number;
  /** Correlation of their details, besides what all pictures have in common. */
  readonly likeness: number;
  /** How one lies upon the other: see {@link orientationOf}, and where it is then. */
  readonly orientation: number;
  readonly motion: Motion;
}

export interface PictureSearch {
  /** The most alike first. */
  readonly pairs: readonly PicturePair[];
  /** Pairs must be at least so much alike to be accused, in a typical place. */
  readonly leastLikeness: number;
}

export interface PictureOptions {
  /** Code of the patient of each row. */
  readonly codes?: Int32Array | undefined;
  readonly wanted: (first: number, second: number) => boolean;
  readonly random: RandomSource;
}

/** Candidates that are laid at full size: the most alike in the rough, and to learn what is usual around a picture. */
const [FINE, USUAL] = [3, 12];
/** What a pair is nearer by than the last of these, at least, as a logarithm. */
const CLEAR = 0.1;
/** Pictures around which it is learnt. */
const LEARNT = 60;
/** Pairs of this part of what is enough are looked at more closely. */
const FIRST = 0.6;
/** Neighbours of a picture that is asked about, around which it is learnt, too. */
const AROUND = 8;
/** Pairs that are less alike are never accused. */
const LEAST = 0.5;

/**
 * Pairs of pictures that lie nearer upon each other than chance explains. Around each picture the ascending distances of
 * the ones that look most alike are in steps, of a mean that the dimensions there give; a copy is a jump of many steps,
 * judged by those of both pictures and their neighbours. How wide steps are of the best of a few candidates is learnt from
 * others. Fewer than .01 such jumps are expected by chance among all pictures.
 *
 * Source: Hill 1975, Annals of Statistics 3:1163 (log-spacings); Levina & Bickel 2004, NIPS 17 (around each point).
 */
export function picturePairs(image: ImageFeatures, n: number, options: PictureOptions): PictureSearch {
  const { wanted, random } = options;
  const pictures = new Pictures(image);
  const candidates = candidatesOf(image, (rows) => pictures.levels(rows), options);
  const pairs = new Map<number, Laying>();
  const pairOf = (i: number, j: number): Laying => {
    const [first, second] = i < j ? [i, j] : [j, i];
    const at = first * n + second;
    let known = pairs.get(at);
    if (!known) {
      known = new Laying(first, second, pictures, image, candidates.positions(first, second));
      pairs.set(at, known);
    }
    return known;
  };
  const around = new Map<number, Laying[]>();
  /** What is nearest to a picture in the rough, the most alike first. */
  const ranked = (row: number): Laying[] => {
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
  // One or two that are clearly nearer than the third; in a mask of two values an edge says little.
  const isMask = (row: number) => image.perceptual.pixelStep[row] > 0;
  const suspects = new Set<Laying>();
  for (const row of candidates.rows) {
    const best = ranked(row).slice(0, FINE);
    for (const pair of best.slice(0, -1)) {
      if (pair.likeness < LEAST || isMask(pair.first) || isMask(pair.second) || !wanted(pair.first, pair.second))
        continue;
      if (Math.log(best[best.length - 1].gap / pair.gap) >= CLEAR) suspects.add(pair);
    }
  }
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
  const sureOf = (row: number, jump: Jump) => {
    const { spread, count } = spreadAround(row);
    return surenessOf(jump, spread * scale, count);
  };
  const found: PicturePair[] = [];
  for (const pair of suspects) {
    const { first, second, likeness } = pair;
    const [a, b] = [jumpOf(first), jumpOf(second)];
    if (!(globalThis as any).DBG && Math.min(...[a, b].map((jump) => (pair.gap <= jump.from ? jump.steps : 0))) < FIRST * enough * scale) continue;
    if (pair.gap > a.from || pair.gap > b.from) { (globalThis as any).DBG?.push([first, second, -1, 0,0]); continue; }
    (globalThis as any).DBG?.push([first, second, Math.min(sureOf(first, a), sureOf(second, b)), enough, scale]);
    const sure = Math.min(sureOf(first, a), sureOf(second, b));
    if (sure > enough) found.push({ first, second, likeness, orientation: pair.orientation, motion: pair.motion });
  }
  return { pairs: found.sort((a, b) => b.likeness - a.likeness), leastLikeness: LEAST };
}
