import { groupBy } from '../../core/groupBy.js';
import { type Dense, product } from '../../data/dense.js';
import type { Label } from '../../data/labels.js';
import type { RowSource } from '../../data/rowKinds.js';
import { type ImageFile, inParallel, type Scratch } from './imageFile.js';
import type { ManifestEntry } from './listFiles.js';
import type { ImageFormat } from './readImagesOptions.js';

/** A file that is not among the rows. */
export interface ExcludedFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * Images as rows. Its own properties are the data: `{ ...images }` is what `validate` takes. What else is known of the
 * files can be read, but is not spread.
 *
 * @example
 * import { encode } from 'fast-png';
 * await mkdir('pictures', { recursive: true });
 * const data = Uint8Array.from({ length: 16 }, (_, pixel) => pixel);
 * await writeFile('pictures/1.png', encode({ width: 4, height: 4, data, channels: 1 }));
 * const { X, shape, files } = await readImages('pictures');
 * console.log(shape, files.length, X.length);
 */
export class ImageSet {
  /** Rows that are read from the files as they are needed. */
  readonly X: RowSource;
  /** Labels, where there are any. */
  readonly y?: (string | number | boolean)[] | undefined;
  /** The patient of each row, where any were named. */
  readonly groups?: string[] | undefined;
  /** Ids by level: site, patient, study, series; those that all files name. */
  readonly hierarchy?: Readonly<Record<string, string[]>> | undefined;
  /** Format of the files. */
  declare readonly format: ImageFormat;
  /** Of one row: `[height, width, channels]`, with depth before it for volumes. */
  declare readonly shape: readonly number[];
  /** The file of each row, below the folder that was read. */
  declare readonly files: readonly string[];
  /** Which row of its file each row is: 0 for the first frame, slice or volume. */
  declare readonly frames: Int32Array;
  /** NIfTI: the affine of the file of each row, 4 x 4, from voxel (i, j, k) to millimetres; undefined for others. */
  declare readonly affines: readonly (readonly (readonly number[])[] | undefined)[];
  /** Files that could not be read, with the reason: `onUnreadable: 'exclude'`. */
  declare readonly excluded: readonly ExcludedFile[];
  /** Files of the folder that are no images of the requested formats. */
  declare readonly ignored: readonly string[];
  /** Full sentences about what is not among the rows, for a report. */
  declare readonly warnings: readonly string[];

  constructor(
    { X, y, groups, hierarchy }: Pick<ImageSet, 'X' | 'y' | 'groups' | 'hierarchy'>,
    facts: Omit<ImageSet, 'X' | 'y' | 'groups' | 'hierarchy'>,
  ) {
    this.X = X;
    if (y) this.y = y;
    if (groups) this.groups = groups;
    if (hierarchy) this.hierarchy = hierarchy;
    // Not enumerable, so that spreading leaves them out.
    for (const [name, value] of Object.entries(facts)) Object.defineProperty(this, name, { value });
  }
}

/** Images that have labels. */
export interface LabelledImages extends ImageSet {
  readonly y: NonNullable<ImageSet['y']>;
}

export type ImagePlace = string | URL | readonly ManifestEntry[];
/** A list or a table with a label for each file. */
export type LabelledPlace = readonly (ManifestEntry & { readonly y: Label })[] | `${string}.csv` | `${string}.tsv`;

export interface ImageRow {
  readonly image: Pick<ImageFile, 'read' | 'load'>;
  readonly frame: number;
}

/** Rows read from files as they are needed. Memory is that of the rows asked for, `readAhead` files and `cacheBytes`. A packed file is unpacked once for a call. */
export function imageSource(
  rows: readonly ImageRow[],
  shape: readonly number[],
  {
    readAhead,
    cacheBytes,
    warnings = [],
  }: { readonly readAhead: number; readonly cacheBytes: number; readonly warnings?: readonly string[] },
): RowSource {
  const size = product(shape);
  const keep = keeper(cacheBytes);
  const spare: Scratch[] = [];
  return {
    length: rows.length,
    ...(warnings.length > 0 ? { warnings } : {}),
    async take(indices: Int32Array): Promise<Dense> {
      const data = new Float32Array(indices.length * size);
      // Rows of one file one after the other, files in the order of their first row.
      const places = [...groupBy(indices.keys(), (place) => rows[indices[place]].image).values()].flat();
      const readRow = async (at: number, scratch: Scratch) => {
        const place = places[at];
        const { image, frame } = rows[indices[place]];
        const loaded = image.load && (await keep(image as Required<ImageRow['image']>));
        await image.read(frame, data.subarray(place * size, (place + 1) * size), loaded, scratch);
      };
      await inParallel(places.length, readAhead, readRow, spare);
      spare.length = Math.min(spare.length, readAhead);
      return { data, shape: [indices.length, ...shape] };
    },
  };
}

/** Keeps the files that were used last, within a number of bytes; rows that are wanted at once share one reading. */
function keeper(most: number) {
  let bytesKept = 0;
  const kept = new Map<object, { readonly file: Promise<Uint8Array>; bytes: number }>();
  const drop = (image: object) => {
    bytesKept -= kept.get(image)?.bytes ?? 0;
    kept.delete(image);
  };
  return async (image: Required<Pick<ImageFile, 'load'>>): Promise<Uint8Array> => {
    const before = kept.get(image);
    const entry = before ?? { file: image.load(), bytes: 0 };
    kept.delete(image);
    kept.set(image, entry);
    try {
      const loaded = await entry.file;
      if (!before && kept.get(image) === entry) {
        entry.bytes = loaded.length;
        bytesKept += entry.bytes;
        for (const oldest of kept.keys()) {
          if (bytesKept <= most) break;
          if (kept.get(oldest)?.bytes) drop(oldest);
        }
      }
      return loaded;
    } catch (error) {
      if (kept.get(image) === entry) drop(image);
      throw error;
    }
  };
}
