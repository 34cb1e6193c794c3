import { CVKitError, InvalidDataError } from '../../core/errors.js';
import { type Dense, product } from '../../data/dense.js';
import { afterStep, type SizeStep, shapeAfter } from '../../data/imageSizes.js';
import type { ImageFile } from './imageFile.js';

/** The image with its sizes changed after it is read. Throws {@link InvalidDataError} that names the file it does not fit. */
export function sizedImage(image: ImageFile, steps: readonly SizeStep[], file: string): ImageFile {
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
