import { AdapterError, sentence } from '../../src/core/errors.js';
import { type Estimator, isEstimator } from './structures.js';

/**
 * A copy of an instance for one fold: by its own `clone()`, or from `getParams()` by its constructor. Anything else is
 * refused with the code `instance_refused`, because what it has learnt could not be kept from the next fold.
 */
export async function copyOf(model: unknown): Promise<Estimator> {
  if (!isEstimator(model)) {
    throw new AdapterError(sentence('The model', 'have predict and fit or train', model), { code: 'invalid_model' });
  }
  const copy = await (model.clone ? model.clone() : fromParams(model));
  if (copy === model || !isEstimator(copy)) throw refused(model, 'its clone() gives no model of its own');
  return copy;
}

async function fromParams(model: Estimator): Promise<unknown> {
  const Class = model.constructor as new (params: unknown) => unknown;
  const params = model.getParams ?? model.get_params;
  if (!params || (Class as unknown) === Object) {
    throw refused(model, 'it has neither clone() nor a class with getParams()');
  }
  return new Class(await params.call(model));
}

function refused(model: Estimator, why: string): AdapterError {
  const name = model.constructor?.name;
  const way = name && name !== 'Object' ? `() => new ${name}(...)` : '() => model';
  return new AdapterError(
    `The model that was given cannot be copied for each fold: ${why}. Pass a factory ${way} instead.`,
    { code: 'instance_refused' },
  );
}
