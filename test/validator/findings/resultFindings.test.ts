/** Checks of the result: each on data where it must speak, and where it must not. */
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../../src/estimators/index.js';
import { CVKitValidator, PredefinedSplit, randomSource } from '../../../src/index.js';

const n = 300;
const random = randomSource(7);
const gauss = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const y = Array.from({ length: n }, (_, row) => row % 2);
/** Two columns that each know something, and one that knows nothing. */
const X = y.map((label) => [label + 1.2 * gauss(), label + 1.2 * gauss(), gauss()]);
const testFold = y.map((_, row) => Math.floor(row / 2) % 5);

const validate = (call: object, options: object = {}) =>
  new CVKitValidator({
    ...{ independentRows: true, preparedInside: true, ciMethod: 'analytic', ciFits: 0, metrics: ['roc_auc', 'brier'] },
    ...options,
  }).validate({
    model: () => new LogisticRegression(),
    X,
    y,
    cv: new PredefinedSplit({ testFold }),
    verbose: 0,
    ...call,
  });

const check = async (code: string, call: object, options?: object) =>
  (await validate(call, options)).checks.find((each) => each.code === code);

/** Predicts what `risk` says of a row; `fit` may know the rows by heart. */
const fixed = (risk: (row: number[]) => number) => () => ({
  fit: () => undefined,
  predictProba: (rows: number[][]) => rows.map(risk),
});
const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));

it('find nothing in an honest model', async () => {
  const { checks, overallStatus } = await validate({ returnTrainScores: true });
  const made = checks.filter(({ kind }) => kind === 'result').map(({ code, status }) => [code, status]);
  expect(made).toEqual(['CVR001', 'CVR002', 'CVR003', 'CVR004', 'CVR005'].map((code) => [code, 'passed']));
  expect(overallStatus).toBe('passed');
});

it('are not made where checks are turned off', async () => {
  const { checks } = await validate({}, { checkLeakage: false, independentRows: false, preparedInside: false });
  expect(checks.filter(({ kind }) => kind === 'result')).toEqual([]);
});

describe('CVR001', () => {
  /** Remembers its rows, and knows nothing of others. */
  const byHeart = () => {
    let known = new Map<string, number>();
    return {
      fit(rows: number[][], labels: number[]) {
        known = new Map(rows.map((row, at) => [row.join(), labels[at]]));
      },
      predictProba: (rows: number[][]) => rows.map((row) => known.get(row.join()) ?? sigmoid(row[2])),
    };
  };

  it('finds a model that knows its rows by heart, with training scores alone', async () => {
    expect(await check('CVR001', { model: byHeart, returnTrainScores: true })).toMatchObject({
      status: 'needs_review',
    });
    expect(await check('CVR001', { model: byHeart })).toMatchObject({ status: 'not_applicable' });
  });

  it('can be acknowledged, and the word is of no use where nothing was found', async () => {
    const acknowledged = { CVR001: 'a forest fits its own rows', CVR004: 'a test' };
    const result = await validate({ model: byHeart, returnTrainScores: true }, { acknowledged });
    expect(result.checks.find(({ code }) => code === 'CVR001')).toMatchObject({ acknowledged: acknowledged.CVR001 });
    const honest = await validate({ returnTrainScores: true }, { acknowledged });
    expect(honest.manifest.warnings).toContain('`acknowledged` has no effect on CVR001: its status is passed.');
  });
});

describe('CVR002', () => {
  it('names the fold where the labels are the other way round', async () => {
    const labels = y.map((label, row) => (testFold[row] === 3 ? 1 - label : label));
    const found = await check('CVR002', { y: labels });
    expect(found).toMatchObject({ status: 'needs_review', fold: 'fold-3' });
  });

  it('names the fold that adds most to Q, which need not be the one furthest from the mean', async () => {
    // 200 rows of which half are predicted right, two folds of 80 where nine in ten are, and 10 rows of which none is.
    const sizes = [200, 80, 80, 10];
    const right = [0.5, 0.9, 0.9, 0];
    const fold = sizes.flatMap((size, at) => Array.from({ length: size }, () => at));
    const place = sizes.flatMap((size) => Array.from({ length: size }, (_, at) => at / size));
    const labels = fold.map((_, row) => row % 2);
    const rows = labels.map((label, row) => [place[row] < right[fold[row]] ? label : 1 - label]);
    const result = await validate(
      { X: rows, y: labels, cv: new PredefinedSplit({ testFold: fold }) },
      { metrics: ['accuracy'] },
    );
    // Weighted mean .659: distances squared times rows are 5.1, 4.6, 4.6 and 4.3; the plain mean is .575, and fold-3 is .575 from it.
    expect(result.checks.find(({ code }) => code === 'CVR002')).toMatchObject({
      ...{ status: 'needs_review', fold: 'fold-0' },
      message: expect.stringContaining('accuracy is 0.500 in fold-0 and 0.659 over all folds'),
    });
  });

  it('accuses one of 60 honest runs at most', async () => {
    let accused = 0;
    for (let seed = 0; seed < 60; seed++) {
      const source = randomSource(seed);
      const labels = Array.from({ length: 200 }, () => Number(source.random() < 0.4));
      const rows = labels.map((label) => [label + 2 * (source.random() - 0.5)]);
      const found = await check('CVR002', {
        ...{ X: rows, y: labels },
        cv: new PredefinedSplit({ testFold: labels.map((_, row) => row % 5) }),
      });
      expect(['passed', 'needs_review']).toContain(found?.status);
      accused += Number(found?.status === 'needs_review');
    }
    expect(accused).toBeLessThanOrEqual(1);
  });
});

describe('CVR003', () => {
  it('asks for the positive class where the ranks are the other way round', async () => {
    const found = await check('CVR003', { model: fixed(([a]) => sigmoid(-3 * a)) });
    expect(found).toMatchObject({ status: 'needs_review', evidence: { score: 'roc_auc', baseline: 0.5 } });
    expect(found?.fix).toContain('positiveLabel');
  });

  it('says nothing of noise', async () => {
    expect(await check('CVR003', { model: fixed(([, , noise]) => sigmoid(noise / 10)) })).toMatchObject({
      status: 'passed',
    });
  });
});

describe('CVR004', () => {
  it('finds a model that is one of its columns, whichever class is the positive one', async () => {
    const one = fixed(([a]) => sigmoid(a));
    const rows = X.map(([a, , noise]) => [a, noise]);
    expect(await check('CVR004', { X: rows, model: one })).toMatchObject({ status: 'needs_review' });
    const other = await check('CVR004', { X: rows, model: fixed(([a]) => sigmoid(-a)), positiveLabel: 0 });
    expect(other).toMatchObject({ status: 'needs_review' });
    // The area of that column is that of the model.
    expect(other?.evidence.single).toBeCloseTo(other?.evidence.model as number, 2);
  });
});

describe('CVR005', () => {
  it('finds many columns of few patients whose risks are too extreme', async () => {
    const few = Array.from({ length: 60 }, (_, row) => row % 2);
    const wide = few.map((label) => [2 * label + gauss(), ...Array.from({ length: 25 }, gauss)]);
    const cv = new PredefinedSplit({ testFold: few.map((_, row) => Math.floor(row / 2) % 5) });
    const found = await check('CVR005', { X: wide, y: few, cv, model: () => new LogisticRegression({ C: 1000 }) });
    expect(found).toMatchObject({ status: 'needs_review', evidence: { parameters: 26, events: 24, n: 48 } });
  });
});
