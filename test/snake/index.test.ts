/** The list of public names, the classes, and the usage patterns of the original interface. */
import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';
import * as cvkit from '../../src/index.js';
import * as snake from '../../src/snake/index.js';

const SMALL = 120;
const data = await snake.load_cancer_imaging();
const [X, y] = [data.X.slice(0, SMALL), data.y.slice(0, SMALL)];
const patients = y.map((_, at) => `p${Math.floor(at / 2)}`);

/** Says the nearer of two class means in the first feature. */
const model = () => {
  let cut = 0;
  return {
    fit(rows: number[][]) {
      cut = rows.reduce((sum, [first]) => sum + first, 0) / rows.length;
    },
    predict: (rows: number[][]) => rows.map(([first]) => Number(first > cut)),
    predict_proba: (rows: number[][]) => rows.map(([first]) => 1 / (1 + Math.exp(cut - first))),
  };
};

it('the list of names has every class and function of cvkit, and the same errors and constants', () => {
  const nameHere = (name: string) => (/^[A-Z]/.test(name) ? name : snakeCase(name));
  expect(Object.keys(snake).sort()).toEqual(Object.keys(cvkit).map(nameHere).sort());
  const same = Object.entries(cvkit).filter(([name]) => /Error$/.test(name) || name === 'VERSION');
  expect(same.length).toBeGreaterThan(8);
  expect(snake).toMatchObject(Object.fromEntries(same));
  expect(snake.inline_executor).toBe(cvkit.inlineExecutor);
  expect(snake.register_adapter).toBe(cvkit.registerAdapter);
});

describe('a class', () => {
  it('is called with and without new', () => {
    const options = { n_splits: 3 };
    for (const made of [snake.KFold(options), new snake.KFold(options), snake.KFold(3), new snake.KFold(3)]) {
      expect(made).toBeInstanceOf(snake.KFold);
      expect(made.get_n_splits()).toBe(3);
      expect(made.options).toEqual({ n_splits: 3, shuffle: false, random_state: null });
    }
    expect(snake.KFold.name).toBe('KFold');
    expect(snake.KFold().constructor).toBe(snake.KFold);
    expect(snake.KFold()).not.toBeInstanceOf(snake.StratifiedKFold);
  });

  it('without places in the original takes names alone', () => {
    expect(snake.EarlyStopping(null)).toBeInstanceOf(snake.EarlyStopping);
    expect(() => snake.EarlyStopping('val_loss' as never)).toThrow(
      'The arguments of EarlyStopping must be given by name, in one object: { monitor: ... }. Got 1 by place.',
    );
  });

  it('is not extended', () => {
    class Mine extends (snake.KFold as unknown as new () => object) {}
    expect(() => new Mine()).toThrow('Extend KFold of cvkit, and give it to cvkit/snake as it is.');
    class Own extends cvkit.KFold {}
    expect([...snake.folds_of(new Own({ nSplits: 3 }), 9)]).toHaveLength(3);
  });

  it('makes what JSON and programs that print know', () => {
    const splitter = snake.GroupKFold({ n_splits: 3 });
    expect(JSON.stringify([splitter])).toBe(JSON.stringify([new cvkit.GroupKFold({ nSplits: 3 })]));
    expect(splitter.to_json()).toBe(new cvkit.GroupKFold({ nSplits: 3 }).toJSON());
  });
});

describe('the usage patterns of the original interface', () => {
  it('1: a validator, validate, summary', async () => {
    const validator = snake.CVKitValidator({ method: 'stratified_kfold', n_splits: 3, n_bootstrap: 100 });
    const result = await validator.validate({ model, X, y, verbose: 0 });
    expect(result.summary()).toContain('Cross-validation');
    expect(Object.keys(result.mean_scores)).toContain('roc_auc');
    expect(result.fold_details.map(({ n_test }) => n_test)).toEqual([40, 40, 40]);
  });

  it.each(['groups', 'patient_ids'] as const)('2: patient_grouped_kfold with %s', async (name) => {
    const validator = snake.CVKitValidator({ method: 'patient_grouped_kfold', return_confidence_intervals: false });
    const result = await validator.validate({ model, X, y, [name]: patients, verbose: 0 });
    expect(result.leakage_report?.leakage_types).not.toContain('patient');
    expect(result.manifest.method).toBe('patient_grouped_kfold');
  });

  it('3: a report of leakage', async () => {
    const timestamps = y.map((_, at) => at);
    const report = await snake.DataLeakageChecker({ reveal_ids: true }).check(X, y, { groups: patients, timestamps });
    expect(report.has_leakage).toBe(true);
    expect([report.severity, report.leakage_types]).toEqual(['critical', ['patient']]);
    const by_place = await snake.DataLeakageChecker({ reveal_ids: true }).check(X, y, patients, timestamps);
    expect(by_place.to_json()).toEqual(report.to_json());
  });

  it('4: clinical metrics and their report', () => {
    const clinical = snake.ClinicalMetrics({ confidence_level: 0.9 });
    const y_pred = y.map((each, at) => (at % 5 === 0 ? 1 - each : each));
    const y_proba = y.map((each) => (each === 1 ? 0.8 : 0.3));
    const metrics = clinical.calculate_all(y, y_pred, { y_proba });
    expect(metrics.lr_positive.estimate).toBeGreaterThan(1);
    expect(clinical.format_report(metrics)).toContain('90 % CI');
    expect(snake.ClinicalMetrics(0.9).format_report(metrics)).toBe(clinical.format_report(metrics));
    expect(clinical.format_report(JSON.parse(JSON.stringify(metrics)))).toBe(clinical.format_report(metrics));
    expect(clinical.calculate_all(y, y_pred, y_proba)).toEqual(metrics);
  });

  it('5: a runner, a factory, data as a pair', async () => {
    const runner = snake.UniversalCVRunner({ cv_splitter: snake.KFold({ n_splits: 3 }), verbose: 0 });
    const results = await runner.run({ model: () => model(), data: [X, y], metrics: ['accuracy'] });
    const by_place = snake.UniversalCVRunner(snake.KFold(3), 'auto', null, 0);
    const same = await by_place.run(() => model(), [X, y], { metrics: ['accuracy'] });
    expect(results.mean_scores.accuracy).toBeGreaterThan(0.4);
    expect(same.mean_scores).toEqual(results.mean_scores);
    const plain = new cvkit.UniversalCVRunner({ cvSplitter: new cvkit.KFold({ nSplits: 3 }), verbose: 0 });
    const of_cvkit = await plain.run({ model: () => model(), data: [X, y], metrics: ['accuracy'] });
    expect(results.mean_scores).toEqual(of_cvkit.meanScores);
  });
});

it('a data set is given as it is, with the names of its features', async () => {
  const results = await snake.UniversalCVRunner({ cv_splitter: snake.KFold(2), verbose: 0 }).run(model, data);
  expect(results.out_of_fold.row).toHaveLength(data.y.length);
  const { X: rows, y: labels, feature_names } = data;
  const validator = snake.CVKitValidator({ return_confidence_intervals: false, check_leakage: false });
  const again = await validator.validate({ model, ...data, verbose: 0 });
  expect(again.out_of_fold.row).toHaveLength(labels.length);
  const { features } = await snake.BalanceChecker().check_feature_distribution(rows, feature_names);
  expect(features[0].name).toBe('mean_radius');
});
