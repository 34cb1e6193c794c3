/** Every `spec_name` of `api-schema.json` that comes from `cvkit`, found and called in `cvkit/snake`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';
import * as snake from '../../src/snake/index.js';

interface Names {
  readonly name: string;
  readonly import: string;
}
interface Class extends Names {
  readonly aliases?: readonly string[];
  readonly constructor: { readonly params: readonly { readonly spec_name: string }[] };
  readonly methods: readonly { readonly spec_name: string }[];
}
const schema: { readonly classes: readonly Class[]; readonly datasets: readonly Names[] } = JSON.parse(
  readFileSync(new URL('../../api-schema.json', import.meta.url), 'utf8'),
);
const exported = new Map(Object.entries(snake as Record<string, unknown>));
const isOfRoot = (each: Names) => / from 'cvkit'$/.test(each.import);
const ofRoot = schema.classes.filter(isOfRoot);
const isError = ({ name }: Names) => /Error$/.test(name);

// ---- small arguments ----------------------------------------------------------------------------------------------
const y = Array.from({ length: 60 }, (_, at) => at % 2);
const X = y.map((each, at) => [each + ((at * 7) % 5), (at * 3) % 11]);
const [train, test] = [X.slice(0, 40), X.slice(40)];
const proba = y.map((each, at) => (each === 1 ? 0.6 : 0.3) + (at % 4) / 20);
const groups = y.map((_, at) => `p${Math.floor(at / 2)}`);
const model = () => ({
  fit: () => undefined,
  predict: (rows: number[][]) => rows.map(() => 1),
  predict_proba: (rows: number[][]) => rows.map(() => 0.5),
});
const quiet = { model, metrics: ['accuracy' as const], verbose: 0 };
const validator = snake.CVKitValidator({ return_confidence_intervals: false });
const runner = snake.UniversalCVRunner(snake.KFold(2), { verbose: 0 });
const results = await runner.run({ model, data: [X, y], metrics: ['accuracy'], refit: true, keep_models: 'memory' });
const tuned = await runner.run_with_hyperparameter_tuning(() => model(), { C: [1, 2] }, [X, y], 'accuracy', 2);
const dry = await runner.run({ model, data: [X, y], metrics: ['accuracy'], dry_run: true });
const report = await snake.DataLeakageChecker().check(X, y);
const result = await validator.validate({ ...quiet, X, y });
const clinical = snake.ClinicalMetrics();
const listen = ['fold:start', () => undefined];
const context = results.folds[0].ctx;

const folds = [[...Array(10).keys()], [10, 11, 12, 13]];
const trial = { model_fn: model, param_grid: { C: [1] }, data: [X, y], n_trials: 1 };
const outer = { X_train: train, y_train: y.slice(0, 40), X_test: test, y_test: y.slice(40) };
const sides = [y.slice(0, 40), y.slice(40), groups.slice(0, 40), groups.slice(40)];

/** An instance of each class of the root, and arguments for its methods; those without are found, not called. */
const CALLS: Readonly<
  Record<string, readonly [instance: unknown, args: Readonly<Record<string, readonly unknown[]>>]>
> = {
  CVKitValidator: [validator, { validate: [{ ...quiet, X, y }], fit_validate: [{ ...quiet, ...outer }] }],
  UniversalCVRunner: [
    runner,
    { run: [model, [X, y]], run_with_hyperparameter_tuning: [trial], on: listen, add_listener: listen, once: listen },
  ],
  ValidationResult: [
    result,
    { clinical: [{ prevalence: 0.2 }], summary: [{}], to_markdown: [], to_html: [], to_json: [{ ids: 'raw' }] },
  ],
  DryRun: [dry, { summary: [] }],
  CVResults: [results, { summary: [], to_json: [] }],
  BalanceChecker: [
    snake.BalanceChecker(0.1),
    {
      check_class_balance: [y, groups],
      check_cv_balance: [X, y, snake.KFold(2), groups],
      check_feature_distribution: [X, ['a', 'b']],
      generate_report: [],
    },
  ],
  DataLeakageChecker: [
    snake.DataLeakageChecker(false),
    {
      check: [X, y, groups, y.map((_, at) => at), null, 3, 1],
      check_cv_splits: [train, test, ...sides],
      comprehensive_check: [X, y, groups, null, null, 0.9],
      check_feature_target_leakage: [X, y, 0.9],
      check_preprocessing_leakage: [X, X, folds],
      check_preprocessing: [X, X, folds],
      check_near_duplicates: [train, test, 0.999],
      check_hierarchical_leakage: sides.toReversed(),
    },
  ],
  LeakageReport: [report, { summary: [], refuse: [], to_json: [], to_rows: [{}], to_sarif: [{ first_line: 3 }] }],
  ClinicalMetrics: [
    clinical,
    { calculate_all: [y, y, proba], format_report: [clinical.calculate_all(y, y, proba), { patients: 'eyes' }] },
  ],
  EarlyStopping: [snake.EarlyStopping({ monitor: 'loss' }), { for_fold: [context] }],
  LeakageDetectionCallback: [snake.LeakageDetectionCallback(), {}],
  LearningRateScheduler: [
    snake.LearningRateScheduler({ schedule: (_: number, rate: number) => rate }),
    { for_fold: [context] },
  ],
  ModelCheckpoint: [snake.ModelCheckpoint({ path: '{fold}' }), { on_cv_start: [{ epochs: 1 }], for_fold: [context] }],
  ClassDistributionLogger: [snake.ClassDistributionLogger({ verbose: false }), {}],
  RegulatoryComplianceLogger: [snake.RegulatoryComplianceLogger(), { to_json_lines: [] }],
  ProgressLogger: [snake.ProgressLogger(), { teardown: [] }],
  ReduceLROnPlateau: [snake.ReduceLROnPlateau({ monitor: 'loss' }), { for_fold: [context] }],
  RefittedModel: [results.refitted, { predict: [X], predict_proba: [X], describe: [], dispose: [] }],
  FoldEnsemble: [
    await snake.ensemble(results),
    { predict: [X], predict_proba: [X], describe: [], summary: [], dispose: [] },
  ],
  TuningResults: [tuned, { summary: [], to_json: [] }],
};
/** A model of the inside of a run, which no caller holds. */
const INSIDE = ['PreparedModel'];

describe('api-schema.json', () => {
  it('has no class that is not called here', () => {
    const names = ofRoot.filter((each) => !isError(each)).map(({ name }) => name);
    const missing = names.filter((name) => !CALLS[name] && !INSIDE.includes(name));
    expect(missing, 'Add an instance and arguments to CALLS').toEqual([]);
  });

  const methods = ofRoot.flatMap(({ name, methods: all }) => all.map(({ spec_name }) => [name, spec_name] as const));
  it.each(methods.filter(([name]) => CALLS[name]))('%s.%s is found and called', async (name, spec_name) => {
    const [instance, { [spec_name]: args }] = CALLS[name];
    const method = (instance as Record<string, (...all: unknown[]) => unknown>)[spec_name];
    expect(typeof method).toBe('function');
    if (!args) return;
    const answer: unknown = await (async () => method.apply(instance, [...args]))().catch((error) => error);
    // One check says so where it cannot tell.
    if (answer instanceof Error) expect(spec_name).toBe('check_preprocessing_leakage');
    else expect(answer === undefined).toBe(['refuse', 'dispose', 'on_cv_start', 'teardown'].includes(spec_name));
  });

  it.each(ofRoot.map((each) => [each.name, each] as const))(
    '%s is a class of its names, and takes its options',
    (name, row) => {
      if (!/^import \{/.test(row.import)) return;
      expect(typeof exported.get(name)).toBe('function');
      for (const alias of row.aliases ?? []) expect(exported.get(alias)).toBe(exported.get(name));
      if (isError(row)) return;
      const make = exported.get(name) as (options: object) => unknown;
      for (const { spec_name } of row.constructor.params) {
        // Null is left out, or refused for its value: the name is known.
        expect(messageOf(() => make({ [spec_name]: null }))).not.toMatch(/has no option/);
      }
      expect(messageOf(() => make({ no_such_option: 1 }))).toMatch(/has no option/);
    },
  );

  it('has the functions of its data sets', async () => {
    const rows = schema.datasets.filter(isOfRoot);
    expect(rows.length).toBeGreaterThan(0);
    for (const { name } of rows) {
      const load = exported.get(snakeCase(name)) as (options: object) => unknown;
      await expect((async () => load({ no_such_option: 1 }))()).rejects.toThrow('has no option `no_such_option`');
    }
    const data = await snake.load_cancer_imaging();
    expect([data.X.length, data.feature_names.length]).toEqual([569, 30]);
  });
});

function messageOf(call: () => unknown): string {
  try {
    call();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
