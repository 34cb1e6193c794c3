import { describe, expect, it } from 'vitest';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { refusal } from '../helpers/messages.js';
import { blobs } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';
import reference from '../reference/logisticRegression.json' with { type: 'json' };
import unpenalised from '../reference/unpenalised.json' with { type: 'json' };

interface Case {
  readonly name: string;
  readonly options: object;
  readonly X: number[][] | null;
  readonly thousandths?: number[];
  readonly width?: number;
  readonly y: number[];
  readonly sampleWeight: number[] | null;
  readonly coef: number[][];
  readonly intercept: number[];
  readonly proba: number[][];
}

const rowsOf = ({ X, thousandths = [], width = 1 }: Case) =>
  X ?? {
    data: Float64Array.from(thousandths, (value) => value / 1000),
    shape: [thousandths.length / width, width],
  };
const head = (X: ReturnType<typeof rowsOf>) =>
  Array.isArray(X) ? X.slice(0, 5) : { data: X.data.slice(0, 5 * X.shape[1]), shape: [5, X.shape[1]] };

describe('LogisticRegression', () => {
  it.each((reference.cases as unknown as Case[]).map((each) => [each.name, each] as const))(
    'has the coefficients of scikit-learn: %s',
    (_, each) => {
      const X = rowsOf(each);
      const model = new LogisticRegression({ ...each.options, tol: 1e-12 }).fit(X, each.y, each.sampleWeight);
      const size = Math.max(1, ...each.coef.flat().map(Math.abs));
      each.coef.forEach((row, k) => {
        row.forEach((value, at) => {
          expect(Math.abs(model.coef[k][at] - value) / size).toBeLessThan(1e-6);
        });
        expect(Math.abs(model.intercept[k] - each.intercept[k]) / size).toBeLessThan(1e-6);
      });
      const proba = model.predictProba(head(X));
      each.proba.forEach((row, at) => {
        row.forEach((p, k) => {
          expect(Math.abs(proba[at][k] - p)).toBeLessThan(1e-6);
        });
      });
    },
  );

  it('is as near at its default tolerance, to four digits', () => {
    const [plain] = reference.cases as unknown as Case[];
    const model = new LogisticRegression().fit(plain.X ?? [], plain.y);
    plain.coef[0].forEach((value, at) => {
      expect(model.coef[0][at]).toBeCloseTo(value, 4);
    });
    expect(model.nIter).toBeLessThan(20);
  });

  it('takes classes of any kind, and keeps their order', () => {
    const { X } = blobs(20);
    const model = new LogisticRegression().fit(
      X,
      X.map((_, row) => (row % 2 ? 'case' : 'control')),
    );
    expect(model.classes).toEqual(['case', 'control']);
    expect(model.predict(X)).toEqual(model.predictProba(X).map(([p]) => (p >= 0.5 ? 'case' : 'control')));
  });

  it('says that classes are separated, and that it did not converge', () => {
    const X = [[-2], [-1], [1], [2]];
    const y = [0, 0, 1, 1];
    expect(new LogisticRegression().fit(X, y).notes).toEqual([expect.stringMatching(/separate.*`C`/)]);
    expect(new LogisticRegression().fit([[0], [1], [0], [1]], y).notes).toEqual([]);
    // One row that is not separated, after 599 that are.
    const many = Array.from({ length: 600 }, (_, row) => [row % 2 ? 1 : -1]);
    const labels = many.map(([value]) => Number(value > 0));
    expect(new LogisticRegression().fit(many, labels).notes).toHaveLength(1);
    labels[599] = 0;
    expect(new LogisticRegression().fit(many, labels).notes).toEqual([]);
    const short = new LogisticRegression({ maxIter: 1, tol: 1e-12 }).fit([[0], [1], [1], [3]], [0, 1, 0, 1]);
    expect(short.notes).toEqual([expect.stringMatching(/ 1 steps.*`maxIter`/)]);
  });

  it('says that numbers are too large, and ends', async () => {
    const y = [0, 1, 0, 1];
    for (const huge of [1e200, Number.MAX_VALUE]) {
      expect(
        await thrown(() =>
          new LogisticRegression().fit(
            [
              [0, 1],
              [1, 0],
              [huge, huge],
              [2, 1],
            ],
            y,
          ),
        ),
      ).toContain('hold numbers whose squares are finite');
      const wide = [
        [0, 1, 2],
        [huge, 0, 1],
      ];
      expect(await thrown(() => new LogisticRegression().fit(wide, [0, 1]))).toContain('whose squares are finite');
    }
    const flat = await new LogisticRegression({ C: 1e308, fitIntercept: false }).fit([[0], [0], [0], [0]], y);
    expect(Math.abs(flat.coef[0][0])).toBe(0);
  });

  it('takes wide rows of very different sizes', () => {
    const X = [
      [1e-300, 0, 0],
      [1e50, 0, 0],
    ];
    expect(new LogisticRegression().fit(X, [0, 1]).predict(X)).toEqual([0, 1]);
  });

  it('refuses weights of classes that leave no row', async () => {
    const none = new LogisticRegression({ classWeight: { 0: 0, 1: 0 } });
    expect(await thrown(() => none.fit([[0], [1], [2]], [0, 1, 1]))).toContain(
      'The `classWeight` option of LogisticRegression must be above 0 for a class that the training rows have.',
    );
  });

  it('refuses a weight for no class where a class has none, as scikit-learn does', async () => {
    const X = [[0], [1], [2], [1]];
    const weighed = (classWeight: Record<string, number>) =>
      new LogisticRegression({ classWeight }).fit(X, [0, 1, 1, 0]);
    expect(() => weighed({ 0: 1, 2: 50 })).toThrow(refusal('invalid_option', "'2'", '0, 1'));
    expect(weighed({ 1: 3 }).coef).toEqual(weighed({ 0: 1, 1: 3 }).coef);
    // Rows of a fold may lack the class 2.
    expect(weighed({ 0: 1, 1: 3, 2: 50 }).coef).toEqual(weighed({ 0: 1, 1: 3 }).coef);
  });

  it.each([new LogisticRegression(), new DummyClassifier()])('is not trained on a measurement: %#', async (model) => {
    const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row), Math.cos(row)]);
    const fractions = X.map(([first]) => first * 2.5);
    expect(() => model.fit(X, fractions)).toThrow(refusal('invalid_data', 'not whole'));
    const folds: number[] = [];
    const run = (data: unknown) =>
      new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run({
        model,
        data,
        callbacks: [{ onFoldStart: ({ index }: { index: number }) => void folds.push(index) }],
      } as never);
    for (const y of [fractions, X.map((_, row) => row)]) {
      await expect(run([X, y])).rejects.toThrow(refusal('invalid_model', 'regression'));
    }
    expect(folds).toEqual([]);
  });

  it('comes back from JSON as it was', () => {
    const { X, y } = blobs(20);
    const model = new LogisticRegression({ C: 0.5 }).fit(X, y);
    const again = LogisticRegression.fromJSON(JSON.parse(JSON.stringify(model)));
    expect(again.predictProba(X)).toEqual(model.predictProba(X));
    expect([again.getParams(), again.notes]).toEqual([model.getParams(), model.notes]);
    expect(LogisticRegression.fromJSON(new LogisticRegression().toJSON()).notes).toEqual([]);
  });

  it('is fitted in folds on blocks of numbers, with its notes among the warnings', async () => {
    const { X, y: clear } = blobs(40);
    const y = clear.map((label, row) => (row % 9 === 0 ? 1 - label : label));
    const run = (rows: number[][]) =>
      new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0 }).run({
        model: () => new LogisticRegression(),
        data: [rows, y],
        preprocessing: new StandardScaler(),
        metrics: ['roc_auc'],
      });
    const results = await run(X);
    expect(results.estimates.roc_auc).toBeGreaterThan(0.6);
    expect(results.metadata.warnings).toEqual([]);
    const apart = await run(y.map((label, row) => [10 * label + (row % 3)]));
    expect(apart.metadata.warnings.join()).toMatch(/separate the classes perfectly.* \(4 of 4 folds\)/);
    const named = X.map(([age, dose], row) => ({ age, dose: row === 30 ? null : dose }));
    await expect(run(named as never)).rejects.toThrow("column 'dose'");
  });
});

describe('LogisticRegression without a penalty', () => {
  const C = Infinity;
  const near = (found: number, wanted: number) =>
    expect(Math.abs(found - wanted)).toBeLessThan(1e-6 * (1 + Math.abs(wanted)));

  it.each(unpenalised.cases.map((each) => [each.name, each] as const))('is glm of R: %s', (_, each) => {
    const { X, y } = unpenalised;
    const model = new LogisticRegression({ C, ...each.options }).fit(X, y, each.sampleWeight);
    each.coef.forEach((value, at) => {
      near(model.coef[0][at], value);
    });
    near(model.intercept[0], each.intercept);
    each.proba.forEach((p, row) => {
      near(model.predictProba(X.slice(0, 5))[row][1], p);
    });
    expect(model.notes).toEqual([]);
    const again = LogisticRegression.fromJSON(JSON.parse(JSON.stringify(model)));
    expect([again.getParams().C, again.predictProba(X)]).toEqual([Infinity, model.predictProba(X)]);
  });

  it('is multinom of R for several classes, as differences from the first', () => {
    const { several } = unpenalised;
    const X = unpenalised.X.map((row) => row.slice(0, 3));
    const model = new LogisticRegression({ C, tol: 1e-10 }).fit(X, several.y);
    several.coef.forEach(([intercept, ...coef], k) => {
      // multinom stops when the deviance does: about five digits.
      expect(model.intercept[k + 1] - model.intercept[0]).toBeCloseTo(intercept, 3);
      coef.forEach((value, at) => {
        expect(model.coef[k + 1][at] - model.coef[0][at]).toBeCloseTo(value, 4);
      });
    });
    expect(model.notes).toEqual([]);
  });

  const x = Array.from({ length: 40 }, (_, row) => row - 19.5);
  const above = x.map((value) => (value > 0 ? 1 : 0));
  const mixed = x.map((_, row) => (row * 7) % 3 === 0);
  it.each<[string, number[][], (number | boolean)[]]>([
    ['a threshold', x.map((value) => [value]), above],
    ['a threshold, but for a tie that both classes share', [...x, 0, 0].map((value) => [value]), [...above, 0, 1]],
    ['a rare flag that only one class has', mixed.map((_, row) => [row % 5, row === 3 ? 1 : 0]), mixed],
    [
      'more columns than rows',
      x.slice(0, 6).map((value, row) => Array.from({ length: 9 }, (_, j) => Math.sin(value * (j + 1) + row))),
      above.slice(17, 23),
    ],
    [
      'one of three classes',
      x.map((value, row) => [value > 10 ? 1 : 0, (row * 7) % 5]),
      x.map((value, row) => (value > 10 ? 2 : row % 2)),
    ],
  ])('says that there is no maximum where the classes are separated: %s', (_, X, y) => {
    for (const tol of [1e-6, 1e-10]) {
      const { notes } = new LogisticRegression({ C, tol }).fit(X, y);
      expect(notes.join(), `${tol}`).toMatch(/separate the classes.*no maximum/);
    }
  });

  it('says so where columns are combinations of others, whose predictions are still those of fewer columns', () => {
    const [flag, other] = [x.map((_, row) => row % 2), x.map((_, row) => (row * 7) % 5)];
    const X = x.map((_, row) => [flag[row], 1 - flag[row], other[row]]);
    const model = new LogisticRegression({ C }).fit(X, mixed);
    expect(model.notes.join()).toContain('combinations of others');
    const fewer = new LogisticRegression({ C }).fit(
      X.map(([a, , c]) => [a, c]),
      mixed,
    );
    expect(fewer.notes).toEqual([]);
    fewer.predictProba(X.map(([a, , c]) => [a, c])).forEach(([, p], row) => {
      expect(model.predictProba(X)[row][1]).toBeCloseTo(p, 8);
    });
  });

  it('warns in a run', async () => {
    const results = await new UniversalCVRunner({
      cvSplitter: new KFold({ nSplits: 2, shuffle: true, randomState: 1 }),
      verbose: 0,
    }).run({
      model: () => new LogisticRegression({ C }),
      data: [x.map((value) => [value]), above],
    });
    expect(results.metadata.warnings.join()).toContain('no maximum');
  });
});

describe('the positive class', () => {
  it('is what the coefficients of a run are about, by whatever name', async () => {
    const { X, y } = unpenalised;
    const [plain] = unpenalised.cases;
    const labels = y.map((low) => (low === 1 ? 'a low weight' : 'normal')); // the positive one is the first by name
    const refit = async (positiveLabel: string) => {
      const result = await new CVKitValidator({
        returnConfidenceIntervals: false,
        checkLeakage: false,
        nSplits: 2,
      }).validate({
        model: () => new LogisticRegression({ C: Infinity }),
        X,
        y: labels,
        positiveLabel,
        refit: true,
        metrics: ['roc_auc'],
        verbose: 0,
      });
      const refitted = result.refitted as { readonly model: LogisticRegression } & typeof result.refitted;
      return { model: refitted.model, found: await refitted.predict(X.slice(0, 5)), auc: result.estimates.roc_auc };
    };
    const low = await refit('a low weight');
    expect(low.model.classes).toEqual(['normal', 'a low weight']);
    const normal = await refit('normal');
    expect(normal.model.classes).toEqual(['a low weight', 'normal']);
    plain.coef.forEach((value, at) => {
      expect(low.model.coef[0][at]).toBeCloseTo(value, 6);
      expect(normal.model.coef[0][at]).toBeCloseTo(-value, 6);
    });
    plain.proba.forEach((p, row) => {
      expect(low.found.probabilities?.[row]).toBeCloseTo(p, 6);
      expect(normal.found.probabilities?.[row]).toBeCloseTo(1 - p, 6);
    });
    expect(low.auc).toBeCloseTo(normal.auc as number, 12);
  });
});
