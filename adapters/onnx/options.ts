/** What a caller says of an ONNX model that its file does not hold. */
import {
  arrayLike,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  type OptionsOf,
  oneOf,
  optionTable,
  string,
} from '../../src/core/options.js';
import type { Label } from '../../src/data/labels.js';
import { isAscendingTimes } from '../inputs.js';

/** How the file is loaded, and how rows become its inputs: the same for classifiers and embeddings. */
const shared = {
  output: string()
    .optional()
    .describe(
      'Name of the output to use, of a model with several; also an inner tensor, which becomes the output then. A model of one output needs none.',
    ),
  layout: oneOf('NCHW', 'NHWC')
    .optional()
    .describe(
      'Order of the axes of images as the model takes them: channels before or after height and width. Needed only where the sizes in the file fit both.',
    ),
  batchSize: integer({ min: 1 })
    .default(32)
    .describe('Rows computed at a time. A model that takes one row at a time gets one.'),
  allowMissing: boolean()
    .default(false)
    .describe('Hands NaN (missing values) to the model, which some trees know how to treat. Else they are refused.'),
  runtime: oneOf('auto', 'node', 'web')
    .default('auto')
    .describe(
      'Library that computes: onnxruntime-node, onnxruntime-web, or the first of them that loads. Browsers have the second.',
    ),
  sessionOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
    .optional()
    .describe('Options of `InferenceSession.create` of the runtime: threads, execution providers.'),
  ort: custom<object>('object', 'be the imported runtime', (value) => typeof value === 'object')
    .optional()
    .describe('The runtime, where cvkit should not import it: `import * as ort from "onnxruntime-node"`.'),
};

export const onnxOptions = optionTable('onnxModel', {
  gives: oneOf('probabilities', 'logits', 'labels')
    .optional()
    .describe(
      'What the output holds; required for a classification, because numbers alone do not show it. Logits become probabilities by softmax, and by the logistic function where there is one column or where y has several labels. Left out for a regression and for outcomes by time.',
    ),
  classes: arrayLike<Label>('label[]')
    .optional()
    .describe(
      'Labels of y in the order of the columns. Needed unless the file holds them, the labels are 0, 1, 2, ... or false, true, or there is one column: that is P(positive), or of the one class that is named.',
    ),
  times: custom<readonly number[]>('number[]', 'be a list of ascending times above 0', isAscendingTimes)
    .optional()
    .describe(
      'For outcomes by time: the output is the probability of no event by each of these times, one column for each, and the risk is 1 - that of the last. Left out, it is one column, a risk that is larger for an earlier event.',
    ),
  ...shared,
});

export const onnxEmbeddingOptions = optionTable('OnnxEmbedding', {
  ...shared,
  cache: boolean()
    .default(true)
    .describe(
      'Keeps what was computed for each row, by its content and as long as the step lives, so that no row is computed twice.',
    ),
});

export type OnnxModelOptions = InputOf<typeof onnxOptions>;
export type OnnxEmbeddingOptions = InputOf<typeof onnxEmbeddingOptions>;
export type OnnxSettings = OptionsOf<typeof onnxOptions>;
export type OnnxFileSettings = Pick<OnnxSettings, keyof typeof shared>;
