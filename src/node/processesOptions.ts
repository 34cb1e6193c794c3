/** The options of `processes`; in a file of their own, which needs no Node. */
import { type InputOf, integer, optionTable } from '../core/options.js';

export const processesOptions = optionTable('processes', {
  workers: integer({ min: 1, max: 1024 })
    .nullable()
    .default(null)
    .describe('Folds that run at once, each in a process of its own; null: one for each core.'),
  memoryLimit: integer({ min: 64 })
    .nullable()
    .default(null)
    .describe('Memory (resident, in MB) of a process; the fold of one that takes more fails. null: no limit.'),
});
export type ProcessesOptions = InputOf<typeof processesOptions>;
