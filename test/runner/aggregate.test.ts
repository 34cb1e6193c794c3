/** One prediction of each patient, scored beside those of rows. */
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { score } from '../../src/metrics/metric.js';
import { defineMetric, metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { compareModels } from '../../src/stats/index.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';

const random = randomSource(5);
const PATIENTS = 40;
const groups = Array.from({ length: PATIENTS }, (_, patient) =>
  new Array<number>(1 + (patient % 4)).fill(patient),
).flat();
const sick = Array.from({ length: PATIENTS }, () => Number(random.random() < 0.5));
const y = groups.map((patient) => sick[patient]);
const X = y.map((label) => [
  Math.min(0.99, Math.max(0.01, 0.4 * random.random() + 0.3 * random.random() + 0.3 * label)),
]);

/** Predicts its first feature. */
const model = () => ({
  fit: (_X: unknown, _y: unknown, _sampleWeight?: unknown) => undefined,
  predictProba: (rows: number[][]) => rows.map(([p]) => [1 - p, p]),
});
const numbers = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(([p]) => p) });

type Call = Parameters<UniversalCVRunner['run']>[0];
const runner = (executor: 'inline' | ReturnType<typeof cloningExecutor> = 'inline') =>
  new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 4 }), verbose: 0, randomState: 3, executor });
const run = (more: Partial<Call> = {}) => runner().run({ model, data: { X, y, groups }, ...more } as Call);

/** Numbers of each patient of a fold, by patient. */
function ofPatients<T>(rows: Int32Array, values: (row: number) => T): T[][] {
  const found = new Map<number, T[]>();
  for (const row of rows) found.set(groups[row], [...(found.get(groups[row]) ?? []), values(row)]);
  return [...found.values()];
}

const valueIn = (name: string, table: Parameters<typeof scoreTable>[0]) =>
  score(metricRegistry.get(name), scoreTable(table)).value;
const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const max = (values: number[]) => Math.max(...values);

describe('aggregate', () => {
  it.each([
    ['mean', mean],
    ['max', max],
    [(rows: number[]) => rows[0] ** 2, (rows: number[]) => rows[0] ** 2],
  ] as const)('scores one prediction of each patient: %s', async (aggregate, rule) => {
    const results = await run({ aggregate: aggregate as never, metrics: ['roc_auc', 'accuracy', 'brier'] });
    expect(Object.keys(results.scores)).toEqual(
      ['roc_auc', 'accuracy', 'brier'].flatMap((name) => [name, `${name}_by_patient`]),
    );
    for (const [at, { fold }] of results.folds.entries()) {
      const table = {
        yTrue: ofPatients(fold.test, (row) => y[row]).map(([label]) => label),
        yProba: ofPatients(fold.test, (row) => X[row][0]).map(rule),
        task: 'binary',
      } as const;
      for (const name of ['roc_auc', 'accuracy', 'brier'])
        expect(results.scores[`${name}_by_patient`][at].value).toBeCloseTo(valueIn(name, table) as number, 12);
    }
    const rowLevel = await run({ metrics: ['roc_auc', 'accuracy', 'brier'] });
    expect(results.scores.roc_auc).toEqual(rowLevel.scores.roc_auc);
  });

  it("makes the truth by the same rule: by 'max' a patient is positive where any row is", async () => {
    const lesions = y.map((label, row) => (label && groups[row - 1] !== groups[row] ? 1 : 0));
    const results = await run({ data: { X, y: lesions, groups }, aggregate: 'max', metrics: ['roc_auc'] });
    const [{ fold }] = results.folds;
    const yTrue = ofPatients(fold.test, (row) => lesions[row]).map(max);
    const yProba = ofPatients(fold.test, (row) => X[row][0]).map(max);
    expect(results.scores.roc_auc_by_patient[0].value).toBeCloseTo(valueIn('roc_auc', { yTrue, yProba }) as number, 12);
    const different = run({ data: { X, y: lesions, groups }, aggregate: 'mean' });
    await expect(different).rejects.toThrow(/^y must be the same in all rows of a patient/);
  });

  it('takes numbers of a regression alike, and those of each target', async () => {
    const lengths = X.map(([p], row) => 3 * p + (row % 3));
    const [one, two] = await Promise.all([
      run({ model: numbers, data: { X, y: lengths, groups }, aggregate: 'mean', metrics: ['mae'] }),
      run({
        model: () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(([p]) => [p, -p]) }),
        data: { X, y: lengths.map((each) => [each, 1.5 - each]), groups },
        aggregate: 'max',
        metrics: ['mae'],
      }),
    ]);
    const { test } = one.folds[0].fold;
    const away = (rule: typeof mean, of: (row: number) => number, predicted: (row: number) => number) => {
      const truth = ofPatients(test, of).map(rule);
      const prediction = ofPatients(test, predicted).map(rule);
      return mean(truth.map((each, at) => Math.abs(each - prediction[at])));
    };
    const own = away(
      mean,
      (row) => lengths[row],
      (row) => X[row][0],
    );
    expect(one.scores.mae_by_patient[0].value).toBeCloseTo(own, 12);
    const second = away(
      max,
      (row) => 1.5 - lengths[row],
      (row) => -X[row][0],
    );
    expect(two.scores.mae_1_by_patient[0].value).toBeCloseTo(second, 12);
  });

  it('takes each class alone, and shares that sum to 1', async () => {
    const three = groups.map((patient) => ['a', 'b', 'c'][patient % 3]);
    const shares = ([p]: number[], label: string) => ({ a: [p, 1 - p, 0], b: [0, p, 1 - p], c: [1 - p, 0, p] })[label];
    const known = new Map(X.map((row, at) => [row[0], three[at]]));
    const proba = (rows: number[][]) => rows.map((row) => shares(row, known.get(row[0]) as string) as number[]);
    const call = {
      model: () => ({ fit: () => undefined, predictProba: proba }),
      data: { X, y: three, groups },
      aggregate: 'max',
      metrics: ['log_loss', 'accuracy'],
    } as const;
    const results = await run(call as never);
    const { test } = results.folds[0].fold;
    const yProba = ofPatients(test, (row) => shares(X[row], three[row]) as number[]).map((rows) => {
      const most = [0, 1, 2].map((column) => max(rows.map((row) => row[column])));
      return most.map((each) => each / (most[0] + most[1] + most[2]));
    });
    const yTrue = ofPatients(test, (row) => three[row]).map(([label]) => label);
    const expected = valueIn('log_loss', { yTrue, yProba, classes: ['a', 'b', 'c'] });
    expect(results.scores.log_loss_by_patient[0].value).toBeCloseTo(expected as number, 12);
  });

  it('takes the labels of most rows where there are no probabilities', async () => {
    const cut = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(([p]) => Number(p > 0.4)) });
    const results = await run({ model: cut, aggregate: 'mean', metrics: ['accuracy', 'roc_auc'] });
    const { test } = results.folds[0].fold;
    const yPred = ofPatients(test, (row) => Number(X[row][0] > 0.4)).map((votes) => Number(mean(votes) > 0.5));
    const yTrue = ofPatients(test, (row) => y[row]).map(([label]) => label);
    expect(results.scores.accuracy_by_patient[0].value).toBeCloseTo(
      valueIn('accuracy', { yTrue, yPred }) as number,
      12,
    );
    expect(results.scores.roc_auc_by_patient[0].value).toBeNull();
  });

  it('leaves out rows of weight 0, and weighs a patient by the mean of the others', async () => {
    const sampleWeight = X.map((_, row) => (groups[row - 1] === groups[row] && row % 2 ? 0 : 1 + (groups[row] % 3)));
    const results = await run({
      data: { X, y, groups, sampleWeight },
      aggregate: 'mean',
      metrics: ['roc_auc', 'brier'],
    });
    const test = results.folds[0].fold.test.filter((row) => sampleWeight[row] > 0);
    const table = {
      yTrue: ofPatients(test, (row) => y[row]).map(([label]) => label),
      yProba: ofPatients(test, (row) => X[row][0]).map(mean),
      sampleWeight: ofPatients(test, (row) => sampleWeight[row]).map(mean),
    };
    for (const name of ['roc_auc', 'brier'])
      expect(results.scores[`${name}_by_patient`][0].value).toBeCloseTo(valueIn(name, table) as number, 12);
  });

  it('has the intervals of a table with one row per patient, outcomes by time too', async () => {
    const first = groups.flatMap((patient, row) => (groups[row - 1] === patient ? [] : [row]));
    // Rows of a patient alike: the mean is that of each.
    const X1 = groups.map((patient) => X[first[patient]]);
    const times = groups.map((patient) => ({
      time: 1 + 3 * X[first[patient]][0] + (patient % 7) / 3,
      event: patient % 3 ? 1 : 0,
    }));
    const risks = () => ({ fit: () => undefined, predictRisk: (rows: number[][]) => rows.map(([p]) => -p) });
    for (const ciMethod of ['analytic', 'bootstrap'] as const) {
      const validator = new CVKitValidator({
        ciMethod,
        ...(ciMethod === 'bootstrap' ? { nBootstrap: 100 } : {}),
        ciFits: 0,
        checkLeakage: false,
        checkBalance: false,
      });
      const both = async (labels: unknown[], make: unknown, metrics: string[]) => {
        const only = <T>(values: readonly T[]) => first.map((row) => values[row]);
        const common = { model: make, metrics, verbose: 0 } as const;
        const folds = groups.map((patient) => patient % 4);
        const many = await validator.validate({
          ...common,
          X: X1,
          y: labels,
          groups,
          aggregate: 'mean',
          cv: new PredefinedSplit({ testFold: folds }),
        } as never);
        const plain = await validator.validate({
          ...common,
          X: only(X1),
          y: only(labels),
          groups: only(groups),
          cv: new PredefinedSplit({ testFold: only(folds) }),
        } as never);
        return [many.confidenceIntervals, plain.confidenceIntervals];
      };
      for (const [labels, make, names] of [
        [y, model, ['roc_auc', 'accuracy', 'brier', 'sensitivity']],
        [times, risks, ['concordance']],
      ] as const) {
        const [many, one] = await both(labels as never, make, names as never);
        for (const name of names) {
          const [own, expected] = [many[`${name}_by_patient`], one[name]];
          expect(own.method).toBe(expected.method);
          for (const side of ['estimate', 'lower', 'upper'] as const)
            expect(own[side], `${ciMethod} ${name} ${side}`).toBeCloseTo(expected[side] as number, 9);
        }
      }
    }
  });

  it('is known to `scoring` and to what folds watch, wherever they run', async () => {
    const scoring = { auc: 'roc_auc' } as const;
    expect(Object.keys((await run({ scoring, aggregate: 'mean' })).scores)).toEqual(['auc', 'roc_auc_by_patient']);
    const call = { model, data: { X, y, groups }, aggregate: 'mean', metrics: ['roc_auc_by_patient'] } as const;
    const here = await runner().run(call as never);
    expect(Object.keys(here.scores)).toEqual(['roc_auc_by_patient']);
    expect((await runner(cloningExecutor()).run(call as never)).scores).toEqual(here.scores);
  });

  it('scores no patients by a metric that does not honour weights', async () => {
    const rows = {
      tasks: ['binary'],
      direction: 'maximize',
      range: [0, 1],
      needs: 'labels',
      combine: 'pooled',
    } as const;
    defineMetric({ ...rows, name: 'own_share', description: 'A share.', compute: () => 0.5 });
    try {
      const results = await run({ aggregate: 'mean', metrics: ['own_share', 'roc_auc'] });
      expect(Object.keys(results.scores)).toEqual(['own_share', 'roc_auc', 'roc_auc_by_patient']);
    } finally {
      metricRegistry.remove('own_share');
    }
  });

  it('is asked for where scores of patients are, whatever an earlier run had', async () => {
    await run({ aggregate: 'mean' });
    const message = /^The metric 'roc_auc_by_patient' must be beside `aggregate`/;
    await expect(run({ metrics: ['roc_auc_by_patient'] })).rejects.toThrow(message);
    const given = { yTrue: y, yProba: X.map(([p]) => p), patientIds: groups, metrics: ['roc_auc_by_patient'] };
    await expect(evaluate(given as never)).rejects.toThrow(message);
  });

  it('has one prediction of a patient in each fold that tests rows of it', async () => {
    const cvSplitter = new KFold({ nSplits: 2, shuffle: true, randomState: 1 });
    const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      ...{ model, data: { X, y, groups }, aggregate: 'mean', metrics: ['brier'] },
    } as never);
    const tables = results.folds.map(({ fold }) => fold.test);
    const all = tables.flatMap((test) => {
      const truth = ofPatients(test, (row) => y[row]).map(([label]) => label);
      return ofPatients(test, (row) => X[row][0]).map((own, at) => (mean(own) - truth[at]) ** 2);
    });
    expect(results.estimates.brier_by_patient).toBeCloseTo(mean(all), 12);
    expect(results.summary().replace(/\s+/g, ' ')).toContain('patients scored by the mean of their rows');
  });

  it('keeps one label for all rows, whatever the rule would make of it', async () => {
    const rule = (own: number[]) => own.reduce((sum, each) => sum + 1 / (1 + Math.exp(-each)), 0) / own.length;
    const results = await run({ aggregate: rule, metrics: ['roc_auc'] });
    expect(results.scores.roc_auc_by_patient[0].value).not.toBeNull();
    const broken = run({ aggregate: () => JSON.parse('{') as number });
    await expect(broken).rejects.toThrow('The function of `aggregate` must give a number. It threw: ');
  });

  it('is known to comparisons and subgroups, and has no bootstrap estimate', async () => {
    const [one, other] = [
      await run({ aggregate: 'mean' }),
      await run({
        model: () => ({ ...model(), predictProba: (rows: number[][]) => rows.map(([p]) => [p, 1 - p]) }),
        aggregate: 'mean',
      }),
    ];
    expect(
      JSON.stringify(
        compareModels(one as never, other as never, { metric: 'brier_by_patient', nPermutations: 99 } as never),
      ),
    ).not.toContain('no `aggregate`');
    const settings = {
      method: 'bootstrap',
      bootstrapIterations: 20,
      bootstrapEstimator: '.632',
      checkLeakage: false,
      checkBalance: false,
    } as const;
    const call = { model, X, y, patientIds: groups, aggregate: 'mean', metrics: ['brier'], verbose: 0 } as never;
    const { estimates, confidenceIntervals } = await new CVKitValidator(settings).validate(call);
    expect(estimates.brier).toBeGreaterThan(0);
    expect(estimates.brier_by_patient).toBeNull();
    expect(confidenceIntervals.brier_by_patient.reason).toContain('of rows');
  });

  it('leaves rows and labels as they are', async () => {
    const before = structuredClone({ X, y, groups });
    await run({ aggregate: 'max' });
    expect({ X, y, groups }).toEqual(before);
  });
});
