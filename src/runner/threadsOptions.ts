/** The options of `threads`; in a file of their own, which needs no Node. */
import { type InputOf, integer, optionTable } from '../core/options.js';

export const threadsOptions = optionTable('threads', {
  workers: integer({ min: 1, max: 1024 })
    .nullable()
    .default(null)
    .describe('Folds that run at once, each in a thread of its own; null: one for each core.'),
});
export type ThreadsOptions = InputOf<typeof threadsOptions>;
