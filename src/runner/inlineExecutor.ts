import type { Executor } from './executor.js';
import { runFold } from './runFold.js';

/** One fold after the other, in this process. */
export const inlineExecutor: Executor = {
  name: 'inline',
  concurrency: 1,
  async *run(tasks, { services, emit }) {
    for (const task of tasks) yield await runFold(task, { ...services, emit });
  },
  close: async () => undefined,
};
