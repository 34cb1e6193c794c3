import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { anything, custom, type InputOf, integer, number, oneOf, optionTable, seed, string } from '../core/options.js';
import type { FrozenTrial } from '../core/tuningTrial.js';
import type { PrunerOption, SamplerOption } from './named.js';
import type { Sampler } from './sampler.js';
import type { StudyStorage } from './studyStorage.js';

export const studyOptions = optionTable('Study', {
  direction: oneOf('minimize', 'maximize').default('minimize').describe('Which values are better.'),
  sampler: anything<SamplerOption>("'tpe' | 'random' | Sampler")
    .default('tpe')
    .describe("Who proposes parameters: 'tpe', 'random', `new GridSampler(space)`, or any object with `sample`."),
  pruner: anything<PrunerOption>("'none' | 'median' | 'hyperband' | 'wilcoxon' | Pruner")
    .default('none')
    .describe('Who ends trials that are not worth going on with.'),
  randomState: seed().default(42).describe('Seed of what is proposed. null: fresh, recorded in the study.'),
  name: string().default('study').describe('Name of the study in its storage.'),
});

export type StudyOptions = InputOf<typeof studyOptions>;

export const openStudyOptions = optionTable('Study.open', {
  ...studyOptions.shape,
  storage: custom<StudyStorage>(
    'StudyStorage',
    'be a storage, for example new JournalStorage(path)',
    (v) => typeof (v as StudyStorage | null)?.open === 'function',
  ).describe('Where the study is kept. One that is there already goes on.'),
});

export type OpenStudyOptions = InputOf<typeof openStudyOptions>;

export const tellOptions = optionTable('tell', {
  state: oneOf('complete', 'pruned', 'failed')
    .optional()
    .describe("Left out: 'complete', or 'failed' where there is no value."),
  reason: string().optional().describe('Why it failed.'),
});

export type TellOptions = InputOf<typeof tellOptions>;

export const stopShape = {
  timeout: number({ above: 0 })
    .optional()
    .describe('Seconds after which no further trial of a search begins. Trials that have begun are ended.'),
  patience: integer({ min: 1 })
    .optional()
    .describe('Ends a search after so many trials in a row without a better value.'),
};

/** Told of each trial that has ended; 'stop' ends the search. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback may return nothing
export type OnTrial = (trial: FrozenTrial) => 'stop' | undefined | void | Promise<'stop' | undefined | void>;

export const optimizeOptions = optionTable('optimize', {
  nTrials: integer({ min: 1 })
    .optional()
    .describe('Trials of the study, those included that it holds already. Left out, `timeout` or the sampler ends it.'),
  ...stopShape,
  parallelTrials: integer({ min: 1, max: 1024 })
    .default(1)
    .describe(
      'Trials that go on at once. Each knows the trials before its group alone, so that the result depends on this number and not on their speed.',
    ),
  signal: custom<AbortSignal>(
    'AbortSignal',
    'be an AbortSignal',
    (v) => typeof (v as AbortSignal)?.aborted === 'boolean',
  )
    .optional()
    .describe('Ends the search; an objective that goes on then is given up.'),
  onTrial: custom<OnTrial>('(trial) => void', 'be a function', (v) => typeof v === 'function')
    .optional()
    .describe("Called after each trial; 'stop' ends the search."),
});

export type OptimizeOptions = InputOf<typeof optimizeOptions>;

export function checkEnds(
  { nTrials, timeout, patience }: Pick<OptimizeOptions, 'nTrials' | 'timeout' | 'patience'>,
  { isExhausted }: Pick<Sampler, 'isExhausted'>,
): void {
  if ([nTrials, timeout, patience, isExhausted].some((end) => end !== undefined)) return;
  const must = 'say when the search ends';
  const got = phrase('no `nTrials` and no `timeout`');
  throw new InvalidOptionError(sentence('The options of optimize', must, got, 'Use nTrials: 100.'));
}
