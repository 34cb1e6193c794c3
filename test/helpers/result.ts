import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import type { ValidationResult } from '../../src/validator/validationResult.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { blobs, NearestMean, spyAdapter } from './nearestMean.js';

/** A validation result over grouped rows, with one torn design and a name that HTML and Markdown must escape. */
export function someResult(options: ValidatorOptions = {}): Promise<ValidationResult> {
  const { X, y } = blobs(60);
  return new CVKitValidator({ method: 'kfold', nBootstrap: 100, ...options }).validate({
    model: () => new NearestMean(),
    X,
    y,
    patientIds: y.map((_, i) => `<b>patient|${Math.floor(i / 3)}</b>`),
    adapter: spyAdapter().adapter,
    verbose: 0,
    scoring: { accuracy: 'accuracy', roc_auc: 'roc_auc', 'a<b|c': (table) => table.length },
  });
}
