/** The file of a trail: entries are added behind what stands there, and each is on the disk before the run goes on. */
import { AppendOnlyFile } from '../../core/appendOnlyFile.js';
import { CVKitError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Files, OpenFile } from '../../core/io.js';
import { linesOf, type TrailEntry } from './trailEntry.js';
import { verified } from './verified.js';

export class TrailFile {
  readonly title: string;
  readonly #file: AppendOnlyFile;
  readonly #entries: TrailEntry[];

  /** @param entries what is known of the file; grows with it */
  constructor(files: Files, path: string, entries: TrailEntry[]) {
    this.title = `The trail '${nameText(path, 200)}'`;
    this.#file = new AppendOnlyFile(files, path, this);
    this.#entries = entries;
  }

  /**
   * Adds the entry that `make` gives once it is known what stands in the file. Nobody else can write meanwhile, so that
   * several runs have one chain.
   *
   * @throws {CVKitError} `invalid_trail`: it is no trail, its chain is broken, or it is no longer the one that it was;
   *   `unwritable_trail`. Then nothing was written.
   */
  add(make: () => Promise<TrailEntry>): Promise<void> {
    return this.#file.locked(async (file) => {
      const { size } = await file.stat();
      if (size !== this.#file.end) await this.#read(file, size);
      const entry = await make();
      await this.#file.append(file, size, linesOf([entry]));
      this.#entries.push(entry);
    }, 'unwritable_trail');
  }

  /** Takes in what others have written. */
  async #read(file: OpenFile, size: number): Promise<void> {
    // What is no UTF-8 becomes another text, which no hash fits.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.#file.read(file, 0, size));
    const known = this.#entries.length;
    const head = known > 0 ? { entries: known, hash: this.#entries[known - 1].hash } : undefined;
    const { valid, reason } = await verified(text, { head });
    if (!valid) throw this.invalid('be whole to be continued', String(reason), KEEP);
    for (const line of text.split('\n').slice(known, -1)) this.#entries.push(JSON.parse(line));
    this.#file.end = size;
  }

  /** The error of a file that is no trail that can be continued. */
  invalid(must: string, got: string, way?: string): CVKitError {
    return new CVKitError(sentence(this.title, must, phrase(got), way), { code: 'invalid_trail' });
  }
}

const KEEP = 'Keep the file as it is, and give the path of a new one.';
