/** The studies of a run: who proposes, how many trials, and where they are kept. */
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { contentHashes } from '../../data/contentHashes.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';
import type { Prepared } from '../prepare.js';
import type { Scorer } from '../scoring.js';
import { countOf, distributionText, sameDistribution } from './distribution.js';
import type { Sampler } from './sampler.js';
import { GridSampler } from './samplers/gridSampler.js';
import { isSampler, samplerOf } from './samplers/samplerOf.js';
import type { ParamGrid, Space } from './space.js';
import { Study } from './study.js';
import type { StudyStorage } from './studyStorage.js';
import { isStorage, type TuningSettings } from './tuningOptions.js';

interface StudiesInput extends Pick<TuningSettings, 'options' | 'written' | 'space'> {
  readonly scorer: Scorer;
  /** Folds that the executor runs at once. */
  readonly concurrency: number;
}

export interface Studies {
  readonly nTrials: number;
  readonly parallelTrials: number;
  /** What is to be said of studies that were there before. */
  readonly warnings: readonly string[];
  open(id: string, plan: FoldPlan): Promise<Study>;
  close(): Promise<void>;
}

export async function studiesOf(prepared: Prepared, { options, ...input }: StudiesInput): Promise<Studies> {
  const { space, scorer, written } = input;
  const grid = gridOf(options.paramGrid, space, prepared.randomState);
  const named = options.sampler ?? (grid?.isLists && grid.size <= options.nTrials ? 'grid' : 'random');
  // A grid is tried whole, unless the caller says how many.
  const isWhole = named === 'grid' && !written.has('nTrials') && grid !== undefined && Number.isFinite(grid.size);
  const nTrials = isWhole ? grid.size : options.nTrials;
  const sampler = isSampler(named) ? named : namedSampler(named, grid, nTrials);
  const direction = directionOf(scorer);
  const storage = options.storage === undefined ? undefined : await storageOf(options.storage);
  const warnings: string[] = [];
  const first = new Study({ direction, sampler, pruner: options.pruner });
  const waits = !sampler.looksBack && first.pruner.name === 'none';
  return {
    nTrials,
    parallelTrials: options.parallelTrials ?? (waits ? input.concurrency : 1),
    warnings,
    async open(id, plan) {
      const name = `${options.studyName}/${id}`;
      const how = { direction, sampler, pruner: options.pruner, name, randomState: seedOf(prepared.randomState, id) };
      if (!storage) return new Study(how);
      const study = await Study.open({ ...how, storage });
      warnings.push(...study.warnings, ...(await bind(study, { prepared, plan, space, scorer })));
      await study.flush();
      return study;
    },
    close: async () => storage?.close(),
  };
}

const seedOf = (randomState: number | string, id: string): string => `${randomState}/${id}`;

interface Grid {
  /** Number of combinations; infinite where values cannot be counted. */
  readonly size: number;
  readonly isLists: boolean;
  /** Makes the sampler that tries each combination once, in order or in a random one. */
  make(isShuffled: boolean): GridSampler;
}

/** The grid of the space; undefined for a function. */
function gridOf(given: unknown, { distributions }: Space, shuffle: number | string): Grid | undefined {
  if (!distributions) return undefined;
  const all = Object.values(distributions);
  return {
    size: all.reduce((product, each) => product * countOf(each), 1),
    isLists: all.every(({ kind }) => kind === 'categorical'),
    make: (isShuffled) => new GridSampler(given as ParamGrid, isShuffled ? { shuffle } : {}),
  };
}

function namedSampler(
  named: Exclude<TuningSettings['options']['sampler'], Sampler | undefined>,
  grid: Grid | undefined,
  nTrials: number,
): Sampler {
  if (named === 'grid' && !grid) {
    throw new InvalidOptionError(
      sentence(
        "The `sampler` option 'grid'",
        'be for a `paramGrid` that is a record',
        phrase('a function of the trial'),
        "Use 'random' or 'tpe'.",
      ),
      { code: 'invalid_space' },
    );
  }
  // Of lists no combination is drawn twice. Where there are very many, none is likely to be.
  if (named === 'random' && grid?.isLists && grid.size <= MOST_DRAWS) {
    return Object.assign(grid.make(true), { name: named });
  }
  return samplerOf(named, grid && (() => grid.make(grid.size > nTrials)));
}

/** Which way a score is better. A function of the caller: more is better, as in scikit-learn. */
function directionOf({ name, metric }: Scorer): Study['direction'] {
  if (!metric) return 'maximize';
  if (metric.direction !== 'target') return metric.direction;
  const must = 'be a metric of which more or less is better';
  throw new InvalidOptionError(
    sentence('The `scoring` option', must, phrase(`${nameText(name)}, which is best at ${metric.target ?? 0}`)),
    { code: 'invalid_scoring' },
  );
}

async function storageOf(given: StudyStorage | string | URL): Promise<StudyStorage> {
  if (isStorage(given)) return given;
  const { JournalStorage } = await import('./journal/journalStorage.js');
  return new JournalStorage(given);
}

/** What a study is about; it goes on only with the same. */
const ABOUT = 'cvkit';

interface About {
  readonly prepared: Prepared;
  readonly plan: FoldPlan;
  readonly space: Space;
  readonly scorer: Scorer;
}

/** Holds a study that was there before against this search; notes in a new one what it is about. Gives warnings. */
async function bind(study: Study, { prepared, plan, space, scorer }: About): Promise<string[]> {
  const { data, folds } = await contentHashes({ ...prepared, folds: plan });
  const about: Record<string, unknown> = {
    scoring: scorer.name,
    randomState: String(prepared.randomState),
    space: space.distributions ? JSON.stringify(space.distributions) : 'a function',
    folds,
    ...Object.fromEntries(Object.entries(data).map(([name, hash]) => [`data.${name}`, hash])),
  };
  checkSpace(study, space);
  const known = study.userAttrs[ABOUT] as Record<string, unknown> | undefined;
  if (known) {
    const other = Object.keys({ ...known, ...about }).find((name) => known[name] !== about[name]);
    if (other === undefined) return [];
    throw otherStudy(study, `be about this search`, `one with another ${WORDS[other] ?? other}`);
  }
  study.setUserAttr(ABOUT, about);
  const { length } = study.trials;
  if (length === 0) return [];
  return [
    `The study '${nameText(study.name)}' held ${length} trials that another program recorded: whether they were scored on these data and folds is not known.`,
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  scoring: '`scoring`',
  randomState: '`randomState`',
  space: '`paramGrid`',
  folds: 'set of inner folds',
  'data.X': 'X',
  'data.y': 'y',
};

function checkSpace(study: Study, { distributions }: Space): void {
  if (!distributions) return;
  for (const { number, distributions: tried } of study.trials) {
    for (const [name, distribution] of Object.entries(tried)) {
      const now = distributions[name];
      if (now && sameDistribution(now, distribution)) continue;
      const got = `trial ${number} with '${nameText(name)}' ${distributionText(distribution)}`;
      throw otherStudy(study, 'have trials of this `paramGrid`', got);
    }
  }
}

const otherStudy = ({ name }: Study, must: string, got: string) =>
  new InvalidOptionError(
    sentence(
      `The study '${nameText(name)}' in the storage`,
      must,
      phrase(got),
      'Give another `studyName` or another file.',
    ),
    { code: 'other_study' },
  );
