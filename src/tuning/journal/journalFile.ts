/** The file of a journal: reads what was added, and adds lines, both under its lock. */
import { AppendOnlyFile } from '../../core/appendOnlyFile.js';
import { CVKitError, messageOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import type { Files, OpenFile } from '../../core/io.js';
import { parsePython } from './pythonJson.js';
import { Replay } from './replay.js';

const NEWLINE = 10;

/** How the lines of Optuna and of cvkit begin. */
const START = '{"op_code":';

export class JournalFile {
  readonly replay = new Replay();
  readonly #file: AppendOnlyFile;
  /** Lines that were applied. */
  #lines = 0;
  #ino: number | undefined;
  /** The last line is whole, but for the line break. */
  #isUnended = false;
  /** Lines that broke off. */
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

  /** Its locks are empty. */
  readonly optuna = true;

  /** Name of the file, for sentences. */
  get title(): string {
    return `The journal '${nameText(this.path, 200)}'`;
  }

  /** What was left out, a sentence each. */
  get warnings(): readonly string[] {
    const { unknownOps } = this.replay;
    const unknown = `${this.title} has ${counted(unknownOps, 'operation')} that cvkit does not know, the first in line ${this.#firstUnknown}. They are left out.`;
    const broken = (line: number) =>
      `${this.title} broke off in line ${line}: a process ended while it wrote. What is there of the line is left out.`;
    return [...Array.from(this.#broken, broken), ...(unknownOps > 0 ? [unknown] : [])];
  }

  /**
   * Reads what was added since the last time, then adds lines, all of them or none.
   *
   * @param newLines the lines to add, once it is known what others have written
   * @param then called when they are written, before anybody else can write
   * @throws {CVKitError} `invalid_journal`, `unwritable_journal`, and what `newLines` throws; then nothing was written.
   */
  update<T>(newLines: () => readonly string[], then: () => T): Promise<T> {
    const done = this.#queue.then(() => this.#locked(newLines, then));
    // Whether it fails is told to the caller, and does not matter to the work behind it.
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

  /** Reads what was added; gives the size of the file. */
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
      this.replay.apply(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line));
    } catch (cause) {
      throw this.#damaged(this.#lines + 1, messageOf(cause), cause);
    }
    this.#lines++;
    if (this.replay.unknownOps > unknownOps) this.#firstUnknown ??= this.#lines;
  }

  /**
   * What comes after the last line break: a process may have died while it wrote. Optuna passes over it as long as it is at the
   * end, and cannot read the journal once its next line is glued to it.
   */
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

  /** The error of a file that is no journal, or is damaged. */
  invalid(must: string, got: string, { way, cause }: { way?: string | undefined; cause?: unknown } = {}): CVKitError {
    return new CVKitError(sentence(this.title, must, phrase(got), way), { code: 'invalid_journal', cause });
  }
}

/** Whether a text is JSON. The beginning of an object never is. */
function isWhole(text: string): boolean {
  try {
    parsePython(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
