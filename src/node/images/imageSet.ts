/** What `readImages` gives. */
import type { RowSource } from '../../data/rowKinds.js';
import type { ImageFormat } from './readImagesOptions.js';

/** A file that is not among the rows. */
export interface ExcludedFile {
  readonly file: string;
  readonly reason: string;
}

/** What is known besides the data that `validate` takes. */
export interface ImageFacts {
  readonly format: ImageFormat;
  readonly shape: readonly number[];
  readonly files: readonly string[];
  readonly frames: Int32Array;
  readonly affines: readonly (readonly (readonly number[])[] | undefined)[];
  readonly excluded: readonly ExcludedFile[];
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
}

/** The data of the rows, as `validate` and `run` take them. */
export interface ImageData {
  readonly X: RowSource;
  readonly y?: (string | number | boolean)[] | undefined;
  readonly groups?: string[] | undefined;
  readonly hierarchy?: Readonly<Record<string, string[]>> | undefined;
}

/**
 * Images as rows. Its own properties are the data: `{ ...images }` is what `validate` takes. What else is known of the
 * files can be read, but is not spread.
 */
export class ImageSet implements ImageData {
  /** Rows that are read from the files as they are needed. */
  readonly X: RowSource;
  /** Labels, where any were given. */
  readonly y?: (string | number | boolean)[] | undefined;
  /** The patient of each row, where any were named. */
  readonly groups?: string[] | undefined;
  /** Ids by level: site, patient, study, series; those that all files name. */
  readonly hierarchy?: Readonly<Record<string, string[]>> | undefined;
  readonly #facts: ImageFacts;

  constructor({ X, y, groups, hierarchy }: ImageData, facts: ImageFacts) {
    this.X = X;
    if (y) this.y = y;
    if (groups) this.groups = groups;
    if (hierarchy) this.hierarchy = hierarchy;
    this.#facts = facts;
  }

  /** Format of the files. */
  get format(): ImageFormat {
    return this.#facts.format;
  }

  /** Of one row: `[height, width, channels]`, with depth before it for volumes. */
  get shape(): readonly number[] {
    return this.#facts.shape;
  }

  /** The file of each row, below the folder that was read. */
  get files(): readonly string[] {
    return this.#facts.files;
  }

  /** Which row of its file each row is: 0 for the first frame, slice or volume. */
  get frames(): Int32Array {
    return this.#facts.frames;
  }

  /** NIfTI: the affine of the file of each row, 4 x 4, from voxel (i, j, k) to millimetres; undefined for others. */
  get affines(): ImageFacts['affines'] {
    return this.#facts.affines;
  }

  /** Files that could not be read, with the reason: `onUnreadable: 'exclude'`. */
  get excluded(): readonly ExcludedFile[] {
    return this.#facts.excluded;
  }

  /** Files of the folder that are no images of the formats asked for. */
  get ignored(): readonly string[] {
    return this.#facts.ignored;
  }

  /** Full sentences about what is not among the rows, for a report. */
  get warnings(): readonly string[] {
    return this.#facts.warnings;
  }
}
