import { CVKitError, InvalidDataError } from '../../core/errors.js';
import { product } from '../../data/dense.js';
import { afterStep, positionsBefore, type SizeStep, shapeAfter } from '../../data/imageSizes.js';
import type { ImageFile } from './imageFile.js';

/** The image with its sizes changed after it is read. Throws {@link InvalidDataError} that names the file it does not fit. */
export function sizedImage(image: ImageFile, steps: readonly SizeStep[], file: string): ImageFile {
  let { shape, affine } = image;
  try {
    for (const step of steps) {
      affine &&= affineAfter(affine, shape, step);
      shape = shapeAfter(shape, step);
    }
  } catch (error) {
    if (!(error instanceof CVKitError)) throw error;
    throw new InvalidDataError(`${error.message} (in \`file\` of this error)`, { code: error.code, file });
  }
  return {
    ...image,
    shape,
    affine,
    async read(row, out, loaded, scratch) {
      const stored = new Float32Array(product(image.shape));
      await image.read(row, stored, loaded, scratch);
      let dense = { data: stored as Float32Array, shape: [1, ...image.shape] as readonly number[] };
      for (const step of steps) dense = afterStep(dense, step) as typeof dense;
      out.set(dense.data);
    },
  };
}

type Affine = NonNullable<ImageFile['affine']>;

/** Voxels have other sizes and places then. The axes of a row are those of the affine the other way round. */
function affineAfter(affine: Affine, shape: readonly number[], step: SizeStep): Affine {
  const plans = positionsBefore(shape, step);
  const axes = plans.map(({ scale, shift }, at) => ({ scale, shift, column: plans.length - 1 - at }));
  return affine.map((line) => {
    const moved = [...line];
    for (const { scale, shift, column } of axes) {
      moved[column] = line[column] * scale;
      moved[3] += line[column] * shift;
    }
    return moved;
  });
}
