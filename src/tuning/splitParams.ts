/** Which parameters of a trial are for the model, and which for the preparation. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Preparation } from '../preprocessing/preparation.js';
import type { Params } from '../preprocessing/transformer.js';
import { partition, stepOf } from '../preprocessing/withParams.js';

interface SplitParams {
  /** Those without `__` in their names. */
  readonly model: Params;
  /** Those of steps, such as `scale__withMean`. */
  readonly preparation: Params;
}

/**
 * Sorts the parameters of a trial. A function that chooses the steps is given all of them, whatever their names.
 *
 * @throws {InvalidOptionError} a name with `__`, and no preparation or none that has such a step
 */
export function splitParams(params: Params, preparation: Pick<Preparation, 'stepNames'> | undefined): SplitParams {
  const [ofSteps, others] = partition(params);
  for (const [name] of ofSteps) {
    if (preparation === undefined) throw noSteps(name);
    if (preparation.stepNames) stepOf(name, preparation.stepNames);
  }
  return { model: Object.fromEntries(others), preparation: Object.fromEntries(ofSteps) };
}

const noSteps = (name: string) => {
  const subject = `The parameter '${nameText(name)}'`;
  const must = 'be one of a step of `preprocessing`, as `__` in its name says';
  const way = 'Pass the step, or leave `__` out of the names of parameters of the model.';
  return new InvalidOptionError(sentence(subject, must, phrase('no `preprocessing`'), way), { code: 'unknown_step' });
};
