import type { CheckResult } from '../checkers/check.js';
import { type FoldJudge, judgeFolds } from '../checkers/judgeFolds.js';
import type { Task } from '../core/labels.js';
import { type OptionsOf, type Parsed, refuseIdle } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { defaultMetrics } from '../metrics/registry.js';
import type { CVCallback } from '../runner/callback.js';
import { oneOfTwo, readData } from '../runner/readData.js';
import { type DataRecord, runnerOptions, runOptions } from '../runner/runOptions.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import type { Splitter } from '../splitters/splitter.js';
import { checkMethodNames, confidenceIntervals } from './confidenceIntervals.js';
import { givenTestSet } from './givenTestSet.js';
import { defaultMethod, refuseIdleShaping, splitterOf } from './methods.js';
import { ValidationResult } from './validationResult.js';
import {
  type FitValidateOptions,
  fitValidateOptions,
  type ValidateOptions,
  type ValidatorOptions,
  validateOptions,
  validatorOptions,
} from './validatorOptions.js';

type Settings = OptionsOf<typeof validatorOptions>;

/** What both entries hand on after reading their options. */
interface Plan {
  readonly data: DataRecord;
  readonly task: Task;
  readonly splitter: Splitter;
  readonly method: string;
  readonly methodReason: string | null;
  readonly overridden: readonly string[];
  readonly leakageChecker: FoldJudge | undefined;
  readonly randomState: number | string;
}

type AnyParsed = Parsed<typeof validateOptions.shape> | Parsed<typeof fitValidateOptions.shape>;

const TEST_SET_GIVEN = 'fitValidate is given its test set';

/**
 * Validates a model and says what the numbers mean: folds, checks on those very folds, scores, intervals, a report.
 *
 * @example
 * const result = await new CVKitValidator({ nSplits: 5 }).validate({ model, X, y, patientIds });
 * console.log(result.summary());
 */
export class CVKitValidator {
  readonly #options: Settings;
  readonly #written: ReadonlySet<string>;

  constructor(input: ValidatorOptions = {}) {
    const { options, written } = validatorOptions.parse(input);
    this.#options = options;
    this.#written = written;
    if (!options.returnConfidenceIntervals) {
      for (const name of ['ciLevel', 'ciMethod', 'nBootstrap'] as const) {
        if (written.has(name)) refuseIdle('CVKitValidator', name, '`returnConfidenceIntervals` is false');
      }
    }
    // An unknown method, or an option that it cannot use, fails here rather than after the data are read.
    if (written.has('method')) splitterOf(options.method, options, written);
  }

  /** Cross-validates `model` on `X` and `y`. Takes every option of the runner and of `run` as well. */
  async validate(input: ValidateOptions): Promise<ValidationResult> {
    const parsed = validateOptions.parse(input);
    const { X, y, timestamps, labelEndTimes, coordinates, hierarchy, environment, sampleWeight } = parsed.options;
    const { cv, leakageChecker, task, positiveLabel } = parsed.options;
    const groups = oneOfTwo(parsed.options.groups, parsed.options.patientIds, '`groups` and `patientIds`');
    const beside = { timestamps, labelEndTimes, coordinates, hierarchy, environment, sampleWeight };
    const data: DataRecord = { X, y, groups, ...beside };
    const problem = readData(data, { task, positiveLabel });
    const named = this.#written.has('method');
    const repeated = problem.nGroups !== null && problem.nGroups < problem.X.length;
    const chosen = named || cv ? { method: this.#options.method, why: null } : defaultMethod(problem.y.task, repeated);
    if (cv) refuseIdleShaping(this.#written, new Set(), '`cv` makes the folds');
    const seeds = this.#seeds(parsed);
    return this.#run(parsed, {
      // The views, so that the run does not read and check the rows a second time.
      data: { ...data, X: problem.X, y: problem.y },
      task: problem.y.task,
      splitter: cv ?? splitterOf(chosen.method, { ...this.#options, randomState: seeds.folds }, this.#written),
      method: cv ? 'cv' : chosen.method,
      methodReason: chosen.why,
      overridden: cv && named ? ['`method` by `cv`'] : [],
      leakageChecker,
      randomState: seeds.training,
    });
  }

  /** Trains on one set and tests on another, once. The interval speaks of this one model's predictions. */
  async fitValidate(input: FitValidateOptions): Promise<ValidationResult> {
    if (this.#written.has('method')) refuseIdle('CVKitValidator', 'method', TEST_SET_GIVEN);
    refuseIdleShaping(this.#written, new Set(), TEST_SET_GIVEN);
    const parsed = fitValidateOptions.parse(input);
    const { data, splitter, task } = givenTestSet(parsed.options);
    return this.#run(parsed, {
      data,
      task,
      splitter,
      method: 'given test set',
      methodReason: null,
      overridden: [],
      leakageChecker: parsed.options.leakageChecker,
      randomState: this.#seeds(parsed).training,
    });
  }

  /** Seeds of the folds and of training. A fresh one is drawn once, so that the recorded seed gives both again. */
  #seeds({ options, written }: AnyParsed): { folds: number | string; training: number | string } {
    const folds = this.#options.randomState ?? freshSeed();
    return { folds, training: written.has('randomState') ? (options.randomState ?? freshSeed()) : folds };
  }

  async #run({ options, written }: AnyParsed, plan: Plan): Promise<ValidationResult> {
    const settings = this.#options;
    const { randomState, leakageChecker } = plan;
    if (leakageChecker && !settings.checkLeakage) {
      refuseIdle('validate', 'leakageChecker', '`checkLeakage` is false');
    }
    const metrics = options.metrics ?? settings.metrics;
    checkMethodNames(
      settings.ciMethod,
      options.scoring ? Object.keys(options.scoring) : (metrics ?? defaultMetrics(plan.task)),
    );
    const checks: CheckResult[] = [];
    const { checkLeakage: leakage, checkBalance: balance } = settings;
    const gate: CVCallback = {
      name: 'checks',
      onCvStart: async (run) =>
        void checks.push(...(await judgeFolds(run, { leakage, balance, judge: leakageChecker }))),
    };
    const runner = new UniversalCVRunner({
      cvSplitter: plan.splitter,
      ...only(options, written, passedOn(runnerOptions.shape)),
      randomState,
    });
    const cv = await runner.run({
      ...only(options, written, passedOn(runOptions.shape)),
      model: options.model,
      data: plan.data,
      ...(metrics ? { metrics } : {}),
      ...(plan.method === 'given test set' ? { task: plan.task } : {}),
      callbacks: [gate, ...options.callbacks],
    });
    const { ciMethod, ciLevel, nBootstrap } = settings;
    return new ValidationResult({
      cv,
      checks,
      confidenceIntervals: settings.returnConfidenceIntervals
        ? confidenceIntervals(cv, plan.data.groups, { ciMethod, ciLevel, nBootstrap, randomState })
        : {},
      manifest: {
        ...cv.metadata,
        method: plan.method,
        methodReason: plan.methodReason,
        ciMethod,
        ciLevel,
        nBootstrap,
        overridden: [
          ...plan.overridden,
          ...cv.metadata.overridden,
          ...(written.has('metrics') && this.#written.has('metrics')
            ? ["the constructor's `metrics` by the call's"]
            : []),
        ],
      },
    });
  }
}

/** Options that the validator reads itself; all others of the runner and of `run` pass through. */
const OWN: readonly string[] = [
  'cvSplitter',
  'randomState',
  'model',
  'data',
  'groups',
  'sampleWeight',
  'metrics',
  'callbacks',
  'folds',
];
const passedOn = <S extends object>(shape: S) => Object.keys(shape).filter((name) => !OWN.includes(name));

/** The options that the caller wrote, so that what he did not write keeps the runner's own default. */
function only(options: object, written: ReadonlySet<string>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => written.has(name)).map((name) => [name, (options as Record<string, unknown>)[name]]),
  );
}
