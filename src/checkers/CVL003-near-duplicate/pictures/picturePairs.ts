/** Pictures that are other ones but for how they lie: candidates by what they show roughly, judged by their details. */
import { mean } from '../../../core/numbers.js';
import type { RandomSource } from '../../../core/random.js';
import { sample } from '../../../core/random.js';
import type { ImageFeatures } from '../../features/columns.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import { ALPHA } from '../calibration.js';
import type { Motion } from './alignment.js';
import { candidatesOf } from './candidates.js';
import { lay, layRoughly, oriented, type Picture, pictureOf, type Still, still } from './likeness.js';
import { orientationOf } from './orientation.js';

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
/** Pictures around which it is learnt. */
const LEARNT = 60;
/** Pairs of this part of what is enough are looked at more closely. */
const FIRST = 0.6;
/** Neighbours of a picture that is asked about, around which it is learnt, too. */
const AROUND = 8;
/** Pairs that are less alike are never accused. */
const LEAST = 0.5;
/** Likenesses above this are not told apart. */
const EQUAL = 1 - 1e-6;
/** Prepared pictures that are kept. */
const KEPT = 3000;

export const stats: { T: number; like: number; first: number; second: number; next: number; m: number }[] = [];
export const info = { scale: 0, fine: 0, rough: 0, ms: [] as number[] };

export function picturePairs(image: ImageFeatures, n: number, options: PictureOptions): PictureSearch {
  const { wanted, random } = options;
  const t0 = performance.now();
  const pictures = new Pictures(image);
  const t1 = performance.now();
  const candidates = candidatesOf(image, pictures.all(), options);
  const t2 = performance.now();
  const pairs = new Map<number, Laying>();
  const pairOf = (i: number, j: number): Laying => {
    const [first, second] = i < j ? [i, j] : [j, i];
    const at = first * n + second;
    let known = pairs.get(at);
    if (!known) {
      known = new Laying(first, second, pictures, image, candidates.isMirrored(first, second));
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
      known.sort((a, b) => b.rough - a.rough);
      around.set(row, known);
    }
    return known;
  };
  const gaps = (row: number) =>
    ranked(row)
      .slice(0, USUAL)
      .map((each) => each.gap)
      .sort((a, b) => a - b);
  const learnt = sample(random, candidates.rows.length, Math.min(LEARNT, candidates.rows.length));
  const steps = Array.from(learnt, (at) => stepOf(gaps(candidates.rows[at]).slice(1))).filter(Number.isFinite);
  const scale = steps.length > 0 ? mean(steps) : Infinity;
  info.scale = scale;
  const enough = Math.log(candidates.rows.length / ALPHA);
  const nearestTo = (row: number) =>
    ranked(row)
      .slice(0, FINE)
      .sort((a, b) => a.gap - b.gap);
  // A pair is looked at if each is the other's nearest, or if others lie between that are as near: versions of one.
  const suspects = new Set<Laying>();
  for (const row of candidates.rows) {
    for (const pair of nearestTo(row)) if (pair.likeness >= LEAST) suspects.add(pair);
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
  const found: PicturePair[] = [];
  for (const pair of suspects) {
    const { first, second, likeness } = pair;
    if (!wanted(first, second)) continue;
    const [a, b] = [jumpOf(first), jumpOf(second)];
    const T = Math.min(...[a, b].map((jump) => (pair.gap <= jump.from ? jump.steps : 0)));
    let sure = 0;
    if (T > FIRST * enough * scale) {
      sure = Math.min(
        ...[
          { row: first, jump: a },
          { row: second, jump: b },
        ].map(({ row, jump }) => {
          const { spread, count } = spreadAround(row);
          const steps = Math.log(jump.to / jump.from) / Math.max(spread, 1e-9) / scale;
          return count * Math.log1p(steps / count);
        }),
      );
    }
    stats.push({ T: T / scale, like: likeness, first, second, next: 1 - Math.min(a.to, b.to) ** 2, m: sure });
    if (sure > enough) found.push({ first, second, likeness, orientation: pair.orientation, motion: pair.motion });
  }
  info.ms = [t1 - t0, t2 - t1, performance.now() - t2];
  return { pairs: found.sort((a, b) => b.likeness - a.likeness), leastLikeness: LEAST };
}

/** The widest jump between successive distances, in steps of those behind it: about 1 by chance. */
interface Jump {
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  /** Place of the first behind it. */
  readonly at: number;
}

/** Distances behind a jump tell how wide steps are. */
const BEHIND = 5;

function jumpIn(gaps: readonly number[]): Jump {
  let widest: Jump = { steps: 0, from: 0, to: 0, at: 0 };
  for (let at = 1; at + BEHIND <= gaps.length; at++) {
    const steps = stepOf(gaps.slice(at - 1));
    if (steps > widest.steps) widest = { steps, from: gaps[at - 1], to: gaps[at], at };
  }
  return widest;
}

/** How much nearer the first is than the second, in steps of the following ones. */
function stepOf([first, ...others]: readonly number[]): number {
  if (others.length < BEHIND) return Number.NaN;
  return Math.log(others[0] / first) / Math.max(spreadOf(others), 1e-9);
}

/** Mean step of ascending distances: the reciprocal of the dimensions that they fill (Hill). */
function spreadOf(gaps: readonly number[]): number {
  const last = gaps[gaps.length - 1];
  return mean(gaps.slice(0, -1).map((gap) => Math.log(last / gap)));
}

/** Two pictures, laid upon each other when it is asked for. */
class Laying {
  readonly orientation: number;
  #rough: { motion: Motion; likeness: number } | undefined;
  #fine: { motion: Motion; likeness: number } | undefined;

  constructor(
    readonly first: number,
    readonly second: number,
    readonly pictures: Pictures,
    image: ImageFeatures,
    mirrored: number,
  ) {
    this.orientation =
      mirrored >= 0 ? mirrored : orientationOf(lowFrequenciesOf(image, first), lowFrequenciesOf(image, second));
  }

  #moving(): Picture {
    return oriented(this.pictures.at(this.second), this.orientation);
  }

  #roughly() {
    info.rough += this.#rough ? 0 : 1;
    return (this.#rough ??= layRoughly(this.pictures.still(this.first), this.#moving()));
  }

  #finely() {
    info.fine += this.#fine ? 0 : 1;
    return (this.#fine ??= lay(this.pictures.still(this.first), this.#moving(), this.#roughly().motion));
  }

  get rough(): number {
    return this.#roughly().likeness;
  }

  get likeness(): number {
    return this.#finely().likeness;
  }

  get motion(): Motion {
    return this.#finely().motion;
  }

  /** Distance of the details, as vectors of length 1. */
  get gap(): number {
    return Math.sqrt(1 - Math.min(this.likeness, EQUAL));
  }
}

/** The pictures of an input, prepared when they are asked for. */
class Pictures {
  readonly #image: ImageFeatures;
  readonly #common: Picture;
  readonly #known = new Map<number, Picture>();
  readonly #stills = new Map<number, Still>();

  constructor(image: ImageFeatures) {
    this.#image = image;
    const { data, height, width } = image.thumbnails;
    const size = height * width;
    const sum = new Float32Array(size);
    for (let from = 0; from < data.length; from += size) {
      let squares = 0;
      for (let at = 0; at < size; at++) squares += data[from + at] ** 2;
      const norm = Math.sqrt(squares) || 1;
      for (let at = 0; at < size; at++) sum[at] += data[from + at] / norm;
    }
    this.#common = pictureOf(sum, height, width);
  }

  at(row: number): Picture {
    return kept(this.#known, KEPT, row, () => {
      const { data, height, width } = this.#image.thumbnails;
      const size = height * width;
      const grey = Float32Array.from(data.subarray(row * size, (row + 1) * size));
      return pictureOf(grey, height, width, this.#common);
    });
  }

  still(row: number): Still {
    return kept(this.#stills, KEPT / 10, row, () => still(this.at(row)));
  }

  /** The pictures of these rows, in order. */
  all() {
    return (rows: Int32Array) => {
      const at = (row: number) => this.at(row).full;
      return (function* () {
        for (const row of rows) yield at(row);
      })();
    };
  }
}

/** What is known of a row, or made of it; all are forgotten when they are too many. */
function kept<T>(known: Map<number, T>, most: number, row: number, make: () => T): T {
  const found = known.get(row);
  if (found) return found;
  if (known.size >= most) known.clear();
  const made = make();
  known.set(row, made);
  return made;
}
