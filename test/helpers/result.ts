import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import type { ValidationResult } from '../../src/validator/validationResult.js';
import { blobs, NearestMean, spyAdapter } from './nearestMean.js';

/** A validation result over grouped rows, with one torn design and a name that HTML and Markdown must escape. */
export function someResult(): Promise<ValidationResult> {
  const { X, y } = blobs(60);
  return new CVKitValidator({ method: 'kfold', nBootstrap: 100 }).validate({
    model: () => new NearestMean(),
    X,
    y,
    patientIds: y.map((_, i) => `<b>patient|${Math.floor(i / 3)}</b>`),
    adapter: spyAdapter().adapter,
    verbose: 0,
    scoring: { accuracy: 'accuracy', roc_auc: 'roc_auc', 'a<b|c': (table) => table.length },
  });
}
