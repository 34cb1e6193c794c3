/** A fresh optimizer for every fold: the caller's is read, never used, changed or disposed. */

import { AdapterError, InvalidOptionError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { isPlainObject } from '../../src/core/options.js';
import { isTensor, type LayersModel, type Optimizer, type Tensor } from './structures.js';

const NAMES = ['adadelta', 'adagrad', 'adam', 'adamax', 'rmsprop', 'sgd'];

/** A name that tfjs knows, or a new optimizer of the same class and settings as the one given. */
export function freshOptimizer(given: unknown): string | Optimizer {
  if (given === undefined || given === null) {
    throw new AdapterError(
      'The `optimizer` option must be given, because the model is not compiled. Got nothing. ' +
        "Use a name such as 'adam', or compile the model.",
      { code: 'missing_optimizer' },
    );
  }
  if (typeof given === 'string') {
    const name = given.toLowerCase();
    if (NAMES.includes(name)) return name;
    throw new InvalidOptionError(
      `The \`optimizer\` option has no optimizer '${nameText(given)}' in tfjs. ${suggestion(given, NAMES)}`,
    );
  }
  return rebuild(given);
}

interface OptimizerClass {
  fromConfig?(cls: OptimizerClass, config: Record<string, unknown>): Optimizer;
}

function rebuild(given: object | unknown): Optimizer {
  const optimizer = given as Partial<Optimizer> & { constructor: OptimizerClass };
  const cls = optimizer.constructor;
  if (typeof optimizer.getConfig !== 'function' || typeof cls?.fromConfig !== 'function') {
    throw new AdapterError(
      sentence(
        'The `optimizer` option',
        'be a name or a tfjs optimizer with getConfig and fromConfig, so that each fold gets its own',
        given,
      ),
      { code: 'invalid_optimizer' },
    );
  }
  return cls.fromConfig(cls, optimizer.getConfig() as Record<string, unknown>);
}

/**
 * Lets the model own the optimizer that it was compiled with when that was made after tensor number `since`, so inside
 * the caller's factory and for this model alone. Then it is disposed with the model; a shared one never is.
 */
export function adoptOptimizer(model: LayersModel, since: number): void {
  const tensors = tensorsOf(model.optimizer);
  if (tensors.length > 0 && tensors.every(({ id }) => id > since)) model.isOptimizerOwned = true;
}

/** Compiles the model again with a fresh optimizer that it owns; one that it owned before is disposed. */
export function compileFresh(model: LayersModel, optimizer: unknown, loss: unknown): void {
  const fresh = freshOptimizer(optimizer ?? model.optimizer);
  const old = model.isOptimizerOwned ? model.optimizer : undefined;
  model.compile({ optimizer: fresh, loss, metrics: model.metrics });
  model.isOptimizerOwned = true;
  disposeOptimizer(old);
}

/** The optimizer in words: `adam, learning rate 0.001`. */
export function optimizerText({ optimizer }: LayersModel): string {
  const name = optimizer?.getClassName?.().toLowerCase() ?? 'an optimizer without a name';
  const rate = (optimizer as Partial<Rated> | undefined)?.learningRate;
  return typeof rate === 'number' ? `${name}, learning rate ${Number(rate.toPrecision(6))}` : name;
}

/** Disposes everything the optimizer holds. `MomentumOptimizer.dispose` of tfjs 4.22 forgets a tensor. */
export function disposeOptimizer(optimizer: Optimizer | undefined): void {
  optimizer?.dispose();
  for (const tensor of tensorsOf(optimizer)) if (!tensor.isDisposed) tensor.dispose();
}

/** Tensors that the optimizer holds, also in lists and records: its learning rate, and its moments where it has them. */
export const tensorsOf = (optimizer: Optimizer | undefined): Tensor[] => [...tensorsIn(Object.values(optimizer ?? {}))];

function* tensorsIn(values: readonly unknown[], seen = new Set<unknown>()): Generator<Tensor> {
  for (const value of values) {
    if (isTensor(value)) yield value;
    if (seen.has(value) || !(Array.isArray(value) || isPlainObject(value))) continue;
    yield* tensorsIn(Object.values(value), seen.add(value));
  }
}

/** Learning rate of the next step. Every optimizer of tfjs has one. */
export function learningRateOf(model: LayersModel): number {
  return rated(model).learningRate;
}

/** Lets the optimizer of `model` go on with `rate`; its moments stay. */
export function setLearningRate(model: LayersModel, rate: number): void {
  const optimizer = rated(model);
  if (!(Number.isFinite(rate) && rate >= 0)) {
    throw new InvalidOptionError(sentence('A learning rate', 'be a number >= 0', rate));
  }
  // SGD and momentum keep it in a tensor too, which they replace.
  if (optimizer.setLearningRate) optimizer.setLearningRate(rate);
  else optimizer.learningRate = rate;
}

/** The field is protected, not private: the classes of tfjs read it anew in every step. */
interface Rated {
  learningRate: number;
  setLearningRate?(rate: number): void;
}

function rated({ optimizer }: LayersModel): Rated {
  const found = optimizer as unknown as Partial<Rated> | undefined;
  if (typeof found?.learningRate === 'number') return found as Rated;
  throw new AdapterError(
    sentence(
      'The learning rate',
      'be a field `learningRate` of the optimizer',
      phrase(optimizer ? 'an optimizer without' : 'a model that is not compiled'),
    ),
    { code: 'no_learning_rate' },
  );
}
