/** Pictures of one input that are other ones moved, and whether they come in clusters. */

import { mean, power } from '../../../core/numbers.js';
import { type RandomSource, sample } from '../../../core/random.js';
import { yieldToPage } from '../../../core/yieldToPage.js';
import { rowNumbers } from '../../../data/labels.js';
import type { Features, ImageFeatures } from '../../features/columns.js';
import { areMasks } from '../../features/images/areMasks.js';
import { ALPHA, calibrate, FEWEST } from '../calibration.js';
import { byRow } from '../neighbours.js';
import { clustersOf, type PointOptions, type PointPair, type PointSearch, type TrialCopies } from '../searchPoints.js';
import { nearVectors } from '../vectors.js';
import { type GreyImage, type Transform, warp } from './alignment.js';
import { candidatesOf } from './candidates.js';
import { Pictures, type RegisteredPair, registeredPair } from './registeredPairs.js';

/** Finds them, and exact copies. Every draw comes from `random`. */
export async function searchPictures(
  { n, columns, images = [] }: Features,
  options: PointOptions,
): Promise<PointSearch> {
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
    : (await calibrate(await nearVectors({ n, columns, images }, options.random), options)).clusters;
  const { pairs, trial } = await picturePairs(image, n, options);
  const isBlind = pairs.length === 0 && trial.found < LEAST_FOUND * trial.of;
  return {
    pairs: [...equalPairs(image, options), ...pairs],
    leastSimilarity: LEAST,
    features,
    detectable: 0,
    trial,
    ...(isBlind ? { reason: blind(trial), notDetectable: true } : {}),
    ...(await clustersOf(clusters, options)),
  };
}

/** Where fewer of the trial copies would be found than this part, nothing is to be told. */
const LEAST_FOUND = 0.5;

const blind = ({ found, of }: TrialCopies) =>
  `Moved copies are not told from other images here: of ${of} copies that were made of these images, ${MOVED}, ${found} would be found. At the 32 pixels a side at which images are compared they have too little detail of their own, or too much noise.`;

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

// Pictures that are other ones but for how they lie: candidates by what they show roughly, judged by their details.

/** Pairs must be at least so much alike to be accused. */
const LEAST = 0.5;

/**
 * Pairs of pictures that are nearer to each other, once aligned, than chance explains. Around each picture the ascending distances of
 * the ones that look most alike are in steps, of a mean that the dimensions there give; a copy is a jump of many steps,
 * judged by those of both pictures and their neighbours. How wide steps are of the best of a few candidates is learnt from
 * others. Fewer than .01 such jumps are expected by chance among all pictures.
 *
 * Source: Hill 1975, Annals of Statistics 3:1163 (log-spacings); Levina & Bickel 2004, NIPS 17 (around each point).
 */
export async function picturePairs(
  image: ImageFeatures,
  n: number,
  options: Pick<PointOptions, 'codes' | 'wanted' | 'random'>,
) {
  const { wanted, random, codes } = options;
  const { high, low } = image.content;
  const pictures = new Pictures(image);
  const rows = rowNumbers(n).filter((row) => !image.blank[row]);
  const trials = [
    { make: moved, most: COPIES },
    { make: covered, most: COVERED },
  ].map(({ make, most }) => copiesOf(pictures, rows, most, (grey) => make(grey, random), random));
  const candidates = await candidatesOf(pictures, rows, new Map(trials.flat()), (first, second) => {
    const isEqual = high[first] === high[second] && low[first] === low[second];
    return first !== second && !isEqual && !(codes && codes[first] === codes[second]);
  });
  const pairs = new Map<string, RegisteredPair>();
  const pairOf = (i: number, j: number): RegisteredPair => {
    const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
    const pair = pairs.get(key) ?? registeredPair(i, j, pictures, candidates.positions(i, j));
    pairs.set(key, pair);
    return pair;
  };
  const around = new Neighbourhoods((row) => [...candidates.of(row)].filter((other) => other < n), pairOf);
  const steps: number[] = [];
  for (const row of rows) {
    await yieldToPage();
    steps.push(stepOf(around.gaps(row).slice(1)));
  }
  const known = steps.filter(Number.isFinite);
  // As wide as exponential steps of this root mean square: where some are far wider than most, more is asked of a jump.
  const scale = known.length > 0 ? Math.sqrt(mean(known.map((step) => step ** 2)) / 2) : Infinity;
  // Each picture is asked about every place where a jump may be.
  const enough = Math.log((rows.length * MAX_RANK) / ALPHA);
  // In a mask of two values an edge says little.
  const isMask = (row: number) => image.perceptual.pixelStep[row] > 0;
  const mayBe = ({ first, second, likeness }: RegisteredPair) => likeness >= LEAST && !isMask(first) && !isMask(second);
  const found = new Map<RegisteredPair, PointPair>();
  for (const row of rows) {
    await yieldToPage();
    for (const pair of around.clear(row)) {
      const { first, second, likeness } = pair;
      if (!wanted(first, second) || !mayBe(pair) || !around.isSure(pair, scale, enough)) continue;
      found.set(pair, { first, second, similarity: likeness, distance: Math.sqrt(1 - likeness) });
    }
  }
  /** Whether a copy of a row would be accused if it were a row of its own: by the same candidates and the same judgement. */
  const isFound = ([copy, row]: Copy): boolean => {
    const own = candidates.of(copy);
    const among = new Neighbourhoods(
      (each) =>
        each === copy || (own.has(each) && candidates.of(each).has(copy))
          ? [...candidates.of(each)].filter((other) => other < n || other === copy)
          : undefined,
      pairOf,
      around,
    );
    const pair = [row, copy].flatMap((each) => among.clear(each)).find((each) => each === pairOf(row, copy));
    return pair !== undefined && mayBe(pair) && among.isSure(pair, scale, enough);
  };
  const countFound = async (copies: readonly Copy[]) => {
    let count = 0;
    for (const copy of copies) {
      await yieldToPage();
      if (isFound(copy)) count++;
    }
    return { found: count, of: copies.length };
  };
  const trial: TrialCopies = { ...(await countFound(trials[0])), covered: await countFound(trials[1]) };
  return { pairs: [...found.values()].sort((a, b) => b.similarity - a.similarity), trial };
}

// Pictures around each one, once aligned, and whether a pair is nearer than they explain.

/** The nearest of a picture that tell how wide steps are around it. */
const USUAL = 12;
/** Pairs among so many nearest are judged, if they are nearer than the next by this at least, as a logarithm. */
const [NEAREST, CLEAR] = [2, 0.1];
/** Neighbours of a picture that is asked about, around which it is learnt, too. */
const AROUND = 8;

class Neighbourhoods {
  /** The candidates of a picture, the nearest first. */
  readonly ranked: (row: number) => readonly RegisteredPair[];
  readonly #jumpOf = byRow((row) => widestGap(this.gaps(row)));

  /**
   * @param of candidates of a picture
   * @param base what holds for pictures of which `of` gives undefined
   */
  constructor(
    of: (row: number) => readonly number[] | undefined,
    pairOf: (first: number, second: number) => RegisteredPair,
    base?: Neighbourhoods,
  ) {
    this.ranked = byRow((row) => {
      const candidates = of(row);
      if (!candidates) return base?.ranked(row) ?? [];
      return candidates.map((other) => pairOf(row, other)).sort((a, b) => a.gap - b.gap);
    });
  }

  gaps(row: number): number[] {
    return this.ranked(row)
      .slice(0, USUAL)
      .map(({ gap }) => gap);
  }

  /** The nearest of a picture that are clearly nearer than the ones behind them. */
  clear(row: number): readonly RegisteredPair[] {
    const nearest = this.ranked(row);
    const next = nearest[Math.min(NEAREST, nearest.length - 1)];
    return nearest.slice(0, NEAREST).filter(({ gap }) => Math.log(next.gap / gap) >= CLEAR);
  }

  /**
   * Whether around both pictures there is a jump behind their distance whose -log chance is above `enough`.
   *
   * @param scale mean of steps of the nearest, in steps of those behind
   */
  isSure({ first, second, gap }: RegisteredPair, scale: number, enough: number): boolean {
    return [first, second].every((row) => {
      const jump = this.#jumpOf(row);
      if (!(gap <= jump.from)) return false;
      const spreads = this.#spreadsAround(row);
      return negLogP(jump, mean(spreads) * scale, 6 * spreads.length) > enough;
    });
  }

  /** Steps of a picture behind its jump, and of its neighbours. */
  #spreadsAround(row: number): number[] {
    const neighbours = this.ranked(row)
      .slice(0, AROUND)
      .map(({ first, second }) => (first === row ? second : first))
      .filter((other) => this.gaps(other).length - this.#jumpOf(other).at > REFERENCE_GAPS);
    return [row, ...neighbours].map((each) => spreadOf(this.gaps(each).slice(this.#jumpOf(each).at)));
  }
}

// Whether the nearest of a picture are nearer than the steps between the others explain.

/** The widest jump between successive distances, in steps of those behind it: about 1 by chance. */
interface Jump {
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** Distances behind a jump tell how wide steps are. */
const REFERENCE_GAPS = 5;
/** A jump behind more than these is no group of copies but a kind of picture, such as a digit. */
const MAX_RANK = 3;

/** The widest of ascending distances; steps of 0 where they are too few. */
function widestGap(gaps: readonly number[]): Jump {
  let widest: Jump = { steps: 0, from: 0, to: 0, at: 0 };
  for (let at = 1; at <= MAX_RANK && at + REFERENCE_GAPS <= gaps.length; at++) {
    const steps = stepOf(gaps.slice(at - 1));
    if (steps > widest.steps) widest = { steps, from: gaps[at - 1], to: gaps[at], at };
  }
  return widest;
}

/** How much nearer the first is than the second, in steps of the following ones. */
function stepOf([first, ...others]: readonly number[]): number {
  if (others.length < REFERENCE_GAPS) return Number.NaN;
  return Math.log(others[0] / first) / Math.max(spreadOf(others), 1e-9);
}

/** Mean step of ascending distances: the reciprocal of the dimensions that they fill (Hill). */
function spreadOf(gaps: readonly number[]): number {
  const last = gaps[gaps.length - 1];
  return mean(gaps.slice(0, -1).map((gap) => Math.log(last / gap)));
}

/**
 * -log of the chance of a jump as wide as that or wider among exponential steps, of which the mean is known from so many:
 * about the number of such steps in it, and less where few tell.
 */
function negLogP({ from, to }: Pick<Jump, 'from' | 'to'>, meanStep: number, count: number): number {
  return count * Math.log1p(Math.log(to / from) / Math.max(meanStep, 1e-9) / count);
}

// Copies of the pictures themselves, made to see whether copies like them would be found.

const [COPIES, COVERED] = [30, 15];
/** Furthest shift as a part of the side, turn in radians (5 degrees), and zoom; noise as a part of the contrast. */
const [SHIFT, TURN, ZOOM, NOISE] = [1 / 32, 0.087, 1.15, 0.1];
export const MOVED =
  'shifted by up to 3 % of a side, turned by up to 5 degrees, cropped by up to 13 % and with noise of a tenth of the contrast';
const SQUARE = 1 / 4;

/** A copy, and the row that it was made of. */
type Copy = readonly [copy: number, row: number];

/** Copies of some rows, as further pictures. */
function copiesOf(
  pictures: Pictures,
  rows: Int32Array,
  most: number,
  make: (grey: GreyImage) => Float32Array,
  random: RandomSource,
): Copy[] {
  const chosen = sample(random, rows.length, Math.min(most, rows.length));
  return Array.from(chosen, (at): Copy => [pictures.add(make(pictures.at(rows[at]).grey)), rows[at]]);
}

function moved(grey: GreyImage, random: RandomSource): Float32Array {
  const within = (most: number) => most * (2 * random.random() - 1);
  const [turn, zoom] = [within(TURN), power(ZOOM, -random.random())];
  const side = Math.max(grey.height, grey.width);
  const transform: Transform = {
    a: zoom * Math.cos(turn),
    b: zoom * Math.sin(turn),
    dy: within(SHIFT * side),
    dx: within(SHIFT * side),
  };
  const out = new Float32Array(grey.values.length);
  warp(grey, transform, out, new Uint8Array(out.length));
  // Uniform noise of that root mean square.
  return out.map((value) => value + within(NOISE * Math.sqrt(3)));
}

function covered({ height, width, values }: GreyImage, random: RandomSource): Float32Array {
  const [tall, wide] = [Math.round(SQUARE * height), Math.round(SQUARE * width)];
  const top = Math.floor(random.random() * (height - tall + 1));
  const from = Math.floor(random.random() * (width - wide + 1));
  const black = values.reduce((least, value) => Math.min(least, value), Infinity);
  const out = Float32Array.from(values);
  for (let y = top; y < top + tall; y++) out.fill(black, y * width + from, y * width + from + wide);
  return out;
}
