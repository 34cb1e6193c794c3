import { files } from '#io';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { GRACE_PERIOD } from '../../core/fileLock.js';
import { nameText } from '../../core/foreignText.js';
import { type InputOf, number, optionTable } from '../../core/options.js';
import { pathOfPlace } from '../../core/pathOfPlace.js';
import { withholder } from '../../core/withheld.js';
import type { StudyView } from '../sampler.js';
import type { StudyRecord, StudyStorage } from '../studyStorage.js';
import { JournalFile } from './journalFile.js';
import { JournalRecord } from './journalRecord.js';
import { createStudyLine, DIRECTIONS } from './opLines.js';
import type { StoredStudy } from './replay.js';

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
 * const study = await Study.open({ storage, name: 'depth', direction: 'maximize' });
 * await study.optimize(objective, { nTrials: 100 });
 * await storage.close();
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
      throw new InvalidOptionError(
        sentence('JournalStorage', 'have a file system to write to', phrase('a browser'), 'Leave out `storage`.'),
        { code: 'unable' },
      );
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
  throw new InvalidOptionError(
    sentence(`The study '${nameText(name)}' of the journal`, `have one direction, '${direction}'`, phrase(got)),
    { code: 'other_study' },
  );
}
