/**
 * Runs folds as a thread would, in this process: every task, event, answer, error and outcome is a copy, and several folds
 * go on at once. What passes on it holds nothing of a fold but values.
 */
import { errorOf, errorRecord } from '../../src/core/errorRecord.js';
import type { Executor, FoldLink, FoldTask } from '../../src/runner/executor.js';
import type { FoldOutcome } from '../../src/runner/foldResult.js';
import { runFold } from '../../src/runner/runFold.js';

/** What comes over the wire: values are copies, and so are errors. */
async function copied<T>(work: () => Promise<T>): Promise<T> {
  try {
    return structuredClone(await work());
  } catch (error) {
    throw errorOf(structuredClone(errorRecord(error)));
  }
}

async function runApart(task: FoldTask, { services, emit }: FoldLink): Promise<FoldOutcome> {
  const outcome = await runFold(structuredClone(task), {
    ...services,
    emit: (event, control) =>
      copied(() =>
        emit(
          structuredClone(event),
          control && {
            keepWeights: () => copied(() => control.keepWeights()),
            // A handler of a framework cannot be copied; a path can.
            save: (where) => copied(() => control.save(typeof where === 'string' ? structuredClone(where) : where)),
          },
        ),
      ),
  });
  return structuredClone(outcome);
}

export const cloningExecutor = (concurrency = 4): Executor => ({
  name: 'cloning',
  concurrency,
  async *run(tasks, link) {
    const running = new Map<FoldTask, Promise<{ task: FoldTask; outcome: FoldOutcome }>>();
    try {
      for (const task of tasks) {
        running.set(
          task,
          runApart(task, link).then((outcome) => ({ task, outcome })),
        );
        if (running.size < concurrency) continue;
        const done = await Promise.race(running.values());
        running.delete(done.task);
        yield done.outcome;
      }
      while (running.size > 0) {
        const done = await Promise.race(running.values());
        running.delete(done.task);
        yield done.outcome;
      }
    } finally {
      // Whoever stops listening waits for the folds that go on: they use what the run is about to give back.
      await Promise.allSettled(running.values());
    }
  },
  close: async () => undefined,
});
