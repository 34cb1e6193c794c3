/** The folder of a run: `run.json`, a file for each finished fold, `log.jsonl`, the lock, and the salt of pseudonyms. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { cleanupOnError, withCleanup } from '../../core/cleanup.js';
import { messageOf, phrase, RunDirectoryError, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Files } from '../../core/io.js';
import { freshSeed } from '../../core/random.js';
import { canonicalJSON } from '../../core/sha256Of.js';
import { nextEntry, type TrailEntry, type TrailEvent, TrailFile, verifiedTrail } from '../../core/trail.js';
import { VERSION } from '../../core/version.js';
import { errorCode, ifThere, inNewFolder, isThere, syncFolder, writeWhole } from '../../core/wholeFile.js';
import type { RunIdentity } from '../../runner/runDirectory.js';
import { type Attempt, type OutcomeBody, outcomeBody } from './outcomeFile.js';
import { type RunLock, takeRunLock } from './runLock.js';

const files = nodeFiles as Files;
const FORMAT = 'cvkit-run-1';
const FOLDER_FORMAT = 'cvkit-runs-1';
/** Fields of what is kept of one fold that is in no file of its own: see the entry `fold_end` of the log. */
export interface Kept extends Attempt {
  readonly file: string;
  readonly sha256: string;
}

export const fault = (place: string, code: string, must: string, got: string, way?: string, cause?: unknown) =>
  new RunDirectoryError(sentence(`The run directory '${nameText(place, 200)}'`, must, phrase(got), way), {
    code,
    cause,
  });

export function unfinished(place: string, fold: string): RunDirectoryError {
  const way = 'Make the call again, which goes on, or join all parts by `mergeRuns`.';
  return fault(place, 'unfinished_run', 'hold all folds', `none of ${nameText(fold)}`, way);
}

/** Errors of the file system, a full disk among them, as one sentence. */
export async function onDisk<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = errorCode(error) === 'unwritable_place' ? (error as Error).cause : error;
    const [must, way] = WHY_NOT[errorCode(cause)] ?? [];
    if (must === undefined) throw error;
    throw fault(place, 'unwritable_run_directory', must, messageOf(cause), way, error);
  }
}

const KEPT = 'Folds that are finished are kept: the same call goes on from there.';
const FOLDER: [string, string] = ['be a folder that can be read and written', KEPT];
const WHY_NOT: Readonly<Record<string, [string, string]>> = {
  ENOSPC: ['be on a disk with room', `Make room. ${KEPT}`],
  EDQUOT: ['be on a disk with room', `Make room. ${KEPT}`],
  ...{ EROFS: FOLDER, EACCES: FOLDER, EPERM: FOLDER, ENOTDIR: FOLDER, EIO: FOLDER },
};

/** A folder that is open, and locked. */
export interface RunFolder {
  readonly id: string;
  /** Of the pseudonyms. */
  readonly salt: Int32Array;
  readonly log: RunLog;
  readonly kept: Map<string, Kept>;
  release(): Promise<void>;
}

/** What `run.json` says of a run: two with the same give the same outcomes. */
export type RunFacts = RunIdentity & { readonly data: Readonly<Record<string, string | null>> };

/**
 * @param place made where it is missing, with mode 0700
 * @param facts what the run is: another one is refused, with what differs
 * @param force takes a lock of another machine, whose process nobody here can ask for
 * @param folds how many the call has, for the log
 * @throws {RunDirectoryError}
 */
export function openFolder(place: string, facts: RunFacts, force: boolean, folds?: number): Promise<RunFolder> {
  return onDisk(place, () => inNewFolder(files, place, () => opened(place, facts, force, folds)));
}

/** Opens a folder of run directories, or makes it. Each of them says what its run is. */
export function openFolderOfRuns(place: string, force: boolean): Promise<RunLock> {
  const open = async () => {
    const lock = await lockOf(place, force);
    await cleanupOnError(() => sameRun(place, FOLDER_FORMAT, {}), lock.release);
    return lock;
  };
  return onDisk(place, () => inNewFolder(files, place, open));
}

async function lockOf(place: string, force: boolean): Promise<RunLock> {
  await chmod(place, 0o700);
  const lock = await takeRunLock(place, force);
  if (!('release' in lock)) {
    const where = lock.here ? '' : ` on ${nameText(lock.host)}, another machine`;
    const isOwn = lock.here && lock.pid === String(process.pid);
    const way = isOwn
      ? 'It is a run of this process: name another folder.'
      : lock.here
        ? 'Wait for it, or end it.'
        : 'If it has ended, pass runDirectory: { place, force: true }.';
    throw fault(place, 'run_directory_in_use', 'be used by one process at a time', `process ${lock.pid}${where}`, way);
  }
  await cleanupOnError(() => removeRests(place), lock.release);
  return lock;
}

/** Of files that a process which was killed had under way. In the folder itself there may be others that end alike. */
async function removeRests(place: string): Promise<void> {
  const own = {
    '.': /^(run\.json|call\.json|result\.json|report\.html)\.[\da-f]{8}\.tmp$/,
    private: /\.tmp$/,
    folds: /\.tmp$/,
  };
  for (const [folder, rest] of Object.entries(own)) {
    const names = await ifThere(() => readdir(join(place, folder)), []);
    for (const name of names.filter((each) => rest.test(each))) await rm(join(place, folder, name), { force: true });
  }
}

async function opened(place: string, facts: RunFacts, force: boolean, folds?: number): Promise<RunFolder> {
  const lock = await lockOf(place, force);
  return cleanupOnError(async () => {
    const id = await sameRun(place, FORMAT, facts);
    for (const folder of ['folds', 'private']) await mkdir(join(place, folder), { recursive: true, mode: 0o700 });
    const log = new RunLog(place);
    await log.read();
    const planned = folds === undefined ? {} : { folds };
    await log.add('open', { id, cvkit: VERSION, node: process.versions.node, ...planned });
    const folder = { id, salt: await saltIn(place), log, kept: await keptIn(place, log), release: lock.release };
    // A fold is on the disk when the names of its folder and of the log are.
    await syncFolder(files, place);
    return folder;
  }, lock.release);
}

/** What stands in `run.json`; undefined where there is none. */
export async function readRun(place: string, expected = FORMAT): Promise<{ id: string; facts: RunFacts } | undefined> {
  const text = await ifThere(() => readFile(join(place, 'run.json'), 'utf8'), undefined);
  if (text === undefined) return undefined;
  const { format, id, ...facts } = parsed(text);
  if (format === expected && typeof id === 'string') return { id, facts: facts as unknown as RunFacts };
  const got = typeof format === 'string' ? `'${nameText(format)}'` : 'a run.json that is damaged';
  throw fault(place, 'no_run_directory', `have a run.json of the format '${expected}'`, got, 'Name a new folder.');
}

export type WholeRun = Awaited<ReturnType<typeof readWhole>>;

/** A run directory as it stands; `reason`: what is wrong with its log, whose entries do not count then. */
export async function readWhole(place: string) {
  const run = await readRun(place);
  if (!run) throw fault(place, 'no_run_directory', 'have a run.json', 'none');
  const text = await ifThere(() => readFile(join(place, 'log.jsonl'), 'utf8'), '');
  // A last line without its end is of a run that goes on, or was killed.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const { reason, head } = await verifiedTrail(whole);
  const lines = reason === null ? whole.split('\n').slice(0, -1) : [];
  return { place, ...run, reason, head, entries: lines.map((line) => JSON.parse(line) as TrailEntry) };
}

/** Writes what the run is, or compares it with what stands there. Gives the id of the run. */
async function sameRun(place: string, expected: string, facts: RunFacts | object): Promise<string> {
  const before = await readRun(place, expected);
  const isEmpty = (await ifThere(() => readdir(join(place, 'folds')), [])).length === 0;
  // A call that kept nothing, since it was refused, may be another one the next time.
  if (before && !isEmpty) {
    refuseOther(place, before.facts, facts as RunFacts);
    return before.id;
  }
  const others = (await readdir(place)).filter((name) => !name.startsWith('lock'));
  if (!before && others.length > 0) {
    const way = 'Name a new folder.';
    throw fault(place, 'no_run_directory', 'be a new folder or that of a run', 'other files and no run.json', way);
  }
  const id = before?.id ?? randomUUID();
  const text = `${JSON.stringify({ format: expected, id, ...facts }, null, 2)}\n`;
  await writeWhole(files, join(place, 'run.json'), text, { overwrite: true });
  return id;
}

/** Throws where two runs are not the same, with what differs. */
export function refuseOther(place: string, before: RunFacts, now: RunFacts): void {
  const differs = differences(before, JSON.parse(canonicalJSON(now)));
  if (differs.length === 0) return;
  const way = 'Make the call as it was, or name a new folder.';
  throw fault(place, 'other_run', 'be of this run', differs.slice(0, 3).join('; '), way);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Where two plain values differ, in words. */
function differences(before: unknown, now: unknown, at = ''): string[] {
  if (canonicalJSON(before) === canonicalJSON(now)) return [];
  const [then, later] = [before, now].map((each) => Object(each) as Record<string, unknown>);
  const isBoth = [before, now].every((each) => typeof each === 'object' && each !== null);
  const inCode = ['class', 'function', 'withheld'].some((kind) => then[kind] !== later[kind]);
  if (isBoth && !inCode && (then.sha256 === later.sha256 || !('sha256' in then))) {
    const names = [...new Set([...Object.keys(then), ...Object.keys(later)])].sort();
    const within = (name: string) => (name === 'options' ? at : at ? `${at}.${name}` : name);
    return names.flatMap((name) => differences(then[name], later[name], within(name)));
  }
  const isHash = [before, now].some((each) => /^[\da-f]{64}$/.test(String(each)));
  if (isHash || (isBoth && !inCode)) return [`other ${isHash ? '' : 'code of '}\`${at}\``];
  return [`\`${at}\` ${written(now)}, before ${written(before)}`];
}

function written(value: unknown): string {
  if (value === undefined) return 'left out';
  const { class: name, function: called, withheld } = Object(value) as Record<string, unknown>;
  const kind = name ?? called ?? withheld;
  if (typeof kind === 'string') return nameText(kind) || 'a function';
  return nameText(canonicalJSON(value), 80);
}

/** Drawn once for each directory, and in a file of its own, which nobody has to hand on. */
async function saltIn(place: string): Promise<Int32Array> {
  const path = join(place, 'private', 'salt');
  const text = await ifThere(() => readFile(path, 'utf8'), undefined);
  if (text !== undefined) return Int32Array.from(text.trim().split(' '), Number);
  const salt = Int32Array.from({ length: 4 }, freshSeed);
  await writeWhole(files, path, `${salt.join(' ')}\n`, { mode: 0o600 });
  return salt;
}

/** `log.jsonl`: who opened the directory, what each attempt took, and the hash of what it gave. `verifyTrail` reads it. */
export class RunLog {
  readonly entries: TrailEntry[] = [];
  readonly #file: TrailFile;
  /** How often the directory was opened, this time included. */
  #opened = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(place: string) {
    this.#file = new TrailFile(files, join(place, 'log.jsonl'), this.entries, true);
  }

  async read(): Promise<void> {
    await this.#file.read();
    this.#opened = this.entries.filter(({ event }) => event === 'open').length;
  }

  add(event: TrailEvent, facts: Readonly<Record<string, unknown>>): Promise<void> {
    const who = { host: hostname(), pid: process.pid };
    const write = () =>
      this.#file.add(() => {
        if (event === 'open') this.#opened++;
        return nextEntry(this.entries.at(-1), { ...facts, ...who, run: this.#opened, event });
      });
    // Folds of several trials may end at once.
    this.#last = this.#last.then(write, write);
    return this.#last;
  }
}

/**
 * Notes what was written at the end, by the SHA-256 of each file, for `verifyRun`. Where another process has begun the same call
 * meanwhile, it notes them.
 */
export async function noteResult(place: string, written: Readonly<Record<string, string>>): Promise<void> {
  // A folder of runs has no log of its own.
  if (!(await isThere(files, join(place, 'log.jsonl')))) return;
  const lock = await takeRunLock(place, false);
  if (!('release' in lock)) return;
  const note = async () => {
    const log = new RunLog(place);
    await log.read();
    await log.add('end', { written });
  };
  await withCleanup(note, lock.release);
}

export const NO_TIME: Attempt = { seconds: 0, secondsOf: { inner: 0, preprocess: 0, fit: 0, predict: 0 }, left: null };

/** What the log says of each fold that is finished, by key. */
export function finishedIn(entries: readonly TrailEntry[]): Map<string, Kept & { readonly fold: string }> {
  const finished = entries.filter(({ event, status }) => event === 'fold_end' && status === 'completed');
  return new Map(
    finished.map(({ key, fold, file, sha256, seconds, secondsOf, left }) => [
      key as string,
      { fold, file, sha256, seconds, secondsOf, left } as Kept & { readonly fold: string },
    ]),
  );
}

/** The file of a fold and what is in it. Throws where it is not as the log has it. */
export async function storedOutcome(
  place: string,
  fold: string,
  { file, sha256 }: Kept,
  way?: string,
): Promise<{ readonly text: string; readonly body: OutcomeBody }> {
  // At once: of a thousand small files, to ask for each and wait takes longer than to read them.
  const text = await ifThere(async () => readFileSync(join(place, 'folds', file), 'utf8'), '');
  const found = outcomeBody(text);
  if (found?.sha256 === sha256) return { text, body: found.body };
  const got = `${file}, which ${text === '' ? 'is missing' : 'was changed'}`;
  throw fault(place, 'damaged_run_directory', `hold ${fold} as it was written`, got, way);
}

type Answered = Attempt & { readonly worker?: string };

/** What workers say of their tasks, by key: see `TaskFolder`. */
export async function answersIn(place: string): Promise<Map<string, Answered>> {
  const found = new Map<string, Answered>();
  const names = await ifThere(() => readdir(join(place, 'tasks'), { recursive: true }), []);
  for (const name of names.filter((each) => /[\\/]\d+\.json$/.test(each))) {
    const { key, host, seconds, secondsOf, left } = parsed(await readFile(join(place, 'tasks', name), 'utf8'));
    if (typeof seconds === 'number') found.set(String(key), { seconds, secondsOf, left, worker: host } as Answered);
  }
  return found;
}

/** What is whole in the directory. Files without an entry, of a process that was killed before it wrote it, get theirs. */
async function keptIn(place: string, log: RunLog): Promise<Map<string, Kept>> {
  const kept: Map<string, Kept> = finishedIn(log.entries);
  const known = new Set(Array.from(kept.values(), ({ file }) => file));
  const folder = join(place, 'folds');
  let answers: Promise<Map<string, Answered>> | undefined;
  for (const name of await readdir(folder)) {
    if (known.has(name)) continue;
    const found = outcomeBody(await readFile(join(folder, name), 'utf8'));
    if (!found) continue;
    const { key, fold } = found.body;
    answers ??= answersIn(place);
    const { worker, ...took } = ((await answers).get(key) ?? NO_TIME) as Answered;
    const entry = { file: name, sha256: found.sha256, ...took };
    await log.add('fold_end', { fold, status: 'completed', key, ...entry, worker, adopted: true });
    kept.set(key, entry);
  }
  return kept;
}
