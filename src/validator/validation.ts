/** One validation from checked options to result: what `CVKitValidator` loads when it is asked for one. */

import { assessRun, type FoldChecker } from '../checkers/assessRun.js';
import { checkDeclared } from '../checkers/checkDeclared.js';
import { checkShape, type Declared, declaredShape } from '../checkers/checkOptions.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { orAborted } from '../core/timeLimit.js';
import { hasKeptModelShape } from '../data/modelShapes.js';
import { checkMethodNames, methodsOf } from '../intervals/confidenceIntervals.js';
import { sideOf } from '../intervals/intervalFolds.js';
import type { CVResults } from '../runner/cvResults.js';
import { type DataRecord, dataOptions } from '../runner/dataOptions.js';
import type { DryRun } from '../runner/dryRun.js';
import { runCall, runFolds, withoutTraining, withRun } from '../runner/loop.js';
import type { ModelSource } from '../runner/modelSource.js';
import { outcomeOptions } from '../runner/outcomeOptions.js';
import { runContext } from '../runner/prepare.js';
import { type Problem, readData, sameOrThrow, withData } from '../runner/readData.js';
import { withResult } from '../runner/runDirectory.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { type RunCall, readRunOptions } from '../runner/runOptions.js';
import { scorersOf } from '../runner/scoring.js';
import { readAsImplied } from '../runner/session.js';
import { isSplitter, type Splitter, seeded } from '../splitters/splitter.js';
import { assembleResult } from './assemble.js';
import { baselineScores } from './baseline.js';
import { bootstrapEstimates, estimateValues, estimatorOf, neededBy } from './bootstrapEstimates.js';
import { defaultMethod } from './designTable.js';
import { differsFromAdvice, settledWarnings } from './differsFromAdvice.js';
import { NO_CI_FITS, planFurtherRuns } from './furtherRuns.js';
import { testSetProblem } from './givenTestSet.js';
import { CV_GIVEN, rejectUnusedShaping, splitterOf } from './methods.js';
import { testModel } from './savedModel.js';
import { type FitValidateOptions, fitValidateOptions, type ValidateInput, validateOptions } from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import type { validatorOptions } from './validatorOptions.js';

type Validator = Parsed<typeof validatorOptions.shape>;
type Validate = Parsed<typeof validateOptions.shape>;
type FitValidate = Parsed<typeof fitValidateOptions.shape>;

interface Plan {
  readonly call: 'validate' | 'fitValidate';
  readonly problem: Problem;
  /** What models are built from, where the model was asked for its task. */
  readonly source: ModelSource | undefined;
  readonly splitter: Splitter;
  readonly trainRows?: number;
  readonly method: string;
  readonly methodReason: string | null;
  readonly overridden: readonly string[];
  readonly leakageChecker: FoldChecker | undefined;
  readonly randomState: number | string;
  /** What the caller wrote, for the manifest, with the seeds that were drawn. */
  readonly written: RunCall['written'];
}

const TEST_SET_GIVEN = 'fitValidate is given its test set';

export async function validate(validator: Validator, input: ValidateInput): Promise<ValidationResult | DryRun> {
  const call = validateOptions.parse(await withData(input, true));
  const groups = sameOrThrow(call.options.groups, call.options.patientIds, '`groups` and `patientIds`');
  const data = { ...only(call.options, call.written, Object.keys(dataOptions.shape)), groups } as DataRecord;
  const { leakageChecker, task } = call.options;
  const { problem, source } = await readAsImplied(call.options, (reading) => ({
    problem: readData(data, { task, ...outcomeOf(call), ...reading }),
  }));
  const named = validator.written.has('method');
  const repeated = problem.nGroups !== null && problem.nGroups < problem.X.length;
  const masks = problem.y.shape !== undefined;
  const cv = call.options.cv ?? validator.options.cv;
  const own = isSplitter(cv);
  const chosen =
    named || own ? { method: validator.options.method, why: null } : defaultMethod(problem.y.task, repeated, masks);
  const changed = new Set(cv === undefined ? validator.changed : [...validator.changed, 'cv']);
  if (own) rejectUnusedShaping(changed, new Set(['cv']), CV_GIVEN);
  const seeds = seedsOf(validator, call);
  const options = { ...validator.options, randomState: seeds.folds, cv };
  return runAndAssess(validator, call, {
    call: 'validate',
    problem,
    source,
    splitter: seeded(own ? cv : splitterOf(chosen.method, { ...validator, options, changed }), seeds.folds),
    method: own ? 'cv' : chosen.method,
    methodReason: chosen.why,
    overridden: [
      ...(call.written.has('cv') && validator.written.has('cv') ? ["the constructor's `cv` by the call's"] : []),
      ...(own && named ? ['`method` by `cv`'] : []),
      ...(!own && cv !== undefined && changed.has('nSplits') && cv !== validator.options.nSplits
        ? ['`nSplits` by `cv`']
        : []),
    ],
    leakageChecker,
    randomState: seeds.training,
    written: [{ ...validator, options }, call],
  });
}

export async function fitValidate(validator: Validator, input: FitValidateOptions): Promise<ValidationResult> {
  const call = fitValidateOptions.parse(input);
  if (validator.changed.has('method')) rejectUnusedOption('CVKitValidator', 'method', TEST_SET_GIVEN);
  rejectUnusedShaping(validator.changed, new Set(), TEST_SET_GIVEN);
  const seeds = seedsOf(validator, call);
  if (hasKeptModelShape(call.options.model)) {
    return testModel(validator, call, { ...declaredBy(validator, call), randomState: seeds.training });
  }
  const { leakageChecker } = call.options;
  const { source, ...sets } = await readAsImplied(call.options, (reading) => {
    const { data, unnamed, ...rest } = testSetProblem(call.options, reading);
    return {
      ...rest,
      problem: readData(data, { ...outcomeOf(call), unnamed }),
    };
  });
  const result = await runAndAssess(validator, call, {
    call: 'fitValidate',
    ...sets,
    source,
    method: 'given test set',
    methodReason: null,
    overridden: [],
    leakageChecker,
    randomState: seeds.training,
    written: [{ ...validator, options: { ...validator.options, randomState: seeds.folds } }, call],
  });
  return result as ValidationResult;
}

/** Seeds of the folds and of training. A fresh one is drawn once, so that the recorded seed gives both again. */
function seedsOf(
  validator: Validator,
  { options, written }: Validate | FitValidate,
): { folds: number | string; training: number | string } {
  const folds = validator.options.randomState ?? freshSeed();
  return { folds, training: written.has('randomState') ? (options.randomState ?? freshSeed()) : folds };
}

function declaredBy(validator: Validator, { options, written }: Pick<Validate | FitValidate, 'options' | 'written'>) {
  const names = Object.keys(declaredShape) as (keyof Declared)[];
  const inCall = names.filter((name) => (written as ReadonlySet<string>).has(name));
  const declared = Object.fromEntries(
    names.map((name) => [name, (inCall.includes(name) ? options : validator.options)[name]]),
  ) as unknown as Declared;
  const both = inCall.filter((name) => validator.written.has(name));
  return { declared, overridden: both.map((name) => `the constructor's \`${name}\` by the call's`) };
}

/** Resolves what is to be run, checks the folds, runs them and what intervals need besides, and assembles what is known. */
async function runAndAssess(
  validator: Validator,
  call: Validate | FitValidate,
  plan: Plan,
): Promise<ValidationResult | DryRun> {
  const startedAt = performance.now();
  const { settings, options, estimator, declared, ...resolved } = resolve(validator, call, plan);
  const { problem, splitter, leakageChecker } = plan;
  const { further, needed } = resolved;
  const estimatesOf = estimator && ((refit: CVResults) => estimateValues(bootstrapEstimates(refit, estimator)));
  const found = await withRun(resolved.run, problem, async (prepared, session) => {
    further?.check(prepared);
    if (prepared.call.run.options.dryRun) {
      return withoutTraining(prepared, session, further?.expected({ prepared, session }));
    }
    const found: string[] = [];
    const context = runContext(prepared, session.adapter, (sentence) => void found.push(sentence));
    const assessed = await orAborted(prepared.call.run.options.signal, () => assessRun(context, resolved.checks));
    for (const { code, type, status, message } of assessed.checks) {
      if (status === 'failed') found.push(`${code} ${type}: ${message}`);
    }
    const refuse = () => resolved.raiseOn && assessed.report.refuse(resolved.raiseOn);
    const cv = await runFolds(prepared, session, { found, checks: assessed.checks, refuse });
    return { assessed, cv, furtherRuns: await further?.make({ cv, prepared, session, needed, estimatesOf }) };
  });
  if (!('assessed' in found)) return found;
  const { assessed, cv, furtherRuns } = found;
  const { checks, balance, report: leakageReport } = assessed;
  const run = { splitter, plan: cv.plan, design: options.design, checks };
  const advice = plan.call === 'validate' ? differsFromAdvice(problem, run) : null;
  const settled = settledWarnings(problem, run, advice);
  const { nestedCvRepeats, ciFits, ciRefits } = settings;
  const result = await assembleResult({
    cv,
    side: sideOf(problem),
    settings: { ...resolved.intervalSettings, ...furtherRuns },
    withIntervals: settings.returnConfidenceIntervals,
    estimator,
    guidelines: settings,
    assessed: { checks, balance, leakageReport, baseline: baselineScores(cv, problem) },
    rows: { X: problem.X, y: problem.y, features: assessed.features },
    owner: plan.call,
    unchecked: resolved.checks.leakage === false,
    manifest: {
      seconds: (performance.now() - startedAt) / 1000,
      method: plan.method,
      methodReason: plan.methodReason,
      advice: advice?.text ?? null,
      nestedCvRepeats,
      ciFits,
      ...(furtherRuns?.facts ?? NO_CI_FITS),
      ciRefits,
      ...declared,
      warnings: [
        ...cv.metadata.warnings.filter((warning) => !settled.includes(warning)),
        ...(furtherRuns?.unused ?? []),
      ],
      overridden: [
        ...plan.overridden,
        ...(leakageChecker ? ['the built-in leakage checks by `leakageChecker`'] : []),
        ...cv.metadata.overridden,
        ...resolved.overridden,
      ],
    },
  });
  return withResult(resolved.run.run.options, result);
}

function resolve(validator: Validator, { options, written, changed }: Validate | FitValidate, plan: Plan) {
  const settings = validator.options;
  const { randomState, problem, splitter } = plan;
  // The advice goes by the design, too.
  const used = ['acknowledged', ...(plan.call === 'validate' ? ['design'] : [])];
  const idle = ['leakageChecker', 'raiseOn', ...Object.keys(checkShape)].find(
    (name) => (changed as ReadonlySet<string>).has(name) && !used.includes(name),
  );
  if (idle && !settings.checkLeakage) rejectUnusedOption(plan.call, idle, '`checkLeakage` is false');
  const metrics = options.metrics ?? settings.metrics;
  const scores = scorersOf(metrics, options.scoring, problem.y).map(({ name }) => name);
  checkMethodNames(settings.ciMethod, scores);
  const estimator = estimatorOf(splitter);
  if (estimator && validator.changed.has('ciMethod')) {
    rejectUnusedOption('CVKitValidator', 'ciMethod', `the ${estimator} estimate has an interval by \`ciRefits\` alone`);
  }
  const fitted = plan.call === 'fitValidate';
  const intervalCall = { ...validator, methods: methodsOf(settings.ciMethod, scores), splitter, fitted };
  // The fits for the intervals are made where the parts of a run are joined.
  const further =
    settings.returnConfidenceIntervals && !('shard' in options && options.shard !== undefined)
      ? planFurtherRuns(intervalCall, { problem, seed: randomState })
      : undefined;
  const needed = neededBy(estimator);
  const { declared, overridden } = declaredBy(validator, { options, written });
  checkDeclared(plan.call, { ...declared, data: problem.data, folds: { n: problem.X.length } });
  const runner = only(options, written, passedOn(runnerOptions.shape));
  const ofRun = only(options, written, passedOn(readRunOptions.shape));
  const { model, callbacks } = options;
  const run = runCall(
    runnerOptions.parse({ cvSplitter: splitter, ...runner, randomState }),
    readRunOptions.parse({ ...ofRun, model, ...(metrics ? { metrics } : {}), callbacks, ...needed }),
    undefined,
    plan.written,
  );
  const { ciMethod, ciLevel, nBootstrap, sampling } = settings;
  const closedForm = !validator.written.has('nBootstrap');
  const twice = changed.has('metrics') && validator.changed.has('metrics');
  return {
    settings,
    options,
    run: { ...run, source: plan.source },
    estimator,
    further,
    needed,
    declared,
    checks: {
      ...options,
      ...declared,
      owner: plan.call,
      trainRows: plan.trainRows,
      unnamed: problem.unnamed,
      weight: problem.weight,
      scores,
      leakage: settings.checkLeakage !== false,
      balance: settings.checkBalance,
      checker: plan.leakageChecker,
    },
    raiseOn: options.raiseOn ?? (settings.checkLeakage === 'strict' ? [] : undefined),
    intervalSettings: { ciMethod, ciLevel, nBootstrap, closedForm, randomState, sampling, fitted },
    overridden: [...overridden, ...(twice ? ["the constructor's `metrics` by the call's"] : [])],
  };
}

/** Options that the validator reads itself; all others of the runner and of `run` pass through. */
const OWN = ['cvSplitter', 'randomState', 'model', 'data', 'groups', 'sampleWeight', 'metrics', 'callbacks'];
const passedOn = <S extends object>(shape: S) => Object.keys(shape).filter((name) => !OWN.includes(name));

/** The options that the caller wrote; all others keep the default of the runner. */
/** What the caller says of y beside the task. */
const outcomeOf = ({ options, written }: Validate | FitValidate) =>
  only(options, written, ['positiveLabel', ...Object.keys(outcomeOptions)]);

function only(options: object, written: ReadonlySet<string>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => written.has(name)).map((name) => [name, (options as Record<string, unknown>)[name]]),
  );
}
