/** A small problem to search on, and a search with everything that most tests leave as it is. */
import { randomSource } from '../../src/core/random.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';

/** Rows whose class shows in the first of three columns, with much noise. */
export function noisyRows(n = 60, nClasses = 2) {
  const random = randomSource(3);
  const noise = () => random.random() + random.random() - 1;
  const y = Array.from({ length: n }, (_, row) => row % nClasses);
  return { X: y.map((label) => [label + 2 * noise(), noise(), noise()]), y };
}

const { X, y } = noisyRows();
const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });

export const searched = (more: Partial<TuningOptions> = {}) =>
  runner.runWithHyperparameterTuning({
    modelFn: ({ C }: { C?: number }) => new LogisticRegression({ C }),
    paramGrid: { C: [0.01, 0.1, 1] },
    data: [X, y],
    scoring: 'roc_auc',
    ...more,
  } as TuningOptions);
