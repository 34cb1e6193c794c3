/** The canary: a fold trained once more, alone, must give what it gave inside the run. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { besideFolds, type FoldJob } from './foldJob.js';
import type { CompletedFold, FoldResult } from './foldResult.js';
import { replayOf } from './foldTraining.js';
import { runFolds } from './runFolds.js';

/**
 * Trains the last fold that was completed again, alone, with the decisions that callbacks took in it, and compares its
 * history and predictions bit for bit. Gives the fold's id; throws {@link AdapterError} where they differ.
 */
export async function verifyIsolation(job: FoldJob, results: readonly FoldResult[]): Promise<string | null> {
  const inRun = results.findLast((result) => result.status === 'completed');
  if (!inRun) return null;
  const [alone] = await runFolds({
    ...besideFolds(job),
    folds: [inRun.fold.index],
    callbacks: [replayOf(inRun.decisions)],
    scorers: [],
    adjusted: inRun.adjustment ?? undefined,
    onFoldError: 'throw',
  });
  const difference = differenceOf(inRun, alone as CompletedFold);
  if (difference === undefined) return inRun.fold.id;
  throw new AdapterError(
    sentence(
      `Fold ${inRun.fold.id} trained alone`,
      'give what it gave inside the run',
      phrase(difference),
      'Look for what outlives a fold: a layer or an optimizer made outside the factory, a counter, a random number.',
    ),
    { code: 'not_isolated' },
  );
}

/** The first number that differs, in words. */
function differenceOf(inRun: CompletedFold, alone: CompletedFold): string | undefined {
  const epochs = [inRun, alone].map(({ history }) => history.epochs);
  for (let epoch = 0; epoch < Math.max(epochs[0].length, epochs[1].length); epoch++) {
    const [then, now] = epochs.map((each) => each[epoch] ?? {});
    const log = Object.keys({ ...then, ...now }).find((name) => !Object.is(then[name], now[name]));
    if (log) return `${log} ${now[log]} instead of ${then[log]} in epoch ${epoch}`;
  }
  for (const column of ['yProba', 'yPred'] as const) {
    const [then, now] = [inRun.table[column], alone.table[column]];
    const width = (then?.length ?? 0) / inRun.fold.test.length;
    const at = Array.from(then ?? []).findIndex((value, i) => !Object.is(value, now?.[i]));
    if (at >= 0) return `${now?.[at]} instead of ${then?.[at]} for row ${inRun.fold.test[Math.floor(at / width)]}`;
  }
  return undefined;
}
