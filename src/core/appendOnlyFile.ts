/** A text file that grows at its end alone, read and written under its lock: a journal, a trail. */
import { cleanupOnError } from './cleanup.js';
import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import { GRACE_PERIOD, UNSIGNED, withLock } from './fileLock.js';
import type { Files, OpenFile } from './io.js';

/** What the file is to those who read its errors. */
interface Owner {
  /** Begins sentences, such as "The journal 'search.log'". */
  readonly title: string;
  /** Optuna writes it, too. */
  readonly optuna?: boolean;
  /** The error of a file that is not as it should be. */
  invalid(must: string, got: string): CVKitError;
}

export class AppendOnlyFile {
  /** Where that which was read and is whole, or was written, ends: in bytes. */
  end = 0;
  readonly #files: Files;
  readonly #path: string;
  readonly #owner: Owner;
  readonly #gracePeriod: number;

  constructor(files: Files, path: string, owner: Owner, gracePeriod: number = GRACE_PERIOD) {
    this.#files = files;
    this.#path = path;
    this.#owner = owner;
    this.#gracePeriod = gracePeriod;
  }

  /**
   * Opens the file, which is made where there is none, and does `work` while nobody else who asks for the lock can write.
   *
   * @param code of the error where the file system refuses; errors of cvkit pass as they are
   */
  async locked<T>(work: (file: OpenFile) => Promise<T>, code: string): Promise<T> {
    try {
      const opened = async () => {
        const file = await this.#files.open(this.#path, 'a+');
        try {
          return await work(file);
        } finally {
          await file.close();
        }
      };
      const unsigned = this.#owner.optuna ? UNSIGNED.optuna : UNSIGNED.ours;
      return await withLock(this.#files, this.#path, this.#gracePeriod, opened, unsigned);
    } catch (cause) {
      if (cause instanceof CVKitError) throw cause;
      const must = 'be a file that can be read and written, in a folder where files can be made';
      throw new CVKitError(sentence(this.#owner.title, must, phrase(messageOf(cause))), { code, cause });
    }
  }

  /** The bytes from `start` to `size`. */
  async read(file: OpenFile, start: number, size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size - start);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
      if (bytesRead === 0) throw this.#owner.invalid('be as long as it says', 'less');
      at += bytesRead;
    }
    return bytes;
  }

  /** Adds text, all of it or none, and waits until it is on the disk. What stands behind `end`, up to `size`, is cut. */
  async append(file: OpenFile, size: number, text: string): Promise<void> {
    if ((await file.stat()).size !== size) throw this.#owner.invalid('grow under its lock alone', 'lines without it');
    const append = async () => {
      if (size > this.end) await file.truncate(this.end);
      await file.appendFile(text);
      await file.sync();
    };
    await cleanupOnError(append, () => file.truncate(this.end));
    this.end += new TextEncoder().encode(text).length;
  }
}
