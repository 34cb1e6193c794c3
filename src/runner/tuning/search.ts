/** One search: its trials are small plans of inner folds, which run as all folds do. */
import { type FoldError, messageOf } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { mean } from '../../core/numbers.js';
import { deriveSeed, permutation, randomSource } from '../../core/random.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';
import type { CVCallback } from '../callback.js';
import { type Crew, type PlannedTask, runTasks } from '../coordinate.js';
import { type FoldResult, keptOf } from '../foldResult.js';
import { foldTask } from '../foldTasks.js';
import { auxiliaryRun, type Prepared } from '../prepare.js';
import type { Scorer } from '../scoring.js';
import type { Session } from '../session.js';
import type { Params } from './distribution.js';
import { type EvaluateTrials, outcomeOf, runStudy, type TrialOutcome } from './runStudy.js';
import type { Space } from './space.js';
import type { Study } from './study.js';
import type { OnTrial } from './studyOptions.js';
import type { Trial } from './trial.js';

/** What a search needs of its run. */
export interface SearchRun {
  readonly prepared: Prepared;
  readonly session: Session;
  readonly crew: Omit<Crew, 'seen' | 'scored'>;
  readonly space: Space;
  readonly scorer: Scorer;
  /** Keep the out-of-fold predictions of each trial. */
  readonly keepTables: boolean;
  readonly nTrials: number;
  readonly timeout?: number | undefined;
  readonly patience?: number | undefined;
  readonly parallelTrials: number;
  readonly onTrial?: OnTrial | undefined;
}

/** What a search found. */
export interface Searched {
  readonly study: Study;
  readonly plan: FoldPlan;
  /** The best parameters, as `modelFn` is given them. */
  readonly params: Params;
  /** Mean score of the best trial over the inner folds: optimistic, being the best of many. */
  readonly score: number;
  /** Why the search ended, as a clause. */
  readonly ended: string;
  /** Of each trial that was evaluated here, by number: the tables of its inner folds, in the order of the plan. */
  readonly tables: ReadonlyMap<number, readonly (ScoreTable | undefined)[]>;
}

/** Runs a search within some rows. `plan`: its inner folds. */
export async function search(study: Study, plan: FoldPlan, id: string, run: SearchRun): Promise<Searched> {
  const paramsOf = new Map<number, Params>();
  const tables = new Map<number, readonly (ScoreTable | undefined)[]>();
  const ask = (): Trial => {
    const trial = study.ask();
    broken.delete(trial.number);
    try {
      paramsOf.set(trial.number, run.space.paramsOf(trial));
    } catch (error) {
      broken.set(trial.number, error);
    }
    return trial;
  };
  const broken = new Map<number, unknown>();
  const evaluate: EvaluateTrials = async (trials, told) => {
    const sound: InnerTrial[] = [];
    for (const trial of trials) {
      const params = paramsOf.get(trial.number);
      if (broken.has(trial.number) || !params) {
        const failed = outcomeOf(() => {
          throw broken.get(trial.number);
        });
        await told(trial, await failed);
      } else {
        sound.push(new InnerTrial(trial, params, order(run.prepared, study, plan, trial)));
      }
    }
    if (sound.length > 0) await runTrials(sound, plan, id, { ...run, study, tables, told });
  };
  const { nTrials, timeout, patience, parallelTrials, onTrial } = run;
  const { signal } = run.prepared.call.run.options;
  const ended = await runStudy(study, { nTrials, timeout, patience, parallelTrials, signal, ask, evaluate, onTrial });
  const best = study.bestTrial as NonNullable<Study['bestTrial']>;
  return {
    study,
    plan,
    params: run.space.restored(best.params, best.number),
    score: best.value as number,
    ended,
    tables,
  };
}

/** The order of the inner folds: one for each trial where trials are paired by fold, else one for all of them. */
function order({ randomState }: Prepared, { pruner }: Study, { length }: FoldPlan, { number }: Trial): Int32Array {
  if (pruner.name === 'none') return Int32Array.from({ length }, (_, place) => place);
  const seed = deriveSeed(randomState, 'order', ...(pruner.reads === 'folds' ? [number] : []));
  return permutation(randomSource(seed), length);
}

/** A trial under way: its scores so far. */
class InnerTrial {
  readonly trial: Trial;
  readonly params: Params;
  /** Places of the inner folds, in the order in which they run. */
  readonly order: Int32Array;
  readonly scores: number[] = [];
  readonly tables: (ScoreTable | undefined)[] = [];
  /** Folds that have run. */
  done = 0;
  isPruned = false;
  isTold = false;

  constructor(trial: Trial, params: Params, order: Int32Array) {
    this.trial = trial;
    this.params = params;
    this.order = order;
  }
}

interface TrialsRun extends SearchRun {
  readonly study: Study;
  readonly tables: Map<number, readonly (ScoreTable | undefined)[]>;
  readonly told: Parameters<EvaluateTrials>[1];
}

/** Runs the inner folds of some trials as one list of tasks; a trial that has ended gives no further ones. */
async function runTrials(trials: readonly InnerTrial[], plan: FoldPlan, id: string, run: TrialsRun): Promise<void> {
  const { prepared, session, crew, scorer, study } = run;
  const byFold = new Map<string, { readonly inner: InnerTrial; readonly place: number }>();
  const trialRun: Prepared = {
    ...auxiliaryRun(prepared),
    adjust: needsAdjustment(scorer, prepared) ? prepared.adjust : undefined,
    plan,
    scorers: [scorer],
    randomState: deriveSeed(prepared.randomState, 'search', id),
    onFoldError: 'each',
    watchedMetrics: { ...prepared.watchedMetrics, ...epochMetric(scorer) },
  };
  const watches = watchesTestRows(study, trialRun, session);
  let isOver = false;
  function* tasks(): Generator<PlannedTask> {
    for (const inner of trials) {
      for (const place of inner.order) {
        if (inner.isTold || isOver) break;
        const fold = { ...plan.at(place), id: `${id}_trial-${inner.trial.number}_inner-${place}` };
        byFold.set(fold.id, { inner, place });
        const own = { ...trialRun, folds: [inner.order[0]], paramsOf: () => inner.params };
        const task = foldTask(
          own,
          session.adapter,
          fold,
          scorer.metric?.needs === 'probabilities' ? { labels: 'none' } : {},
        );
        yield { task: watches && !task.fault ? { ...task, watch: task.test } : task, fold: keptOf(fold) };
      }
    }
  }
  const firstFold = (fold: string): InnerTrial | undefined => {
    const found = byFold.get(fold);
    return found?.place === found?.inner.order[0] ? found?.inner : undefined;
  };
  const pruning = prunesByEpoch(study, session) ? [epochPruning(scorer, study, firstFold)] : [];
  await runTasks(trialRun, tasks(), {
    ...crew,
    callbacks: [...crew.callbacks, ...pruning],
    scored: async ({ task }, result) => {
      const { inner, place } = byFold.get(task.ctx.fold) as NonNullable<ReturnType<typeof byFold.get>>;
      byFold.delete(task.ctx.fold);
      if (inner.isTold || isOver) return;
      const outcome = taken(inner, place, result, { plan, run });
      if (!outcome) return;
      inner.isTold = true;
      if (run.keepTables && outcome.state === undefined && outcome.value !== null) {
        run.tables.set(inner.trial.number, inner.tables);
      }
      isOver = (await run.told(inner.trial, outcome)) === 'stop';
    },
  });
  for (const { isTold, trial } of trials) if (!isTold) await run.told(trial, { value: null, state: 'pruned' });
}

/** Takes the result of an inner fold; gives the outcome of the trial where it has ended. */
function taken(
  inner: InnerTrial,
  place: number,
  result: FoldResult,
  { plan, run: { scorer, prepared, study, session } }: { readonly plan: FoldPlan; readonly run: TrialsRun },
): TrialOutcome | undefined {
  const { trial } = inner;
  inner.done++;
  if (result.status === 'failed') return { value: null, reason: `inner fold ${place}: ${causeOf(result.error)}` };
  inner.tables[place] = result.table;
  const score = result.scores[scorer.name];
  const name = nameText(scorer.name);
  if (score.value !== null) inner.scores.push(score.value);
  else if (!lacksClasses(prepared, plan.at(place).test)) {
    return { value: null, reason: `${name} has no value in inner fold ${place}: ${score.reason}` };
  }
  const isLast = inner.done === plan.length;
  if (isLast && inner.scores.length === 0) {
    const reason = score.value === null ? score.reason : '';
    return { value: null, reason: `${name} has no value in any inner fold: ${reason}` };
  }
  if (inner.isPruned) return { value: null, state: 'pruned' };
  if (study.pruner.reads === 'folds') {
    if (score.value !== null) trial.report(score.value, place);
  } else if (inner.scores.length > 0) {
    trial.report(mean(inner.scores), inner.done * stepsPerFold(result, session, prepared));
  }
  if (isLast) return { value: mean(inner.scores) };
  return trial.shouldPrune() ? { value: null, state: 'pruned' } : undefined;
}

/** What went wrong, without the id of the fold, which names trial and inner fold once more. */
const causeOf = (error: FoldError): string => messageOf(error.cause ?? error).replace(/\.$/, '');

/** Steps count epochs where there are some, so that a fold takes as many as its trial has epochs. */
const stepsPerFold = ({ ctx }: FoldResult, { adapter }: Session, { training }: Prepared): number =>
  adapter.capabilities.epochs ? Number(ctx.params.epochs ?? training.epochs) : 1;

/** Test rows that lack a class, or differ in nothing: what has no value there has none for any parameters. */
function lacksClasses({ y }: Prepared, test: Int32Array): boolean {
  if (y.codes.length > 0) return new Set(test.map((row) => y.codes[row])).size < y.classes.length;
  const { numbers } = y.take(test);
  return numbers.length > 0 && numbers.every((value) => value === numbers[0]);
}

/** A threshold does not change a score of ranks or probabilities. */
const needsAdjustment = ({ metric }: Scorer, { adjust }: Prepared): boolean =>
  adjust?.recalibrate !== undefined || metric?.needs !== 'probabilities';

/** The score on watched rows after each epoch, by the name of its log. */
const epochMetric = ({ metric }: Scorer): Record<string, string> =>
  metric ? { [logName(metric.name)]: metric.name } : {};
const logName = (metric: string): string => `val_${metric}`;

const prunesByEpoch = ({ pruner }: Study, { adapter }: Session): boolean =>
  pruner.name !== 'none' && pruner.reads === 'progress' && adapter.capabilities.epochs;

/** Without rows of its own to watch, an inner fold watches its test rows. An outer test row is never among them. */
const watchesTestRows = (study: Study, { validation, adjust, callbacks }: Prepared, session: Session): boolean =>
  validation === undefined &&
  adjust === undefined &&
  session.adapter.capabilities.epochs &&
  (prunesByEpoch(study, session) || callbacks.some(({ monitor }) => monitor?.startsWith('val_')));

/**
 * Reports the score on watched rows after each epoch of the first inner fold, and ends training where the pruner says so. Later
 * folds report when they are done, so that the decisions are the same for every executor.
 */
function epochPruning({ metric }: Scorer, study: Study, trialOf: (fold: string) => InnerTrial | undefined): CVCallback {
  return {
    name: `pruner '${nameText(study.pruner.name)}'`,
    needsEpochs: true,
    forFold: ({ fold }) => ({
      onEpochEnd: ({ epoch }, logs) => {
        const inner = trialOf(fold);
        const value = metric && logs[logName(metric.name)];
        if (!inner || typeof value !== 'number') return undefined;
        inner.trial.report(value, epoch + 1);
        inner.isPruned ||= inner.trial.shouldPrune();
        return inner.isPruned ? 'stop' : undefined;
      },
    }),
  };
}
