/** Every `spec_name` of `api-schema.json` that comes from `cvkit`, found and called in `cvkit/snake`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';
import * as snake from '../../src/snake/index.js';

interface Method {
  readonly spec_name: string;
  readonly params: readonly { readonly spec_name: string }[];
}
interface Class {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly import: string;
  readonly constructor: { readonly params: readonly { readonly name: string; readonly spec_name: string }[] };
  readonly methods: readonly Method[];
}
interface Schema {
  readonly classes: readonly Class[];
  readonly splitters: Readonly<
    Record<
      string,
      readonly {
        readonly name: string;
        readonly aliases?: readonly string[];
        readonly params: readonly { readonly spec_name: string; readonly required?: true }[];
      }[]
    >
  >;
  readonly datasets: readonly { readonly name: string; readonly import: string }[];
}

const schema: Schema = JSON.parse(readFileSync(new URL('../../api-schema.json', import.meta.url), 'utf8'));
const exported = new Map(Object.entries(snake as Record<string, unknown>));
const ofRoot = schema.classes.filter((each) => / from 'cvkit'$/.test(each.import));
const isError = ({ name }: { readonly name: string }) => /Error$/.test(name);

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
const results = await runner.run({ model, data: [X, y], metrics: ['accuracy'], refit: true });
const tuned = await runner.run_with_hyperparameter_tuning(() => model(), { C: [1, 2] }, [X, y], 'accuracy', 2);
const report = await snake.DataLeakageChecker().check(X, y);
const result = await validator.validate({ ...quiet, X, y });
const clinical = snake.ClinicalMetrics();
const listen = ['fold:start', () => undefined];
const context = results.folds[0].ctx;

/** An instance of each class of the root, and arguments for each of its methods. */
const CALLS: Readonly<
  Record<string, { readonly made: unknown; readonly args: Readonly<Record<string, readonly unknown[] | null>> }>
> = {
  CVKitValidator: {
    made: validator,
    args: {
      validate: [{ ...quiet, X, y }],
      fit_validate: [{ ...quiet, X_train: train, y_train: y.slice(0, 40), X_test: test, y_test: y.slice(40) }],
    },
  },
  UniversalCVRunner: {
    made: runner,
    args: {
      run: [model, [X, y]],
      run_with_hyperparameter_tuning: [{ model_fn: model, param_grid: { C: [1] }, data: [X, y], n_trials: 1 }],
      on: listen,
      add_listener: listen,
      once: listen,
    },
  },
  ValidationResult: {
    made: result,
    args: {
      clinical: [{ prevalence: 0.2 }],
      summary: [{ details: true }],
      to_markdown: [],
      to_html: [],
      to_json: [{ ids: 'raw' }],
    },
  },
  CVResults: { made: results, args: { summary: [], to_json: [] } },
  BalanceChecker: {
    made: snake.BalanceChecker(0.1),
    args: {
      check_class_balance: [y, groups],
      check_cv_balance: [X, y, snake.KFold(2), groups],
      check_feature_distribution: [X, ['a', 'b']],
      generate_report: [],
    },
  },
  DataLeakageChecker: {
    made: snake.DataLeakageChecker(false),
    args: {
      check: [X, y, groups, y.map((_, at) => at), null, 3, 1],
      check_cv_splits: [train, test, y.slice(0, 40), y.slice(40), groups.slice(0, 40), groups.slice(40)],
      comprehensive_check: [X, y, groups, null, null, 0.9],
      check_feature_target_leakage: [X, y, 0.9],
      check_preprocessing_leakage: [
        X,
        X,
        [
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
          [10, 11, 12, 13],
        ],
      ],
      check_preprocessing: [
        X,
        X,
        [
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
          [10, 11, 12, 13],
        ],
      ],
      check_near_duplicates: [train, test, 0.999],
      check_hierarchical_leakage: [groups.slice(0, 40), groups.slice(40), y.slice(0, 40), y.slice(40)],
      // What `validate` hands to its checker: see test/checkers.
      assess: null,
    },
  },
  LeakageReport: {
    made: report,
    args: { summary: [], refuse: [], to_json: [], to_rows: [{ all: true }], to_sarif: [{ first_line: 3 }] },
  },
  ClinicalMetrics: {
    made: clinical,
    args: { calculate_all: [y, y, proba], format_report: [clinical.calculate_all(y, y, proba), { patients: 'eyes' }] },
  },
  EarlyStopping: { made: snake.EarlyStopping({ monitor: 'loss' }), args: { for_fold: [context] } },
  LeakageDetectionCallback: { made: snake.LeakageDetectionCallback(), args: { on_cv_start: null } },
  LearningRateScheduler: {
    made: snake.LearningRateScheduler({ schedule: (_: number, rate: number) => rate }),
    args: { for_fold: [context] },
  },
  ModelCheckpoint: {
    made: snake.ModelCheckpoint({ path: 'models/{fold}' }),
    args: { on_cv_start: [{ epochs: 1 }], for_fold: [context] },
  },
  ClassDistributionLogger: {
    made: snake.ClassDistributionLogger({ verbose: false }),
    args: { on_cv_start: null, on_fold_start: null },
  },
  RegulatoryComplianceLogger: {
    made: snake.RegulatoryComplianceLogger(),
    args: {
      to_json_lines: [],
      on_cv_start: null,
      on_trial_end: null,
      on_fold_start: null,
      on_fold_end: null,
      on_cv_end: null,
      teardown: null,
    },
  },
  ProgressLogger: {
    made: snake.ProgressLogger(),
    args: {
      on_trial_end: null,
      on_cv_start: null,
      on_fold_start: null,
      on_epoch_end: null,
      on_inner_fit: null,
      on_fold_end: null,
      teardown: [],
    },
  },
  ReduceLROnPlateau: { made: snake.ReduceLROnPlateau({ monitor: 'loss' }), args: { for_fold: [context] } },
  RefittedModel: {
    made: results.refitted,
    args: { predict: [X], predict_proba: [X], describe: [], save: null, dispose: [] },
  },
  TuningResults: { made: tuned, args: { summary: [], to_json: [] } },
};
/** A model of the inside of a run, which no caller holds. */
const INSIDE = ['PreparedModel'];

describe('api-schema.json', () => {
  it('has no class that is not tried here', () => {
    const names = ofRoot.filter((each) => !isError(each)).map(({ name }) => name);
    const later = names.filter((name) => !CALLS[name] && !INSIDE.includes(name));
    expect(later, 'Add an instance and arguments to CALLS').toEqual([]);
  });

  const methods = ofRoot.flatMap(({ name, methods: all }) =>
    all.map((method) => [`${name}.${method.spec_name}`, name, method] as const),
  );
  it.each(methods.filter(([, name]) => CALLS[name]))('%s is found and called', async (_, name, { spec_name }) => {
    const { made, args } = CALLS[name];
    const method = (made as Record<string, unknown>)[spec_name];
    expect(typeof method).toBe('function');
    expect(Object.keys(args)).toContain(spec_name);
    const given = args[spec_name];
    if (given === null) return;
    const answer: unknown = await Promise.resolve()
      .then(() => (method as (...all: unknown[]) => unknown).apply(made, [...given]))
      .catch((error) => error);
    // Two checks say so where they cannot tell.
    if (answer instanceof Error)
      expect([spec_name, (answer as { code?: string }).code]).toEqual([
        'check_preprocessing_leakage',
        expect.any(String),
      ]);
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
        const message = messageOf(() => make({ [spec_name]: null }));
        expect([spec_name, /has no option/.test(message)]).toEqual([spec_name, false]);
      }
      expect(messageOf(() => make({ no_such_option: 1 }))).toMatch(/has no option/);
    },
  );

  it.each(
    Object.values(schema.splitters)
      .flat()
      .map((each) => [each.name, each] as const),
  )('%s splits', (name, { aliases = [], params }) => {
    for (const alias of aliases) expect(exported.get(alias)).toBe(exported.get(name));
    const make = exported.get(name) as (options: object) => snake.KFold;
    const required: Record<string, unknown> = {
      p: 1,
      n_groups: 1,
      window_size: 20,
      level: 'site',
    };
    const given = params.filter((each) => each.required).map(({ spec_name }) => [spec_name, required[spec_name]]);
    const small: Record<string, object> = {
      BootstrapValidation: { n_iterations: 2 },
      CombinatorialPurgedCV: { n_splits: 3 },
      NestedTemporalCV: { outer_cv: snake.TimeSeriesSplit(2), inner_cv: snake.TimeSeriesSplit(2) },
      KNNDM: { prediction_points: y.map((_, at) => [at, at]) },
      PredefinedSplit: { test_fold: y },
    };
    const multilabel = name.startsWith('Multilabel') ? y.map((each, at) => [each, at % 3 === 0 ? 1 : 0]) : y;
    const side = {
      groups,
      timestamps: y.map((_, at) => new Date(2024, 0, 1 + at * 9)),
      coordinates: y.map((_, at) => [at % 8, Math.floor(at / 8)]),
      hierarchy: { site: y.map((_, at) => at % 10), patient: groups },
      environment: { heat: y.map((_, at) => at) },
    };
    const splitter = make({ ...Object.fromEntries(given), ...small[name] });
    const folds = [...splitter.split(X, multilabel, SIDE[name] ? pick(side, SIDE[name]) : {})];
    expect(folds.length).toBeGreaterThan(0);
    for (const [first, second] of folds) expect(first.length * second.length).toBeGreaterThan(0);
  });

  it('has the functions of its data sets', async () => {
    const rows = schema.datasets.filter((each) => / from 'cvkit'$/.test(each.import));
    expect(rows.length).toBeGreaterThan(0);
    for (const { name } of rows) {
      const load = exported.get(snakeCase(name)) as (options: object) => unknown;
      expect(typeof load).toBe('function');
      expect(await rejection(() => load({ no_such_option: 1 }))).toMatch(/has no option `no_such_option`/);
    }
    const data = await snake.load_cancer_imaging();
    expect([data.X.length, data.feature_names.length]).toEqual([569, 30]);
  });
});

/** What each splitter needs besides rows and labels. */
const SIDE: Readonly<Record<string, readonly string[]>> = {
  GroupKFold: ['groups'],
  StratifiedGroupKFold: ['groups'],
  LeaveOneGroupOut: ['groups'],
  LeavePGroupsOut: ['groups'],
  RepeatedGroupKFold: ['groups'],
  NestedGroupedCV: ['groups'],
  HierarchicalGroupKFold: ['groups'],
  MultilevelCV: ['hierarchy'],
  BlockedTimeSeries: ['timestamps'],
  PurgedGroupTimeSeriesSplit: ['groups', 'timestamps'],
  SpatialBlockCV: ['coordinates'],
  BufferedSpatialCV: ['coordinates'],
  SpatiotemporalBlockCV: ['coordinates', 'timestamps'],
  EnvironmentalHealthCV: ['coordinates', 'timestamps'],
  ClusterKFold: ['environment'],
  KNNDM: ['coordinates'],
  MultilabelStratifiedGroupKFold: ['groups'],
};

const pick = (object: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, object[name]]));

function messageOf(call: () => unknown): string {
  try {
    call();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const rejection = (call: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(call)
    .then(
      () => '',
      (error: Error) => error.message,
    );
