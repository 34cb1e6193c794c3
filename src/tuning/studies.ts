import { files } from '#io';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { deriveSeed } from '../core/random.js';
import { recordOf } from '../core/recorded.js';
import { type ContentHashes, contentHashes } from '../data/contentHashes.js';
import { isPipeline } from '../runner/modelSource.js';
import type { Prepared } from '../runner/prepare.js';
import type { Scorer } from '../runner/scoring.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { countOf, distributionText, invalidSpace, sameDistribution } from './distribution.js';
import { isSampler, prunerOf, type SamplerOption, samplerOf } from './named.js';
import type { Sampler } from './sampler.js';
import { GridSampler } from './samplers/gridSampler.js';
import type { ParamGrid, Space } from './space.js';
import { Study } from './study.js';
import type { StudyStorage } from './studyStorage.js';
import { isStorage, type TuningSettings } from './tuningOptions.js';

interface StudiesInput extends Pick<TuningSettings, 'options' | 'written' | 'space'> {
  readonly scorer: Scorer;
  readonly concurrency: number;
  /** Place of the run directory. */
  readonly directory: string | undefined;
}

export interface Studies {
  readonly nTrials: number;
  readonly parallelTrials: number;
  readonly warnings: readonly string[];
  open(id: string, plan: FoldPlan): Promise<Study>;
  close(): Promise<void>;
}

export async function studiesOf(prepared: Prepared, { options, ...input }: StudiesInput): Promise<Studies> {
  const { space, scorer, written } = input;
  const { grid, named } = samplerFor(options, space);
  const size = named instanceof GridSampler ? named.size : named === 'grid' ? grid?.size : undefined;
  const isWhole = !written.has('nTrials') && size !== undefined && Number.isFinite(size);
  const nTrials = isWhole ? size : options.nTrials;
  const direction = directionOf(scorer);
  const pruner = prunerOf(options.pruner);
  const seedOf = (id: string) => deriveSeed(prepared.randomState, 'search', id, 'trials');
  const sampler = (id: string) => namedSampler(named, grid, nTrials, seedOf(id));
  // Where nobody looks at earlier trials, it makes no difference how many go on at once.
  const looksBack = sampler('').looksBack || pruner.name !== 'none';
  const { storage, release } = await storageOf(options.storage ?? (await journalIn(input.directory)));
  const hashes = storage ? (await contentHashes({ ...prepared, folds: [] })).data : {};
  const warnings: string[] = [];
  if (named === 'random' && options.sampler === undefined && grid?.isLists && grid.size > nTrials) {
    warnings.push(
      `The grid has ${grid.size} combinations, more than nTrials (${nTrials}): so many of them are tried, drawn at random. Pass nTrials: ${grid.size}, or sampler: 'grid', to try all.`,
    );
  }
  return {
    nTrials,
    parallelTrials: options.parallelTrials ?? (looksBack ? 1 : input.concurrency),
    warnings,
    async open(id, plan) {
      const name = `${options.studyName}/${id}`;
      const how = { direction, sampler: sampler(id), pruner, name, randomState: seedOf(id) };
      if (!storage) return new Study(how);
      const study = await Study.open({ ...how, storage });
      warnings.push(...study.warnings, ...(await bind(study, { ...input, options, prepared, plan, hashes })));
      await study.flush();
      return study;
    },
    close: release,
  };
}

interface Grid {
  readonly size: number;
  readonly isLists: boolean;
  /** Makes the sampler that tries each combination once; with a seed in an order at random. */
  make(options: { readonly shuffle?: number; readonly name?: string }): GridSampler;
}

function samplerFor({ sampler, nTrials, paramGrid }: TuningSettings['options'], { distributions }: Space) {
  const all = distributions && Object.values(distributions);
  const grid: Grid | undefined = all && {
    size: all.reduce((product, each) => product * countOf(each), 1),
    isLists: all.every(({ kind }) => kind === 'categorical'),
    make: (how) => new GridSampler(paramGrid as ParamGrid, how),
  };
  return { grid, named: sampler ?? (grid?.isLists && grid.size <= nTrials ? 'grid' : 'random') };
}

function namedSampler(named: SamplerOption, grid: Grid | undefined, nTrials: number, seed: number): Sampler {
  if (isSampler(named)) return named;
  if (named === 'grid' && !grid) {
    const got = phrase('a function of the trial');
    const must = 'be for a `paramGrid` that is a record';
    throw invalidSpace("The `sampler` option 'grid'", must, got, "Use 'random' or 'tpe'.");
  }
  // Of lists no combination is drawn twice. Where there are very many, none is likely to be.
  if (named === 'random' && grid?.isLists && grid.size <= MOST_DRAWS) return grid.make({ shuffle: seed, name: named });
  return samplerOf(named, grid && (() => grid.make(grid.size > nTrials ? { shuffle: seed } : {})));
}

function directionOf({ name, metric }: Scorer): Study['direction'] {
  if (!metric) return 'maximize';
  if (metric.direction !== 'target') return metric.direction;
  const must = 'be a metric of which more or less is better';
  const got = phrase(`${nameText(name)}, which is best at ${metric.target ?? 0}`);
  throw new InvalidOptionError(sentence('The `scoring` option', must, got), { code: 'invalid_scoring' });
}

/**
 * The journal of a run directory, empty: trials are asked for anew, from the same seeds, and their inner folds are kept, so
 * that the search knows of each what it would know without a break.
 */
async function journalIn(directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const path = `${directory}/trials.log`;
  for (const each of [path, `${path}.lock`]) await files?.rm(each, { force: true });
  return path;
}

async function storageOf(place: StudyStorage | string | URL | undefined) {
  if (place === undefined || isStorage(place)) return { storage: place, release: async () => undefined };
  const { JournalStorage } = await import('./journal/journalStorage.js');
  const storage = new JournalStorage(place);
  return { storage, release: () => storage.close() };
}

const ABOUT = 'cvkit';

interface About extends Omit<StudiesInput, 'concurrency' | 'directory'> {
  readonly prepared: Prepared;
  readonly plan: FoldPlan;
  readonly hashes: ContentHashes['data'];
}

/** Holds a study that was there before against this search; notes in a new one what it is about. */
async function bind(study: Study, { prepared, plan, space, scorer, options, hashes }: About): Promise<string[]> {
  const about: Record<string, unknown> = {
    scoring: scorer.metric?.name ?? String(options.scoring),
    positiveLabel: prepared.positive,
    randomState: String(prepared.randomState),
    space: space.distributions ? JSON.stringify(space.distributions) : String(options.paramGrid),
    folds: plan.fingerprint,
    modelFn: isPipeline(options.modelFn) ? JSON.stringify(await recordOf(options.modelFn)) : String(options.modelFn),
    preprocessing: preparationText(prepared, options),
    training: JSON.stringify([
      prepared.training,
      Object.entries(prepared.localTraining).map(([name, each]) => [name, settingText(each)]),
    ]),
    adjust: JSON.stringify(prepared.adjust ?? null),
    validation: JSON.stringify(prepared.validation ?? null),
    ...Object.fromEntries(Object.entries(hashes).map(([name, hash]) => [`data.${name}`, hash])),
  };
  checkSpace(study, space);
  const known = study.userAttrs[ABOUT] as Record<string, unknown> | undefined;
  if (known) {
    const other = Object.keys({ ...known, ...about }).find((name) => known[name] !== about[name]);
    if (other === undefined) return earlierTrials(study);
    throw otherStudy(study, 'be about this search', `one with another ${WORDS[other] ?? other}`);
  }
  study.setUserAttr(ABOUT, about);
  const { length } = study.trials;
  if (length === 0) return [];
  return [
    `The study '${nameText(study.name)}' held ${length} trials that another program recorded: whether they were scored on these data and folds is not known.`,
  ];
}

/** The text of a function does not tell what it reads from outside, so that the reader is told of trials that were kept. */
function earlierTrials({ name, trials }: Study): string[] {
  const kept = trials.filter(({ endedAt }) => endedAt !== null).length;
  if (kept === 0) return [];
  return [
    `${counted(kept, 'trial')} of '${nameText(name)}' were scored in an earlier session: that modelFn made the same models then is taken for granted.`,
  ];
}

function settingText(setting: unknown): string {
  if (typeof setting !== 'object' || setting === null) return String(setting);
  const { getConfig } = setting as { getConfig?: () => unknown };
  return `${setting.constructor?.name} ${JSON.stringify(getConfig?.call(setting) ?? null)}`;
}

const preparationText = ({ preparation }: Prepared, { preprocessing }: TuningSettings['options']): string =>
  typeof preprocessing === 'function' ? String(preprocessing) : (preparation?.described ?? 'none');

const WORDS: Readonly<Record<string, string>> = {
  scoring: '`scoring`',
  randomState: '`randomState`',
  space: '`paramGrid`',
  folds: 'set of inner folds',
  positiveLabel: '`positiveLabel`',
  modelFn: '`modelFn`',
  preprocessing: '`preprocessing`',
  training: 'setting of training',
  adjust: '`threshold` or `recalibrate`',
  validation: '`validation`',
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

const otherStudy = ({ name }: Study, must: string, got: string) => {
  const subject = `The study '${nameText(name)}' in the storage`;
  const way = 'Give another `studyName` or another file.';
  return new InvalidOptionError(sentence(subject, must, phrase(got), way), { code: 'other_study' });
};
