/** What a run says of how it came about. */
import { runtime } from '#io';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { lowerBound } from '../core/lowerBound.js';
import { sum } from '../core/numbers.js';
import { type Recorded, recordOf } from '../core/recorded.js';
import { VERSION } from '../core/version.js';
import { hashOfPredictions } from '../data/contentHashes.js';
import { rowsPerCode, tally } from '../data/encode.js';
import { eventLabels } from '../data/eventLabels.js';
import { classText, type Label, listed, printable } from '../data/labels.js';
import { isMissingMark } from '../data/missingMarks.js';
import { notedWarnings } from '../data/notedCells.js';
import { groupsOf, patientIdsOf, type SideData } from '../data/sideData.js';
import { isBuiltIn } from '../metrics/metricsFor.js';
import { type FoldPlan, foldsOf, hasInner, innerFoldsOf, nameOf } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { fewFollowed } from '../survival/outcomes.js';
import { adjustmentText, losesOrder } from './adjustment.js';
import type { ModelHistory } from './fixedModel.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import type { ValidationOption } from './foldRows.js';
import { ask, type FrameworkAdapter, type TrainingSettings } from './frameworkAdapter.js';
import { labelsText, lostCutoffs } from './ownLabels.js';
import { type Prepared, preprocessingFacts, rowsFor, watchedRows, watchesInner } from './prepare.js';
import type { FoldRecord, RunMetadata } from './runMetadata.js';
import type { RunCall } from './runOptions.js';
import type { Scorer } from './scoring.js';
import type { Session } from './session.js';

function trainedRowsWarning({ fixedModel, trainedBefore }: ModelHistory): string | undefined {
  if (fixedModel !== null)
    return `The model is the same in every fold (${fixedModel}), and the model may have been trained on these rows: then the scores are too good. Test it on rows that it has never seen.`;
  if (trainedBefore === null) return undefined;
  return `Every fold began with what was there before the run (${trainedBefore}): it may have been trained on these rows, and then the scores are too good. Pass a factory that makes an untrained model, or test on rows that it has never seen.`;
}

interface Facts extends Pick<RunMetadata, 'options' | 'modelsTrained' | 'sha256' | 'verifiedFolds' | 'warnings'> {
  readonly startedAt: Date;
  /** By the clock that is never set back, in milliseconds. */
  readonly began: number;
  readonly history: ModelHistory;
}

export async function metadataOf(
  prepared: Prepared,
  session: Session,
  results: readonly FoldResult[],
  { startedAt, began, ...facts }: Facts,
): Promise<RunMetadata> {
  const { plan, y, positive, scorers, training } = prepared;
  const inEpochs = session.adapter.capabilities.epochs;
  const done = results.filter((result) => result.status === 'completed');
  // Of a data set, a row source and an adapter, which may be anybody's.
  const foreign = [prepared.datasetWarnings, prepared.X.warnings ?? [], session.session.warnings ?? []].flat();
  return {
    cvkit: VERSION,
    runtime,
    options: facts.options,
    network: done[0]?.history.model ?? session.session.about ?? null,
    metrics: await ownMetrics(prepared),
    outcome: prepared.call.isFurther ? [] : await Promise.all(results.map(foldRecord)),
    startedAt: startedAt.toISOString(),
    seconds: (performance.now() - began) / 1000,
    splitter: plan.splitterName,
    design: plan.design,
    nSplits: plan.length,
    foldsRun: results.length,
    foldsFailed: results.filter(({ status }) => status === 'failed').length,
    modelsTrained: facts.modelsTrained,
    repeats: plan.repeats,
    foldFingerprint: plan.fingerprint,
    sha256: facts.sha256,
    foldIds: plan.ids,
    n: plan.n,
    nGroups: prepared.nGroups,
    dataset: prepared.dataset,
    task: y.task,
    taskReason: y.why,
    classes: y.shape || y.timed || y.task === 'regression' ? [] : printable(y.classes),
    positiveLabel: positive < 0 || y.timed ? null : printable(y.classes)[positive],
    ...(y.timed
      ? { times: y.timed.horizons, survivalTimes: y.classes as readonly number[], causeOfInterest: positive }
      : {}),
    ...(y.aggregate ? { aggregate: typeof y.aggregate === 'string' ? y.aggregate : ('function' as const) } : {}),
    ...(y.masks && y.shape
      ? { masks: { shape: y.shape, channels: y.masks.channels, tolerance: y.masks.tolerance } }
      : {}),
    adapter: session.adapter.name,
    model: namesOf(done) ?? ask(session.raw, 'nameOf', session.first) ?? null,
    ...facts.history,
    engine: { ...session.session.info, ...session.session.about },
    randomState: prepared.randomState,
    rowShape: prepared.X.rowShape ?? null,
    preprocessing: preprocessingFacts(prepared),
    epochs: inEpochs ? training.epochs : null,
    batchSize: inEpochs ? training.batchSize : null,
    training: settingsOf(done),
    ...(prepared.call.tuning && !prepared.call.isFurther
      ? { tuned: [...new Set(results.flatMap(({ ctx }) => Object.keys(ctx.params)))] }
      : {}),
    labels: labelsText(done),
    adjustment: adjustmentText(done.flatMap(({ adjustment }) => adjustment ?? [])),
    verifiedFolds: facts.verifiedFolds,
    stopped: results.length < prepared.folds.length,
    notRecomputable: scorers.filter(({ recomputable }) => !recomputable).map(({ name }) => name),
    overridden: overridden(prepared.call),
    warnings: [
      ...plan.warnings,
      ...facts.warnings,
      ...foreign.map((warning) => nameText(warning, 1000)),
      ...[trainedRowsWarning(facts.history) ?? []].flat(),
    ],
  };
}

/** What a fold gave: without its rows, whose predictions are in the out-of-fold table. */
async function foldRecord(result: FoldResult): Promise<FoldRecord> {
  const predictions = result.status === 'completed' ? await hashOfPredictions(result.fold.test, result.table) : null;
  const scores = Object.entries(result.scores).map(([name, { value }]) => [name, value]);
  return { fold: result.ctx.fold, predictions, scores: Object.fromEntries(scores) };
}

async function ownMetrics({ scorers }: Prepared): Promise<Record<string, Recorded>> {
  const own = scorers.flatMap(({ metric }) => (metric && !isBuiltIn(metric) ? [metric] : []));
  return Object.fromEntries(await Promise.all(own.map(async (metric) => [metric.name, await recordOf(metric)])));
}

function settingsOf(done: readonly CompletedFold[]): TrainingSettings | null {
  const all = done.flatMap(({ history }) => history.settings ?? []);
  if (all.length === 0) return null;
  const alike = (name: keyof TrainingSettings) =>
    all.every((each) => each[name] === all[0][name]) ? all[0][name] : `${name} that differs between folds`;
  return { optimizer: alike('optimizer'), lossFn: alike('lossFn') };
}

function namesOf(done: readonly CompletedFold[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { name } of done.map(({ about }) => about)) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[only] = [], ...more] = counts;
  if (more.length === 0) return only;
  return Array.from(counts, ([name, count]) => `${name} in ${counted(count, 'fold')}`).join(', ');
}

function overridden({ runner, run }: RunCall): string[] {
  return [
    ...(runner.changed.has('adapter') && runner.changed.has('framework') ? ['`framework` by `adapter`'] : []),
    ...(run.changed.has('scoring') && run.changed.has('metrics') ? ['`metrics` by `scoring`'] : []),
  ];
}

/** Everything that a run should say about its design and its folds, in words of cvkit alone. */
export function runWarnings(prepared: Prepared, adapter: FrameworkAdapter, results: readonly FoldResult[]): string[] {
  const { call, plan, folds, data, validation, scorers, weight } = prepared;
  const splitter = call.runner.options.cvSplitter;
  const completed = results.filter((result) => result.status === 'completed');
  const warnings = [
    unrepeatable(splitter, prepared),
    ...idleTimes(splitter, data),
    watchesInner(adapter, prepared) ? watchedInnerFold(plan, folds[0]) : undefined,
    randomValidationWarning(splitter, validation),
    partOfRun(prepared),
    unweightedScores(scorers, weight),
    lostCutoffs(completed),
    lostOrder(completed),
    otherShares(prepared, completed),
    ...doubtfulClasses(prepared.y.classes),
    ...absentClasses(prepared, adapter, results),
    equalPredictions(completed),
    fewFollowed(prepared.y.numbers, prepared.y.timed?.horizons ?? []),
    unusedRows(completed),
    ...unfamiliar(completed),
    tensorLeakWarning(results),
  ];
  return warnings.filter((each) => each !== undefined);
}

/** Folds, or inner folds, that the recorded seed does not give again: a splitter of the caller is asked for them a second time. */
function unrepeatable(
  splitter: Splitter,
  { plan, X, y, data, randomState }: Pick<Prepared, 'plan' | 'X' | 'y' | 'data' | 'randomState'>,
): string | undefined {
  const { repeatable } = splitter;
  if (repeatable === true) return undefined;
  const again = repeatable === false ? undefined : drawnAgain(() => foldsOf(splitter, rowsFor(splitter, X), y, data));
  const outerDiffers = again?.fingerprint !== plan.fingerprint;
  if (!outerDiffers && firstInner(plan) === firstInner(again)) return undefined;
  const [what, way] = outerDiffers ? ['folds', ', or keep the folds with foldsToJSON'] : ['inner folds', ''];
  return `The ${what} cannot be drawn again from the seed ${randomState}: ${plan.splitterName} draws others at each call. Give it a seed${way}.`;
}

function firstInner(plan: FoldPlan): string | undefined {
  const fold = plan.at(0);
  return hasInner(fold) ? drawnAgain(() => innerFoldsOf(fold, plan.n))?.fingerprint : undefined;
}

function drawnAgain(draw: () => FoldPlan): FoldPlan | undefined {
  try {
    return draw();
  } catch {
    return undefined; // the splitter cannot give its folds a second time, for whatever reason
  }
}

/** Times that the caller gave and the splitter ignores: folds may then train on rows later than the test rows. */
export function idleTimes(splitter: Splitter, data: SideData): string[] {
  const { reads } = splitter;
  if (reads === undefined) return [];
  const idle = (['timestamps', 'labelEndTimes'] as const).filter(
    (times) => data[times] !== undefined && !reads.includes(times),
  );
  if (idle.length === 0) return [];
  return [`${nameOf(splitter)} does not use the ${idle.join(' and ')} that were given; ${insteadOf(idle[0], data)}.`];
}

function insteadOf(idle: 'timestamps' | 'labelEndTimes', data: SideData): string {
  if (idle === 'labelEndTimes') return 'PurgedKFoldCV and PurgedGroupTimeSeriesSplit keep label intervals separate';
  const ids = patientIdsOf(data);
  return ids !== undefined && groupsOf(ids, ids.length).count < ids.length
    ? 'PurgedGroupTimeSeriesSplit({ groupExclusive: true }) trains on the past of other patients alone'
    : 'TimeSeriesSplit trains on the past alone';
}

/** Networks that hold out rows because the design is nested: the caller did not ask for it in so many words. */
function watchedInnerFold(plan: FoldPlan, index: number): string | undefined {
  const fold = plan.at(index);
  if (!hasInner(fold)) return undefined;
  const { train, test } = innerFoldsOf(fold, plan.n).at(0);
  const all = counted(fold.train.length, 'training row');
  return `The model trained on the first inner fold of each fold and watched its test rows: in ${fold.id} it trained on ${train.length} and watched ${test.length} of ${all}. Use the \`validation\` option to choose other rows.`;
}

const APART = ['timestamps', 'labelEndTimes', 'coordinates'] as const;

/** A share for validation is drawn at random: it is not kept apart in time or space as the test rows are. */
function randomValidationWarning(splitter: Splitter, validation: ValidationOption | undefined): string | undefined {
  if (splitter.nested) return randomValidationWarning(splitter.nested.outer, validation);
  if (validation === undefined) return undefined;
  if (typeof validation === 'object' && 'splitter' in validation) return undefined;
  if (!APART.some((each) => splitter.reads?.includes(each))) return undefined;
  return `The validation rows are drawn at random from the training rows, not separated from them in time or space as ${nameOf(splitter)} keeps the test rows: what watches them stops too late. Use validation: { splitter } of the same kind.`;
}

const partOfRun = ({ call, folds, plan }: Prepared): string | undefined => {
  const { shard, runDirectory } = call.run.options;
  if (shard === undefined || runDirectory === undefined || call.isFurther) return undefined;
  return `This is part ${shard}: ${folds.length} of ${counted(plan.length, 'fold')}. \`mergeRuns\` of cvkit/node joins the parts; these scores are of one of them.`;
};

function unweightedScores(scorers: readonly Scorer[], weight: ArrayLike<number> | undefined): string | undefined {
  const blind = scorers.flatMap(({ name, metric }) => (metric && !metric.weighted ? [name] : []));
  if (weight === undefined || blind.length === 0) return undefined;
  return `\`sampleWeight\` leaves rows of weight 0 out of ${blind.join(', ')} and has no other effect there. A metric that honours weights says so: \`weighted: true\` in defineMetric.`;
}

/** What models said of their fits: each sentence once, with the number of folds that it is about. */
export function fitWarnings(results: readonly FoldResult[]): string[] {
  const completed = results.filter((result) => result.status === 'completed');
  const counts = new Map<string, number>();
  for (const { history } of completed) {
    for (const each of new Set(history.warnings ?? [])) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  const folds = counted(completed.length, 'fold');
  return Array.from(counts, ([text, count]) => `${nameText(text, 300)} (${count} of ${folds})`);
}

/** A recalibration that turns predictions round gives a plausible area to a model whose ranking is wrong: .906 for .094. */
function lostOrder(completed: readonly CompletedFold[]): string | undefined {
  const recalibrated = completed.flatMap(({ adjustment }) => (adjustment?.recalibration ? [adjustment] : []));
  const lost = recalibrated.filter(losesOrder).length;
  if (lost === 0) return undefined;
  return `In ${lost} of ${counted(recalibrated.length, 'fold')} \`recalibrate\` turned the order of the predictions round or made all of them equal: on the rows that it was fitted on, the model ranks no better than chance. The scores are not about the model's own ranking there. Look at the labels, at the order of the columns and at \`positiveLabel\`.`;
}

/** Source: van den Goorbergh et al. 2022, JAMIA 29:1525; a weight of a class acts as so many copies of its rows. */
function otherShares(
  { preparation, adjust, training, y }: Prepared,
  completed: readonly CompletedFold[],
): string | undefined {
  const ofModel = completed[0]?.history.model as { readonly options?: typeof training } | undefined;
  const names = preparation?.resamplers.map((each) => nameText(each)) ?? [];
  const isWeighted = [training, ofModel?.options].some((options) => {
    const weight = options?.classWeight;
    const each =
      weight === 'balanced' ? tally(y.codes, y.classes.length) : y.classes.map((label) => weight?.[`${label}`]);
    return new Set(each).size > 1;
  });
  if (names.length === 0 && !isWeighted) return undefined;
  const what = names.length > 0 ? `resampled (${names.join(', ')})` : 'weighted by `classWeight`';
  const risks = adjust?.recalibrate
    ? 'predicted risks are those of other class shares, and `recalibrate` maps them back.'
    : 'predicted risks are no longer calibrated. Use `recalibrate`, or leave the classes as they are and choose a `threshold`.';
  return `The training rows were ${what}, the test rows were not: ${risks}`;
}

/** Classes that are one class in two spellings, and words for a missing label. */
function doubtfulClasses(classes: readonly Label[]): string[] {
  const bare = (label: Label) => String(label).toLowerCase().replace(/\s+/g, '');
  const alike = [...groupBy(classes.keys(), (code) => bare(classes[code])).values()].filter(({ length }) => length > 1);
  const missing = classes.flatMap((label, code) =>
    typeof label === 'string' && (isMissingMark(label) || /^(unknown|missing)$/.test(bare(label))) ? [code] : [],
  );
  return [
    ...alike.map(
      (codes) =>
        `The classes ${listed(classes, codes)} differ in capitals or blanks alone. Write one class in one way.`,
    ),
    ...missing.map(
      (code) => `The class ${classText(classes, code)} is a word for missing. Leave out rows without a label.`,
    ),
  ];
}

function absentClasses(prepared: Prepared, adapter: FrameworkAdapter, results: readonly FoldResult[]): string[] {
  const { plan } = prepared;
  const y = eventLabels(prepared.y);
  if (y.codes.length === 0) return [];
  const members = rowsPerCode(y.codes, tally(y.codes, y.classes.length)).filter(({ length }) => length > 0);
  const holds = (rows: Int32Array, row: number) => rows[lowerBound(rows, row)] === row;
  const lacking = (isIn: (row: number) => boolean) => members.some((rows) => !rows.some(isIn));
  const done = new Set(results.map(({ ctx }) => ctx.index));
  const sides = [...plan.sides()].filter((_, index) => done.has(index));
  const untrained = sides.filter(({ train, test }) =>
    lacking((row) => (train ? holds(train, row) : !holds(test, row))),
  ).length;
  const watched = untrained < sides.length ? watchedRows(prepared, adapter) : undefined;
  const unwatched = [...(watched ? done : [])].filter((index) => {
    const rows = watched?.(plan.at(index)).slice().sort();
    return rows && rows.length > 0 && lacking((row) => holds(rows, row));
  }).length;
  const say = (count: number, text: string) =>
    count > 0 ? [`In ${count} of ${counted(done.size, 'fold')} ${text}`] : [];
  const noRow = 'a class has no row to train on: the model cannot know it there. Use stratified folds, or fewer.';
  const lacks = 'the watched rows lack a class: early stopping sees nothing of it. Use a larger `validation`.';
  return [...say(untrained, noRow), ...say(unwatched, lacks)];
}

/** So few rows may have equal labels by chance. */
const FEW_ROWS = 10;

function equalPredictions(completed: readonly CompletedFold[]): string | undefined {
  const all = completed.map(({ table }) => ({
    n: table.length,
    values: table.task === 'survival' ? table.yPred : (table.yProba ?? table.yPred),
  }));
  const rows = sum(all.map(({ n }) => n));
  if (rows < FEW_ROWS) return undefined;
  const asFirst = (value: number, at: number) => value === all[0].values[at % (all[0].values.length / all[0].n)];
  if (!all.every(({ values }) => Array.prototype.every.call(values, asFirst))) return undefined;
  return `All ${rows} predictions are equal: the model tells no rows apart. Look at the range of its inputs, such as pixels of 0 to 4095 for a model of 0 to 1, and at its weights.`;
}

function unusedRows(completed: readonly CompletedFold[]): string | undefined {
  const found = completed.find(({ nFitted, nValidation, ctx }) => nFitted + nValidation < ctx.nTrain);
  if (!found) return undefined;
  const { ctx, nFitted, nValidation } = found;
  return `In ${ctx.fold} the model trained on ${nFitted} of ${ctx.nTrain} training rows and watched ${nValidation}; the splitter for validation left out the rest.`;
}

function unfamiliar(completed: readonly CompletedFold[]): string[] {
  const cells = completed.flatMap(({ about }) => about.cells ?? []);
  return cells.length === 0 ? [] : notedWarnings(cells, sum(completed.map(({ ctx }) => ctx.nTest)));
}

/** Folds after which the library holds more than before: what the caller's code made and no model owns. */
function tensorLeakWarning(results: readonly FoldResult[]): string | undefined {
  const [first, ...more] = results.flatMap(({ left, ctx }) => (left ? [{ ...left, fold: ctx.fold }] : []));
  if (!first) return undefined;
  const { fold, tensors, bytes } = first;
  const others = more.length > 0 ? `, and ${counted(more.length, 'more fold')} left some` : '';
  return `${fold} left ${counted(tensors, 'tensor')} (${(bytes / 1000).toFixed(1)} kB) behind${others}. Dispose what a factory or a callback makes besides the model.`;
}

/** A warning of patients on both sides of a fold: then its test rows are no new patients. */
export function splitPatients({ plan, data, folds }: Pick<Prepared, 'plan' | 'data' | 'folds'>): string[] {
  if (!data.groups || plan.claims.disjointGroups) return [];
  const { codes } = groupsOf(data.groups, plan.n);
  const split = new Set<number>();
  for (const index of folds) {
    const { train, test } = plan.at(index);
    const trained = new Set(Array.from(train, (row) => codes[row]));
    for (const row of test) if (trained.has(codes[row])) split.add(codes[row]);
  }
  if (split.size === 0) return [];
  return [
    `${counted(split.size, 'patient')} stood on both sides of a fold: the estimate is not about patients that the model has not seen, and may be far too good. Use a splitter that keeps patients whole, such as StratifiedGroupKFold.`,
  ];
}
