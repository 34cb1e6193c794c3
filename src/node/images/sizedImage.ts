import { CVKitError, InvalidDataError } from '../../core/errors.js';
import { rejectUnusedOption } from '../../core/options.js';
import { type Dense, product } from '../../data/dense.js';
import { afterStep, cropStep, padStep, resizeStep, type SizeStep, shapeAfter } from '../../data/imageSizes.js';
import { type ImageFile, type ImageOptions, type KnownImage, kindsOf, kindsText, refuseSeveral } from './imageFile.js';

/** The images after `resize`, `pad` and `crop`, and a sentence for the report: a size of its own may tell of a hospital or a label. */
export function inOneSize<F extends KnownImage>(
  known: readonly F[],
  options: ImageOptions,
  changed: ReadonlySet<string>,
) {
  const { resize, interpolation, pad, fill, crop } = options;
  if (changed.has('interpolation') && !resize) rejectUnusedOption('readImages', 'interpolation', NO_RESIZE);
  if (changed.has('fill') && !pad) rejectUnusedOption('readImages', 'fill', '`pad` is not set');
  const words = [resize && `resize (${interpolation})`, pad && `pad (${fill})`, crop && 'crop'].filter(Boolean);
  if (words.length === 0) return { known, notes: [] };
  const steps = [resize && resizeStep(resize, interpolation), pad && padStep(pad, fill), crop && cropStep(crop)];
  const taken = steps.filter((step) => typeof step === 'object');
  const resized = known.map((file) => ({ ...file, image: sizedImage(file.image, taken, file.name) }));
  const from = kindsText(
    kindsOf(
      known.map(({ image }) => image.shape.join(' x ')),
      nounOf(known[0]),
    ),
  );
  return {
    known: resized,
    notes: [`The sizes of images were changed as they were read by ${words.join(', ')}, from ${from}.`],
  };
}

const NO_RESIZE = '`resize` is not set';

/** @throws {InvalidDataError} `mixed_sizes` */
export function oneShape(known: readonly KnownImage[]): readonly number[] {
  const sizes = known.map(({ image }) => image.shape.join(' x '));
  const noun = nounOf(known[0]);
  const areSeveral = (axis: number) =>
    known.some(({ image }) => image.shape.at(axis) !== known[0].image.shape.at(axis));
  const by =
    noun === 'volume' && areSeveral(0) ? '`resize: [depth, height, width]`' : '`resize`, or by `pad` and `crop`';
  const way = areSeveral(-1)
    ? 'Grey and colour, which are 1 and 3 channels, do not go together: name those of one kind in a list.'
    : `Bring them to one size by ${by}, or name those to read in a list.`;
  refuseSeveral('mixed_sizes', 'be of one size', known, sizes, way, noun);
  return known[0].image.shape;
}

const nounOf = ({ image }: KnownImage) => (image.shape.length > 3 ? 'volume' : 'file');

/** The image with its sizes changed after it is read. Throws {@link InvalidDataError} that names the file it does not fit. */
function sizedImage(image: ImageFile, steps: readonly SizeStep[], file: string): ImageFile {
  const { affine: _, ...others } = image;
  let { shape } = image;
  try {
    for (const step of steps) shape = shapeAfter(shape, step);
  } catch (error) {
    if (!(error instanceof CVKitError)) throw error;
    throw new InvalidDataError(`${error.message} (in \`file\` of this error)`, { code: error.code, file });
  }
  return {
    ...others,
    shape,
    async read(row, out, loaded, scratch) {
      const stored = new Float32Array(product(image.shape));
      await image.read(row, stored, loaded, scratch);
      let dense: Dense = { data: stored, shape: [1, ...image.shape] };
      for (const step of steps) dense = afterStep(dense, step);
      out.set(dense.data);
    },
  };
}
