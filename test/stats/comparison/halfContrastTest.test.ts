import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../../src/core/incompleteBeta.js';
import { randomSource } from '../../../src/core/random.js';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { compareModels } from '../../../src/stats/compareModels.js';
import type { ScoredResults } from '../../../src/stats/results.js';
import { CVKitValidator } from '../../../src/validator/cvkitValidator.js';
import type { ValidatorOptions } from '../../../src/validator/validatorOptions.js';

/** Eighty rows, every other one positive; the first feature tells something. */
const random = randomSource(3);
const y = Array.from({ length: 80 }, (_, row) => row % 2);
const X = y.map((label) => [label + 3 * random.random(), random.random(), random.random()]);

/** The rank of the nearest training row decides: it changes much with the training set. */
class Nearest {
  #X: number[][] = [];
  #y: number[] = [];
  fit(rows: number[][], labels: number[]) {
    [this.#X, this.#y] = [rows, labels];
  }
  predictProba(rows: number[][]) {
    return rows.map((row) => {
      const near = this.#X.map((other, at) => [Math.abs(other[0] - row[0]), this.#y[at]]).sort((a, b) => a[0] - b[0]);
      return (near.slice(0, 3).reduce((sum, [, label]) => sum + label, 0) + 0.5) / 4;
    });
  }
  predict(rows: number[][]) {
    return this.predictProba(rows).map((p) => (p > 0.5 ? 1 : 0));
  }
}

const validated = (model: () => object, options: ValidatorOptions = {}) =>
  new CVKitValidator({ ciFits: 6, metrics: ['roc_auc'], checkLeakage: false, ...options }).validate({
    model,
    X,
    y,
    verbose: 0,
  });
const logistic = () => new LogisticRegression();
const nearest = () => new Nearest();

describe('halfContrastTest', () => {
  it('is about the procedures, and adds what training changes to the paired standard error', async () => {
    const comparison = compareModels(await validated(logistic), await validated(nearest), { metric: 'brier' });
    const { halfContrasts, paired } = comparison;
    expect(halfContrasts).toMatchObject({
      method: 'half_contrasts',
      estimand: 'procedure',
      difference: paired.difference,
      unit: 'row',
      nUnits: 80,
      nFolds: 5,
    });
    const { difference, standardError, df, upper, pValue } = halfContrasts;
    expect(standardError).toBeGreaterThanOrEqual(paired.standardError as number);
    expect(upper).toBeCloseTo(
      (difference as number) + studentTQuantile(0.975, df as number) * (standardError as number),
      10,
    );
    expect(pValue).toBeGreaterThan(0);
    expect(comparison.summary()).toContain('half contrasts         the procedures');
  });

  it('changes its sign alone when the models change places', async () => {
    const [a, b] = [await validated(logistic), await validated(nearest)];
    for (const metric of ['roc_auc', 'accuracy', 'sensitivity'] as const) {
      const [ab, ba] = [compareModels(a, b, { metric }), compareModels(b, a, { metric })].map(
        (each) => each.halfContrasts,
      );
      expect(ba.difference).toBeCloseTo(-(ab.difference as number), 12);
      expect(ba.standardError).toBeCloseTo(ab.standardError as number, 12);
      expect(ba.pValue).toBeCloseTo(ab.pValue as number, 10);
    }
  });

  it('has no value, with the reason: no models of halves, other halves, equal predictions', async () => {
    const reasonOf = (a: ScoredResults, b: ScoredResults) => compareModels(a, b, { metric: 'brier' }).halfContrasts;
    const first = await validated(logistic);
    const none = { lower: null, upper: null, pValue: null };
    expect(reasonOf(first, await validated(nearest, { ciFits: 0 }))).toMatchObject({
      ...none,
      reason: 'both must be results of `validate` with `ciFits: 10`',
    });
    const run = await new UniversalCVRunner({
      cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
      verbose: 0,
    }).run({ model: nearest, data: { X, y } });
    expect(reasonOf(first, run).reason).toBe('both must be results of `validate` with `ciFits: 10`');
    expect(reasonOf(first, await validated(nearest, { ciFits: 5 }))).toMatchObject({
      ...none,
      reason: 'the two results have other halves: validate both with the same `randomState` and `ciFits`',
    });
    expect(reasonOf(first, await validated(logistic)).reason).toBe('the rows have the same difference');
  });

  it('says why there can be no models of halves', async () => {
    const fixed = (column = 0) => ({
      fit: () => undefined,
      predictProba: (rows: number[][]) => rows.map((row) => row[column] / 4),
      predict: (rows: number[][]) => rows.map((row) => Number(row[column] > 2)),
    });
    const few = (model: () => object) =>
      new CVKitValidator({ metrics: ['roc_auc'], checkLeakage: false }).validate({
        model,
        X: X.slice(0, 38),
        y: y.slice(0, 38),
        verbose: 0,
      });
    const reason = (a: ScoredResults, b: ScoredResults) => compareModels(a, b).halfContrasts.reason;
    expect(reason(await validated(logistic), await validated(() => fixed()))).toBe('one of the two models is fixed');
    expect(reason(await validated(() => fixed()), await validated(() => fixed(1)))).toBe('nothing is trained');
    expect(reason(await few(logistic), await few(nearest))).toBe('only 19 rows of class 0, fewer than 20');
  });
});
