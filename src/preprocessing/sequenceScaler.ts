import { type InputOf, number, optionTable } from '../core/options.js';
import { channelScaling, scalerOptions } from './channelScaler.js';
import { defineImageStep } from './defineImageStep.js';

const options = optionTable('SequenceScaler', {
  ...scalerOptions,
  maskValue: number()
    .nullable()
    .default(0)
    .describe(
      'Steps whose features are all of this value are padding, as for `Masking` of Keras: they take no part and stay.',
    ),
});

export type SequenceScalerOptions = InputOf<typeof options>;

/**
 * Scales each feature of sequences `[time, features]` to a mean of 0 and a standard deviation of 1 over all steps of the rows of
 * `fit`, without those that are padding. NaN is left out and stays.
 */
export class SequenceScaler extends defineImageStep({
  options,
  ...channelScaling('SequenceScaler', (rowShape) => rowShape.at(-1) ?? 1),
})<SequenceScalerOptions> {
  /** Mean of each feature. */
  get mean(): Float64Array {
    return this.fitted.mean;
  }

  /** What each feature is divided by. */
  get scale(): Float64Array {
    return this.fitted.scale;
  }
}
