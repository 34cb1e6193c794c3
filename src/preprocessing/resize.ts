import { type InputOf, optionTable } from '../core/options.js';
import { afterStep, imageSize, interpolation, RESIZE_TO, resizeStep } from '../data/imageSizes.js';
import { defineImageStep } from './defineImageStep.js';

const options = optionTable('Resize', {
  size: imageSize().describe(RESIZE_TO),
  interpolation: interpolation(),
});

export type ResizeOptions = InputOf<typeof options>;

/**
 * Brings images to another size: rows `[height, width]`, `[height, width, channels]` or volumes. Numbers are not rounded. As
 * `Resize` of torchvision and Pillow, which widen the filter where images become smaller; `Resizing` of Keras does not.
 *
 * @example
 * new Pipeline([new Resize({ size: 256 }), new CenterCrop({ size: 224 })]);
 */
export class Resize extends defineImageStep({
  options,
  transform: (rows, { size, interpolation }) => afterStep(rows, resizeStep(size, interpolation)),
})<ResizeOptions> {}
