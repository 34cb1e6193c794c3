/** Pictures that are prepared, and laid upon each other, when it is asked for. */
import type { ImageFeatures } from '../../features/columns.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import type { Level, Motion } from './alignment.js';
import { type Laid, lay, layRoughly, oriented, type Picture, pictureOf, type Still, still } from './likeness.js';
import { orientationOf } from './orientation.js';

/** Likenesses above this are not told apart. */
const EQUAL = 1 - 1e-6;
/** Pictures have something in common if two of them are correlated by this in the mean. */
const COMMON = 0.1;
/** Prepared pictures that are kept. */
const KEPT = 3000;

/** Two pictures, laid upon each other when it is asked for. */
export class Laying {
  readonly #orientations: readonly number[];
  #rough: (Laid & { readonly orientation: number }) | undefined;
  #fine: Laid | undefined;

  /** @param positions orientations to try; -1 for the one that the low frequencies say */
  constructor(
    readonly first: number,
    readonly second: number,
    readonly pictures: Pictures,
    image: ImageFeatures,
    positions: readonly number[],
  ) {
    const [a, b] = [first, second].map((row) => lowFrequenciesOf(image, row));
    this.#orientations = [...new Set(positions.map((each) => (each < 0 ? orientationOf(a, b) : each)))];
  }

  #roughly() {
    this.#rough ??= this.#orientations
      .map((orientation) => ({
        ...layRoughly(this.pictures.still(this.first), this.#moving(orientation)),
        orientation,
      }))
      .reduce((best, each) => (each.likeness > best.likeness ? each : best));
    return this.#rough;
  }

  #moving(orientation: number): Picture {
    return oriented(this.pictures.at(this.second), orientation);
  }

  #finely() {
    const { orientation, motion } = this.#roughly();
    this.#fine ??= lay(this.pictures.still(this.first), this.#moving(orientation), motion);
    return this.#fine;
  }

  get orientation(): number {
    return this.#roughly().orientation;
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
export class Pictures {
  readonly #image: ImageFeatures;
  readonly #common: Picture | undefined;
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
    const share = sum.reduce((total, value) => total + value * value, 0) / (data.length / size) ** 2;
    this.#common = share < 9 ? undefined : pictureOf(sum, height, width);
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

  /** The pictures of these rows, in order, at full size. */
  *levels(rows: Int32Array): Generator<Level> {
    for (const row of rows) yield this.at(row).full;
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
