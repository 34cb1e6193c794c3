/** Pictures that are prepared, and registered with each other, when it is asked for. */
import type { ImageFeatures } from '../../features/columns.js';
import { COEFFICIENTS, LowFrequencies } from '../../features/images/perceptual.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import type { GreyImage, Transform } from './alignment.js';
import { oriented, type Picture, pictureOf } from './localDetails.js';
import { orientationOf } from './orientation.js';
import { type Registration, register, registerCoarsely, type Target, target } from './registration.js';

/** Likenesses above this are not told apart. */
const EQUAL = 1 - 1e-8;
/** Prepared pictures that are kept. */
const KEPT = 3000;

/** Two pictures, of which one is moved onto the other when it is asked for. */
export class RegisteredPair {
  readonly #orientations: readonly number[];
  #found: (Registration & { readonly orientation: number }) | undefined;

  /** @param positions orientations to try; -1 for the one that the low frequencies say */
  constructor(
    readonly first: number,
    readonly second: number,
    readonly pictures: Pictures,
    positions: readonly number[],
  ) {
    const [a, b] = [first, second].map((row) => pictures.lowFrequencies(row));
    this.#orientations = [...new Set(positions.map((each) => (each < 0 ? orientationOf(a, b) : each)))];
  }

  #registered() {
    if (this.#found) return this.#found;
    const still = this.pictures.target(this.first);
    const other = this.pictures.at(this.second);
    const coarse = this.#orientations.map((orientation) => ({
      orientation,
      ...registerCoarsely(still, oriented(other, orientation)),
    }));
    const { orientation, transform } = coarse.reduce((best, each) => (each.likeness > best.likeness ? each : best));
    this.#found = { orientation, ...register(still, oriented(other, orientation), transform) };
    return this.#found;
  }

  get orientation(): number {
    return this.#registered().orientation;
  }

  /** Correlation of their details. */
  get likeness(): number {
    return this.#registered().likeness;
  }

  get transform(): Transform {
    return this.#registered().transform;
  }

  /** Distance of their details, as vectors of length 1. */
  get gap(): number {
    return Math.sqrt(1 - Math.min(this.likeness, EQUAL));
  }
}

/** The pictures of an input, prepared when they are asked for, and others that are added. */
export class Pictures {
  readonly #image: ImageFeatures;
  readonly #added: { readonly picture: Picture; readonly low: Float32Array }[] = [];
  readonly #known = new Map<number, Picture>();
  readonly #targets = new Map<number, Target>();

  constructor(image: ImageFeatures) {
    this.#image = image;
  }

  /** Adds a picture of the size of the thumbnails; its row comes after all others. */
  add(values: Float32Array): number {
    const { height, width } = this.#image.thumbnails;
    const low = new Float32Array(COEFFICIENTS);
    new LowFrequencies(height, width).write(Float64Array.from(values), 0, low, 0);
    this.#added.push({ picture: pictureOf(values, height, width), low });
    return this.#image.blank.length + this.#added.length - 1;
  }

  lowFrequencies(row: number): Float32Array {
    const added = this.#added[row - this.#image.blank.length];
    return added ? added.low : lowFrequenciesOf(this.#image, row);
  }

  at(row: number): Picture {
    const added = this.#added[row - this.#image.blank.length];
    if (added) return added.picture;
    return kept(this.#known, KEPT, row, () => {
      const { data, height, width } = this.#image.thumbnails;
      const size = height * width;
      return pictureOf(Float32Array.from(data.subarray(row * size, (row + 1) * size)), height, width);
    });
  }

  target(row: number): Target {
    return kept(this.#targets, KEPT / 3, row, () => target(this.at(row)));
  }

  /** The pictures of these rows, in order, at full size. */
  *images(rows: Int32Array): Generator<GreyImage> {
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
