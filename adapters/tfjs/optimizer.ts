import { AdapterError, InvalidOptionError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { OPTIMIZER_NAMES } from '../../src/core/knownNames.js';
import { isPlainObject } from '../../src/core/options.js';
import { fromCaller } from './callerStep.js';
import { isTfjsTensor, type LayersModel, type Optimizer, type Tensor } from './structures.js';

const NAMES: readonly string[] = OPTIMIZER_NAMES;

export function freshOptimizer(optimizer: unknown): string | Optimizer {
  if (optimizer === undefined || optimizer === null) {
    throw new AdapterError(
      'The `optimizer` option must be set, because the model is not compiled. Got nothing. ' +
        "Use a name such as 'adam', or compile the model.",
      { code: 'missing_optimizer' },
    );
  }
  if (typeof optimizer === 'string') {
    const name = optimizer.toLowerCase();
    if (NAMES.includes(name)) return name;
    throw new InvalidOptionError(
      `The \`optimizer\` option has no optimizer '${nameText(optimizer)}' in tfjs. ${suggestion(optimizer, NAMES)}`,
    );
  }
  return rebuild(optimizer);
}

interface OptimizerClass {
  readonly prototype?: object;
  fromConfig?(cls: OptimizerClass, config: Record<string, unknown>): Optimizer;
}

function rebuild(original: unknown): Optimizer {
  const optimizer = original as Partial<Optimizer> & { constructor: OptimizerClass };
  const cls = optimizer.constructor;
  if (typeof optimizer.getConfig !== 'function' || typeof cls?.fromConfig !== 'function') {
    const must = 'be a name or a tfjs optimizer with getConfig and fromConfig, so that each fold gets its own';
    throw new AdapterError(sentence('The `optimizer` option', must, original), { code: 'invalid_optimizer' });
  }
  const fresh = cls.fromConfig(cls, optimizer.getConfig() as Record<string, unknown>);
  const [before, after] = [optimizer, fresh] as unknown as Record<string, unknown>[];
  const fields = [...Object.keys({ ...before, ...after }), ...privateFields(cls)];
  const lost = fields.find((field) => !isSameField(before[field], after[field], field));
  if (lost === undefined) return fresh;
  disposeOptimizer(fresh);
  const must = 'be the same when its fromConfig builds it again from its getConfig, so that each fold gets its own';
  const got = phrase(`one that differs in \`${nameText(lost)}\``);
  const way = 'Use optimizer: () => optimizer, or compile the model with a new one inside the factory.';
  const message = sentence('An optimizer that is not of one fold alone', must, got, way);
  throw new AdapterError(message, { code: 'optimizer_fields' });
}

/** Names of private fields where getConfig is that of a class above: it cannot know them. */
function privateFields(cls: OptimizerClass): string[] {
  if (!cls.prototype || Object.hasOwn(cls.prototype, 'getConfig')) return [];
  const own = /\.(#[\w$]+)/.exec(Function.prototype.toString.call(cls))?.[1];
  return own ? [own] : privateFields(Object.getPrototypeOf(cls));
}

/** What an optimizer has collected is no setting: tensors, lists of them, the number of its steps. */
function isSameField(a: unknown, b: unknown, field: string): boolean {
  if (field.startsWith('#')) return false;
  if (field === 'iterations_' || [...tensorsIn([a, b])].length > 0 || Object.is(a, b)) return true;
  if (!(isPlainObject(a) || Array.isArray(a)) || typeof b !== 'object' || b === null) return false;
  const [own, fresh] = [Object.entries(a), b as Record<string, unknown>];
  return own.length === Object.keys(b).length && own.every(([key, value]) => isSameField(value, fresh[key], key));
}

export const lastIdBefore = new WeakMap<object, number>();

/** An optimizer made after tensor `since`, so inside the factory of the caller, is disposed with the model; a shared one never is. */
export function adoptOptimizer(model: LayersModel, since: number): void {
  if (!lastIdBefore.has(model)) lastIdBefore.set(model, since);
  const tensors = tensorsOf(model.optimizer);
  if (tensors.length > 0 && tensors.every(({ id }) => id > since)) model.isOptimizerOwned = true;
}

const taken = new WeakSet<object>();

function builtBy(make: () => unknown): string | Optimizer {
  const called = { name: 'optimizer', must: 'return a new optimizer for each fold', code: 'invalid_optimizer' };
  const built = fromCaller(called, make) as string | Optimizer;
  if (typeof built === 'string') return freshOptimizer(built);
  const isTaken = taken.has(built);
  if (isTaken || typeof built?.applyGradients !== 'function') {
    const got = isTaken ? phrase('the same one twice') : built;
    throw new AdapterError(sentence('The `optimizer` function', called.must, got), called);
  }
  taken.add(built);
  return built;
}

function compiledIn({ optimizer, isOptimizerOwned }: LayersModel): string | Optimizer {
  if (optimizer && isOptimizerOwned) return optimizer;
  try {
    return freshOptimizer(optimizer);
  } catch (error) {
    // Without tensors nobody knows where it was made; a second model shows that it is shared.
    if (!(error instanceof AdapterError) || !optimizer || tensorsOf(optimizer).length > 0 || taken.has(optimizer))
      throw error;
    taken.add(optimizer);
    return optimizer;
  }
}

export function compileFresh(model: LayersModel, optimizer: unknown, loss: unknown): void {
  const built = typeof optimizer === 'function' ? builtBy(optimizer as () => unknown) : undefined;
  const fresh = built ?? (optimizer ? freshOptimizer(optimizer) : compiledIn(model));
  const old = model.isOptimizerOwned && model.optimizer !== fresh ? model.optimizer : undefined;
  model.compile({ optimizer: fresh, loss, metrics: model.metrics });
  model.isOptimizerOwned = true;
  disposeOptimizer(old);
}

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

export const tensorsOf = (optimizer: Optimizer | undefined): Tensor[] => [...tensorsIn(Object.values(optimizer ?? {}))];

function* tensorsIn(values: readonly unknown[], visited = new Set<unknown>()): Generator<Tensor> {
  for (const value of values) {
    if (isTfjsTensor(value)) yield value;
    if (visited.has(value) || !(Array.isArray(value) || isPlainObject(value))) continue;
    yield* tensorsIn(Object.values(value), visited.add(value));
  }
}

export function learningRateOf(model: LayersModel): number {
  return rated(model).learningRate;
}

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
  const must = 'be a field `learningRate` of the optimizer';
  const got = phrase(optimizer ? 'an optimizer without' : 'a model that is not compiled');
  throw new AdapterError(sentence('The learning rate', must, got), { code: 'no_learning_rate' });
}
