/** What a model is trained towards: holds output, loss and task against each other, and codes the labels. */
import { AdapterError, InvalidOptionError, sentence, suggestion } from '../../src/core/errors.js';
import type { Labels, Task } from '../../src/core/labels.js';
import type { LabelFacts } from '../../src/runner/frameworkAdapter.js';
import type { LayersModel } from './structures.js';

/** Targets row by row, `width` numbers each. */
export interface Targets {
  readonly data: Float32Array;
  readonly width: number;
}

const CLASSES: readonly Task[] = ['binary', 'multiclass'];
const ANY: readonly Task[] = [...CLASSES, 'multilabel', 'regression'];

/** The losses of tfjs by name: the tasks they fit, and whether they need one unit per class. */
const LOSSES: Readonly<Record<string, { tasks: readonly Task[]; unitPerClass?: boolean }>> = {
  meanSquaredError: { tasks: ANY },
  meanAbsoluteError: { tasks: ANY },
  meanAbsolutePercentageError: { tasks: ['regression'] },
  meanSquaredLogarithmicError: { tasks: ['regression'] },
  logcosh: { tasks: ANY },
  poisson: { tasks: ANY },
  cosineProximity: { tasks: ['multiclass', 'multilabel'] },
  kullbackLeiblerDivergence: { tasks: CLASSES, unitPerClass: true },
  binaryCrossentropy: { tasks: [...CLASSES, 'multilabel'] },
  categoricalCrossentropy: { tasks: CLASSES, unitPerClass: true },
  sparseCategoricalCrossentropy: { tasks: CLASSES, unitPerClass: true },
  categoricalHinge: { tasks: CLASSES, unitPerClass: true },
  // These want targets of -1 and 1 and give margins, not probabilities.
  hinge: { tasks: [] },
  squaredHinge: { tasks: [] },
};

/** The loss to train with: the option, else what the model was compiled with. A name or a function. */
export function lossOf(model: LayersModel, lossFn: unknown): string | ((...args: never[]) => unknown) {
  const compiled = model.optimizer ? onlyOne(model.loss) : undefined;
  const loss = lossFn ?? compiled;
  if (loss === undefined) {
    throw new AdapterError(
      'The `lossFn` option must be given, because the model is not compiled. Got nothing. ' +
        "Use a name such as 'binaryCrossentropy', or compile the model.",
      { code: 'missing_loss' },
    );
  }
  if (typeof loss === 'function') return loss as (...args: never[]) => unknown;
  if (typeof loss !== 'string') {
    throw new InvalidOptionError(sentence('The `lossFn` option', 'be the name of a tfjs loss or a function', loss));
  }
  if (Object.hasOwn(LOSSES, loss)) return loss;
  throw new InvalidOptionError(
    `The \`lossFn\` option has no loss '${loss}' in tfjs. ${suggestion(loss, Object.keys(LOSSES))}`,
  );
}

/** tfjs also takes losses as an array or a record with one entry per output. */
function onlyOne(loss: unknown): unknown {
  if (typeof loss !== 'object' || loss === null) return loss;
  return Object.values(loss)[0];
}

/** Number of units of the model's output, held against the task and its classes. */
export function outputWidth(model: LayersModel, { task, classes }: LabelFacts): number {
  const shape = model.outputs[0].shape.slice(1);
  const width = shape.length === 1 ? shape[0] : null;
  const wanted = { regression: [1], binary: [1, 2], multiclass: [classes.length], multilabel: [classes.length] }[task];
  if (width !== null && wanted.includes(width)) return width;
  const units = { regression: '1 unit', binary: '1 unit (or 2 with softmax)' }[task as string];
  const labels = task === 'multilabel' ? 'labels' : 'classes';
  throw new AdapterError(
    sentence(
      'The output of the model',
      `have ${units ?? `${classes.length} units, one for each of the ${classes.length} ${labels} of y,`} for a ${task} task`,
      { text: shape.length === 1 ? String(width) : `shape [${shape.join(', ')}]` },
    ),
    { code: 'output_shape' },
  );
}

/** Throws {@link AdapterError} unless loss, output and task fit each other. */
export function checkLoss(model: LayersModel, facts: LabelFacts, loss: string | object): void {
  const { task } = facts;
  const width = outputWidth(model, facts);
  const refuse = (must: string, way: string) => {
    throw new AdapterError(sentence('The `lossFn` option', must, loss, way), { code: 'loss_mismatch' });
  };
  const known = typeof loss === 'string' ? LOSSES[loss] : undefined;
  if (known && !known.tasks.includes(task)) refuse(`fit a ${task} task`, `Use '${usualLoss(task, width)}' instead.`);
  if (known?.unitPerClass && width === 1) {
    refuse('fit an output of 1 unit', "Use 'binaryCrossentropy', or 2 units with softmax, instead.");
  }
  if (width === 1 && task !== 'regression' && lastActivation(model) === 'softmax') {
    throw notProbabilities(task, width, { text: 'softmax over a single unit, which is always 1' });
  }
  if (task !== 'regression' && lastActivation(model) === 'linear')
    throw notProbabilities(task, width, { text: 'a linear output layer' });
}

function usualLoss(task: Task, width: number): string {
  if (task === 'regression') return 'meanSquaredError';
  return task === 'multilabel' || width === 1 ? 'binaryCrossentropy' : 'categoricalCrossentropy';
}

function lastActivation(model: LayersModel): string | undefined {
  const last = model.layers[model.layers.length - 1] as { activation?: { getClassName?(): string } };
  return last.activation?.getClassName?.();
}

/** The error for an output that is no probability. */
export function notProbabilities(task: Task, width: number, got: unknown): AdapterError {
  const softmax = width > 1 && task !== 'multilabel';
  return new AdapterError(
    sentence(
      'The output of the model',
      `be ${softmax ? 'probabilities from 0 to 1 that sum to 1' : 'a probability from 0 to 1'} for a ${task} task`,
      got,
      `Give its last layer the activation '${softmax ? 'softmax' : 'sigmoid'}'.`,
    ),
    { code: 'invalid_probabilities' },
  );
}

/**
 * Labels as numbers: regression values; 0/1 for one unit; class codes for the sparse loss; one-hot rows for one unit
 * per class; multilabel rows as they are.
 */
export function targetsOf(y: Labels, width: number, loss: string | object): Targets {
  if (y.task === 'regression') return { data: Float32Array.from(y.numbers), width: 1 };
  if (y.task === 'multilabel') return { data: Float32Array.from(y.indicators), width };
  if (width === 1 || loss === 'sparseCategoricalCrossentropy') return { data: Float32Array.from(y.codes), width: 1 };
  const data = new Float32Array(y.length * width);
  for (let row = 0; row < y.length; row++) data[row * width + y.codes[row]] = 1;
  return { data, width };
}
