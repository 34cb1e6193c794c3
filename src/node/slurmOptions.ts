/** The options of `slurm`; in a file of their own, which needs no Node. */
import { type InputOf, integer, listOf, optionTable, string } from '../core/options.js';

/** What the executor itself passes to sbatch. */
const SET = /^(-[aoJM]|--(array|output|job-name|clusters|parsable|signal|requeue|no-requeue|wrap)(=|$))/;

export const slurmOptions = optionTable('slurm', {
  directory: string()
    .nullable()
    .default(null)
    .describe(
      'Folder for tasks, answers and logs, which this machine and all nodes see under the same path; null: the `runDirectory`.',
    ),
  sbatch: listOf<string>(
    'string',
    "be arguments of sbatch as '--time=02:00:00', but for array, output, job-name, clusters, signal, requeue and wrap, which cvkit sets",
    (each) => typeof each === 'string' && each.length > 0 && !SET.test(each),
  )
    .default([])
    .describe("More arguments of sbatch: `['--partition=gpu', '--time=02:00:00', '--mem=8G']`."),
  atOnce: integer({ min: 1, max: 1000 })
    .default(100)
    .describe('Array tasks that run at once; those that are submitted again come on top.'),
  foldsPerTask: integer({ min: 1, max: 1000 })
    .default(1)
    .describe('Folds that one array task does, one after the other: for short ones, since each task starts Node anew.'),
  root: string()
    .nullable()
    .default(null)
    .describe('Folder that the modules of the run are below of; a node imports no other. null: the working directory.'),
});
export type SlurmOptions = InputOf<typeof slurmOptions>;
