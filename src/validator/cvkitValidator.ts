import type { CheckResult } from '../checkers/check.js';
import { judgeFolds } from '../checkers/judgeFolds.js';
import { joinRows } from '../core/joinRows.js';
import { labelsOf, type Task } from '../core/labels.js';
import { type OptionsOf, type Parsed, refuseIdle } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { rowsOf } from '../core/rows.js';
import { defaultMetrics } from '../metrics/registry.js';
import type { CVCallback } from '../runner/callback.js';
import { oneOfTwo, readData } from '../runner/readData.js';
import type { DataRecord, RunOptions } from '../runner/runOptions.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import type { Splitter } from '../splitters/splitter.js';
import { checkMethodNames, confidenceIntervals } from './confidenceIntervals.js';
import { givenTestSet } from './givenTestSet.js';
import { defaultMethod, splitterOf } from './methods.js';
import { ValidationResult } from './validationResult.js';
import {
  type FitValidateOptions,
  type FoldJudge,
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
}

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
    const { n, nGroups, labels } = this.#look(data, { task, positiveLabel });
    const chosen = this.#written.has('method')
      ? { method: this.#options.method, why: null }
      : cv
        ? { method: 'cv', why: null }
        : defaultMethod(labels.task, nGroups !== null && nGroups < n);
    return this.#run(parsed, {
      data,
      task: labels.task,
      splitter: cv ?? splitterOf(chosen.method, this.#options, this.#written),
      method: cv ? 'cv' : chosen.method,
      methodReason: cv ? null : chosen.why,
      overridden: cv && this.#written.has('method') ? ['`method` by `cv`'] : [],
      leakageChecker,
    });
  }

  /** Trains on one set and tests on another, once. The interval speaks of this one model's predictions. */
  async fitValidate(input: FitValidateOptions): Promise<ValidationResult> {
    for (const name of ['method', 'nSplits', 'shuffle']) {
      if (this.#written.has(name)) refuseIdle('CVKitValidator', name, 'fitValidate is given its test set');
    }
    const parsed = fitValidateOptions.parse(input);
    const o = parsed.options;
    const train = rowsOf(o.XTrain, 'XTrain');
    const test = rowsOf(o.XTest, 'XTest');
    const yTrain = labelsOf(o.yTrain, { task: o.task, name: 'yTrain' });
    const yTest = labelsOf(o.yTest, { task: yTrain.task === 'binary' ? 'classification' : yTrain.task, name: 'yTest' });
    const pair = givenTestSet(
      {
        X: train,
        y: yTrain,
        groups: oneOfTwo(o.groups, o.patientIds, '`groups` and `patientIds`'),
        weight: o.sampleWeight,
      },
      {
        X: test,
        y: yTest,
        groups: oneOfTwo(o.testGroups, o.testPatientIds, '`testGroups` and `testPatientIds`'),
        weight: o.sampleWeightTest,
      },
    );
    return this.#run(parsed, {
      data: { ...pair.data, X: joinRows(train, test) },
      task: yTrain.task,
      splitter: pair.splitter,
      method: 'given test set',
      methodReason: null,
      overridden: [],
      leakageChecker: o.leakageChecker,
    });
  }

  #look(data: DataRecord, beside: Pick<RunOptions, 'task' | 'positiveLabel'>) {
    const { X, y, nGroups } = readData(data, beside);
    return { n: X.length, nGroups, labels: y };
  }

  async #run(
    parsed: Parsed<typeof validateOptions.shape> | Parsed<typeof fitValidateOptions.shape>,
    plan: Plan,
  ): Promise<ValidationResult> {
    const settings = this.#options;
    const { options, written } = parsed;
    const randomState = options.randomState ?? settings.randomState ?? freshSeed();
    const metrics = options.metrics ?? settings.metrics;
    checkMethodNames(
      settings.ciMethod,
      options.scoring ? Object.keys(options.scoring) : (metrics ?? defaultMetrics(plan.task)),
    );
    const checks: CheckResult[] = [];
    const gate: CVCallback = {
      name: 'checks',
      onCvStart: async (run) => {
        const judged = await plan.leakageChecker?.judge(run);
        const leakage = settings.checkLeakage && judged === undefined;
        checks.push(...(judged ?? []), ...(await judgeFolds(run, { leakage, balance: settings.checkBalance })));
      },
    };
    const runner = new UniversalCVRunner({
      cvSplitter: plan.splitter,
      ...only(options, written, ['framework', 'adapter', 'adapterOptions', 'verbose', 'executor']),
      randomState,
    });
    const cv = await runner.run({
      ...only(options, written, RUN_OPTIONS),
      model: options.model,
      data: plan.data,
      metrics,
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

const RUN_OPTIONS = [
  'epochs',
  'batchSize',
  'optimizer',
  'lossFn',
  'scoring',
  'validation',
  'signal',
  'task',
  'positiveLabel',
  'classWeight',
  'keepModels',
  'onFoldError',
] as const;

/** The options that the caller wrote, so that what he did not write keeps the runner's own default. */
function only<T extends object>(
  options: T,
  written: ReadonlySet<string>,
  names: readonly (keyof T & string)[],
): Partial<T> {
  return Object.fromEntries(
    names.filter((name) => written.has(name)).map((name) => [name, options[name]]),
  ) as Partial<T>;
}
