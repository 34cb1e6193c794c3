import { type InputOf, optionTable } from '../core/options.js';
import { afterStep, fill, imageSize, PAD_TO, padStep } from '../data/imageSizes.js';
import { defineImageStep } from './defineImageStep.js';

const options = optionTable('Pad', {
  size: imageSize().describe(PAD_TO),
  fill: fill(),
});

export type PadOptions = InputOf<typeof options>;

/** Puts a margin of one value around images, so that they have a size at least; of an uneven margin the smaller half is above and on the left. */
export class Pad extends defineImageStep({
  options,
  transform: (rows, { size, fill }) => afterStep(rows, padStep(size, fill)),
})<PadOptions> {}
