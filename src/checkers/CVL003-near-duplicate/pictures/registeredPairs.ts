/** Pictures that are prepared, and registered with each other, when it is asked for. */
import type { ImageFeatures } from '../../features/columns.js';
import { COEFFICIENTS, LowFrequencies } from '../../features/images/perceptual.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import type { GreyImage } from './alignment.js';
import { oriented, type Picture, pictureOf } from './localDetails.js';
import { orientationOf } from './orientation.js';
import { register, registerCoarsely, type Target, target } from './registration.js';

/** Likenesses above this are not told apart. */
const EQUAL = 1 - 1e-8;
/** Prepared pictures that are kept, of 8 kB each, and targets, of 24 kB each. */
const [KEPT, TARGETS] = [8000, 1000];

/** Two pictures, of which one is moved onto the other when it is asked for. */
export class RegisteredPair {
  readonly #orientations: readonly number[];
  #likeness: number | undefined;

  /**
   * @param still stays where it is: cheaper if pairs of one picture are asked for together
   * @param positions orientations to try; -1 for the one that the low frequencies say
   */
  constructor(
    readonly still: number,
    readonly moving: number,
    readonly pictures: Pictures,
    positions: readonly number[],
  ) {
    const [a, b] = [still, moving].map((row) => pictures.lowFrequencies(row));
    this.#orientations = [...new Set(positions.map((each) => (each < 0 ? orientationOf(a, b) : each)))];
  }

  get first(): number {
    return Math.min(this.still, this.moving);
  }

  get second(): number {
    return Math.max(this.still, this.moving);
  }

  /** Correlation of their details once one lies on the other. */
  get likeness(): number {
    if (this.#likeness !== undefined) return this.#likeness;
    const still = this.pictures.target(this.still);
    const other = this.pictures.at(this.moving);
    const lying = this.#orientations.map((orientation) => {
      const moving = oriented(other, orientation);
      return { moving, ...registerCoarsely(still, moving) };
    });
    const { moving, transform } = lying.reduce((best, each) => (each.likeness > best.likeness ? each : best));
    this.#likeness = register(still, moving, transform).likeness;
    return this.#likeness;
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
    return kept(this.#targets, TARGETS, row, () => target(this.at(row)));
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
