import { describe, expect, it } from 'vitest';
import { columnStep, stepsOfKind } from '../../../src/checkers/CVL010-preprocessing/columnSteps.js';
import { preprocessing } from '../../../src/checkers/CVL010-preprocessing/preprocessing.js';
import { randomSource } from '../../../src/core/random.js';
import { rowNumbers } from '../../../src/data/labels.js';
import { SMOTE } from '../../../src/preprocessing/smote.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import reference from '../../reference/preprocessing.json' with { type: 'json' };
import kinds from '../../reference/preprocessingKinds.json' with { type: 'json' };
import { normal } from '../CVL003-near-duplicate/normal.js';
import { judged } from '../judged.js';

const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 3 });
const fitted = (name: string) =>
  [...reference.cases, ...kinds.cases].find((each) => each.name === name) as (typeof kinds.cases)[number];
const judge = (X: unknown[][]) => judged(preprocessing, { X, splitter });

describe('preprocessing', () => {
  it.each([
    ['standardize', 'standardize'],
    ['minmax', 'minmax'],
    ['robust', 'robust'],
    ['maxabs', 'maxabs'],
    ['minmax:-1..1', 'minmax:-1..1'],
    ['mad', 'mad'],
    ['mad:normal', 'mad'],
    ['quantile:uniform', 'minmax'],
    ['quantile:normal', 'quantile:normal'],
    ['boxcox, standardize', 'standardize'],
    ['pca all', 'pca'],
    ['impute:mean, standardize', 'standardize'],
    ['standardize, pca', 'pca'],
  ])('sees the trace of a fit of scikit-learn to all rows: %s', async (name, signature) => {
    const X = fitted(name).all as number[][];
    expect(await judge(X)).toMatchObject({ status: 'needs_review', severity: 'low', evidence: { signature } });
    expect(await judge(X.map((row) => row.map(Math.fround)))).toMatchObject({ status: 'needs_review' });
    expect((await judge(fitted(name).train as number[][])).status).toBe('not_evaluated');
  });

  it('sees none in columns with infinite values', async () => {
    const random = randomSource(4);
    const cells = () => Array.from({ length: 4 }, () => normal(random));
    for (const infinite of [[Infinity], [Infinity, -Infinity]]) {
      const put = (value: number, row: number, at: number) =>
        row % 4 === 0 && at === row % 3 ? infinite[(row >> 2) % infinite.length] : value;
      const X = Array.from({ length: 120 }, (_, row) => cells().map((value, at) => put(value, row, at)));
      expect(await judge(X)).toMatchObject({ status: 'not_evaluated', evidence: { columns: 4 } });
    }
  });

  describe('rows made between others', async () => {
    const random = randomSource(9);
    const y = Array.from({ length: 300 }, (_, row) => Number(row % 10 === 0));
    const measured = y.map(() => Array.from({ length: 6 }, () => normal(random)));
    const whole = y.map(() => Array.from({ length: 4 }, () => Math.floor(60 * random.random())));
    const smote = async (X: number[][]) => new SMOTE({ randomState: 1 }).fitResample(X, y);
    const scaled = (X: number[][]) => X.map((row) => row.map((value, at) => (value - 3.7 - at) / (1.3 + at)));
    const single = (X: number[][]) => X.map((row) => row.map(Math.fround));
    const as = { splitter: new StratifiedKFold({ shuffle: true, randomState: 1 }), preparedInside: true };

    it.each([
      ['numbers', measured],
      ['whole numbers', whole],
    ])('are found where SMOTE saw all rows, as measured, scaled and in single precision: %s', async (_, X) => {
      const all = await smote(X);
      for (const rows of [all.X, scaled(all.X), single(all.X)] as number[][][]) {
        const found = await judged(preprocessing, { ...as, X: rows, y: all.y as number[] });
        expect(found).toMatchObject({
          status: 'needs_review',
          severity: 'high',
          evidence: { signature: 'interpolation' },
        });
        type Example = { row: number; between: number[]; share: number };
        const [{ row, between, share }] = found.evidence.examples as Example[];
        const [from, to] = between.map((at) => rows[at]);
        for (const [at, value] of rows[row].entries())
          expect(value).toBeCloseTo(from[at] + share * (to[at] - from[at]), 4);
      }
      for (const rows of [X, scaled(X), single(X)]) {
        expect((await judged(preprocessing, { ...as, X: rows, y })).status).toBe('passed');
      }
    });

    it('are no finding on the training side alone, nor where patients are known or go on along one line', async () => {
      const all = await smote(measured);
      const testFold = all.y.map((_, row) => (row < 300 && row % 10 > 0 ? row % 3 : -1));
      const splitter = new PredefinedSplit({ testFold });
      const X = all.X as number[][];
      expect((await judged(preprocessing, { ...as, splitter, X, y: all.y as number[] })).status).toBe('passed');
      // Age, time and year go on with every visit, all else stays.
      const visits = Array.from({ length: 60 }, () => [60 * random.random(), normal(random)]).flatMap(([age, other]) =>
        [0, random.random(), 2 + random.random(), 4].map((time) => [age + time, time, 2000 + age / 9 + time, other]),
      );
      const labels = visits.map((_, row) => Number(row % 8 < 4));
      expect((await judged(preprocessing, { ...as, X: visits, y: labels })).status).toBe('passed');
    });
  });

  it('looks for every scaling that checkPreprocessing makes again', async () => {
    const scalings = stepsOfKind('scale');
    expect(scalings.length).toBeGreaterThan(8);
    for (const name of scalings) {
      const columns = kinds.X[0].map((_, at) => {
        const values = Float64Array.from(kinds.X, (row) => row[at]);
        const rows = rowNumbers(values.length);
        const fit = { known: values, rows, count: values.length, y: undefined, found: undefined, values };
        return values.map(columnStep(name)?.learn({ ...fit, isTrained: () => true }) as (value: number) => number);
      });
      const finding = await judge(kinds.X.map((_, row) => columns.map((values) => values[row])));
      expect(finding.evidence.signature, name).toBe(/^minmax/.test(name) ? name : name.split(':')[0]);
    }
  });

  it('passes where a run prepares the rows inside its folds, and there is no trace and nothing global', async () => {
    const inside = (X: unknown, globalSteps: string[] = []) =>
      judged(preprocessing, {
        X: X as number[][],
        splitter,
        preprocessing: { steps: 'StandardScaler', globalSteps, learns: true, frozen: [], resamplers: [], imputers: [] },
      });
    const clean = await inside(reference.X);
    expect(clean).toMatchObject({ status: 'passed', evidence: { fittedInside: 'StandardScaler' } });
    expect(clean.message).toMatch(/6 numeric.*`preprocessing`/);
    expect((await inside(fitted('standardize').all)).status).toBe('needs_review');
    const global = await inside(reference.X, ['means of the registry']);
    expect(global.status).toBe('not_evaluated');
    expect(global.message).toContain('means of the registry');
  });

  it('passes on the word of the author where there is no trace, and there alone', async () => {
    const told = (X: unknown) => judged(preprocessing, { X: X as number[][], splitter, preparedInside: true });
    const clean = await told(reference.X);
    expect(clean).toMatchObject({ status: 'passed', evidence: { authorsWord: 'preparedInside', columns: 6 } });
    expect(clean.message).toMatch(/6 numeric.*`preparedInside`/);
    expect((await told(fitted('standardize').all)).status).toBe('needs_review');
    const images = Array.from({ length: 30 }, (_, at) =>
      Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (_, j) => (at * i * j) % 7)),
    );
    expect((await told(images)).status).toBe('passed');
    expect((await judged(preprocessing, { X: images, splitter })).status).toBe('not_evaluated');
  });

  it.each([
    ['standardize', 'standardize', 2],
    ['minmax', 'minmax', 4],
    ['robust', 'robust', 4],
    ['pca all', 'pca', 4],
  ])('sees it in rounded values: %s', async (name, signature, decimals) => {
    const rounded = (X: number[][]) => X.map((row) => row.map((value) => Number(value.toFixed(decimals))));
    const found = await judge(rounded(fitted(name).all as number[][]));
    expect(found).toMatchObject({ status: 'needs_review', evidence: { signature } });
    expect(found.message).toContain(' up to rounding, ');
    expect((await judge(rounded(fitted(name).train as number[][]))).status).toBe('not_evaluated');
  });

  it.each(['standardize', 'minmax', 'robust'])(
    'names the columns that bear it where others do not: %s',
    async (name) => {
      const X = (fitted(name).all as number[][]).map((row, at) => [50 + at ** 1.5, ...row]);
      const found = await judge(X);
      expect(found).toMatchObject({
        status: 'needs_review',
        evidence: {
          signature: name,
          columns: 7,
          scaled: 6,
          examples: [1, 2, 3, 4, 5].map((at) => ({ feature: `feature ${at}` })),
        },
      });
      expect(found.message).toMatch(/^Over all rows, 6 of 7 columns have /);
      // Two columns of many may have it by chance.
      const few = X.map((row, at) => [...row.slice(0, 3), at % 7, at % 11, at % 13, at ** 2]);
      expect((await judge(few)).status).toBe('not_evaluated');
    },
  );

  const clean: Record<string, unknown[][]> = {
    'one scaled column among others': reference.X.map((row, at) => [...row, fitted('standardize').all[at][0]]),
    'answers from 0 to 1': reference.X.map((_, row) => [0, 1, 2, 3].map((at) => ((row * (at + 2)) % 5) / 4)),
    'answers from 0 to 1, one of them given once': reference.X.map((_, row) => [
      row === 7 ? 0 : (1 + (row % 2)) / 2,
      ...[0, 1, 2].map((at) => ((row * (at + 2)) % 5) / 4),
    ]),
    'scores that are cut off at 0 and at 1, there in two rows': reference.X.map((_, row) =>
      [3, 7, 9, 11, 13].map((at) => Math.max(0, Math.min(1, (((row * at) % 40) - 1 + 0.3 / (2 + row)) / 37))),
    ),
    'columns of -1 and 1': reference.X.map((_, row) => [row % 2 ? 1 : -1, row % 4 < 2 ? 1 : -1, 1]),
    'two columns from 0 to 1': (fitted('minmax').all as number[][]).map((row) => row.slice(0, 2)),
    'whole numbers with quartiles 1 apart': reference.X.map((_, row) =>
      [0, 1, 2].map((at) => [0, 0, 0, 1, 2][(row + at) % 5]),
    ),
    categorical: reference.X.map((_, row) => [`level ${row % 3}`]),
    constant: reference.X.map(() => [0, 1]),
    missing: reference.X.map((_, row) => [null, row % 3 ? null : row]),
    'huge and tiny': reference.X.map((_, row) => [row * 1e300, -1e300 * Math.sin(row), 1e-300 * row]),
    infinite: reference.X.map((_, row) => [row === 3 ? Infinity : row === 4 ? -Infinity : Math.sin(row)]),
    'ten rows': reference.X.slice(0, 10),
  };
  it.each(Object.keys(clean))('accuses nobody: %s', async (name) => {
    for (const design of [splitter, new LOOCV(), new BootstrapValidation({ nIterations: 3, randomState: 1 })]) {
      const result = await judged(preprocessing, { X: clean[name], splitter: design });
      expect(result.status).toBe('not_evaluated');
      expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity/);
    }
  });
});
