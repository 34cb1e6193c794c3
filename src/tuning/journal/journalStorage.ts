import { files } from '#io';
import { AppendOnlyFile, GRACE_PERIOD } from '../../core/appendOnlyFile.js';
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import type { Files, OpenFile } from '../../core/io.js';
import { type InputOf, number, optionTable } from '../../core/options.js';
import { pathOfPlace } from '../../core/pathOfPlace.js';
import { withholder } from '../../core/sha256Of.js';
import type { Distribution, FrozenTrial, Params, ParamValue } from '../../core/tuningTrial.js';
import type { StudyView } from '../sampler.js';
import type { StudyOp, StudyRecord, StudyStorage } from '../studyStorage.js';
import {
  completeLine,
  createStudyLine,
  DIRECTIONS,
  distributionOf,
  externalOf,
  FAIL_REASON,
  OP_CODES,
  type OpLine,
  opLines,
  type StoredDistribution,
} from './opLines.js';
import { parsePython } from './pythonJson.js';
import { fixedParams, Replay, type StoredStudy, type StoredTrial } from './replay.js';

export const journalStorageOptions = optionTable('JournalStorage', {
  gracePeriod: number({ above: 0 })
    .default(GRACE_PERIOD)
    .describe('Seconds after which a lock that nobody gives back is taken over: its process has died.'),
});

export type JournalStorageOptions = InputOf<typeof journalStorageOptions>;

/**
 * Studies in a file, in the format of Optuna 5's `JournalStorage` with a `JournalFileBackend`: one operation in each line, as
 * JSON. Optuna loads the file and goes on with its studies, and the reverse. Several searches may write to one file, each to a
 * study of its own; `<file>.lock` is made while lines are added, as Optuna does.
 *
 * Optuna keeps no reason of a trial that failed. Ours may hold ids and values of patients: a hash of it with a random key stands
 * in the system attribute `fail_reason`.
 *
 * @example
 * const storage = new JournalStorage('search.log');
 * const study = await Study.open({ storage, name: 'depth', direction: 'minimize' });
 * await study.optimize((trial) => (trial.suggestInt('depth', 1, 9) - 4) ** 2, { nTrials: 5 });
 * await storage.close();
 * console.log(study.trials.length, 'trials are in search.log');
 */
export class JournalStorage implements StudyStorage {
  readonly #file: JournalFile;
  readonly #records: JournalRecord[] = [];
  /** Who writes; Optuna tells its own operations from those of others by it. */
  readonly #worker: string;

  /**
   * @param path path of the file, or its `file:` URL; made where there is none
   * @throws {InvalidOptionError} `unable` where there are no files: in a browser.
   */
  constructor(path: string | URL, input: JournalStorageOptions = {}) {
    const { gracePeriod } = journalStorageOptions.resolve(input);
    if (!files) {
      const got = phrase('a browser');
      const message = sentence('JournalStorage', 'have a file system to write to', got, 'Leave out `storage`.');
      throw new InvalidOptionError(message, { code: 'unable' });
    }
    this.#worker = `cvkit-${crypto.randomUUID()}`;
    this.#file = new JournalFile(files, placeOf(path), gracePeriod);
  }

  /** What was found in the file and left out, a sentence each: a line that broke off, operations that are not known. */
  get warnings(): readonly string[] {
    return this.#file.warnings;
  }

  /**
   * The study of that name; made where there is none.
   *
   * @throws {CVKitError} `invalid_journal`: the file is none, or is damaged; the sentence names the line. `unwritable_journal`:
   * it cannot be opened. `other_study`: the study has another direction, or several.
   *
   * @hidden
   */
  async open(name: string, direction: StudyView['direction']): Promise<StudyRecord> {
    const studies = this.#file.replay.studies;
    const withheld = await withholder();
    return await this.#file.update(
      () => {
        const study = studies.get(name);
        if (study) checkDirection(study, direction);
        return study ? [] : [createStudyLine(name, direction, this.#worker)];
      },
      () => {
        const record = new JournalRecord(this.#file, studies.get(name) as StoredStudy, this.#worker, withheld);
        this.#records.push(record);
        return record;
      },
    );
  }

  /** Writes what is left of all its studies. The storage is not used afterwards. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled(this.#records.map((record) => record.flush()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

function placeOf(path: unknown): string {
  const text = path instanceof URL ? path.href : path;
  if (typeof text === 'string' && text !== '' && !/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(text)) {
    return pathOfPlace(text);
  }
  throw new InvalidOptionError(sentence('The file of a JournalStorage', 'be a path or a `file:` URL', path));
}

function checkDirection({ name, directions }: StoredStudy, direction: StudyView['direction']): void {
  const [found] = directions;
  if (directions.length === 1 && found === DIRECTIONS.indexOf(direction)) return;
  const got =
    directions.length === 1 ? `'${DIRECTIONS[found as number] ?? 'not set'}'` : `${directions.length} directions`;
  const subject = `The study '${nameText(name)}' of the journal`;
  const must = `have one direction, '${direction}'`;
  throw new InvalidOptionError(sentence(subject, must, phrase(got)), { code: 'other_study' });
}

export class JournalRecord implements StudyRecord {
  readonly trials: readonly FrozenTrial[];
  readonly userAttrs: Readonly<Record<string, unknown>>;
  readonly #file: JournalFile;
  readonly #study: StoredStudy;
  readonly #worker: string;
  readonly #withheld: (text: string) => string;
  #pending: OpLine[] = [];
  #count: number;
  #version: number;

  constructor(file: JournalFile, study: StoredStudy, worker: string, withheld: (text: string) => string) {
    this.#file = file;
    this.#withheld = withheld;
    this.#study = study;
    this.#worker = worker;
    // Most trials have the same distributions: one object of each is quick to make, to keep and to compare.
    const known = new Map<StoredDistribution, Distribution>();
    this.trials = Object.freeze(study.trials.map((id) => trialOf(file.replay.trials[id], known)));
    this.userAttrs = Object.freeze(Object.fromEntries(study.userAttrs));
    this.#count = study.trials.length;
    this.#version = study.version;
  }

  get warnings(): readonly string[] {
    return this.#file.warnings;
  }

  /** @throws {InvalidOptionError} what is no plain data, or a trial that does not exist; then nothing is noted. */
  write(op: StudyOp): void {
    const isNew = op.type === 'create';
    if (op.type !== 'studyAttr' && (isNew ? op.number !== this.#count : !(op.number < this.#count))) {
      const must = isNew ? `be ${this.#count}, the next one` : `be below ${this.#count}, the number of trials`;
      throw new InvalidOptionError(sentence('The number of the trial to be noted', must, op.number));
    }
    // Words of errors may hold ids and values; a trail withholds them, too.
    const kept = op.type === 'end' && op.reason !== undefined ? { ...op, reason: this.#withheld(op.reason) } : op;
    this.#pending.push(...opLines(kept));
    if (isNew) this.#count++;
  }

  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    let written = 0;
    await this.#file.update(
      () => {
        this.#checkOurs();
        written = this.#pending.length;
        return this.#lines();
      },
      () => {
        this.#pending = this.#pending.slice(written);
        this.#version = this.#study.version;
      },
    );
  }

  /** Ids of trials count those of the whole journal, so they are known only now. */
  #lines(): string[] {
    const ids = [...this.#study.trials];
    let next = this.#file.replay.trials.length;
    return this.#pending.map((line) => {
      if (line.code === OP_CODES.createTrial) ids.push(next++);
      return completeLine(line, this.#worker, this.#study.id, ids[line.number ?? 0]);
    });
  }

  /** Numbers of trials would stand for two trials, were there two that write. */
  #checkOurs(): void {
    const { name } = this.#study;
    if (this.#study.version === this.#version) return;
    const isThere = this.#file.replay.studies.get(name) === this.#study;
    const subject = `The study '${nameText(name)}' of ${this.#file.title.replace('The', 'the')}`;
    const must = 'be searched by one process at a time';
    const [got, way] = isThere
      ? [
          'operations of another one since it was opened',
          'Open it again to go on from what is there, or give each search a name of its own.',
        ]
      : ['a study that was deleted meanwhile'];
    throw new CVKitError(sentence(subject, must, phrase(got), way), { code: 'journal_in_use' });
  }
}

/** Throws `invalid_journal` for a range that cannot be searched here, or a choice that is none. */
function trialOf(trial: StoredTrial, known: Map<StoredDistribution, Distribution>): FrozenTrial {
  const { number, state, values } = trial;
  const drawn: [string, ParamValue][] = [];
  const distributions: [string, Distribution][] = [];
  for (const [name, { internal, distribution: stored }] of trial.params) {
    const value = externalOf(stored, internal);
    if (value === undefined) throw noChoice(trial, name, internal);
    const distribution = known.get(stored) ?? distributionOf(name, stored);
    known.set(stored, distribution);
    drawn.push([name, value]);
    distributions.push([name, distribution]);
  }
  // A trial that is to be tried (again) takes what it was given.
  const fixed = state === 'waiting' || state === 'running' ? (fixedParams(trial) as Params) : {};
  const reason = trial.systemAttrs.get(FAIL_REASON);
  return Object.freeze({
    number,
    state,
    value: values?.[0] ?? null,
    params: Object.freeze({ ...fixed, ...Object.fromEntries(drawn) }),
    distributions: Object.freeze(Object.fromEntries(distributions)),
    intermediateValues: new Map([...trial.reports].sort(([a], [b]) => a - b)),
    userAttrs: Object.freeze(Object.fromEntries(trial.userAttrs)),
    ...(state === 'failed' ? { reason: typeof reason === 'string' ? reason : 'the journal holds no reason' } : {}),
    startedAt: trial.startedAt,
    endedAt: trial.endedAt,
  });
}

const noChoice = ({ study, number }: StoredTrial, name: string, place: number): CVKitError => {
  const subject = `Trial ${number} of the study '${nameText(study.name)}'`;
  const must = `have one of the choices of '${nameText(name)}'`;
  const got = phrase(`the place ${place}, where there is none`);
  return new CVKitError(sentence(subject, must, got), { code: 'invalid_journal' });
};

const NEWLINE = 10;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How the lines of Optuna and of cvkit begin. */
const START = '{"op_code":';

export class JournalFile {
  readonly replay = new Replay();
  readonly #file: AppendOnlyFile;
  #lines = 0;
  #ino: number | undefined;
  /** The last line is whole, but for the line break. */
  #isUnended = false;
  readonly #broken = new Set<number>();
  #firstUnknown: number | undefined;
  /** Work of this process waits here for the work before it; other processes wait for the lock. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    files: Files,
    readonly path: string,
    gracePeriod: number,
  ) {
    this.#file = new AppendOnlyFile(files, path, this, gracePeriod);
  }

  readonly optuna = true;

  get title(): string {
    return `The journal '${nameText(this.path, 200)}'`;
  }

  get warnings(): readonly string[] {
    const { unknownOps } = this.replay;
    const unknown = `${this.title} has ${counted(unknownOps, 'operation')} that cvkit does not know, the first in line ${this.#firstUnknown}. They are left out.`;
    const broken = (line: number) =>
      `${this.title} broke off in line ${line}: a process ended while it wrote. What is there of the line is left out.`;
    return [...Array.from(this.#broken, broken), ...(unknownOps > 0 ? [unknown] : [])];
  }

  /** Reads what was added since the last time, then adds all lines or none, and calls `then` before anybody else can write. */
  update<T>(newLines: () => readonly string[], then: () => T): Promise<T> {
    const done = this.#queue.then(() => this.#locked(newLines, then));
    this.#queue = Promise.allSettled([done]);
    return done;
  }

  #locked<T>(newLines: () => readonly string[], then: () => T): Promise<T> {
    return this.#file.locked(async (file) => {
      const size = await this.#read(file);
      const lines = newLines();
      if (lines.length > 0) await this.#append(file, size, lines);
      return then();
    }, 'unwritable_journal');
  }

  async #read(file: OpenFile): Promise<number> {
    const { size, ino } = await file.stat();
    this.#ino ??= ino;
    if (ino !== this.#ino || size < this.#file.end) {
      throw this.invalid('grow alone while it is used', 'another file in its place, or a shorter one');
    }
    const start = this.#file.end;
    const bytes = await this.#file.read(file, start, size);
    let from = 0;
    if (this.#isUnended && bytes.length > 0) {
      if (bytes[0] !== NEWLINE) throw this.#damaged(this.#lines, 'two lines without a break');
      from = 1;
      this.#isUnended = false;
      this.#file.end++;
    }
    for (let to = bytes.indexOf(NEWLINE, from); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      this.#apply(bytes.subarray(from, to));
      from = to + 1;
      this.#file.end = start + from;
    }
    this.#readTail(bytes.subarray(from));
    return size;
  }

  #apply(line: Uint8Array): void {
    const { unknownOps } = this.replay;
    try {
      this.replay.apply(UTF8.decode(line));
    } catch (cause) {
      throw this.#damaged(this.#lines + 1, messageOf(cause), cause);
    }
    this.#lines++;
    if (this.replay.unknownOps > unknownOps) this.#firstUnknown ??= this.#lines;
  }

  /** What a process may have left unfinished. Optuna passes over it, and cannot read the journal once its next line is glued to it. */
  #readTail(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = new TextDecoder().decode(bytes);
    // Another file is not cut.
    const isOurs = text.slice(0, START.length) === START.slice(0, text.length);
    if (isOurs && !isWhole(text)) {
      this.#broken.add(this.#lines + 1);
      return;
    }
    this.#apply(bytes);
    this.#isUnended = true;
    this.#file.end += bytes.length;
  }

  async #append(file: OpenFile, size: number, lines: readonly string[]): Promise<void> {
    await this.#file.append(file, size, `${this.#isUnended ? '\n' : ''}${lines.join('\n')}\n`);
    this.#isUnended = false;
    this.#lines += lines.length;
    for (const line of lines) this.replay.apply(line);
  }

  #damaged(line: number, what: string, cause?: unknown): CVKitError {
    const must = "hold one operation of Optuna's JournalStorage in each line";
    const way = line === 1 ? 'Give the path of a journal, or of a new file.' : undefined;
    return this.invalid(must, `line ${line}: ${what.replace(/\.$/, '')}`, { way, cause });
  }

  invalid(must: string, got: string, { way, cause }: { way?: string | undefined; cause?: unknown } = {}): CVKitError {
    return new CVKitError(sentence(this.title, must, phrase(got), way), { code: 'invalid_journal', cause });
  }
}

function isWhole(text: string): boolean {
  try {
    parsePython(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
