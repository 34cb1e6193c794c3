/** The options of `mergeRuns`; in a file of their own, which needs no Node. */
import { custom, type InputOf, optionTable, string } from '../../core/options.js';

export const mergeRunsOptions = optionTable('mergeRuns', {
  into: string()
    .optional()
    .describe('Folder that gets the folds of all: a new one, or that of the same run; left out, nothing is kept.'),
  call: custom<(runDirectory: string) => Promise<unknown>>(
    '(runDirectory) => promise of a result',
    'be a function',
    (v) => typeof v === 'function',
  )
    .optional()
    .describe(
      'Makes the call of the run, without `shard`, with this run directory, where the call that is stored with the run is not plain data: nothing that is there is trained again.',
    ),
});

export type MergeRunsOptions = InputOf<typeof mergeRunsOptions>;
