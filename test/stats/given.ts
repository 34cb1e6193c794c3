/** Results of real runs whose predictions are given: what the statistics of this folder are judged on. */
import type { Label } from '../../src/data/labels.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../src/splitters/splitter.js';

/** Predicts its one feature: as the probability of the positive class, or as the number itself. */
export class Given {
  constructor(readonly task: 'binary' | 'regression' = 'binary') {}

  /** Nothing to learn: the predictions are given. */
  fit(_X: number[][], _y: number[], _sampleWeight?: number[]): this {
    return this;
  }

  predict(X: number[][]): number[] {
    return X.map(([p]) => (this.task === 'binary' ? Number(p > 0.5) : p));
  }

  predictProba?(X: number[][]): number[][] {
    return X.map(([p]) => [1 - p, p]);
  }
}

/** A model without `predictProba`. */
export class GivenNumbers extends Given {
  override predictProba = undefined;
}

export interface GivenPredictions {
  readonly p: readonly number[];
  readonly y: readonly number[];
  /** Test fold of each row; -1 for rows that are only trained on. Or a splitter. */
  readonly fold: readonly number[] | Splitter;
  readonly groups?: readonly Label[] | undefined;
  readonly weight?: readonly number[];
  readonly task?: 'binary' | 'regression';
  readonly metrics?: string[];
}

export function givenResults({
  p,
  y,
  fold,
  groups,
  weight,
  task = 'binary',
  metrics,
}: GivenPredictions): Promise<CVResults> {
  const cvSplitter = 'split' in fold ? fold : new PredefinedSplit({ testFold: fold });
  return new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    model: () => (task === 'binary' ? new Given() : new GivenNumbers(task)),
    data: {
      X: p.map((value) => [value]),
      y,
      ...(groups ? { groups } : {}),
      ...(weight ? { sampleWeight: weight } : {}),
    },
    task,
    metrics: metrics ?? (task === 'binary' ? ['roc_auc', 'accuracy'] : ['rmse']),
  });
}

/** The same, as if each fold had a model of its own. */
export const asTrained = (results: CVResults): CVResults =>
  Object.defineProperty(results, 'metadata', { value: { ...results.metadata, fixedModel: null } });
