/** The file of a trail: what stands there is verified once, then lines are added and each is on the disk before the run goes on. */
import { CVKitError, messageOf, phrase, sentence } from '../../../core/errors.js';
import { nameText } from '../../../core/foreignText.js';
import type { Files, OpenFile } from '../../../core/io.js';
import type { TrailEntry } from './trailEntry.js';
import { verified } from './verified.js';

export class TrailFile {
  readonly #files: Files;
  readonly #path: string;
  /** Where the last line ends, in bytes. */
  #end = 0;

  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * The entries that stand in the file; none of a new one, which is made.
   *
   * @throws {CVKitError} `invalid_trail`: it is no trail, or its chain is broken; `unwritable_trail`
   */
  read(): Promise<readonly TrailEntry[]> {
    return this.#with(async (file) => {
      const { size } = await file.stat();
      const bytes = new Uint8Array(size);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(bytes, at, size - at, at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      this.#end = size;
      if (size === 0) return [];
      // What is no UTF-8 becomes another text, which no hash fits.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const { valid, reason } = await verified(text);
      if (!valid) {
        const must = 'be whole to be continued';
        throw this.#invalid(must, String(reason), 'Keep the file as it is, and give the path of a new one.');
      }
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    });
  }

  /** Adds a line. Nobody else may have written since the last one. */
  append(line: string): Promise<void> {
    return this.#with(async (file) => {
      const { size } = await file.stat();
      if (size !== this.#end) {
        throw this.#invalid('grow by one run at a time', `${size} bytes where ${this.#end} were written`);
      }
      await file.appendFile(line);
      await file.sync();
      this.#end += new TextEncoder().encode(line).length;
    });
  }

  async #with<T>(work: (file: OpenFile) => Promise<T>): Promise<T> {
    try {
      const file = await this.#files.open(this.#path, 'a+');
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (cause instanceof CVKitError) throw cause;
      const must = 'be a file that can be read and written';
      throw new CVKitError(sentence(this.#title, must, phrase(messageOf(cause))), { code: 'unwritable_trail', cause });
    }
  }

  get #title(): string {
    return `The trail '${nameText(this.#path, 200)}'`;
  }

  #invalid(must: string, got: string, way?: string): CVKitError {
    return new CVKitError(sentence(this.#title, must, phrase(got), way), { code: 'invalid_trail' });
  }
}
