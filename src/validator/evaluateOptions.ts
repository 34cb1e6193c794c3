import { checkShape } from '../checkers/checkOptions.js';
import { anything, arrayLike, custom, type InputOf, optionTable } from '../core/options.js';
import type { Label, LabelsInput } from '../data/labels.js';
import { hasKeptModelShape } from '../data/modelShapes.js';
import { dataOptions } from '../runner/dataOptions.js';
import type { KeptModel } from '../runner/keptModels.js';
import { runOptions } from '../runner/runOptions.js';
import { CHECKLISTS_TEXT } from './evidenceOptions.js';
import { idsOption, validatorOptions } from './validatorOptions.js';

const { hierarchy, sampleWeight, featureNames } = dataOptions.shape;
const { task, positiveLabel, metrics } = runOptions.shape;
const { ciMethod, ciLevel, nBootstrap, sampling, returnConfidenceIntervals, checklists } = validatorOptions.shape;

/** For models that do not tell what they predict, as those of `results.models`. */
export const LOADED = "Keep models by `keepModels: 'save'`, and pass `await loadModel(results.models[0])`.";

const shape = {
  yTrue: dataOptions.shape.y.describe('True label, number, or row of 0/1 of each row.'),
  yPred: anything<LabelsInput>('labels', 'be labels')
    .optional()
    .describe(
      'What was predicted for each row; left out, it follows from `yProba`: the most probable class, above .5.',
    ),
  yProba: anything<ArrayLike<number> | readonly ArrayLike<number>[] | object>('number[] | number[][]', 'be numbers')
    .optional()
    .describe('Probability of the positive class of each row, or of each row one for every class.'),
  model: custom<KeptModel>(
    'model',
    'be what `loadModel` or `ensemble` gave, or `refitted` of a result',
    hasKeptModelShape,
  )
    .instead(() => LOADED)
    .optional()
    .describe('Predicts the rows of `X`, in the place of `yPred` and `yProba`. It is not trained.'),
  X: dataOptions.shape.X.optional().describe('New rows for `model`, before any preparation.'),
  featureNames,
  classes: arrayLike<Label>('label[]')
    .optional()
    .describe('All classes, in the order of the columns of `yProba`; left out, those of `yTrue` in ascending order.'),
  groups: idsOption('Patient (or other unit) of each row; patients count as independent, not rows.'),
  patientIds: idsOption('The same as `groups`.'),
  hierarchy,
  fold: arrayLike<number | string>('fold[]')
    .optional()
    .describe('Fold that tested each row, where the predictions come from a cross-validation; the other rows trained.'),
  repeat: arrayLike<number | string>('repeat[]')
    .optional()
    .describe(
      'Repeat that the `fold` of each row belongs to, where folds were drawn several times; needs `patientIds`.',
    ),
  sampleWeight,
  task,
  positiveLabel,
  metrics,
  returnConfidenceIntervals,
  ciMethod,
  ciLevel,
  nBootstrap,
  sampling,
  randomState: validatorOptions.shape.randomState.describe('Seed of resampling.'),
  revealIds: checkShape.revealIds,
  checklists: checklists.describe(`${CHECKLISTS_TEXT}.`),
};

export const evaluateOptions = optionTable('evaluate', shape, (name) =>
  name === 'y' ? 'Did you mean `yTrue`?' : undefined,
);

export type EvaluateOptions = InputOf<typeof evaluateOptions>;
