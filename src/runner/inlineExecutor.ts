import type { Executor } from './executor.js';

/**
 * One fold after the other, in this process.
 *
 * @example
 * const inline = new UniversalCVRunner({ cvSplitter, executor: inlineExecutor, verbose: 0 });
 * console.log((await inline.run({ model, data: [X, y], preprocessing })).meanScores.accuracy);
 */
export const inlineExecutor: Executor = {
  name: 'inline',
  concurrency: 1,
  async *run(tasks, { services, emit }) {
    // Loaded when it is needed: a page that only makes folds need not download the fold loop.
    const { runFold } = await import('./runFold.js');
    for (const task of tasks) yield await runFold(task, { ...services, emit });
  },
  close: async () => undefined,
};
