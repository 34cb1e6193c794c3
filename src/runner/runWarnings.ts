/** Warnings of a run about its design, beside those of the splitter. */
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { lowerBound } from '../core/lowerBound.js';
import { rowsPerCode, tally } from '../data/encode.js';
import { groupsOf, patientIdsOf, type SideData } from '../data/sideData.js';
import { type FoldPlan, foldsOf, hasInner, innerFoldsOf, nameOf } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { losesOrder } from './adjustment.js';
import type { FoldResult } from './foldResult.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';
import { lostCutoffs } from './ownLabels.js';
import { type Prepared, rowsFor, watchedRows, watchesInner } from './prepare.js';
import type { ValidationOption } from './runOptions.js';
import type { Scorer } from './scoring.js';

/** Everything that a run should say about its design and its folds, in words of cvkit alone. */
export function runWarnings(prepared: Prepared, adapter: FrameworkAdapter, results: readonly FoldResult[]): string[] {
  const { call, plan, folds, data, validation, scorers, weight } = prepared;
  const splitter = call.runner.options.cvSplitter;
  return [
    ...unrepeatable(splitter, prepared),
    ...idleTimes(splitter, data),
    ...(watchesInner(adapter, prepared) ? watchedInnerFold(plan, folds[0]) : []),
    ...randomValidationWarning(splitter, validation),
    ...unweightedScores(scorers, weight),
    ...lostCutoffs(results.filter((result) => result.status === 'completed')),
    ...lostOrder(results),
    ...resampled(prepared),
    ...absentClasses(prepared, adapter, results),
    ...unusedRows(results),
    ...tensorLeakWarning(results),
  ];
}

/** Folds, or inner folds, that the recorded seed does not give again: a splitter of the caller is asked for them a second time. */
function unrepeatable(
  splitter: Splitter,
  { plan, X, y, data, randomState }: Pick<Prepared, 'plan' | 'X' | 'y' | 'data' | 'randomState'>,
): string[] {
  const { repeatable } = splitter;
  if (repeatable === true) return [];
  const again = repeatable === false ? undefined : drawnAgain(() => foldsOf(splitter, rowsFor(splitter, X), y, data));
  const outerDiffers = again?.fingerprint !== plan.fingerprint;
  if (!outerDiffers && firstInner(plan) === firstInner(again)) return [];
  const [what, way] = outerDiffers ? ['folds', ', or keep the folds with foldsToJSON'] : ['inner folds', ''];
  return [
    `The ${what} cannot be drawn again from the seed ${randomState}: ${plan.splitterName} draws others at each call. Give it a seed${way}.`,
  ];
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
function watchedInnerFold(plan: FoldPlan, index: number): string[] {
  const fold = plan.at(index);
  if (!hasInner(fold)) return [];
  const { train, test } = innerFoldsOf(fold, plan.n).at(0);
  const all = counted(fold.train.length, 'training row');
  return [
    `The model trained on the first inner fold of each fold and watched its test rows: in ${fold.id} it trained on ${train.length} and watched ${test.length} of ${all}. Use the \`validation\` option to choose other rows.`,
  ];
}

const APART = ['timestamps', 'labelEndTimes', 'coordinates'] as const;

/** A share for validation is drawn at random: it is not kept apart in time or space as the test rows are. */
function randomValidationWarning(splitter: Splitter, validation: ValidationOption | undefined): string[] {
  if (splitter.nested) return randomValidationWarning(splitter.nested.outer, validation);
  if (validation === undefined) return [];
  if (typeof validation === 'object' && 'splitter' in validation) return [];
  if (!APART.some((each) => splitter.reads?.includes(each))) return [];
  return [
    `The validation rows are drawn at random from the training rows, not separated from them in time or space as ${nameOf(splitter)} keeps the test rows: what watches them stops too late. Use validation: { splitter } of the same kind.`,
  ];
}

function unweightedScores(scorers: readonly Scorer[], weight: ArrayLike<number> | undefined): string[] {
  const blind = scorers.flatMap(({ name, metric }) => (metric && !metric.weighted ? [name] : []));
  if (weight === undefined || blind.length === 0) return [];
  return [
    `\`sampleWeight\` leaves rows of weight 0 out of ${blind.join(', ')} and has no other effect there. A metric that honours weights says so: \`weighted: true\` in defineMetric.`,
  ];
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
function lostOrder(results: readonly FoldResult[]): string[] {
  const fitted = results.flatMap((result) => (result.status === 'completed' && result.adjustment) || []);
  const recalibrated = fitted.filter(({ recalibration }) => recalibration);
  const lost = recalibrated.filter(losesOrder).length;
  if (lost === 0) return [];
  return [
    `In ${lost} of ${counted(recalibrated.length, 'fold')} \`recalibrate\` turned the order of the predictions round or made all of them equal: on the rows that it was fitted on, the model ranks no better than chance. The scores are not about the model's own ranking there. Look at the labels, at the order of the columns and at \`positiveLabel\`.`,
  ];
}

/** Source: van den Goorbergh et al. 2022, JAMIA 29:1525. */
function resampled({ preparation, adjust }: Pick<Prepared, 'preparation' | 'adjust'>): string[] {
  if (!preparation || preparation.resamplers.length === 0) return [];
  const names = preparation.resamplers.map((each) => nameText(each)).join(', ');
  const risks = adjust?.recalibrate
    ? 'predicted risks are those of other class shares, and `recalibrate` maps them back.'
    : 'predicted risks are no longer calibrated. Use `recalibrate`, or leave the classes as they are and choose a `threshold`.';
  return [`The training rows were resampled (${names}), the test rows were not: ${risks}`];
}

function absentClasses(prepared: Prepared, adapter: FrameworkAdapter, results: readonly FoldResult[]): string[] {
  const { y, plan } = prepared;
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

function unusedRows(results: readonly FoldResult[]): string[] {
  const completed = results.filter((result) => result.status === 'completed');
  const found = completed.find(({ nFitted, nValidation, ctx }) => nFitted + nValidation < ctx.nTrain);
  if (!found) return [];
  const { ctx, nFitted, nValidation } = found;
  return [
    `In ${ctx.fold} the model trained on ${nFitted} of ${ctx.nTrain} training rows and watched ${nValidation}; the splitter for validation left out the rest.`,
  ];
}

/** Folds after which the library holds more than before: what the caller's code made and no model owns. */
function tensorLeakWarning(results: readonly FoldResult[]): string[] {
  const [first, ...more] = results.flatMap(({ left, ctx }) => (left ? [{ ...left, fold: ctx.fold }] : []));
  if (!first) return [];
  const { fold, tensors, bytes } = first;
  const others = more.length > 0 ? `, and ${counted(more.length, 'more fold')} left some` : '';
  return [
    `${fold} left ${counted(tensors, 'tensor')} (${(bytes / 1000).toFixed(1)} kB) behind${others}. Dispose what a factory or a callback makes besides the model.`,
  ];
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
