/** Folds that failed run again, with the same rows and the same seed. */

import { InvalidDataError, InvalidOptionError } from '../core/errors.js';
import type { FoldTask } from './executor.js';
import { errorIn, type FoldOutcome } from './foldResult.js';

type Failed = FoldOutcome & { readonly status: 'failed' };

/** A wrong option, and rows that cannot be trained on, are as wrong the next time. */
const isFinal = (error: unknown): boolean => error instanceof InvalidOptionError || error instanceof InvalidDataError;

/**
 * One outcome for each task: that of the last attempt.
 *
 * @param retries attempts after the first
 * @param onRetry called with what an attempt gave that is not the last
 */
export async function* retried(
  tasks: Iterable<FoldTask>,
  retries: number,
  run: (tasks: Iterable<FoldTask>) => AsyncIterable<FoldOutcome>,
  onRetry: (task: FoldTask, outcome: Failed) => Promise<void>,
): AsyncGenerator<FoldOutcome, void, undefined> {
  const source = tasks[Symbol.iterator]();
  const underWay = new Map<string, { readonly task: FoldTask; readonly failed: number }>();
  const again: FoldTask[] = [];
  function* offered(): Generator<FoldTask> {
    for (;;) {
      const task = again.shift() ?? source.next().value;
      if (!task) return;
      const { failed = 0 } = underWay.get(task.ctx.fold) ?? {};
      underWay.set(task.ctx.fold, { task, failed });
      yield task;
    }
  }
  do {
    for await (const outcome of run(offered())) {
      const one = underWay.get(outcome?.ctx?.fold);
      if (one && outcome.status === 'failed' && one.failed < retries && !isFinal(errorIn(outcome))) {
        underWay.set(outcome.ctx.fold, { ...one, failed: one.failed + 1 });
        await onRetry(one.task, outcome);
        again.push(one.task);
      } else {
        underWay.delete(outcome?.ctx?.fold);
        yield outcome;
      }
    }
  } while (again.length > 0);
}
