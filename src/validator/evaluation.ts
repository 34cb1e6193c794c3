/** What `evaluate` does: given predictions as the folds of a run, and the result of a validation made from them. */

import { runtime } from '#io';
import { allBalanceChecks, allLeakageChecks } from '../checkers/builtInChecks.js';
import { assessClasses, rareClass } from '../checkers/CVB001-class-balance/assessClasses.js';
import { balanceOf } from '../checkers/CVB001-class-balance/balanceOf.js';
import { balanceCheckerOptions } from '../checkers/CVB001-class-balance/balanceOptions.js';
import { followsAdvice } from '../checkers/CVB001-class-balance/classBalance.js';
import { type CheckResult, factsOf, notApplicable, notEvaluated, passed, runChecks } from '../checkers/check.js';
import { checkInput } from '../checkers/checkInput.js';
import { type Declared, NOTHING_DECLARED } from '../checkers/checkOptions.js';
import { LeakageReport } from '../checkers/leakageReport.js';
import { acknowledgedIn } from '../checkers/raiseOn.js';
import { withoutZeroWeight } from '../checkers/withoutZeroWeight.js';
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { type OptionsOf, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { VERSION } from '../core/version.js';
import { classText, gather, type Label, type Labels, labelsOf, listed, printable, rowNumbers } from '../data/labels.js';
import { labelValues } from '../data/labelValues.js';
import { positiveCode } from '../data/positiveCode.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { checkLength, checkSideData, groupsOf, patientIdsOf, patientsOf, type SideData } from '../data/sideData.js';
import { checkMethodNames, methodsOf, rejectUnusedResamples } from '../intervals/confidenceIntervals.js';
import { checkOrder } from '../metrics/columnOrder.js';
import { type Metric, score } from '../metrics/metric.js';
import { defaultMetrics, metricsFor, withoutPatients } from '../metrics/metricsFor.js';
import { checkedProbabilities, type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import { CVResults } from '../runner/cvResults.js';
import { NO_HISTORY } from '../runner/fixedModel.js';
import { completedFold, keptOf } from '../runner/foldResult.js';
import { foldContext } from '../runner/foldRows.js';
import { sameOrThrow } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { metricScorer } from '../runner/scoring.js';
import { foldId } from '../splitters/assignment.js';
import { countingFolds, derivedPlan } from '../splitters/derivedPlan.js';
import { type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import { PredefinedSplit } from '../splitters/iid/predefinedSplit.js';
import { iterableFold } from '../splitters/splitter.js';
import { assembleResult } from './assemble.js';
import { baselineScores } from './baseline.js';
import { type EvaluateOptions, evaluateOptions } from './evaluateOptions.js';
import type { RequestedGuidelines } from './evidenceOptions.js';
import { NO_CI_FITS } from './furtherRuns.js';
import type { Parts, ValidationResult } from './validationResult.js';
import { validatorOptions } from './validatorOptions.js';

export async function evaluation(input: EvaluateOptions): Promise<ValidationResult> {
  const { options, changed } = evaluateOptions.parse(input);
  if (!options.returnConfidenceIntervals) {
    for (const name of ['ciMethod', 'ciLevel', 'nBootstrap', 'sampling', 'randomState'] as const) {
      if (changed.has(name)) rejectUnusedOption('evaluate', name, '`returnConfidenceIntervals` is false');
    }
  }
  const { model, X } = options;
  if (model) {
    const { evaluateModel } = await import('./savedModel.js');
    return evaluateModel({ ...options, model }, changed);
  }
  if (X !== undefined || options.featureNames) {
    rejectUnusedOption('evaluate', X === undefined ? 'featureNames' : 'X', 'no `model` was given');
  }
  return evaluated(options, changed);
}

/** What the predictions come from, where a saved model made them. */
export interface PredictedBy {
  readonly owner: 'evaluate' | 'fitValidate';
  readonly method: string;
  readonly compliance: RequestedGuidelines['compliance'];
  readonly metadata: Partial<RunMetadata>;
  readonly declared: Declared;
  /** Checks that were made; the others are not evaluated, why, and what to do. */
  readonly checks: readonly CheckResult[];
  readonly why: string;
  readonly fix: string;
}

/** The result of predictions, and of what made them. */
export async function evaluated(
  options: EvaluateInput,
  changed: ReadonlySet<string>,
  by: PredictedBy = OF_CALLER,
): Promise<ValidationResult> {
  const { ciMethod, ciLevel, nBootstrap, sampling, metrics, returnConfidenceIntervals } = options;
  const { owner, declared, compliance, metadata, method } = by;
  const startedAt = new Date();
  const began = performance.now();
  const randomState = options.randomState ?? freshSeed();
  const predictions = evaluatedPredictions(options, owner === 'fitValidate' ? 'yTest' : 'yTrue');
  const { task, shape } = predictions.table;
  const named = metricsFor(withoutPatients(metrics ?? defaultMetrics(task, shape !== undefined)), task);
  checkMethod(ciMethod, options.fold !== undefined);
  const names = named.map(({ name }) => name);
  checkMethodNames(ciMethod, names);
  if (returnConfidenceIntervals) rejectUnusedResamples(owner, changed, methodsOf(ciMethod, names));
  const plan = foldsIn(options, predictions);
  const nameOf = pseudonyms();
  const cv = asRun(predictions, { plan, metrics: named, randomState, startedAt, nameOf, metadata });
  const { y, data, table } = predictions;
  const assessed = await assess(predictions, {
    plan: countingFolds(plan, table.weight),
    randomState,
    nameOf,
    revealIds: options.revealIds,
    scores: names,
    by,
  });
  return assembleResult({
    cv,
    side: { ...data, sampleWeight: table.weight },
    settings: { ciMethod, ciLevel, nBootstrap, randomState, sampling, fitted: method !== GIVEN },
    withIntervals: returnConfidenceIntervals,
    guidelines: { compliance, checklists: options.checklists },
    assessed: { ...assessed.parts, baseline: options.fold ? baselineScores(cv, { y, weight: table.weight }) : null },
    owner: by.owner,
    manifest: {
      seconds: (performance.now() - began) / 1000,
      method,
      methodReason: null,
      advice: null,
      nestedCvRepeats: validatorOptions.shape.nestedCvRepeats.defaultValue as number,
      ciFits: 0,
      ...NO_CI_FITS,
      ciRefits: null,
      ...declared,
      warnings: [...cv.metadata.warnings, ...assessed.unused],
      overridden: [],
    },
  });
}

function checkMethod(ciMethod: OptionsOf<typeof evaluateOptions>['ciMethod'], hasFolds: boolean): void {
  for (const method of typeof ciMethod === 'string' ? [ciMethod] : Object.values(ciMethod)) {
    const noFolds = method === 'corrected_t' && !hasFolds;
    const lacks = method === 'nested_cv' ? 'the model' : noFolds && 'the `fold` of each row';
    if (!lacks) continue;
    const must = `be a method that needs nothing but predictions, since '${method}' needs ${lacks}`;
    const subject = 'The `ciMethod` option of evaluate';
    throw new InvalidOptionError(sentence(subject, must, method), { code: 'interval_method' });
  }
}

interface Run {
  readonly plan: FoldPlan;
  readonly metrics: readonly Metric[];
  readonly randomState: number | string;
  readonly startedAt: Date;
  readonly nameOf: (id: Label) => string;
  readonly metadata: Partial<RunMetadata>;
}

/** The outcome of a fold whose predictions were given: nothing was trained, and it took no time. */
const UNTRAINED = {
  history: { epochs: [] },
  stoppedEarly: false,
  keptEpoch: null,
  decisions: [],
  adjustment: null,
  labels: { looked: 0, own: false },
  about: { name: null, idle: null },
  left: null,
  seconds: 0,
  secondsOf: { inner: 0, preprocess: 0, fit: 0, predict: 0 },
  innerFits: 0,
};

function asRun(
  { y, table, data }: EvaluatedPredictions,
  { plan, metrics, randomState, startedAt, nameOf, metadata }: Run,
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
      positiveLabel: positive < 0 ? null : printable(classes)[positive],
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
      ...metadata,
    },
    origin: null,
    nameOf,
  });
}

async function assess(
  { y, data, table: { weight } }: EvaluatedPredictions,
  run: Pick<Run, 'plan' | 'randomState' | 'nameOf'> & {
    readonly revealIds: boolean;
    readonly scores: readonly string[];
    readonly by: PredictedBy;
  },
): Promise<{ parts: Pick<Parts, 'checks' | 'leakageReport' | 'balance'>; unused: readonly string[] }> {
  const { plan: folds, by, ...about } = run;
  const all = checkInput({ folds, y, data, weight, ...about });
  const input = withoutZeroWeight(all) ?? all;
  const byFold = folds.length > 1;
  const leakage = byFold
    ? (await runChecks(allLeakageChecks(), input)).map(withoutAdvice)
    : allLeakageChecks().map((check) => notEvaluated(check, by.why, by.fix));
  const balance = byFold ? await balanceOf(input, THRESHOLD) : null;
  const found = [
    ...leakage,
    ...(byFold ? await runChecks(allBalanceChecks(), input) : balanceWithoutFolds(y, data, run.scores)),
  ].map((each) => by.checks.find(({ code }) => code === each.code) ?? each);
  const { results: checks, unused } = acknowledgedIn(by.owner, by.declared.acknowledged, found);
  const ofLeakage = checks.filter(({ kind }) => kind !== 'balance');
  const leakageReport = new LeakageReport(ofLeakage, all);
  return { parts: { checks, leakageReport, balance }, unused };
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
const GIVEN = 'given predictions';
const OF_CALLER: PredictedBy = {
  ...{ owner: 'evaluate', method: GIVEN, compliance: null, metadata: {}, declared: NOTHING_DECLARED, checks: [] },
  ...{ why: NO_TRAINING_ROWS, fix: TRAIN },
};

/** CVB001 of rows that no fold divides; registered checks of balance assess folds. */
const balanceWithoutFolds = (
  y: Labels,
  data: EvaluatedPredictions['data'],
  scores: readonly string[],
): CheckResult[] => [
  classesOf(y, data, scores),
  ...allBalanceChecks()
    .slice(1)
    .map((check) => notEvaluated(check, 'There are no folds.', 'Pass `fold`, the fold that tested each row.')),
];

const ONE_CLASS = 'Test rows of another class, too: how the model does with those is not known, and ranks need both.';

function classesOf(y: Labels, { groups }: EvaluatedPredictions['data'], scores: readonly string[]): CheckResult {
  const facts = factsOf(allBalanceChecks()[0]);
  if (y.task === 'regression' || y.shape) return { ...facts, ...notApplicable(`There are no classes (${y.why}).`) };
  const reading = { task: undefined, groups, positiveLabel: undefined };
  const assessed = assessClasses(y, reading, THRESHOLD);
  const { status, message, recommendations, counts: found, imbalanceRatio, minorityClass } = assessed;
  const names = printable(y.classes);
  const all = y.classes.map((label, code): [string, number] => [String(names[code]), found[String(label)]]);
  const counts = Object.fromEntries(all.filter(([, rows]) => rows !== undefined));
  const rare = rareClass(y, y.classes.indexOf(minorityClass as Label));
  if (status === 'needs_review' && followsAdvice(rare, scores)) {
    return { ...facts, ...passed(message, { counts, imbalanceRatio }) };
  }
  return {
    ...facts,
    status: status === 'failed' ? 'needs_review' : status,
    severity: status === 'passed' ? 'none' : 'low',
    message,
    evidence: { counts, imbalanceRatio },
    fix: status === 'failed' ? ONE_CLASS : (recommendations[0] ?? ''),
  };
}

/** The folds that the caller names: each is tested by a model that all other rows of its repeat trained. */
function foldsIn({ fold, repeat }: EvaluateInput, { y, data }: EvaluatedPredictions): FoldPlan {
  if (!fold && repeat) rejectUnusedOption('evaluate', 'repeat', '`fold` is left out');
  if (!fold) return oneTestSet(y.length);
  const { codes } = groupsOf(fold, y.length, 'fold', 'yTrue');
  const repeats = repeat && groupsOf(repeat, y.length, 'repeat', 'yTrue');
  if (!repeats || repeats.count === 1) {
    distinctFolds(codes);
    return foldsOf(new PredefinedSplit({ testFold: codes }), y.length, y);
  }
  if (!patientIdsOf(data)) {
    const way = 'Where each row is its own patient, its row number is the id.';
    const must = 'be given `patientIds` with `repeat`, since every repeat predicts the same rows again';
    throw new InvalidDataError(sentence('evaluate', must, phrase('none'), way), { code: 'missing_groups' });
  }
  const folds = repeats.ids.flatMap((_, number) => {
    const rows = rowNumbers(y.length).filter((row) => repeats.codes[row] === number);
    return distinctFolds(gather(codes, rows), ' in each repeat').map((code, at) => ({
      id: foldId(at, number),
      repeat: number,
      train: rows.filter((row) => codes[row] !== code),
      test: rows.filter((row) => codes[row] === code),
    }));
  });
  return foldsOf(new PredefinedSplit({ folds }), y.length, y);
}

function distinctFolds(codes: Int32Array, where = ''): number[] {
  const folds = [...new Set(codes)].sort((a, b) => a - b);
  if (folds.length > 1) return folds;
  const got = phrase('one value in every row');
  const way = 'Leave it out for one test set.';
  const must = `name two folds or more${where}`;
  throw new InvalidOptionError(sentence('The `fold` option of evaluate', must, got, way));
}

/** One fold that tests every row, by a model of whose training nothing is known. */
function oneTestSet(n: number): FoldPlan {
  const fold = iterableFold({
    id: 'all',
    index: 0,
    repeat: 0,
    number: 0,
    train: new Int32Array(0),
    test: rowNumbers(n),
  });
  const facts = { n, splitterName: GIVEN, design: GIVEN, claims: {}, ids: [fold.id], repeats: 1, warnings: [] };
  return derivedPlan(facts as unknown as FoldPlan, { hashed: true, at: () => fold });
}

export type EvaluateInput = OptionsOf<typeof evaluateOptions>;

interface EvaluatedPredictions {
  readonly y: Labels;
  readonly table: ScoreTable;
  /** Patients and levels above them. */
  readonly data: SideData;
}

/** Throws {@link InvalidDataError} for lengths that differ, NaN, labels that are no classes, and what is no probability. */
function evaluatedPredictions(input: EvaluateInput, name: string): EvaluatedPredictions {
  const { yTrue, yPred, classes, task, positiveLabel, sampleWeight } = input;
  const y = labelsOf(yTrue, { task, name });
  if (y.task === 'survival')
    throw new InvalidDataError(
      'Predictions of outcomes by time are scored by survivalScores of cvkit/stats, not by evaluate.',
    );
  const known = classes && y.codes.length > 0 ? checkedClasses(classes, y) : undefined;
  if (classes && !known) rejectUnusedOption('evaluate', 'classes', `the task is ${y.task}`);
  const predicted = yPred === undefined ? undefined : labelsOf(yPred, { task: taskOfLabels(y), name: 'yPred' });
  const proba = input.yProba === undefined ? undefined : columnsOf(input.yProba, y.length);
  const all = known ?? (y.task === 'multiclass' ? y.classes : undefined);
  const table = scoreTable({
    yTrue: y as unknown as ScoreTableInput['yTrue'],
    ...(y.task === 'binary' && !(known && known.length > 2) ? { task: 'binary' } : {}),
    ...(predicted ? { yPred: predicted as unknown as NonNullable<ScoreTableInput['yPred']> } : {}),
    ...(proba ? { yProba: inOrder(proba, { y, known, positiveLabel }) } : {}),
    ...(all ? { classes: all } : {}),
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
    ...(sampleWeight ? { sampleWeight } : {}),
  });
  if (!known && predicted && proba && y.codes.length > 0) checkOrder(table, proba.width === 1);
  return { y, table, data: sideDataOf(input, y.length) };
}

const taskOfLabels = ({ task }: Labels) => (task === 'binary' || task === 'multiclass' ? 'classification' : task);

function checkedClasses(order: ArrayLike<Label>, y: Labels): readonly Label[] {
  const classes = Array.from(order);
  const twice = classes.findIndex((each, at) => classes.indexOf(each) !== at);
  if (twice >= 0) {
    const got = phrase(`${classText(classes, twice)} twice`);
    throw new InvalidDataError(sentence('classes', 'be all different', got));
  }
  const missing = y.classes.find((each) => !classes.includes(each));
  if (missing === undefined) return classes;
  const must = `hold every class of yTrue (${listed(y.classes)})`;
  throw new InvalidDataError(sentence('classes', must, phrase(`${listed(classes)}`)), { code: 'unknown_class' });
}

function sideDataOf({ groups, patientIds, hierarchy }: EvaluateInput, n: number): SideData {
  const ids = sameOrThrow(groups, patientIds, '`groups` and `patientIds`');
  if (ids) checkLength(ids, n, groups ? 'groups' : 'patientIds', 'yTrue');
  for (const [level, each] of Object.entries(hierarchy ?? {})) checkLength(each, n, `hierarchy.${level}`, 'yTrue');
  const data: SideData = { ...(ids ? { groups: ids } : {}), ...(hierarchy ? { hierarchy } : {}) };
  checkSideData(data, n);
  const patients = patientIdsOf(data);
  return patients ? { ...data, groups: patients } : data;
}

interface Columns {
  readonly values: ArrayLike<number>;
  readonly width: number;
}

function columnsOf(yProba: unknown, n: number): Columns {
  const { values, shape } = labelValues(yProba, 'yProba');
  const width = shape.reduce((columns, size) => columns * size, 1);
  if (values.length === n * width) return { values: values as ArrayLike<number>, width };
  const got = phrase(String(values.length / width));
  throw new InvalidDataError(sentence('yProba', `have ${n} rows, as yTrue has`, got), { code: 'length_mismatch' });
}

interface Expected {
  readonly y: Labels;
  readonly known: readonly Label[] | undefined;
  readonly positiveLabel: Label | undefined;
}

/** The columns as a score table has them: P(positive) of a binary task, else one per class in ascending order. */
function inOrder({ values, width }: Columns, { y, known, positiveLabel }: Expected) {
  const { task, length: n } = y;
  const rows = (columns: readonly number[]): ScoreTableInput['yProba'] =>
    Array.from({ length: n }, (_, row) => columns.map((column) => values[row * width + column]));
  const everyColumn = Array.from({ length: width }, (_, column) => column);
  if (y.codes.length === 0 || (task === 'binary' && width === 1)) {
    return width === 1 ? (values as ArrayLike<number>) : rows(everyColumn);
  }
  const order = known ?? y.classes;
  if (width !== order.length) {
    const must = `have one column of P(positive)${task === 'binary' ? '' : ' for two classes'}, or one for each class (${listed(order)})`;
    const way = known ? undefined : 'Name all in `classes`.';
    throw new InvalidDataError(sentence('yProba', must, phrase(`${width} columns`), way), { code: 'column_mismatch' });
  }
  checkedProbabilities(values, width, 'yProba', InvalidDataError, true);
  const ascending = [...order].sort((a, b) => (a < b ? -1 : 1));
  if (order.length > 2) return rows(ascending.map((each) => order.indexOf(each)));
  const column = order.indexOf(ascending[positiveCode(ascending, positiveLabel)]);
  return Array.from({ length: n }, (_, row) => values[row * width + column]);
}
