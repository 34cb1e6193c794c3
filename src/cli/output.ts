/** What a command prints: its result to stdout or a file, all else to stderr. */
import { stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { files as nodeFiles } from '#io';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import type { Files } from '../core/io.js';
import { ifThere, isThere, writeWhole } from '../core/wholeFile.js';
import { formOf } from '../report/writeReport.js';
import type { ShownFlags } from './flags.js';
import { inWordsOf, type Place, type Reported, reported } from './reporters.js';

const files = nodeFiles as Files;

export class CommandOutput {
  readonly quiet: boolean;
  /** Of the run that the command begins: aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly #flags: ShownFlags;

  constructor(flags: ShownFlags, signal: AbortSignal) {
    this.#flags = flags;
    this.quiet = flags.quiet === true;
    this.signal = signal;
  }

  /**
   * Before the work, which may take hours: files that could not be written at its end, or that would replace what is read.
   *
   * @param read what the command reads
   * @param saved another place that it writes to
   */
  async checkPlaces(read: readonly string[], saved?: string): Promise<void> {
    const { force, outputFile, report } = this.#flags;
    if (report !== undefined) formOf(report);
    const taken = new Set(read.map((place) => resolve(place)));
    for (const file of [outputFile, report, saved]) {
      if (file === undefined) continue;
      if (file === '' || (file !== saved && (await isFolder(file)))) {
        throw new InvalidOptionError(sentence('A file that is written', 'have the name of a file', file), {
          code: 'no_file',
        });
      }
      if (taken.has(resolve(file))) {
        const got = phrase('one that is read, or written twice');
        throw new InvalidOptionError(sentence(`The file '${file}'`, 'be another one', got), { code: 'file_in_use' });
      }
      taken.add(resolve(file));
      if (!(await isThere(files, dirname(file)))) {
        const message = sentence(`The file '${file}'`, 'be in a folder that exists', phrase('none of that name'));
        throw new InvalidOptionError(message, { code: 'no_folder' });
      }
      if (!(await isThere(files, file))) continue;
      const isWithin = [...taken].some((place) => resolve(file).startsWith(place + sep));
      if (force && !isWithin) continue;
      const way = isWithin ? 'Name one outside of what is read.' : 'Name another one, or pass --force to replace it.';
      throw new InvalidOptionError(sentence(`The file '${file}'`, 'be new', phrase('one that exists'), way), {
        code: 'file_exists',
      });
    }
  }

  /** What has checks, in the form of `--reporter`; people read the summary beside a form for machines. */
  async report(found: Reported, place: Place, more = ''): Promise<void> {
    const { reporter = 'text' } = this.#flags;
    await this.result(reported(found, place, this.#flags) + (reporter === 'text' ? more : ''));
    if (['github', 'junit', 'sarif'].includes(reporter)) this.say(inWordsOf(place, found.summary()));
  }

  /** The result, and nothing else, goes to stdout; a line break ends it. */
  async result(text: string): Promise<void> {
    if (text === '' && this.#flags.outputFile === undefined) return;
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    const { outputFile, force = false } = this.#flags;
    if (outputFile === undefined) process.stdout.write(whole);
    else await writeWhole(files, outputFile, whole, { overwrite: force });
  }

  /** Notes, progress and questions. */
  say(text: string): void {
    if (!this.quiet) process.stderr.write(`${text}\n`);
  }

  /** Whether somebody is there to be asked. */
  get isInteractive(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  /** Asks on a terminal, and goes on without asking elsewhere. */
  async confirm(question: string): Promise<boolean> {
    const { yes, quiet } = this.#flags;
    if (yes || quiet || !this.isInteractive) return true;
    return this.ask(question, true);
  }

  /** @param standard the answer to an empty line */
  async ask(question: string, standard: boolean): Promise<boolean> {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await asking.question(`${question} [${standard ? 'Y/n' : 'y/N'}] `, { signal: this.signal });
      return answer.trim() === '' ? standard : /^y(es)?$/i.test(answer.trim());
    } catch (error) {
      // Ctrl-C and Ctrl-D end the question.
      if ((error as { code?: unknown }).code === 'ABORT_ERR') return false;
      throw error;
    } finally {
      asking.close();
    }
  }
}

const isFolder = (path: string) => ifThere(async () => (await stat(path)).isDirectory(), false);
