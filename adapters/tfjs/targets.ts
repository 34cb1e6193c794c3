/** What an output is trained towards: labels as numbers, row by row. */
import type { Labels } from '../../src/data/labels.js';
import { oneColumnCode } from '../../src/data/positiveCode.js';
import type { Loss } from './losses.js';
import { type Output, targetShape } from './outputs.js';
import type { Network } from './structures.js';

/** Targets of one output, row by row. */
export interface Targets {
  readonly data: Float32Array;
  /** Shape of one row, for example `[1]`, or `[64, 64, 1]` for masks. */
  readonly rowShape: readonly number[];
}

/**
 * Labels as numbers: regression values; 0/1 for one unit, 1 being the positive class; class codes for the sparse loss; one-hot rows for one unit
 * per class; labels and masks as they are, in the shape of the output.
 */
export function targetsOf(model: Network, output: Output, loss: Loss | undefined): Targets {
  const { labels } = output;
  const rowShape = targetShape(model, output);
  if (labels.task === 'regression') return { data: Float32Array.from(labels.numbers), rowShape: [1] };
  if (labels.task === 'multilabel') return { data: Float32Array.from(labels.indicators), rowShape };
  const [units] = rowShape;
  if (units === 1) {
    const one = oneColumnCode(labels);
    return { data: Float32Array.from(labels.codes, (code) => (code === one ? 1 : 0)), rowShape: [1] };
  }
  if (loss === 'sparseCategoricalCrossentropy') return { data: Float32Array.from(labels.codes), rowShape: [1] };
  return { data: oneHot(labels, units), rowShape };
}

function oneHot({ codes, length }: Labels, units: number): Float32Array {
  const data = new Float32Array(length * units);
  for (let row = 0; row < length; row++) data[row * units + codes[row]] = 1;
  return data;
}
