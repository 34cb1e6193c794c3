import { AdapterError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { Labels, Task } from '../../src/data/labels.js';
import type { Batch, LabelFacts } from '../../src/runner/frameworkAdapter.js';
import { shapeText } from '../inputs.js';
import type { Network, SymbolicTensor } from './structures.js';

export interface Output {
  readonly name: string;
  /** Name in logs and messages: the same in every fold. */
  readonly label: string;
  readonly place: number;
  readonly labels: Labels;
}

export function outputsOf(
  model: Network,
  { y, auxiliary = {} }: Pick<Batch, 'y' | 'auxiliary'>,
  main?: string,
): Output[] {
  const names = model.outputNames;
  const place = mainOutput(model, main, Object.keys(auxiliary));
  const further = names.flatMap((name, at) => (Object.hasOwn(auxiliary, name) ? [at] : []));
  return [place, ...further].map((at) => {
    const name = names[at];
    return { name, label: outputLabel(names, at), place: at, labels: at === place ? y : auxiliary[name] };
  });
}

export function mainOutput({ outputNames: names }: Network, main?: string, auxiliary: readonly string[] = []): number {
  for (const name of auxiliary) {
    if (names.length === 1) throw refusal('An auxiliary target', 'belong to a further output of the model', name);
    if (!names.includes(name)) throw unknown('An auxiliary target', name, names);
    if (isAutomatic(name)) {
      throw refusal('An auxiliary target', 'belong to an output with a name of its own', name, 'Name its layer.');
    }
    if (name === main) throw refusal('An auxiliary target', 'belong to another output than y', name);
  }
  if (main !== undefined) {
    if (names.includes(main)) return names.indexOf(main);
    throw unknown('The `output` option', main, names);
  }
  const others = names.filter((name) => !auxiliary.includes(name));
  if (others.length === 1) return names.indexOf(others[0]);
  const must = 'leave one output of the model for y';
  if (others.length === 0) throw refusal('The auxiliary targets', must, phrase(`one for each of ${names.join(', ')}`));
  const got = phrase(`${auxiliary.length + 1}, so y may belong to ${others.join(' or ')}`);
  const way = 'Pass the others as `auxiliary`, or name the output of y as `output` in adapterOptions.';
  throw refusal(`A model with ${names.length} outputs`, 'have a target for each', got, way);
}

export function checkAllHaveTargets({ outputNames: names }: Network, outputs: readonly Output[]): void {
  const without = names.find((_, place) => !outputs.some((output) => output.place === place));
  if (without === undefined) return;
  const way = 'Add it to `auxiliary`, or write a `trainStep`.';
  throw refusal(`The output '${nameText(without)}'`, 'have a target to be trained', phrase('none'), way);
}

const unknown = (subject: string, name: string, names: readonly string[]) =>
  refusal(subject, 'name an output of the model', name, suggestion(name, names));

const refusal = (subject: string, must: string, got: unknown, way?: string) =>
  new AdapterError(sentence(subject, must, got, way), { code: 'model_outputs' });

/** True for the names that tfjs makes up: they end in a number that differs from model to model. */
export function isAutomatic(name: string): boolean {
  if (/^input\d+$/.test(name)) return true;
  const stem = name.replace(/(?<!\d)\d+(_input)?$/, '');
  const [, snake, className] = /^(\w+)_([A-Za-z][A-Za-z\d]*)$/.exec(stem) ?? [];
  return stem !== name && snake !== undefined && snake.replaceAll('_', '') === className.toLowerCase();
}

export const outputLabel = (names: readonly string[], place: number): string =>
  isAutomatic(names[place]) ? `output${place}` : names[place];

/** `units`: those of a survival task, which its loss decides. */
export function outputWidth(model: Network, place: number, { task, classes }: LabelFacts, units = 1): number {
  const shape = model.outputs[place].shape.slice(1);
  const mask = task === 'multilabel' && shape.length > 1;
  if (mask && shape.includes(null)) return classes.length;
  const width = shape.length === 1 || mask ? shape.reduce((product: number, size) => product * Number(size), 1) : 0;
  const wanted = {
    regression: [classes.length || 1],
    binary: [1, 2],
    multiclass: [classes.length],
    multilabel: [classes.length],
    survival: [units],
  }[task];
  if (wanted.includes(width)) return width;
  const targets = classes.length > 0 ? `${classes.length} units, one for each target of y,` : '1 unit';
  const ofTask = {
    regression: targets,
    survival: units > 1 ? `${units} units, one for each cut,` : '1 unit',
    binary: '1 unit (or 2 with softmax)',
  }[task as string];
  const labels = task === 'multilabel' ? 'labels' : 'classes';
  const each = mask ? `${classes.length} values, as many as a row of y has,` : undefined;
  const must = `have ${each ?? ofTask ?? `${classes.length} units, one for each of the ${classes.length} ${labels} of y,`} for a ${task} task`;
  const got = phrase(shape.length === 1 ? String(width) : `shape ${shapeText(shape)}`);
  throw new AdapterError(sentence(outputSubject(model, place), must, got), { code: 'output_shape' });
}

/** Shape of one row of the targets: that of the output, with the sizes that it leaves open taken from the labels. */
export function targetShape(model: Network, { place, labels }: Output): number[] {
  const width = outputWidth(model, place, labels);
  const shape = model.outputs[place].shape.slice(1);
  if (shape.length === 1 || !labels.shape) {
    if (!shape.includes(null)) return shape as number[];
    throw misfit(model, place, [width]);
  }
  // A mask [H, W] is also what an output [H, W, 1] gives.
  const rest = labels.shape.slice(shape.length).concat(shape.slice(labels.shape.length) as number[]);
  const found = shape.map((_, axis) => labels.shape?.[axis] ?? 1);
  const fits = rest.every((size) => size === 1) && shape.every((size, axis) => size === null || size === found[axis]);
  if (fits) return found;
  throw misfit(model, place, labels.shape);
}

function misfit(model: Network, place: number, rowShape: readonly number[]): AdapterError {
  const must = `have the shape ${shapeText(rowShape)} of the rows of y`;
  const got = phrase(shapeText(model.outputs[place].shape.slice(1)));
  return new AdapterError(sentence(outputSubject(model, place), must, got), { code: 'output_shape' });
}

export function outputSubject({ outputs, outputNames }: Network, place: number): string {
  return outputs.length === 1 ? 'The output of the model' : `The output '${nameText(outputLabel(outputNames, place))}'`;
}

export function activationOf(model: Network, place: number): string | undefined {
  let tensor: SymbolicTensor | undefined = model.outputs[place];
  // A model that serves as the last layer gives what its own last layer gives.
  while (tensor?.sourceLayer?.outputs) tensor = tensor.sourceLayer.outputs[tensor.outputTensorIndex ?? 0];
  return tensor?.sourceLayer?.activation?.getClassName?.();
}

export function notProbabilities(subject: string, task: Task, width: number, got: unknown, row?: number): AdapterError {
  const softmax = width > 1 && task !== 'multilabel' && task !== 'survival';
  const must = `be ${softmax ? 'probabilities from 0 to 1 that sum to 1' : 'a probability from 0 to 1'} for a ${task} task`;
  const way = `Give its last layer the activation '${softmax ? 'softmax' : 'sigmoid'}'.`;
  return new AdapterError(sentence(subject, must, got, way), { code: 'invalid_probabilities', row });
}
