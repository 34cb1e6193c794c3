import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { type Dense, product } from '../../data/dense.js';
import { AN_IMAGE } from './imageFile.js';
import type { ImagePlace, ImageSet } from './imageSet.js';
import { readImages } from './readImages.js';
import type { ReadImagesOptions } from './readImagesOptions.js';

/** Masks of files as `y`. */
export interface MaskSet {
  /** 0 and 1: `[n, height, width]` of one class, `[n, height, width, classes]` of several; with depth before them for volumes. */
  readonly y: Dense;
  /** What the file has where each class is: one number, or those of a region. */
  readonly classes: readonly (readonly number[])[];
  /** NIfTI: millimetres between neighbours of each row, along depth (of volumes), height and width. */
  readonly spacing?: readonly (readonly number[])[];
  readonly files: readonly string[];
}

/** More different numbers are a picture, not a mask. */
const MOST_CLASSES = 254;
/** Numbers that are read at once. */
const BLOCK = 2 ** 20;

/**
 * Reads masks, all of them, from files with one channel: 0 and one other number (1, 255), or label maps, whose numbers become classes in
 * ascending order, 0 being the background. Whole numbers of any type, 64 bits too.
 *
 * @param where a folder or a list, as `readImages` takes it
 * @throws {InvalidDataError} what `readImages` throws; `no_mask` for several channels, numbers that are none of classes (resized, or of JPEG), and
 *   255 among other classes, which may be a mark of a mask or of what nobody labelled
 * @example
 * import { encode } from 'fast-png';
 * await mkdir('masks', { recursive: true });
 * const data = Uint8Array.from({ length: 16 }, (_, pixel) => (pixel < 8 ? 255 : 0));
 * await writeFile('masks/1.png', encode({ width: 4, height: 4, data, channels: 1 }));
 * const { y, classes } = await readMasks('masks');
 * console.log(y.shape, classes);
 */
export async function readMasks(where: ImagePlace, options: ReadImagesOptions = {}): Promise<MaskSet> {
  return masksOf(await readImages(where, options));
}

/** @param regions the numbers of each class, where they are known; any other number but 0 is refused then */
export async function masksOf({ X, shape, files, affines }: ImageSet, regions?: MaskSet['classes']): Promise<MaskSet> {
  const refuse = (row: number, must: string, got: string) =>
    new InvalidDataError(sentence(AN_IMAGE, must, phrase(got)), { code: 'no_mask', file: files[row] });
  const axes = shape.slice(0, -1);
  const size = product(axes);
  if (shape.at(-1) !== 1) throw refuse(0, 'have one channel to be a mask', `${shape.at(-1)}`);
  // Every number by its place in the order of their appearance: it fits into a byte.
  const codes = new Map([[0, 0]]);
  const known = regions && new Set(regions.flat());
  const map = new Uint8Array(files.length * size);
  const rows = Math.max(1, Math.floor(BLOCK / size));
  for (let from = 0; from < files.length; from += rows) {
    const taken = Int32Array.from({ length: Math.min(rows, files.length - from) }, (_, at) => from + at);
    const { data } = (await X.take(taken)) as Dense;
    for (let at = 0; at < data.length; at++) {
      const value = data[at];
      let code = codes.get(value);
      if (code === undefined) {
        const row = from + Math.floor(at / size);
        if (!(Number.isInteger(value) && value > 0))
          throw refuse(row, 'have whole numbers from 0 to be a mask', `${value}`);
        if (known && !known.has(value)) throw refuse(row, 'have the numbers of its classes alone', `${value}`);
        if (codes.size > MOST_CLASSES) throw refuse(row, `have at most ${MOST_CLASSES} classes to be a mask`, 'more');
        code = codes.size;
        codes.set(value, code);
      }
      map[from * size + at] = code;
    }
  }
  const found = [...codes.keys()].filter((value) => value > 0).sort((a, b) => a - b);
  if (!known && found.length > 1 && found.includes(255)) {
    throw refuse(0, 'be a mask of 0 and 255 or a label map without 255', 'both, in one file or in several');
  }
  const classes = regions ?? (found.length > 0 ? found : [1]).map((value) => [value]);
  const width = classes.length;
  const data = new Uint8Array(map.length * width);
  for (const [channel, values] of classes.entries()) {
    const isIn = Uint8Array.from({ length: 256 }, () => 0);
    for (const value of values) isIn[codes.get(value) ?? 255] = 1;
    for (let at = 0; at < map.length; at++) data[at * width + channel] = isIn[map[at]];
  }
  const spacing = affines.every((affine) => affine !== undefined) ? affines.map(spacingOf(axes.length)) : undefined;
  const y = { data, shape: [files.length, ...axes, ...(width > 1 ? [width] : [])] };
  return { y, classes, files, ...(spacing && { spacing }) };
}

/** Lengths of the columns of an affine, the last axis first, as rows have them. */
const spacingOf = (axes: number) => (affine: readonly (readonly number[])[]) =>
  Array.from({ length: axes }, (_, at) => Math.hypot(...[0, 1, 2].map((row) => affine[row][axes - 1 - at])));
