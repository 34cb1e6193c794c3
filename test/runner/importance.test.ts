import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { CVCallback } from '../../src/runner/callback.js';
import type { Executor } from '../../src/runner/executor.js';
import type { PermutationImportance } from '../../src/runner/importanceOptions.js';
import { inlineExecutor } from '../../src/runner/inlineExecutor.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';

/** Tests the first rows by a model that knows the others, and each of them once. */
const firstRows = (n: number): Splitter => ({
  *split(X) {
    const rows = Int32Array.from({ length: typeof X === 'number' ? X : (X as { length: number }).length }, (_, i) => i);
    yield { train: rows.slice(n), test: rows.slice(0, n) };
  },
  getNSplits: () => 1,
});

const run = (options: object, cvSplitter: Splitter = new KFold({ nSplits: 3 }), runner = {}) =>
  new UniversalCVRunner({ cvSplitter, verbose: 0, randomState: 1, ...runner }).run({
    importance: true,
    ...options,
  } as RunOptions);

type Cells = readonly unknown[];
/** Predicts by a formula, and notes what it was to predict. */
function formula(of: (row: never) => number, seen: Cells[][] = []) {
  return () => ({
    fit: () => undefined,
    predict(rows: Cells[]) {
      seen.push(rows);
      return rows.map((row) => of(row as never));
    },
  });
}
const byName = ({ features }: PermutationImportance) =>
  Object.fromEntries(features.map(({ feature, values }) => [feature, values]));
const found = (results: { importance: PermutationImportance | null }) => results.importance as PermutationImportance;
const mse = (truth: readonly number[], predicted: readonly number[]) =>
  truth.reduce((sum, value, at) => sum + (value - predicted[at]) ** 2, 0) / truth.length;

const X = [
  [1, 5, 0],
  [2, 3, 1],
  [4, 9, 0],
  [8, 1, 1],
  [0, 2, 1],
  [3, 7, 0],
  [9, 4, 0],
  [5, 6, 1],
];
const y = [1.5, 2, 3, 9, 1, 3, 8, 6];
const regression = { data: [X, y], task: 'regression', metrics: ['mse'] };

describe('importance', () => {
  it('is the mean loss over the permutations of one column, and exactly 0 for a column that is not read', async () => {
    const seen: number[][][] = [];
    const model = formula(([a, b]: number[]) => a + b / 10, seen as never);
    const results = await run({ ...regression, model, importance: { repeats: 3 } }, firstRows(4));
    // The test rows as they are, then three permutations of each column; a first look at the model may come before.
    const [plain, ...permuted] = seen.slice(-10);
    expect(plain).toEqual(X.slice(0, 4));
    const predicted = (rows: number[][]) => rows.map(([a, b]) => a + b / 10);
    const before = mse(y.slice(0, 4), predicted(plain));
    const losses = permuted.map((rows) => mse(y.slice(0, 4), predicted(rows)) - before);
    permuted.forEach((rows, at) => {
      const column = Math.floor(at / 3);
      const sorted = (of: number[][]) => of.map((row) => row[column]).sort((a, b) => a - b);
      expect(sorted(rows)).toEqual(sorted(plain));
      const others = (of: number[][]) => of.map((row) => row.filter((_, place) => place !== column));
      expect(others(rows)).toEqual(others(plain));
    });
    const mean = (from: number) => losses.slice(from, from + 3).reduce((sum, loss) => sum + loss, 0) / 3;
    const values = byName(found(results));
    expect(values['feature 0'][0]).toBeCloseTo(mean(0), 12);
    expect(values['feature 1'][0]).toBeCloseTo(mean(3), 12);
    expect(Object.is(values['feature 2'][0], 0)).toBe(true);
    expect(found(results)).toMatchObject({ metric: 'mse', unit: 'row', repeats: 3 });
    expect(found(results).features[0].interval).toMatchObject({
      lower: null,
      reason: 'one fold alone has no variance',
    });
    expect(X[0]).toEqual([1, 5, 0]);
  });

  it('is on average that over all permutations', async () => {
    const all = (items: number[]): number[][] =>
      items.length === 0
        ? [[]]
        : items.flatMap((one, at) => all(items.filter((_, place) => place !== at)).map((rest) => [one, ...rest]));
    const truth = y.slice(0, 4);
    const own = X.slice(0, 4).map(([a]) => a);
    const losses = all(own).map((values) => mse(truth, values) - mse(truth, own));
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    const sd = Math.sqrt(losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / losses.length);
    const repeats = 4000;
    const model = formula(([a]: number[]) => a);
    const results = await run({ ...regression, model, importance: { repeats, features: [0] } }, firstRows(4));
    // Four standard errors of a mean of so many independent permutations.
    expect(Math.abs((byName(found(results))['feature 0'][0] as number) - mean)).toBeLessThan((4 * sd) / repeats ** 0.5);
  });

  it('lets whole patients exchange their values', async () => {
    const sizes = [2, 2, 2, 2];
    const patients = sizes.flatMap((size, id) => Array.from({ length: size }, () => `p${id}`));
    // The first column tells the patient, the second the row within the patient, too.
    const rows = patients.map((id, row) => [Number(id.slice(1)), 10 * Number(id.slice(1)) + (row % 2)]);
    const seen: number[][][] = [];
    const data = [
      [...rows, [7, 70], [8, 80]],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [...patients, 'x', 'y'],
    ];
    const model = formula(([a]: number[]) => a, seen as never);
    const results = await run({ ...regression, data, model, importance: { repeats: 4 } }, firstRows(8));
    expect(found(results).unit).toBe('patient');
    const permuted = seen.slice(-8);
    const blocks = (column: number) =>
      permuted.slice(4 * column, 4 * column + 4).map((all) => all.map((row) => row[column]));
    for (const values of blocks(0)) {
      for (const at of [0, 2, 4, 6]) expect(values[at]).toBe(values[at + 1]);
      expect([...values].sort()).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    }
    for (const values of blocks(1)) {
      for (const at of [0, 2, 4, 6]) expect([values[at] % 10, values[at + 1]]).toEqual([0, values[at] + 1]);
      expect([...values].sort((a, b) => a - b)).toEqual(rows.map(([, each]) => each));
    }
    expect(blocks(0).flat()).not.toEqual([...blocks(0)[0], ...blocks(0)[0], ...blocks(0)[0], ...blocks(0)[0]]);
  });

  it('takes the values of one other patient, over and over, where they have not as many rows', async () => {
    const patients = ['a', 'a', 'a', 'b', 'c', 'c'];
    const rows = patients.map((id, row) => [100 * 'abc'.indexOf(id) + row]);
    const seen: number[][][] = [];
    const data = [
      [...rows, [7], [8]],
      [1, 2, 3, 4, 5, 6, 7, 8],
      [...patients, 'x', 'y'],
    ];
    await run(
      { ...regression, data, model: formula(([a]: number[]) => a, seen as never), importance: { repeats: 30 } },
      firstRows(6),
    );
    for (const all of seen.slice(-30)) {
      const of = all.map(([value]) => Math.floor(value / 100));
      expect([of[1], of[2], of[5]]).toEqual([of[0], of[0], of[4]]);
      expect([of[0], of[3], of[4]].sort()).toEqual([0, 1, 2]);
      // Neighbours are the next row of that patient, or its first one again.
      const [first, second] = [all[0][0] % 100, all[1][0] % 100];
      expect([0, 1, 2].includes(of[0])).toBe(true);
      if (of[0] === 1) expect(second).toBe(first);
      if (of[0] === 2) expect(second).toBe(first === 4 ? 5 : 4);
    }
  });

  it('needs two patients to exchange, and a value of the score', async () => {
    const model = formula(([a]: number[]) => a);
    const patients = [1, 1, 1, 1, 2, 2, 3, 3];
    const alone = await run({ ...regression, data: [X, y, patients], model }, firstRows(4));
    expect(found(alone).features[0]).toMatchObject({
      values: [null],
      interval: { estimate: null, reason: '0 of 1 fold have a value (one patient has none to exchange with)' },
    });
    const left = await run({ ...regression, model, metrics: ['r2'] }, new LOOCV());
    expect(found(left).features[0].interval).toMatchObject({
      ...{ estimate: null, lower: null },
      reason:
        'corrected_t is for folds that are random parts of the data, not folds that leave out every row, or set of rows, in turn',
    });
  });
});

const N = 60;
const table = Array.from({ length: N }, (_, row) => [Math.sin(row * 1.7), Math.cos(row * 2.3), ((row * 7) % 11) / 11]);
const sick = table.map(([a, b], row) => Number(a + 0.6 * b + 0.8 * Math.sin(row * 5.1) > 0));

describe('the interval of a feature', () => {
  it('is the corrected t over folds, largest first, and at the level of the validator', async () => {
    const options = { model: () => new LogisticRegression(), data: [table, sick], metrics: ['accuracy', 'roc_auc'] };
    const results = await run(options, new StratifiedKFold({ nSplits: 4 }));
    const { metric, features } = found(results);
    expect(metric).toBe('roc_auc');
    expect(features.map(({ feature }) => feature)).toEqual(['feature 0', 'feature 1', 'feature 2']);
    // Nadeau & Bengio, by hand: 4 folds of 15 rows, trained on 45; the quantile of t with 3 degrees of freedom.
    for (const { interval, values } of features) {
      const drops = values as number[];
      const mean = drops.reduce((sum, value) => sum + value, 0) / 4;
      const variance = drops.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3;
      const half = 3.182446305284263 * Math.sqrt(variance * (1 / 4 + 15 / 45));
      expect(interval).toMatchObject({ method: 'corrected_t', level: 0.95, estimand: 'procedure', nUnits: N });
      expect(interval.estimate).toBeCloseTo(mean, 12);
      expect(interval.lower).toBeCloseTo(Math.max(-1, mean - half), 9);
      expect(interval.upper).toBeCloseTo(Math.min(1, mean + half), 9);
    }
    const validator = new CVKitValidator({
      method: 'stratified_kfold',
      nSplits: 4,
      ciLevel: 0.8,
      ciFits: 0,
      randomState: 1,
    });
    const validated = await validator.validate({
      ...{ X: table, y: sick, model: () => new LogisticRegression(), verbose: 0, importance: true },
    } as never);
    const [first] = found(validated as never).features;
    expect(first.interval).toMatchObject({ level: 0.8 });
    const half = 1.6377443536962102 * Math.sqrt(varianceOf(first.values as number[]) * (1 / 4 + 15 / 45));
    expect((first.interval.upper as number) - (first.interval.estimate as number)).toBeCloseTo(half, 9);
    expect((validated as { toJSON(): object }).toJSON()).toMatchObject({ importance: { metric: 'roc_auc' } });
    expect(results.toJSON()).toMatchObject({ importance: { metric: 'roc_auc' } });
    expect((await run({ ...options, importance: false })).importance).toBeNull();
  });

  it('says why there is none', async () => {
    const options = { model: () => new LogisticRegression(), data: [table, sick], importance: { metric: 'accuracy' } };
    const { interval } = found(await run(options, new StratifiedKFold({ nSplits: 4 }))).features[0];
    expect(interval).toMatchObject({
      lower: null,
      reason:
        'accuracy changes with the prevalence, which stratified folds hold alike: choose another `metric` of `importance`',
    });
    let fits = 0;
    const model = () => ({
      fit: () => {
        if (fits++ === 1) throw new Error('no');
      },
      predict: (rows: number[][]) => rows.map(([a]) => a),
    });
    const numbers = { ...regression, model, onFoldError: 'record' };
    const partly = found(await run(numbers, new KFold({ nSplits: 2 })));
    expect(partly.features[0].values).toEqual([expect.any(Number), null]);
    expect(partly.features[0].interval.reason).toMatch(/^1 of 2 folds have a value \(fold failed: /);
  });

  it('falls back on labels where a model gives nothing else', async () => {
    const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(([a]) => Number(a > 0)) });
    const results = await run({ model, data: [table, sick], metrics: ['accuracy', 'roc_auc'] });
    expect(found(results).metric).toBe('accuracy');
    expect(byName(found(results))['feature 1']).toEqual([0, 0, 0]);
  });
});

const varianceOf = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
};

describe('rows of any kind', () => {
  const names = ['a', 'b', 'c'];
  const columns = Object.fromEntries(names.map((name, at) => [name, table.map((row) => row[at])]));
  const dense = { data: Float64Array.from(table.flat()), shape: [N, 3] };
  const kinds = {
    arrays: table,
    columns,
    records: table.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
    dense,
    matrix: { rows: N, columns: 3, get: (row: number, column: number) => table[row][column] },
    source: { length: N, take: (rows: Int32Array) => Array.from(rows, (row) => table[row]) },
    'a source that gives its own numbers': {
      length: N,
      take: (rows: Int32Array) =>
        rows.length === N
          ? dense
          : { data: Float64Array.from([...rows].flatMap((row) => table[row])), shape: [rows.length, 3] },
    },
  };
  const options = {
    model: () => new LogisticRegression(),
    preprocessing: [new StandardScaler()],
    metrics: ['log_loss'],
  };
  const values = async (data: object) =>
    found(await run({ ...options, data: { X: data, y: sick, featureNames: names } }));

  it.each(Object.entries(kinds))('%s give the same', async (_, rows) => {
    const copy = JSON.stringify([...dense.data]);
    expect(await values(rows)).toEqual(await values(table));
    expect(JSON.stringify([...dense.data])).toBe(copy);
  });

  it('with texts, and models that read records', async () => {
    const records = table.map(([a], row) => ({ a, colour: row % 2 ? 'red' : 'blue' }));
    const target = records.map(({ a, colour }) => a + Number(colour === 'red'));
    const model = () => ({
      fit: () => undefined,
      predict: (rows: typeof records) => rows.map(({ a, colour }) => a + Number(colour === 'red')),
    });
    const { features } = found(await run({ ...regression, model, data: [records, target] }));
    expect(features.map(({ feature }) => feature)).toEqual(['a', 'colour']);
    expect(features.every(({ interval }) => (interval.estimate as number) > 0)).toBe(true);
  });

  it('of several inputs: the columns of each table, by its name', async () => {
    const inputs = {
      lab: columns,
      image: table.map(() => [
        [1, 2],
        [3, 4],
      ]),
      age: table.map((_, row) => row),
    };
    const model = () => ({
      fit: () => undefined,
      predict: (rows: { lab: number[]; age: number[] }[]) => rows.map(({ lab, age }) => lab[1] + age[0]),
    });
    const target = table.map(([, b], row) => b + row);
    const results = await run({
      ...regression,
      model,
      data: [inputs, target],
      importance: { features: ['lab.b', 'lab.a', 4 - 1] },
    });
    const { features, note } = found(results);
    expect(features.map(({ feature }) => feature)).toEqual(['age.age', 'lab.b', 'lab.a']);
    expect(features[2].values).toEqual([0, 0, 0]);
    expect(note).toContain('Inputs without columns are not permuted: image.');
  });
});

describe('importance and the rest of a run', () => {
  it('predicts one permuted copy at a time, in the folds alone', async () => {
    let [most, calls] = [0, 0];
    // Counted for each model: folds may run at once.
    const model = () => {
      let now = 0;
      return {
        fit: () => undefined,
        async predict(rows: number[][]) {
          most = Math.max(most, ++now);
          calls++;
          expect(rows.length).toBeLessThanOrEqual(N);
          await new Promise((resolve) => setTimeout(resolve, 0));
          now--;
          return rows.map(([a]) => a);
        },
      };
    };
    const options = { ...regression, data: [table, table.map(([a]) => a)], model, apparent: true };
    await run({ ...options, importance: false });
    const without = calls;
    calls = 0;
    await run({ ...options, importance: { repeats: 2 } });
    expect([most, calls - without]).toEqual([1, 3 * 3 * 2]);
  });

  it('leaves predictions and scores as they are, and gives callbacks what nobody can change', async () => {
    const options = { model: () => new LogisticRegression(), data: [table, sick], threshold: 'youden' };
    const plain = await run({ ...options, importance: false });
    const spoil: CVCallback = {
      onCvEnd(results) {
        expect(Object.isFrozen(results.importance?.features[0])).toBe(true);
      },
    };
    const both = await run({ ...options, importance: { metric: 'accuracy' }, callbacks: [spoil] });
    expect([both.scores, both.outOfFold]).toEqual([plain.scores, plain.outOfFold]);
    expect(found(both).metric).toBe('accuracy');
  });

  it('is required of an executor, one value for each feature', async () => {
    const short: Executor = {
      ...inlineExecutor,
      name: 'short',
      async *run(tasks, link) {
        for await (const outcome of inlineExecutor.run(tasks, link)) {
          if (outcome.status === 'failed' || !outcome.importance) throw new Error('no importance');
          const { metric, drops } = outcome.importance;
          yield { ...outcome, importance: { metric, drops: drops.slice(1) } };
        }
      },
    };
    const options = { ...regression, model: formula(([a]: number[]) => a) };
    await expect(run(options, undefined, { executor: short })).rejects.toThrow(
      "The field importance.drops of what the executor 'short' returns for fold-0 must have 3 entries.",
    );
  });

  it('draws the same whichever other features are asked for', async () => {
    const options = { model: () => new LogisticRegression(), data: [table, sick] };
    const all = byName(found(await run(options)));
    const one = byName(found(await run({ ...options, importance: { features: [1] } })));
    expect(one).toEqual({ 'feature 1': all['feature 1'] });
  });

  it('of a feature that tells the patient is large where patients are the labels', async () => {
    const patients = Array.from({ length: N }, (_, row) => row >> 1);
    const data = [patients.map((id) => [id, id % 5]), patients.map((id) => id), patients];
    const results = await run(
      { ...regression, data, model: formula(([id]: number[]) => id) },
      new GroupKFold({ nSplits: 5 }),
    );
    const [first, second] = found(results).features;
    expect([first.feature, second.interval.estimate]).toEqual(['feature 0', 0]);
    expect(first.values.every((value) => value !== null && value > 0)).toBe(true);
  });
});

/** test/reference/importance.py */
const reference = JSON.parse(readFileSync(new URL('../reference/importance.json', import.meta.url), 'utf8'));

describe("scikit-learn's permutation_importance", () => {
  const rows: number[][] = reference.X;
  const linear = ([a, b]: number[]) => a + 0.8 * b + 0.5 * a * b;
  const REPEATS = 2000;
  it.each(Object.entries(reference.found as Record<string, { mean: number[]; sd: number[] }>))(
    '%s is the same in the mean',
    async (metric, { mean, sd }) => {
      const classifies = !['mse', 'r2'].includes(metric);
      const labels: number[] = classifies ? reference.labels : reference.numbers;
      const p = (row: number[]) => 1 / (1 + Math.exp(-linear(row)));
      const model = () => ({
        fit: () => undefined,
        predict: (of: number[][]) => of.map((row) => (classifies ? Number(linear(row) > 0) : linear(row))),
        ...(classifies ? { predictProba: (of: number[][]) => of.map((row) => [1 - p(row), p(row)]) } : {}),
      });
      const data = [
        [...rows, ...rows],
        [...labels, ...labels],
      ];
      const task = classifies ? 'binary' : 'regression';
      const options = { model, data, task, metrics: [metric], importance: { repeats: REPEATS } };
      const values = byName(found(await run(options, firstRows(rows.length))));
      mean.forEach((expected, at) => {
        // Both are means of independent permutations with the same spread: four standard errors of their difference.
        const error = 4 * sd[at] * Math.sqrt(1 / REPEATS + 1 / reference.repeats);
        expect(Math.abs((values[`feature ${at}`][0] as number) - expected)).toBeLessThanOrEqual(error);
      });
    },
  );
});
