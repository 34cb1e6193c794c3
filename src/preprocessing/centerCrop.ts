import { type InputOf, optionTable } from '../core/options.js';
import { afterStep, CROP_TO, cropStep, imageSize } from '../data/imageSizes.js';
import { defineImageStep } from './defineImageStep.js';

const options = optionTable('CenterCrop', {
  size: imageSize().describe(CROP_TO),
});

export type CenterCropOptions = InputOf<typeof options>;

/**
 * Cuts the middle out of images, as `CenterCrop` of torchvision: of an uneven rest an even number of rows or columns is cut
 * before it (of 3: 2 before, 1 after); `CenterCrop` of Keras cuts the smaller half before it. Images that are smaller are refused
 * (`too_small`): put a `Pad` or `Resize` before it.
 */
export class CenterCrop extends defineImageStep({
  options,
  transform: (rows, { size }) => afterStep(rows, cropStep(size)),
})<CenterCropOptions> {}
