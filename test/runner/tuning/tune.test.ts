import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';

describe('first', () => {
  it('runs', async () => {
    const { X, y } = await loadCancerImaging();
    const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 5 }), verbose: 0 });
    const t = Date.now();
    const tuned = await runner.runWithHyperparameterTuning({
      modelFn: (params) => new LogisticRegression(params),
      paramGrid: { C: [0.001, 0.01, 1, 100] },
      data: [X, y],
      scoring: 'roc_auc',
    });
    console.log(Date.now() - t);
    console.log(tuned.summary());
    expect(tuned.perFoldParams.length).toBe(5);
  });
});
