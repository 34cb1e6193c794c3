/** What the types of cvkit/snake let a caller write. The compiler (`npm run types`) judges; nothing is run. */
import { describe, expectTypeOf, it } from 'vitest';
import type * as cvkit from '../../src/index.js';
import * as snake from '../../src/snake/index.js';

declare const X: number[][];
declare const y: number[];
declare const model: { fit(X: number[][], y: number[]): void; predict(X: number[][]): number[] };

/** Checked, never called. */
const checked = (_: () => unknown) => undefined;

describe('types of cvkit/snake', () => {
  it('of results: fields in snake_case, and no others', () => {
    checked(async () => {
      const report = await snake.DataLeakageChecker().check(X, y);
      expectTypeOf(report.has_leakage).toEqualTypeOf<boolean>();
      expectTypeOf(report.leakage_types).toEqualTypeOf<readonly string[]>();
      expectTypeOf(report.to_json()).toEqualTypeOf<Record<string, unknown>>();
      expectTypeOf(report.checks[0].status).toEqualTypeOf<cvkit.CheckStatus>();
      // @ts-expect-error the name of cvkit
      report.hasLeakage;
    });
    checked((report: cvkit.LeakageReport = undefined as never) => {
      expectTypeOf(report.hasLeakage).toEqualTypeOf<boolean>();
      // @ts-expect-error the name of cvkit/snake
      report.has_leakage;
    });
    checked(async () => {
      const result = await snake.CVKitValidator({ method: 'kfold', n_splits: 5 }).validate({ model, X, y });
      expectTypeOf(result).toEqualTypeOf<snake.ValidationResult>();
      expectTypeOf(result.mean_scores).toEqualTypeOf<Readonly<Record<string, number | null>>>();
      expectTypeOf(result.confidence_intervals.roc_auc.n_units).toExtend<number | null>();
      expectTypeOf(result.out_of_fold.y_true).not.toBeAny();
      expectTypeOf(result.leakage_report?.folds.n_folds).toEqualTypeOf<number | undefined>();
      expectTypeOf(result.to_html()).toEqualTypeOf<Promise<string>>();
      expectTypeOf(result.clinical({ prevalence: 0.1, rows: 'eyes' }).roc_auc.lower).toEqualTypeOf<number | null>();
      // @ts-expect-error unknown option
      result.clinical({ prevalences: 0.1 });
      const { y_true, y_pred, y_proba, weight, group } = result.out_of_fold;
      const clinical = snake.ClinicalMetrics();
      clinical.calculate_all(y_true, y_pred, { y_proba, sample_weight: weight, groups: group });
      clinical.calculate_all(y_true, y_pred, y_proba, weight);
      // @ts-expect-error the two columns are needed
      clinical.calculate_all(y_true);
      // @ts-expect-error dates are no labels
      clinical.calculate_all([new Date()], y_pred);
    });
    checked(() => {
      const metrics = snake.ClinicalMetrics({ confidence_level: 0.9 }).calculate_all(y, y, { y_proba: y });
      expectTypeOf(metrics.lr_positive.estimate).toEqualTypeOf<number | null>();
      // @ts-expect-error the name of cvkit
      metrics.lrPositive;
      expectTypeOf(snake.ClinicalMetrics().format_report(metrics, { patients: 'eyes' })).toEqualTypeOf<string>();
    });
    expectTypeOf(snake.load_cancer_imaging).returns.resolves.toHaveProperty('feature_names');
  });

  it('of options: each by its name, with its type', () => {
    checked(() => [
      snake.KFold({ n_splits: 5, shuffle: true, random_state: null }),
      snake.KFold(),
      new snake.KFold({ n_splits: 5 }),
      snake.RollingWindowCV({ window_size: 20, step_size: 2 }),
      snake.EarlyStopping({ monitor: 'val_loss', min_delta: 0.1 }),
    ]);
    // @ts-expect-error text is no number of folds
    checked(() => snake.KFold({ n_splits: '5' }));
    // @ts-expect-error unknown option
    checked(() => snake.KFold({ n_split: 5 }));
    // @ts-expect-error the name of cvkit
    checked(() => snake.KFold({ nSplits: 5 }));
    // @ts-expect-error a window has a size
    checked(() => snake.RollingWindowCV({ step_size: 2 }));
    // @ts-expect-error unknown option
    checked(() => snake.CVKitValidator({ methods: 'kfold' }));
    // @ts-expect-error no such method of intervals
    checked(() => snake.CVKitValidator({ ci_method: 'guess' }));
    // @ts-expect-error data are needed
    checked(() => snake.UniversalCVRunner(snake.KFold()).run({ model }));
    // @ts-expect-error a validation is called by name alone
    checked(() => snake.CVKitValidator().validate(model, X, y));
  });

  it('of arguments by place: in the original order', () => {
    checked(async () => {
      snake.KFold(5, true, 42);
      snake.RollingWindowCV(20, 1);
      snake.RollingWindowCV(20, { gap: 1 });
      snake.ClinicalMetrics(0.95).calculate_all(y, y, y, y);
      snake.BalanceChecker(0.1).check_class_balance(y, y);
      await snake.BalanceChecker().check_cv_balance(X, y, snake.KFold(), y);
      await snake.DataLeakageChecker(false).check(X, y, y, null, null, 5, 42);
      const results = await snake.UniversalCVRunner(snake.KFold()).run(model, [X, y], 3, 'adam');
      expectTypeOf(results).toEqualTypeOf<snake.CVResults>();
      for (const [train, test] of snake.KFold().split(X, y, y)) expectTypeOf(train).toEqualTypeOf(test);
      for (const { id, test } of snake.KFold().split(X, y, { groups: y }))
        expectTypeOf<[typeof id, typeof test]>().toEqualTypeOf<[string, Int32Array]>();
    });
    // @ts-expect-error the second is `shuffle`
    checked(() => snake.KFold(5, 42));
    // @ts-expect-error there are three
    checked(() => snake.KFold(5, true, 42, 1));
    // @ts-expect-error the size is needed
    checked(() => snake.RollingWindowCV(undefined, 1));
    // @ts-expect-error the fourth is `n_splits`
    checked(() => snake.DataLeakageChecker().check(X, y, y, null, null, 'five'));
  });

  it('of options by name after any of those by place', () => {
    checked(async () => {
      snake.KFold(3, { shuffle: true });
      new snake.KFold(3, true, { random_state: 1 });
      snake.CVKitValidator('kfold', 5, 42, { check_leakage: false });
      snake.ClinicalMetrics(0.9, { prevalence: 0.1 }).calculate_all(y, y, y, { sample_weight: y });
      snake.BalanceChecker().check_class_balance(y, y, { positive_label: 1 });
      await snake.BalanceChecker().check_cv_balance(X, y, snake.KFold(), y, { timestamps: y });
      const checker = snake.DataLeakageChecker();
      await checker.check(X, y, y, { timestamps: y });
      await checker.check(X, y, y, y, null, 5, 42, { spatial_threshold: 1 });
      await checker.comprehensive_check(X, y, y, { timestamps: y });
      await checker.check_cv_splits(X, X, y, y, { patient_ids_train: y, patient_ids_test: y });
      const runner = snake.UniversalCVRunner(snake.KFold(), { verbose: 0 });
      await runner.run(model, [X, y], 3, { batch_size: 8 });
    });
    // @ts-expect-error unknown option
    checked(() => snake.KFold(3, { shuffled: true }));
    // @ts-expect-error unknown option beside a known one
    checked(() => snake.KFold(3, { shuffle: true, randomstate: 1 }));
    // @ts-expect-error the name of cvkit
    checked(() => snake.KFold(3, true, { randomState: 1 }));
    // @ts-expect-error text is no seed of a shuffle
    checked(() => snake.KFold(3, { shuffle: 'yes' }));
    // @ts-expect-error nothing stands after the options
    checked(() => snake.KFold(3, { shuffle: true }, 42));
    // @ts-expect-error given by place already
    checked(() => snake.KFold(3, { n_splits: 4 }));
    // @ts-expect-error unknown option
    checked(() => snake.DataLeakageChecker().check(X, y, y, { timestamp: y }));
    // @ts-expect-error not in the place of data, which may be an object
    checked(() => snake.UniversalCVRunner(snake.KFold()).run(model, { epochs: 3 }));
  });

  it('of callbacks, factories and events: contexts in snake_case', () => {
    checked(() => {
      const runner = snake.UniversalCVRunner({ cv_splitter: snake.GroupKFold(), verbose: 0 });
      runner.on('fold:end', (ctx, result) => {
        expectTypeOf(ctx.n_train).toEqualTypeOf<number>();
        expectTypeOf(result.status).toEqualTypeOf<'completed' | 'failed'>();
      });
      runner.on('check:start', (check) => expectTypeOf(check.n_checks).toEqualTypeOf<number>());
      return runner.run({
        model: (ctx: snake.FoldContext) => ({ ...model, shape: ctx.input_shape }),
        data: { X, y, feature_names: ['a'] },
        callbacks: [
          snake.EarlyStopping({ monitor: 'val_loss' }),
          {
            on_epoch_end(ctx, logs) {
              expectTypeOf(ctx.n_splits).toEqualTypeOf<number>();
              expectTypeOf(logs).toEqualTypeOf<Readonly<Record<string, number>>>();
            },
            on_check_start(check) {
              expectTypeOf(check).toEqualTypeOf<snake.CheckStart>();
              expectTypeOf(check.n_checks).toEqualTypeOf<number>();
            },
            on_cv_end(results) {
              expectTypeOf(results.mean_scores).toEqualTypeOf<snake.CVResults['mean_scores']>();
            },
          },
        ],
      });
    });
    checked(() =>
      snake.UniversalCVRunner({ cv_splitter: snake.KFold() }).run_with_hyperparameter_tuning({
        model_fn: (params: { C: number }, ctx) => ({ ...model, params, shape: ctx.input_shape }),
        param_grid: { C: [1, 2] },
        data: [X, y],
      }),
    );
  });

  it('of what callers write for cvkit: its own interfaces', () => {
    expectTypeOf<snake.FrameworkAdapter>().toEqualTypeOf<cvkit.FrameworkAdapter>();
    expectTypeOf<snake.Metric>().toEqualTypeOf<cvkit.Metric>();
    checked((own: cvkit.Splitter = undefined as never) => snake.CVKitValidator({ cv: own }));
    checked(() => snake.CVKitValidator({ cv: snake.KFold() }));
  });
});
