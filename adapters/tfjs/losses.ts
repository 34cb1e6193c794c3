import { AdapterError, InvalidOptionError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { LOSS_NAMES } from '../../src/core/knownNames.js';
import { isModuleFunction } from '../../src/core/moduleFunction.js';
import { isPlainObject, rejectUnusedOption } from '../../src/core/options.js';
import type { Task } from '../../src/data/labels.js';
import { activationOf, notProbabilities, type Output, outputLabel, outputSubject, outputWidth } from './outputs.js';
import type { LayersModel } from './structures.js';
import { checkSurvivalLoss, isSurvivalLoss } from './survival.js';

/** The name of a tfjs loss, or `(yTrue, yPred) => tensor`: one number, or numbers for every row. */
export type Loss = string | ((...args: never[]) => unknown);

const CLASSES: readonly Task[] = ['binary', 'multiclass'];
const ANY: readonly Task[] = [...CLASSES, 'multilabel', 'regression'];

interface LossFacts {
  readonly tasks: readonly Task[];
  readonly unitPerClass?: boolean;
}

const LOSSES: Readonly<Record<string, LossFacts>> = {
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
} satisfies Record<(typeof LOSS_NAMES)[number], LossFacts>;

/** In the order of `outputs`. Undefined where neither the option nor `compile` names one, which is refused unless `optional`. */
export function lossesOf(
  model: LayersModel,
  outputs: readonly Pick<Output, 'name' | 'label' | 'place'>[],
  lossFn: unknown,
  { optional = false } = {},
): (Loss | undefined)[] {
  const own = lossFn ?? (model.optimizer ? model.loss : undefined);
  if (isPlainObject(own)) {
    const stranger = Object.keys(own).find((name) => !model.outputNames.includes(name));
    if (stranger !== undefined) throw noOutput('lossFn', stranger, model.outputNames);
  }
  return outputs.map((output) => {
    const loss = Array.isArray(own) ? own[output.place] : isPlainObject(own) ? own[output.name] : own;
    if (loss !== undefined && loss !== null) return known(loss);
    if (optional) return undefined;
    if (own === undefined) throw missing('because the model is not compiled');
    throw missing(`for the output '${nameText(output.label)}'`);
  });
}

export function lossesText(outputs: readonly Output[], losses: readonly (Loss | undefined)[]): string {
  const names = losses.map((loss) =>
    typeof loss === 'function' ? loss.name || 'a function' : (loss ?? 'the own trainStep'),
  );
  return names.length === 1 ? names[0] : outputs.map(({ label }, at) => `${label}: ${names[at]}`).join(', ');
}

function missing(why: string): AdapterError {
  return new AdapterError(
    `The \`lossFn\` option must be given, ${why}. Got nothing. ` +
      "Use a name such as 'binaryCrossentropy', or compile the model.",
    { code: 'missing_loss' },
  );
}

function known(loss: unknown): Loss {
  if (typeof loss === 'function') return loss as Loss;
  if (typeof loss !== 'string') {
    throw new InvalidOptionError(sentence('The `lossFn` option', 'be the name of a tfjs loss or a function', loss));
  }
  if (Object.hasOwn(LOSSES, loss)) return loss;
  throw new InvalidOptionError(
    `The \`lossFn\` option has no loss '${nameText(loss)}' in tfjs. ${suggestion(loss, Object.keys(LOSSES))}`,
  );
}

/** Refuses a name that tfjs does not have; a record names the loss of each output. */
export function checkLossNames(lossFn: unknown): void {
  const losses = isPlainObject(lossFn) && !isModuleFunction(lossFn) ? Object.values(lossFn) : [lossFn];
  for (const loss of losses) if (typeof loss === 'string') known(loss);
}

/** Losses for numbers that some use for classes, too; the last two are functions of `tf.losses`. */
const OF_NUMBERS =
  /^(meanSquared(Logarithmic)?|meanAbsolute(Percentage)?)Error$|^logcosh$|^poisson$|^huberLoss$|^absoluteDifference$/;

export function regressionBecause(model: LayersModel, place: number, lossFn: unknown): string | undefined {
  if (model.outputs[place].shape.slice(1).join() !== '1' || activationOf(model, place) !== 'linear') return undefined;
  const output = { name: model.outputNames[place], label: outputLabel(model.outputNames, place), place };
  const [loss] = lossesOf(model, [output], lossFn, { optional: true });
  const name = typeof loss === 'function' ? loss.name.replace(/__op$/, '') : (loss ?? '');
  return OF_NUMBERS.test(name) ? `the loss ${name} with one linear output unit is that of a regression` : undefined;
}

export function checkLossWeights({ outputNames: names }: LayersModel, weights: object = {}): void {
  const stranger = Object.keys(weights).find((name) => names.length === 1 || !names.includes(name));
  if (stranger === undefined) return;
  if (names.length === 1) rejectUnusedOption('the tfjs adapter', 'lossWeights', 'the model has one output');
  throw noOutput('lossWeights', stranger, names);
}

const noOutput = (option: string, name: string, names: readonly string[]) =>
  new InvalidOptionError(`The \`${option}\` option has no output '${nameText(name)}'. ${suggestion(name, names)}`);

const LOGARITHMIC = /crossentropy|divergence/i;

/** An output that is not `scored`, because its targets are auxiliary, may be linear under a loss that takes it so. */
export function checkLoss(model: LayersModel, { place, labels }: Output, loss?: Loss, { scored = true } = {}): void {
  const { task } = labels;
  const cuts = isSurvivalLoss(loss) ? loss.cuts : null;
  if (task === 'survival') checkSurvivalLoss(loss);
  const width = outputWidth(model, place, labels, cuts?.length);
  const subject = outputSubject(model, place);
  const refuse = (must: string, way: string) => {
    throw new AdapterError(sentence('The `lossFn` option', must, loss, way), { code: 'loss_mismatch' });
  };
  const activation = activationOf(model, place);
  if (task === 'survival') {
    const wanted = cuts ? 'sigmoid' : 'linear';
    if (activation === undefined || activation === wanted) return;
    const must = cuts ? 'be hazards from 0 to 1 for discreteHazardLoss' : 'be a log risk of any size for coxLoss';
    const way = `Give its last layer the activation '${wanted}'.`;
    throw new AdapterError(sentence(subject, must, activation, way), { code: 'loss_mismatch' });
  }
  if (isSurvivalLoss(loss)) refuse(`fit a ${task} task`, 'Give y a time and an event per row.');
  // One softmax over the channels of every pixel: classes that exclude each other, pixel by pixel.
  const perPixel = task === 'multilabel' && activation === 'softmax' && model.outputs[place].shape.length > 2;
  const facts = typeof loss === 'string' ? LOSSES[loss] : undefined;
  if (facts && !facts.tasks.includes(perPixel ? 'multiclass' : task)) {
    const of = model.outputs.length > 1 ? `the ${task} task of ${subject.toLowerCase()}` : `a ${task} task`;
    refuse(`fit ${of}`, `Use '${usualLoss(task, width)}' instead.`);
  }
  if (facts?.unitPerClass && width === 1) {
    refuse('fit an output of 1 unit', "Use 'binaryCrossentropy', or 2 units with softmax, instead.");
  }
  if (perPixel && loss === 'sparseCategoricalCrossentropy') {
    refuse('take masks of 0 and 1', "Use 'categoricalCrossentropy' instead.");
  }
  if (width === 1 && task !== 'regression' && activation === 'softmax') {
    throw notProbabilities(subject, task, width, phrase('softmax over a single unit, which is always 1'));
  }
  const probable = scored || (typeof loss === 'string' && LOGARITHMIC.test(loss));
  if (task !== 'regression' && activation === 'linear' && probable) {
    throw notProbabilities(subject, task, width, phrase('a linear output layer'));
  }
}

function usualLoss(task: Task, width: number): string {
  if (task === 'regression') return 'meanSquaredError';
  return task === 'multilabel' || width === 1 ? 'binaryCrossentropy' : 'categoricalCrossentropy';
}
