import { type FoldError, messageOf } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { mean } from '../core/numbers.js';
import { deriveSeed, permutation, randomSource } from '../core/random.js';
import type { Params } from '../core/tuningTrial.js';
import { type Metric, type Score, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { CVCallback } from '../runner/callback.js';
import { type PlannedTask, runTasks, type TaskEnvironment } from '../runner/coordinate.js';
import type { FoldResult } from '../runner/foldResult.js';
import { foldTask } from '../runner/foldTasks.js';
import { auxiliaryRun, type Prepared } from '../runner/prepare.js';
import type { Scorer } from '../runner/scoring.js';
import type { Session } from '../runner/session.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { Space } from './space.js';
import { type EvaluateTrials, outcomeOf, runStudy, type Study, type StudyRun, type TrialOutcome } from './study.js';
import type { Trial } from './trial.js';

export interface SearchRun extends Omit<StudyRun, 'signal' | 'ask' | 'evaluate'> {
  readonly prepared: Prepared;
  readonly session: Session;
  readonly environment: Omit<TaskEnvironment, 'onOutcome' | 'onResult'>;
  readonly space: Space;
  readonly scorer: Scorer;
  check(params: Params): void;
  /** Seed of the inner folds, the same for all trials. */
  seedOf(id: string): number | string;
  readonly keepTables: boolean;
}

export interface Searched {
  readonly study: Study;
  readonly plan: FoldPlan;
  /** The best parameters, as `modelFn` is given them. */
  readonly params: Params;
  /** Mean score of the best trial over the inner folds: optimistic, being the best of many. */
  readonly score: number;
  readonly ended: string;
  /** Inner folds that have no score whatever is predicted. */
  readonly uncounted: number;
  /** Of each trial that was evaluated here, by number: the tables of its inner folds, in the order of the plan. */
  readonly tables: ReadonlyMap<number, readonly (ScoreTable | undefined)[]>;
}

export async function search(study: Study, plan: FoldPlan, id: string, run: SearchRun): Promise<Searched> {
  const paramsOf = new Map<number, Params>();
  const errors = new Map<number, unknown>();
  const unscorable = new Map<number, boolean>();
  const tables = new Map<number, readonly (ScoreTable | undefined)[]>();
  const ask = (): Trial => {
    const trial = study.ask();
    try {
      const params = run.space.paramsOf(trial);
      run.check(params);
      paramsOf.set(trial.number, params);
    } catch (error) {
      errors.set(trial.number, error);
    }
    return trial;
  };
  const evaluate: EvaluateTrials = (trials, report) => {
    const all = trials.map((trial): SearchTrial => {
      const params = paramsOf.get(trial.number);
      const order = params ? orderOf(run.prepared, study, plan, trial) : new Int32Array();
      const ofAll = { trial, params: params ?? {}, order, scores: [], tables: [], done: 0, epochs: 0 };
      if (params) return { ...ofAll, state: 'running', outcome: () => ({ value: null, state: 'pruned' }) };
      // Nobody takes its parameters.
      return { ...ofAll, state: 'ended', outcome: () => outcomeOf(() => Promise.reject(errors.get(trial.number))) };
    });
    return runTrials(all, plan, id, { ...run, study, tables, unscorable, report });
  };
  const { signal } = run.prepared.call.run.options;
  const ended = await runStudy(study, { ...run, signal, ask, evaluate });
  const best = study.bestTrial as NonNullable<Study['bestTrial']>;
  return {
    study,
    plan,
    params: paramsOf.get(best.number) ?? run.space.restored(best.params, best.number),
    score: best.value as number,
    ended,
    uncounted: [...unscorable.values()].filter(Boolean).length,
    tables,
  };
}

/** The order in which inner folds run: of each trial its own where trials are paired by fold, else the same. */
function orderOf({ randomState }: Prepared, { pruner }: Study, { length }: FoldPlan, { number }: Trial): Int32Array {
  if (pruner.name === 'none') return Int32Array.from({ length }, (_, place) => place);
  const seed = deriveSeed(randomState, 'order', ...(pruner.reads === 'folds' ? [number] : []));
  return permutation(randomSource(seed), length);
}

interface SearchTrial {
  readonly trial: Trial;
  readonly params: Params;
  /** Places of the inner folds, in the order in which they run. */
  readonly order: Int32Array;
  readonly scores: number[];
  readonly tables: (ScoreTable | undefined)[];
  /** `stopped`: the pruner ended it within a fold, of which the result still comes. */
  state: 'running' | 'stopped' | 'ended';
  done: number;
  /** Epochs of its first inner fold that the pruner has seen. */
  epochs: number;
  /** What came of it; `pruned` where the search was over first. Throws an error that ends the study. */
  outcome(): Promise<TrialOutcome> | TrialOutcome;
}

interface TrialsRun extends SearchRun {
  readonly study: Study;
  readonly tables: Map<number, readonly (ScoreTable | undefined)[]>;
  /** By place, inner folds on which the score has no value whatever is predicted: they count for no trial. */
  readonly unscorable: Map<number, boolean>;
  readonly report: Parameters<EvaluateTrials>[1];
}

/** One list of tasks for all inner folds of some trials. A trial that has ended gives no further tasks. */
async function runTrials(trials: readonly SearchTrial[], plan: FoldPlan, id: string, run: TrialsRun): Promise<void> {
  const { prepared, session, environment, scorer, study } = run;
  const byFold = new Map<string, { readonly inner: SearchTrial; readonly place: number }>();
  const trialRun: Prepared = {
    ...auxiliaryRun(prepared),
    adjust: needsAdjustment(scorer, prepared) ? prepared.adjust : undefined,
    plan,
    scorers: [scorer],
    randomState: run.seedOf(id),
    onFoldError: 'each',
    watchedMetrics: { ...prepared.watchedMetrics, ...(prunesByEpoch(study, run) ? epochMetric(scorer) : {}) },
  };
  const queue = [...trials];
  let isOver = false;
  const reportNext = async () => {
    const next = queue.shift() as SearchTrial;
    if ((await run.report(next.trial, await next.outcome())) === 'stop') isOver = true;
  };
  function* tasks(): Generator<PlannedTask> {
    for (const inner of trials) {
      for (const place of inner.order) {
        if (inner.state === 'ended' || isOver) break;
        const fold = { ...plan.at(place), id: `${id}_trial-${inner.trial.number}_inner-${place}` };
        byFold.set(fold.id, { inner, place });
        const own = { ...trialRun, folds: [inner.order[0]], paramsOf: () => inner.params };
        const needs = scorer.metric?.needs === 'probabilities' ? ({ labels: 'none' } as const) : {};
        const task = foldTask(own, session.adapter, fold, needs);
        const isPruned = place === inner.order[0] && prunes !== undefined;
        const isWatched = watchesTestRows(trialRun, session, isPruned) && !task.fault;
        yield { task: isWatched ? { ...task, watch: task.test } : task, fold };
      }
    }
  }
  const firstFold = (fold: string): SearchTrial | undefined => {
    const found = byFold.get(fold);
    return found?.place === found?.inner.order[0] ? found?.inner : undefined;
  };
  const prunes = prunesByEpoch(study, run) ? epochReport(scorer, firstFold) : undefined;
  const pruning = prunes ? [epochPruning(study, prunes)] : [];
  if (trials.some(({ state }) => state !== 'ended')) {
    await runTasks(trialRun, tasks(), {
      ...environment,
      callbacks: [...environment.callbacks, ...pruning],
      onOutcome: ({ task: { ctx } }, outcome) => {
        // One that was kept in a run directory had its epochs before.
        if (!prunes || outcome.status === 'failed' || firstFold(ctx.fold)?.epochs !== 0) return;
        for (const [epoch, logs] of outcome.history.epochs.entries()) prunes(ctx.fold, epoch, logs);
      },
      onResult: async ({ task }, result) => {
        const { inner, place } = byFold.get(task.ctx.fold) as NonNullable<ReturnType<typeof byFold.get>>;
        byFold.delete(task.ctx.fold);
        if (inner.state === 'ended' || isOver) return;
        const outcome = outcomeAfter(inner, place, result, plan, run);
        if (!outcome) return;
        Object.assign(inner, { state: 'ended', outcome: () => outcome });
        if (run.keepTables && outcome.state === undefined && outcome.value !== null) {
          run.tables.set(inner.trial.number, inner.tables);
        }
        while (queue[0]?.state === 'ended') await reportNext();
      },
    });
  }
  while (queue.length > 0) await reportNext();
}

function outcomeAfter(
  inner: SearchTrial,
  place: number,
  result: FoldResult,
  plan: FoldPlan,
  run: TrialsRun,
): TrialOutcome | undefined {
  const { scorer, prepared, study, session } = run;
  const { trial } = inner;
  inner.done++;
  if (result.status === 'failed') return { value: null, reason: `inner fold ${place}: ${causeOf(result.error)}` };
  inner.tables[place] = result.table;
  const score = result.scores[scorer.name];
  const name = nameText(scorer.name);
  const counts = !hasNoScore(run, place, result.table);
  if (counts && score.value !== null) inner.scores.push(score.value);
  if (counts && score.value === null) {
    return { value: null, reason: `${name} has no value in inner fold ${place}: ${score.reason}` };
  }
  const isLast = inner.done === plan.length;
  if (isLast && inner.scores.length === 0) {
    return { value: null, reason: `${name} has no value in any inner fold, whatever is predicted` };
  }
  if (inner.state === 'stopped') return { value: null, state: 'pruned' };
  if (study.pruner.reads === 'folds') {
    if (counts && score.value !== null) trial.report(score.value, place);
  } else if (inner.scores.length > 0) {
    trial.report(mean(inner.scores), inner.done * stepsPerFold(result, session, prepared));
  }
  if (isLast) return { value: mean(inner.scores) };
  return trial.shouldPrune() ? { value: null, state: 'pruned' } : undefined;
}

/** Without the id of the fold, which names trial and inner fold once more. */
const causeOf = (error: FoldError): string => messageOf(error.cause ?? error).replace(/\.$/, '');

/** Steps count epochs where there are some, so that a fold takes as many as its trial has epochs. */
const stepsPerFold = ({ ctx }: FoldResult, { adapter }: Session, { training }: Prepared): number =>
  adapter.capabilities.epochs ? Number(ctx.params.epochs ?? training.epochs) : 1;

function hasNoScore({ scorer: { metric }, unscorable }: TrialsRun, place: number, table: ScoreTable): boolean {
  const known = unscorable.get(place) ?? (metric !== undefined && perfectScore(metric, table).value === null);
  unscorable.set(place, known);
  return known;
}

/** A threshold does not change a score of ranks or probabilities. */
const needsAdjustment = ({ metric }: Scorer, { adjust }: Prepared): boolean =>
  adjust?.recalibrate !== undefined || metric?.needs !== 'probabilities';

const epochMetric = ({ metric }: Scorer): Record<string, string> =>
  metric ? { [logName(metric.name)]: metric.name } : {};
const logName = (metric: string): string => `val_${metric}`;

const prunesByEpoch = ({ pruner }: Study, { session, scorer }: SearchRun): boolean =>
  pruner.name !== 'none' &&
  pruner.reads === 'progress' &&
  session.adapter.capabilities.epochs &&
  scorer.metric !== undefined;

/** Without rows of its own to watch, an inner fold watches its test rows. An outer test row is never among them. */
const watchesTestRows = ({ validation, adjust, callbacks }: Prepared, session: Session, prunes: boolean): boolean =>
  validation === undefined &&
  adjust === undefined &&
  session.adapter.capabilities.epochs &&
  (prunes || callbacks.some(({ monitor }) => monitor?.startsWith('val_')));

type EpochReport = (fold: string, epoch: number, logs: Readonly<Record<string, unknown>>) => 'stop' | undefined;

/** Ends training in the first inner fold. Later folds report when they are done, so that decisions are the same for every executor. */
const epochPruning = ({ pruner }: Study, report: EpochReport): CVCallback => ({
  name: `pruner '${nameText(pruner.name)}'`,
  needsEpochs: true,
  forFold: ({ fold }) => ({ onEpochEnd: ({ epoch }, logs) => report(fold, epoch, logs) }),
});

const epochReport =
  ({ metric }: Scorer, trialOf: (fold: string) => SearchTrial | undefined): EpochReport =>
  (fold, epoch, logs) => {
    const inner = trialOf(fold);
    const value = metric && logs[logName(metric.name)];
    if (!inner || typeof value !== 'number') return undefined;
    inner.epochs++;
    inner.trial.report(value, epoch + 1);
    if (inner.trial.shouldPrune() && inner.state === 'running') inner.state = 'stopped';
    return inner.state === 'stopped' ? 'stop' : undefined;
  };

/** The score of predictions that equal the truth; null with the reason where even these have none. */
export function perfectScore(metric: Metric, { fixed: _fixed, ...table }: ScoreTable): Score {
  const { task, yTrue } = table;
  const yPred = task === 'survival' ? Float64Array.from(yTrue, (time) => -time) : yTrue;
  return score(metric, { ...table, yPred, ...(task === 'regression' ? {} : { yProba: certain(table) }) });
}

function certain({ task, yTrue, positive, classes, length }: Omit<ScoreTable, 'fixed'>): Float64Array {
  if (task === 'binary') return Float64Array.from(yTrue, (code) => Number(code === positive));
  if (task === 'survival')
    return Float64Array.from(
      Array.from(yTrue).flatMap((time) => classes.map((each) => Number((each as number) < time))),
    );
  if (task !== 'multiclass') return Float64Array.from(yTrue);
  const probabilities = new Float64Array(length * classes.length);
  for (let row = 0; row < length; row++) probabilities[row * classes.length + yTrue[row]] = 1;
  return probabilities;
}
