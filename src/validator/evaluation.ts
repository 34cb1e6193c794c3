/** What `evaluate` does: given predictions as the folds of a run, and the result of a validation made from them. */

import { runtime } from '#io';
import { runChecks } from '../checkers/assessFolds.js';
import { allBalanceChecks, allLeakageChecks } from '../checkers/builtInChecks.js';
import { assessClasses, followsAdvice } from '../checkers/CVB001-class-balance/assessClasses.js';
import { balanceOf, type CvBalance } from '../checkers/CVB001-class-balance/balanceOf.js';
import { balanceCheckerOptions } from '../checkers/CVB001-class-balance/balanceOptions.js';
import { type CheckResult, factsOf, notApplicable, notEvaluated, passed } from '../checkers/check.js';
import { checkInput } from '../checkers/checkInput.js';
import { NOTHING_DECLARED } from '../checkers/checkOptions.js';
import { LeakageReport } from '../checkers/leakageReport.js';
import { InvalidOptionError, sentence } from '../core/errors.js';
import { type OptionsOf, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { VERSION } from '../core/version.js';
import { type Label, type Labels, printable } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { patientsOf } from '../data/sideData.js';
import {
  aboutEstimates,
  checkMethodNames,
  confidenceIntervals,
  methodsOf,
  rejectUnusedResamples,
} from '../intervals/confidenceIntervals.js';
import { intervalFolds } from '../intervals/intervalFolds.js';
import { type Metric, score } from '../metrics/metric.js';
import { defaultMetrics, metricsFor } from '../metrics/registry.js';
import { takeRows } from '../metrics/tableRows.js';
import { CVResults } from '../runner/cvResults.js';
import { NO_HISTORY } from '../runner/fixedModel.js';
import { completedFold, keptOf } from '../runner/foldResult.js';
import { foldContext } from '../runner/foldRows.js';
import { metricScorer } from '../runner/scoring.js';
import { countingFolds } from '../splitters/countingFolds.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { askedEvidence } from './askedEvidence.js';
import { baselineScores } from './baseline.js';
import { NO_CI_FITS } from './ciFits.js';
import { type EvaluateOptions, evaluateOptions } from './evaluateOptions.js';
import { furtherIntervals } from './furtherIntervals.js';
import { foldsIn, GIVEN, oneTestSet } from './givenFolds.js';
import { type GivenPredictions, givenPredictions } from './givenPredictions.js';
import { ValidationResult } from './validationResult.js';
import { validatorOptions } from './validatorOptions.js';

/** See {@link evaluate}. */
export async function evaluation(input: EvaluateOptions): Promise<ValidationResult> {
  const { options, changed } = evaluateOptions.parse(input);
  const { ciMethod, ciLevel, nBootstrap, sampling, metrics, returnConfidenceIntervals } = options;
  if (!returnConfidenceIntervals) {
    for (const name of ['ciMethod', 'ciLevel', 'nBootstrap', 'sampling', 'randomState'] as const) {
      if (changed.has(name)) rejectUnusedOption('evaluate', name, '`returnConfidenceIntervals` is false');
    }
  }
  const startedAt = new Date();
  const began = performance.now();
  const randomState = options.randomState ?? freshSeed();
  const given = givenPredictions(options);
  const { task, shape } = given.table;
  const named = metricsFor(metrics ?? defaultMetrics(task, shape !== undefined), task);
  checkMethod(ciMethod, options.fold !== undefined);
  const names = named.map(({ name }) => name);
  checkMethodNames(ciMethod, names);
  if (returnConfidenceIntervals) rejectUnusedResamples('evaluate', changed, methodsOf(ciMethod, names));
  const plan = options.fold ? foldsIn(options.fold, given.y) : oneTestSet(given.y.length);
  const nameOf = pseudonyms();
  const cv = asRun(given, { plan, metrics: named, randomState, startedAt, nameOf });
  const folds = intervalFolds(cv, { ...given.data, sampleWeight: given.table.weight });
  const settings = { ciMethod, ciLevel, nBootstrap, randomState, sampling };
  const intervals = returnConfidenceIntervals ? confidenceIntervals(cv, folds, settings) : {};
  const { warnings, ...about } = aboutEstimates(cv, folds, intervals);
  const assessed = await assess(given, {
    plan: countingFolds(plan, given.table.weight),
    randomState,
    nameOf,
    revealIds: options.revealIds,
    scores: names,
  });
  const { asked, evidenceOf } = await askedEvidence({ compliance: null, checklists: options.checklists });
  return new ValidationResult({
    cv,
    ...assessed,
    evidenceOf,
    ...about,
    baseline: options.fold ? baselineScores(cv, { y: given.y, weight: given.table.weight }) : null,
    bootstrapEstimates: null,
    confidenceIntervals: intervals,
    intervalsOf: furtherIntervals(cv, folds, settings),
    manifest: {
      ...cv.metadata,
      seconds: (performance.now() - began) / 1000,
      method: GIVEN,
      methodReason: null,
      advice: null,
      ciMethod,
      ciLevel,
      nBootstrap,
      nestedCvRepeats: validatorOptions.shape.nestedCvRepeats.defaultValue as number,
      ciFits: 0,
      ...NO_CI_FITS,
      ciRefits: null,
      sampling,
      intervals: {},
      ...NOTHING_DECLARED,
      ...asked,
      warnings,
    },
  });
}

/** Methods that need the model, or the training sets. */
function checkMethod(ciMethod: OptionsOf<typeof evaluateOptions>['ciMethod'], hasFolds: boolean): void {
  for (const method of typeof ciMethod === 'string' ? [ciMethod] : Object.values(ciMethod)) {
    const noFolds = method === 'corrected_t' && !hasFolds;
    const lacks = method === 'nested_cv' ? 'the model' : noFolds && 'the `fold` of each row';
    if (!lacks) continue;
    const must = `be a method that needs nothing but predictions, since '${method}' needs ${lacks}`;
    throw new InvalidOptionError(sentence('The `ciMethod` option of evaluate', must, method), {
      code: 'interval_method',
    });
  }
}

interface Run {
  readonly plan: FoldPlan;
  readonly metrics: readonly Metric[];
  readonly randomState: number | string;
  readonly startedAt: Date;
  readonly nameOf: (id: Label) => string;
}

/** The outcome of a fold whose predictions were given: nothing was trained, and it took no time. */
const UNTRAINED = {
  history: { epochs: [] },
  stoppedEarly: false,
  keptEpoch: null,
  decisions: [],
  adjustment: null,
  labels: { looked: 0, own: false },
  left: null,
  seconds: 0,
  secondsOf: { inner: 0, preprocess: 0, fit: 0, predict: 0 },
  innerFits: 0,
};

/** The predictions as the results of a run that made them. */
function asRun(
  { y, table, data }: GivenPredictions,
  { plan, metrics, randomState, startedAt, nameOf }: Run,
): CVResults {
  const results = Array.from(plan, (fold) => {
    const tested = takeRows(table, fold.test);
    const ctx = foldContext({ plan, X: { rowShape: undefined }, y, randomState }, fold);
    const scores = Object.fromEntries(metrics.map((metric) => [metric.name, score(metric, tested)]));
    return completedFold(
      { ...UNTRAINED, ctx, table: tested },
      { fold: keptOf(fold), scores, nFitted: fold.train.length },
    );
  });
  const { task, classes, positive } = table;
  return new CVResults({
    results,
    plan,
    scorers: metrics.map((metric) => metricScorer(metric.name, metric)),
    groups: data.groups,
    metadata: {
      cvkit: VERSION,
      runtime,
      options: {},
      network: null,
      metrics: {},
      outcome: [],
      startedAt: startedAt.toISOString(),
      seconds: 0,
      splitter: plan.splitterName,
      design: plan.design,
      nSplits: plan.length,
      foldsRun: plan.length,
      foldsFailed: 0,
      modelsTrained: 0,
      repeats: plan.repeats,
      foldFingerprint: plan.fingerprint,
      sha256: null,
      foldIds: plan.ids,
      n: plan.n,
      nGroups: patientsOf(data, plan.n)?.count ?? null,
      dataset: null,
      task,
      taskReason: y.why,
      classes: y.shape ? [] : printable(classes),
      positiveLabel: positive < 0 ? null : classes[positive],
      adapter: GIVEN,
      model: null,
      ...NO_HISTORY,
      engine: {},
      randomState,
      rowShape: null,
      preprocessing: null,
      training: null,
      epochs: null,
      batchSize: null,
      labels: null,
      adjustment: null,
      verifiedFolds: null,
      stopped: false,
      notRecomputable: [],
      overridden: [],
      warnings: [],
    },
    origin: null,
    nameOf,
  });
}

interface Assessed {
  readonly checks: readonly CheckResult[];
  readonly leakageReport: LeakageReport;
  readonly balance: CvBalance | null;
}

/** The checks that need no rows, on the folds that were named; without folds the balance of the classes alone. */
async function assess(
  { y, data, table: { weight } }: GivenPredictions,
  asked: Pick<Run, 'plan' | 'randomState' | 'nameOf'> & {
    readonly revealIds: boolean;
    readonly scores: readonly string[];
  },
): Promise<Assessed> {
  const { plan: folds, ...told } = asked;
  const input = checkInput({ folds, y, data, weight, ...told });
  const byFold = folds.length > 1;
  const leakage = byFold
    ? (await runChecks(allLeakageChecks(), input)).map(withoutAdvice)
    : allLeakageChecks().map((check) => notEvaluated(check, NO_TRAINING_ROWS, TRAIN));
  const balance = byFold ? await balanceOf(input, THRESHOLD) : null;
  const checks = [
    ...leakage,
    ...(byFold ? await runChecks(allBalanceChecks(), input) : balanceWithoutFolds(y, data, asked.scores)),
  ];
  return { checks, leakageReport: new LeakageReport(leakage, input), balance };
}

/** What `validate` asks for, `evaluate` does not take. */
const withoutAdvice = (result: CheckResult): CheckResult =>
  result.status === 'not_evaluated' && !result.notDetectable
    ? { ...result, message: NO_TRAINING_ROWS, fix: TRAIN }
    : result;

const THRESHOLD = balanceCheckerOptions.shape.threshold.defaultValue as number;
const NO_TRAINING_ROWS =
  'Predictions alone do not tell what the model was trained on. `validate`, which trains it, makes this check.';
const TRAIN = 'Use `validate`, which trains the model in each fold.';

/** CVB001 of rows that no fold divides; registered checks of balance assess folds. */
const balanceWithoutFolds = (y: Labels, data: GivenPredictions['data'], scores: readonly string[]): CheckResult[] => [
  classesOf(y, data, scores),
  ...allBalanceChecks()
    .slice(1)
    .map((check) => notEvaluated(check, 'There are no folds.', 'Pass `fold`, the fold that tested each row.')),
];

function classesOf(y: Labels, { groups }: GivenPredictions['data'], scores: readonly string[]): CheckResult {
  const facts = factsOf(allBalanceChecks()[0]);
  if (y.task === 'regression' || y.shape) return { ...facts, ...notApplicable(`yTrue has no classes (${y.why}).`) };
  const asked = { task: undefined, groups, positiveLabel: undefined };
  const { status, message, recommendations, counts: found, imbalanceRatio } = assessClasses(y, asked, THRESHOLD);
  const names = printable(y.classes);
  const all = y.classes.map((label, code): [string, number] => [String(names[code]), found[String(label)]]);
  const counts = Object.fromEntries(all.filter(([, rows]) => rows !== undefined));
  if (status === 'needs_review' && followsAdvice(scores)) {
    return { ...facts, ...passed(message, { counts, imbalanceRatio }) };
  }
  return {
    ...facts,
    status: status === 'failed' ? 'needs_review' : status,
    severity: status === 'passed' ? 'none' : 'low',
    message,
    evidence: { counts, imbalanceRatio },
    fix: recommendations[0] ?? '',
  };
}
