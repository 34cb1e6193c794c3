/** A test of isolation: folds that are trained once more after all others must give the same results again. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { deriveSeed, randomInterval, randomSource } from '../core/random.js';
import { runTasks, type TaskEnvironment } from './coordinate.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import { foldTask } from './foldTasks.js';
import type { Prepared } from './prepare.js';
import type { Session } from './session.js';

/**
 * Trains the first fold again after all others, then one that is drawn with the seed of the run, each with the decisions
 * that callbacks took in it, and compares histories and predictions bit for bit. The last one would not do: what earlier
 * folds left behind it met the first time, too. A store that the first fold fills and no later one changes is not seen.
 *
 * Gives the ids of the folds; none where fewer than two were completed. Throws {@link AdapterError} where a fold differs.
 */
export async function verifyIsolation(
  prepared: Prepared,
  session: Session,
  environment: TaskEnvironment,
  results: readonly FoldResult[],
): Promise<readonly string[]> {
  const [first, ...others] = results.filter((result) => result.status === 'completed');
  if (others.length === 0) return [];
  const random = randomSource(deriveSeed(prepared.randomState, 'verifyIsolation'));
  const chosen = [first, others[randomInterval(random, others.length - 1)]];
  for (const inRun of chosen) await trainAgain(prepared, session, environment, inRun);
  return chosen.map(({ fold }) => fold.id);
}

async function trainAgain(
  prepared: Prepared,
  { adapter }: Session,
  environment: TaskEnvironment,
  inRun: CompletedFold,
): Promise<void> {
  const fold = prepared.plan.at(inRun.fold.index);
  const asBefore: Prepared = { ...prepared, scorers: [], onFoldError: 'throw' };
  const task = foldTask(asBefore, adapter, fold, {
    replay: inRun.decisions,
    ...(inRun.adjustment ? { adjustment: inRun.adjustment } : {}),
  });
  const [again] = await runTasks(asBefore, [{ task, fold: inRun.fold }], environment);
  const difference = differenceOf(inRun, again as CompletedFold);
  if (difference === undefined) return;
  const subject = `Fold ${inRun.fold.id} trained again after the others`;
  const must = 'give what it gave inside the run';
  const way =
    'Look for what outlives a fold: a layer, an optimizer or a store (Map, array) made outside the factory, a counter, a random number.';
  throw new AdapterError(sentence(subject, must, phrase(difference), way), { code: 'not_isolated' });
}

function differenceOf(inRun: CompletedFold, again: CompletedFold): string | undefined {
  const epochs = [inRun, again].map(({ history }) => history.epochs);
  for (let epoch = 0; epoch < Math.max(epochs[0].length, epochs[1].length); epoch++) {
    const [then, now] = epochs.map((each) => each[epoch] ?? {});
    const log = Object.keys({ ...then, ...now }).find((name) => !Object.is(then[name], now[name]));
    if (log) return `${log} ${now[log]} instead of ${then[log]} in epoch ${epoch}`;
  }
  for (const column of ['yProba', 'yPred'] as const) {
    const [then, now] = [inRun.table[column], again.table[column]];
    const width = (then?.length ?? 0) / inRun.fold.test.length;
    const at = Array.from(then ?? []).findIndex((value, i) => !Object.is(value, now?.[i]));
    if (at >= 0) return `${now?.[at]} instead of ${then?.[at]} for row ${inRun.fold.test[Math.floor(at / width)]}`;
  }
  return undefined;
}
