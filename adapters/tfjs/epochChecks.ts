/** Looks at the weights after an epoch, for what its loss does not tell. */
import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { LayersModel, Tf, Variable } from './structures.js';

/**
 * Throws {@link AdapterError} unless all `weights` are finite. The losses of tfjs clip probabilities, and wasm clips NaN
 * to 0: a model that is lost would go on with a finite loss.
 */
export function checkFinite(tf: Tf, weights: readonly Variable[], epoch: number): void {
  // Nothing but NaN and Infinity times 0 is not 0: one number to read, which no large weights overflow.
  const [zero] = tf.tidy(() => tf.addN(weights.map((weight) => tf.sum(tf.mul(weight, 0)))).dataSync());
  if (zero === 0) return;
  const bad = weights.flatMap((weight) => weight.dataSync().find((value) => !Number.isFinite(value)) ?? []);
  throw new AdapterError(
    sentence(
      `The weights after epoch ${epoch} on the ${tf.getBackend()} backend`,
      'be finite numbers',
      bad[0],
      'Scale X, or use a smaller learning rate.',
    ),
    { code: 'not_finite' },
  );
}

/** A copy of the values of `weights`, for {@link checkChanged}. */
export const valuesOf = (weights: readonly Variable[]): ArrayLike<number>[] =>
  weights.map((weight) => weight.dataSync().slice());

/**
 * What is to be said when training has left `weights` as they were, unless the learning rate is 0: a network of which all
 * units are dead, or an optimizer that does nothing.
 *
 * @throws {AdapterError} a `trainStep` has changed none, which is its task
 */
export function checkChanged(
  before: readonly ArrayLike<number>[],
  weights: readonly Variable[],
  { optimizer }: LayersModel,
  inStep: boolean,
): readonly string[] {
  if (weights.some((weight, at) => weight.dataSync().some((value, i) => value !== before[at][i]))) return [];
  // A schedule may begin with it.
  if ((optimizer as { learningRate?: number } | undefined)?.learningRate === 0) return [];
  if (!inStep) {
    return [
      'Training changed no weight of the model in its first epoch. Scale X, and look at the optimizer and at whether the loss depends on the weights.',
    ];
  }
  throw new AdapterError(
    sentence(
      'The `trainStep` function',
      'change the weights of the model',
      phrase('none changed in epoch 0'),
      'Call optimizer.minimize(() => loss, true) and return its result.',
    ),
    { code: 'invalid_train_step' },
  );
}

/** What `work` gives. Throws {@link AdapterError} where it changes a variable that is older than the model of the fold. */
export function keepsOthers<T>(tf: Tf, madeAfter: number | undefined, work: () => T): T {
  const all = Object.values(tf.engine().registeredVariables);
  const older = madeAfter === undefined ? [] : all.filter(({ id }) => id <= madeAfter);
  // A variable that is given a value holds other data from then on.
  const before = older.map(({ dataId }) => dataId);
  const result = work();
  const changed = older.filter(({ dataId, isDisposed }, at) => !isDisposed && dataId !== before[at]);
  if (changed.length === 0) return result;
  const names = changed.slice(0, 5).map(({ name }) => `'${nameText(name)}'`);
  throw new AdapterError(
    sentence(
      'Training in a fold',
      'change no variable that was made outside the factory, since it would go on from fold to fold',
      phrase(names.join(', ')),
      'Make it inside the factory.',
    ),
    { code: 'not_isolated' },
  );
}
