/** A study of a journal: what was found of it, and what is to be written. */
import { CVKitError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { FrozenTrial } from '../frozenTrial.js';
import type { StudyOp, StudyRecord } from '../studyStorage.js';
import type { JournalFile } from './journalFile.js';
import { completeLine, OP, type OpLine, opLines } from './opLines.js';
import type { StoredStudy } from './replay.js';
import { trialsOf } from './storedTrials.js';

export class JournalRecord implements StudyRecord {
  readonly trials: readonly FrozenTrial[];
  readonly userAttrs: Readonly<Record<string, unknown>>;
  readonly #file: JournalFile;
  readonly #study: StoredStudy;
  readonly #worker: string;
  readonly #withheld: (text: string) => string;
  #pending: OpLine[] = [];
  /** Trials of the study, with those that are to be written. */
  #count: number;
  /** The study as it was when it was read or written. */
  #version: number;

  constructor(file: JournalFile, study: StoredStudy, worker: string, withheld: (text: string) => string) {
    this.#file = file;
    this.#withheld = withheld;
    this.#study = study;
    this.#worker = worker;
    this.trials = Object.freeze(trialsOf(study, file.replay));
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
      if (line.code === OP.createTrial) ids.push(next++);
      return completeLine(line, this.#worker, this.#study.id, ids[line.number ?? 0]);
    });
  }

  /** Numbers of trials would stand for two trials, were there two that write. */
  #checkOurs(): void {
    const { name } = this.#study;
    if (this.#study.version === this.#version) return;
    const isThere = this.#file.replay.studies.get(name) === this.#study;
    throw new CVKitError(
      sentence(
        `The study '${nameText(name)}' of ${this.#file.title.replace('The', 'the')}`,
        'be searched by one process at a time',
        phrase(isThere ? 'operations of another one since it was opened' : 'a study that was deleted meanwhile'),
        isThere ? 'Open it again to go on from what is there, or give each search a name of its own.' : undefined,
      ),
      { code: 'journal_in_use' },
    );
  }
}
