/** Nested search equal to scikit-learn's `GridSearchCV` within `cross_validate`, from test/reference/gridSearch.json. */
import { describe, expect, it } from 'vitest';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { innerFolds } from '../../src/splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Study } from '../../src/tuning/study.js';
import reference from '../reference/gridSearch.json' with { type: 'json' };

interface Search {
  readonly params: readonly Readonly<Record<string, unknown>>[];
  /** Mean inner score of each candidate. */
  readonly means: readonly number[];
  readonly chosen: number;
  readonly best: number;
  readonly tied: number;
}

interface Case {
  readonly name: string;
  readonly scoring: 'accuracy' | 'roc_auc' | 'neg_log_loss';
  readonly grouped: boolean;
  readonly outer: string;
  readonly inner: readonly string[];
  readonly innerOfAll: string;
  readonly folds: readonly (Search & { readonly outerScore: number })[];
  readonly all: Search;
}

const cases = reference.cases as unknown as Case[];
const { groups } = reference;
const { X, y } = await loadCancerImaging();

/** Parameters under the names that they have in scikit-learn. */
const THEIRS: Readonly<Record<string, string>> = { standardscaler__with_mean: 'standardscaler__withMean' };
const ours = (name: string) => THEIRS[name] ?? name.replace('logisticregression__', '');
const oursOf = (params: Search['params'][number]) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [ours(name), value]));

function gridOf({ all: { params } }: Case): Record<string, (number | boolean)[]> {
  const names = Object.keys(params[0]);
  const valuesOf = (name: string) => [...new Set(params.map((each) => each[name]))] as (number | boolean)[];
  return Object.fromEntries(names.map((name) => [ours(name), valuesOf(name)]));
}

/** Nothing is drawn, so that the folds are those of scikit-learn. */
function designOf({ grouped }: Case) {
  const Kind = grouped ? GroupKFold : StratifiedKFold;
  const [outerCv, innerCv] = [5, 3].map((nSplits) => new Kind({ nSplits, shuffle: false }));
  return { outerCv, innerCv, data: grouped ? { groups } : {} };
}

function runCase(each: Case) {
  const isScaled = Object.keys(each.all.params[0]).some((name) => name.includes('__'));
  const fitIntercept = !each.name.includes('of the step');
  const { outerCv, innerCv, data } = designOf(each);
  return new UniversalCVRunner({ cvSplitter: outerCv, verbose: 0 }).runWithHyperparameterTuning({
    modelFn: ({ C }) => new LogisticRegression({ C, fitIntercept, tol: 1e-12 }),
    paramGrid: gridOf(each),
    sampler: 'grid',
    data: [X, y],
    scoring: each.scoring === 'neg_log_loss' ? 'log_loss' : each.scoring,
    defaultParams: { C: 1 },
    ...(isScaled ? { preprocessing: new StandardScaler() } : {}),
    innerCv,
    ...data,
  });
}

/** Folds as the reference writes them: per row the number of the fold that tests it, or '.'. */
function written(folds: Iterable<{ readonly test: Int32Array }>): string {
  const tested: string[] = new Array(y.length).fill('.');
  for (const [number, { test }] of [...folds].entries()) for (const row of test) tested[row] = String(number);
  return tested.join('');
}

/** Scores of trials are equal, and so is the choice. scikit-learn turns losses round. */
function expectSearch(study: Study, expected: Search, sign: number): void {
  expect(study.trials.map(({ params }) => params)).toEqual(expected.params.map(oursOf));
  study.trials.forEach(({ value }, candidate) => {
    expect(Math.abs((value as number) - sign * expected.means[candidate])).toBeLessThan(1e-6);
  });
  expect(study.bestParams).toEqual(oursOf(expected.params[expected.chosen]));
  expect(Math.abs((study.bestValue as number) - sign * expected.best)).toBeLessThan(1e-6);
}

describe('a nested search equals GridSearchCV within cross_validate of scikit-learn (test/reference/gridSearch.json)', () => {
  it.each(cases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const sign = each.scoring === 'neg_log_loss' ? -1 : 1;
    const tuned = await runCase(each);
    expect(tuned.perFoldParams).toHaveLength(5);
    tuned.perFoldParams.forEach(({ fold, params, innerScore, outerScore }, at) => {
      const expected = each.folds[at];
      expectSearch(tuned.studies[fold], expected, sign);
      expect(params).toEqual(oursOf(expected.params[expected.chosen]));
      expect(Math.abs(innerScore - sign * expected.best)).toBeLessThan(1e-6);
      expect(Math.abs((outerScore as number) - sign * expected.outerScore)).toBeLessThan(1e-6);
    });
    expectSearch(tuned.study, each.all, sign);
    expect(tuned.bestParams).toEqual(oursOf(each.all.params[each.all.chosen]));
  });

  it.each(cases.filter(({ name }) => /^accuracy, (scaled|grouped)/.test(name)))('on the same folds: $name', (each) => {
    const { outerCv, innerCv, data } = designOf(each);
    const outer = [...foldsOf(outerCv, y.length, y, data)];
    expect(written(outer)).toBe(each.outer);
    for (const [at, fold] of outer.entries()) {
      expect(written(innerFolds(innerCv, () => fold, { y, data }).split())).toBe(each.inner[at]);
    }
    expect(written(foldsOf(innerCv, y.length, y, data))).toBe(each.innerOfAll);
  });

  it('takes the first of equally good candidates, as scikit-learn does', () => {
    // The cases above hold this; here that there are some.
    const ties = cases.flatMap(({ folds }) => folds.filter(({ tied }) => tied > 1));
    expect(ties.length).toBeGreaterThan(2);
  });
});
