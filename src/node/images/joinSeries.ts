import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { product } from '../../data/dense.js';
import type { ImageFile, KnownImage } from './imageFile.js';

/** By rounding in headers, distances of slices may differ by so many millimetres and 1 %, and normals have this cosine. */
const [ROUNDING, PARALLEL] = [0.02, 0.9999];

/**
 * Files of one slice each as one volume for each series, in the order of their places along the normal of the slices (PS3.3
 * C.7.6.2). Throws {@link InvalidDataError} `mixed_series` for slices that are no volume.
 *
 * @param keyOf names the series and its patient, of files of one slice
 * @returns the volumes in the order of their first files, with the places of those in `files`
 */
export function joinSeries<F extends KnownImage>(
  files: readonly F[],
  keyOf: (at: number) => string,
  labels: readonly unknown[] | undefined,
  most: number,
) {
  const alone = (at: number) => files[at].image.shape[0] > 1 || files[at].image.tags?.series === undefined;
  const series = groupBy(files.keys(), (at) => (alone(at) ? at : keyOf(at)));
  const uneven: string[] = [];
  const volumes = Array.from(series.values(), ([first, ...others]) => {
    if (others.length === 0) return { ...files[first], first };
    const image = files[first].image;
    const slices = [first, ...others].map((at) => ({ image: files[at].image, at, place: placeOf(files[at], image) }));
    const same = (of: (at: number) => unknown, what: string) => {
      const other = others.find((at) => String(of(at)) !== String(of(first)));
      if (other !== undefined) throw refused(files[other].name, `have one ${what}`, 'several');
    };
    same((at) => files[at].image.shape, 'size');
    same((at) => labels?.[at], 'label');
    slices.sort((a, b) => a.place - b.place);
    const gaps = slices.slice(1).map(({ place }, at) => place - slices[at].place);
    const [least, widest] = [Math.min(...gaps), Math.max(...gaps)];
    const twice = gaps.findIndex((gap) => gap < 1e-3);
    if (twice >= 0) throw refused(files[slices[twice + 1].at].name, 'have places of their own', 'two at one place');
    if (widest > 1.01 * least + ROUNDING) uneven.push(`from ${least.toFixed(2)} to ${widest.toFixed(2)} mm`);
    const shape = [slices.length, ...image.shape.slice(1)];
    const size = product(image.shape);
    if (product(shape) > most)
      throw refused(files[first].name, `have at most ${most} values, as \`maxPixels\` says`, 'more');
    const read: ImageFile['read'] = async (_, out, _loaded, scratch) => {
      for (const [at, slice] of slices.entries()) {
        await slice.image.read(0, out.subarray(at * size, (at + 1) * size), undefined, scratch);
      }
    };
    return { ...files[first], image: { ...image, shape, read }, first };
  });
  const some = `In ${counted(uneven.length, 'volume')} of ${volumes.length}, the distances of slices differ`;
  const notes = uneven.length > 0 ? [`${some}, as where slices are missing: ${uneven[0]} in the first of them.`] : [];
  return { volumes, notes };
}

/** Millimetres along the normal of the first slice. */
function placeOf({ name, image }: KnownImage, first: ImageFile): number {
  if (!image.slice)
    throw refused(name, 'say where they lie (ImagePositionPatient, ImageOrientationPatient)', 'one without');
  const { position, normal } = image.slice;
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
  const main = first.slice?.normal ?? normal;
  if (dot(main, normal) < PARALLEL) throw refused(name, 'be parallel', 'several orientations');
  return dot(position, main);
}

const refused = (file: string, must: string, got: string) => {
  const way = "Read them by rows: 'slice', or name the files of one volume in a list.";
  const message = sentence('The slices of a series (`file` of this error)', must, phrase(got), way);
  return new InvalidDataError(message, { code: 'mixed_series', file });
};
