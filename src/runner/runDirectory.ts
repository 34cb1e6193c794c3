/** What a run keeps on a disk while it goes on, so that one that ended early goes on where it stopped. */

import { withCleanup } from '../core/cleanup.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { OptionShape, Parsed } from '../core/options.js';
import { type Recorded, type RecordedOptions, recordedOptions } from '../core/recorded.js';
import { sha256Of } from '../core/sha256Of.js';
import { VERSION } from '../core/version.js';
import type { FoldServices, FoldTask } from './executor.js';
import type { CompletedOutcome, FoldOutcome } from './foldResult.js';
import type { Prepared } from './prepare.js';
import type { RunCall, RunDirectoryOption } from './runOptions.js';

/** What a run is: two with the same identity give the same outcomes. Plain JSON. */
export interface RunIdentity {
  readonly cvkit: string;
  /** What the caller wrote, as the manifest holds it. */
  readonly options: RecordedOptions;
}

/** What the rows and labels of a run are read from. */
export type RunContent = Pick<FoldServices, 'X' | 'y' | 'auxiliary' | 'data' | 'weight' | 'positive'>;

/** A run directory that is open; `cvkit/node` makes it. */
export interface RunDirectory {
  readonly place: string;
  readonly id: string;
  /** Of the pseudonyms: one for all that the directory holds. */
  readonly salt: Int32Array;
  /** What is kept of the folds of one run in it. */
  outcomesOf(content: RunContent & Pick<FoldServices, 'placeOf'>): Promise<KeptOutcomes>;
  /** All that is kept in it, of further fits, too. */
  finished(): Promise<readonly FinishedFold[]>;
  close(): Promise<void>;
}

/** What is known of an outcome that is kept. No seconds: it was adopted, and nobody knows them. */
export interface FinishedFold {
  readonly key: string;
  readonly seconds: number;
  readonly bytes: number;
}

export interface KeptOutcomes {
  /** The folder of the run. */
  readonly place: string;
  /** Name of the outcome: all that it follows from, hashed. Undefined where it is not kept. */
  keyOf(task: FoldTask): string | undefined;
  has(key: string): boolean;
  read(key: string, task: FoldTask): Promise<CompletedOutcome>;
  /** Throws `unfinished_run`. */
  refuse(fold: string): never;
  /** Waits until it is on the disk. Of a fold that failed the log alone tells, and of one without a key nothing. */
  write(key: string | undefined, task: FoldTask, outcome: FoldOutcome): Promise<void>;
}

interface Named {
  readonly task: FoldTask;
  readonly key: string | undefined;
}

/** Outcomes that are found and wait for those that run: so many at most, since each holds its rows. */
const MOST_WAITING = 64;

/** The outcomes of the tasks: those that are kept are read, the others are run and then kept. */
export async function* keptOrRun(
  tasks: Iterable<FoldTask>,
  kept: KeptOutcomes,
  run: (missing: Iterable<FoldTask>) => AsyncIterable<FoldOutcome>,
): AsyncGenerator<FoldOutcome, void, undefined> {
  const source = tasks[Symbol.iterator]();
  const found: Named[] = [];
  const running = new Map<string, Named>();
  /** Drawn, and neither found nor given away to be run. */
  let next: Named | undefined;
  let allDrawn = false;
  const drawn = (): Named | undefined => {
    if (next || allDrawn) return next;
    const { value: task, done } = source.next();
    allDrawn = done === true;
    next = allDrawn ? undefined : { task, key: kept.keyOf(task) };
    return next;
  };
  const isKept = ({ key }: Named) => key !== undefined && kept.has(key);
  const read = async ({ key, task }: Named): Promise<FoldOutcome> => {
    return { ...(await kept.read(key as string, task)), kept: true };
  };
  async function* readFound() {
    for (let one = found.shift(); one; one = found.shift()) yield await read(one);
  }
  function* missing(): Generator<FoldTask> {
    while (found.length < MOST_WAITING) {
      const one = drawn();
      if (!one) return;
      next = undefined;
      if (isKept(one)) found.push(one);
      else {
        running.set(one.task.ctx.fold, one);
        yield one.task;
      }
    }
  }
  for (;;) {
    // Those in front of the first one that must run.
    for (let one = drawn(); one && isKept(one); one = drawn()) {
      next = undefined;
      yield await read(one);
    }
    const waits = next;
    if (!waits) return;
    for await (const outcome of run(missing())) {
      const one = running.get(outcome?.ctx?.fold);
      running.delete(outcome?.ctx?.fold);
      if (one) await kept.write(one.key, one.task, outcome);
      yield outcome;
      yield* readFound();
    }
    yield* readFound();
    // An executor that takes none of its tasks would be run for ever.
    if (next === waits) return;
  }
}

/** In the option: the directory is read for what it is, and not as that of this call, and holds all folds. */
export const AS_IT_IS = Symbol('as it is');

/** Tasks that must run; throws where one of them is a fold that the directory should hold. */
export function* missingTasks({ call, plan }: Prepared, kept: KeptOutcomes, tasks: Iterable<FoldTask>) {
  const { runDirectory } = call.run.options;
  const isWhole = typeof runDirectory === 'object' && AS_IT_IS in runDirectory && !call.isFurther;
  for (const task of tasks) {
    if (isWhole && plan.ids.includes(task.ctx.fold)) kept.refuse(task.ctx.fold);
    yield task;
  }
}

const placeIn = (option: RunDirectoryOption): string => (typeof option === 'string' ? option : option.place);
const isForced = (option: RunDirectoryOption): boolean => typeof option === 'object' && option.force === true;

/** The call as its run directory has it: Ctrl-C ends it as `signal` does, and models are saved inside. */
export async function inDirectory<T>(call: RunCall, work: (call: RunCall) => Promise<T>): Promise<T> {
  const { options } = call.run;
  if (options.runDirectory === undefined) return work(call);
  const place = placeIn(options.runDirectory);
  const saves = options.keepModels === 'save';
  if (options.keepModels === 'memory') {
    const must = "be 'save' or 'none' with `runDirectory`, which keeps no memory";
    throw new InvalidOptionError(sentence('The `keepModels` option of run', must, options.keepModels));
  }
  const { onInterrupt } = await import('#node');
  const interrupt = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, interrupt.signal]) : interrupt.signal;
  const inside = saves ? { modelPath: options.modelPath ?? `${place}/models/{fold}`, overwrite: true } : {};
  const ended = onInterrupt(place, (reason) => interrupt.abort(reason));
  return withCleanup(
    () => work({ ...call, run: { ...call.run, options: { ...options, ...inside, signal } } }),
    async () => ended(),
  );
}

type Part = Pick<RunCall['run']['options'], 'runDirectory'> & { readonly shard?: unknown; readonly dryRun?: unknown };

/** Writes `result.json`, and the report of a validation, where the call has a run directory and does all folds. */
export async function withResult<R extends object>({ runDirectory, shard, dryRun }: Part, result: R): Promise<R> {
  if (runDirectory === undefined || shard !== undefined || dryRun) return result;
  const { writeResult } = await import('#node');
  await writeResult(placeIn(runDirectory), result);
  return result;
}

/** How long a fold may take is no part of what the run is. */
const withoutLimit = <C extends { readonly written: ReadonlySet<string> }>(call: C): C => {
  return { ...call, written: new Set([...call.written].filter((name) => name !== 'foldTimeout')) };
};

/** Opens the run directory, where there is one, and refuses that of another run. */
export async function withDirectory<T>(prepared: Prepared, work: (directory?: RunDirectory) => Promise<T>): Promise<T> {
  const { runDirectory } = prepared.call.run.options;
  if (runDirectory === undefined) return work();
  const { openRunDirectory } = await import('#node');
  const identity = await identityOf(prepared, runDirectory);
  const directory = await openRunDirectory(placeIn(runDirectory), identity, prepared, isForced(runDirectory));
  return withCleanup(
    () => work(directory),
    () => directory.close(),
  );
}

async function identityOf({ call }: Prepared, option: RunDirectoryOption): Promise<RunIdentity | undefined> {
  if (typeof option === 'object' && AS_IT_IS in option) return undefined;
  const recorded = await recordedOptions(call.written.map(withoutLimit));
  const isNamed = call.run.options.resumeKey !== undefined;
  if (!isNamed) for (const [owner, options] of Object.entries(recorded)) refuseFunctions(owner, options);
  return { cvkit: VERSION, options: recorded };
}

/** The last of the tables that has a seed says which. */
export function refuseDrawnSeed(tables: readonly Pick<Parsed<OptionShape>, 'options' | 'written'>[]): void {
  const seeded = tables.findLast(({ written }) => written.has('randomState'));
  if (seeded?.options.randomState !== null) return;
  const must = 'be a number or a text with `runDirectory`, since a seed that is drawn is another one each time';
  throw new InvalidOptionError(sentence('The `randomState` option', must, null));
}

/** A folder that holds run directories, each of a run of its own. */
export async function inFolderOfRuns<T>(
  option: RunDirectoryOption | undefined,
  work: (at: (name: string) => Promise<RunDirectoryOption | undefined>) => Promise<T>,
): Promise<T> {
  if (option === undefined) return work(async () => undefined);
  const { openFolderOfRuns } = await import('#node');
  const [place, force] = [placeIn(option), isForced(option)];
  const folder = await openFolderOfRuns(place, force);
  const at = async (name: string) => ({ place: `${place}/${await folderName(name)}`, force });
  return withCleanup(
    () => work(at),
    () => folder.release(),
  );
}

/** Names that differ give names of folders that differ, also where a file system does not tell `A` from `a`. */
const folderName = async (name: string): Promise<string> =>
  /^[a-z\d][a-z\d_-]{0,59}$/.test(name)
    ? name
    : `${name.replace(/[^\w-]+/g, '_').slice(0, 60)}.${(await sha256Of(name)).slice(0, 8)}`;

/** What a function does can change without its text: what it calls, what it closes over. */
function refuseFunctions(owner: string, recorded: Recorded, name = ''): void {
  if (typeof recorded !== 'object' || recorded === null) return;
  if (!('function' in recorded)) {
    for (const [field, each] of Object.entries(recorded)) refuseFunctions(owner, each, name || field);
    return;
  }
  const subject = `The \`${nameText(name)}\` option of ${nameText(owner)}`;
  const must = 'be named by its module with `runDirectory`, since a function can change without a trace';
  const way =
    name === 'aggregate'
      ? 'Pass a `resumeKey` that you change with it.'
      : "Pass new URL('./model.mjs', import.meta.url), { module, export }, or a `resumeKey` that you change with it.";
  throw new InvalidOptionError(sentence(subject, must, phrase('a function'), way), { code: 'unnamed_function' });
}
