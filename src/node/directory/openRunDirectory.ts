/** A run directory as the runner uses it: outcomes by the tasks that they are of. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { cleanupOnError } from '../../core/cleanup.js';
import type { Files } from '../../core/io.js';
import { canonicalJSON } from '../../core/sha256Of.js';
import { ifThere, writeWhole } from '../../core/wholeFile.js';
import { hashesOfRows, sideHashes } from '../../data/contentHashes.js';
import type { Rows } from '../../data/rows.js';
import type { FoldTask } from '../../runner/executor.js';
import type { Prepared } from '../../runner/prepare.js';
import type { FinishedFold, KeptOutcomes, RunContent, RunDirectory, RunIdentity } from '../../runner/runDirectory.js';
import { outcomeFileName, outcomeFrom, outcomeText } from './outcomeFile.js';
import { type Kept, onDisk, openFolder, type RunFolder, readRun, storedOutcome, unfinished } from './runFolder.js';
import { storeCall } from './storedCall.js';
import { taskKey } from './taskKey.js';

/** See {@link openFolder}. @param identity what the run is; undefined: what the directory says */
export async function openRunDirectory(
  place: string,
  identity: RunIdentity | undefined,
  prepared: Prepared,
  force: boolean,
): Promise<RunDirectory> {
  const hashes = new DataHashes();
  const data = await hashes.of(prepared);
  const facts = identity ?? ((await readRun(place))?.facts as RunIdentity);
  const folder = await openFolder(place, { ...facts, data }, force, prepared.folds.length);
  const ready = async () => {
    if (identity) await onDisk(place, () => storeCall(place, prepared));
    return new OpenDirectory(place, folder, hashes);
  };
  return cleanupOnError(ready, () => folder.release());
}

/** SHA-256 of what runs are given, by name. Rows are hashed once: further runs are often on the same. */
class DataHashes {
  readonly #ofRows = new WeakMap<Rows, ReturnType<typeof hashesOfRows>>();

  async of(content: RunContent): Promise<Readonly<Record<string, string | null>>> {
    const ofRows = this.#ofRows.get(content.X) ?? hashesOfRows(content.X);
    this.#ofRows.set(content.X, ofRows);
    return { ...(await ofRows).hashes, ...(await sideHashes(content)) };
  }
}

class OpenDirectory implements RunDirectory {
  readonly place: string;
  readonly id: string;
  readonly salt: Int32Array;
  readonly #folder: RunFolder;
  readonly #hashes: DataHashes;

  constructor(place: string, folder: RunFolder, hashes: DataHashes) {
    this.place = place;
    this.id = folder.id;
    this.salt = folder.salt;
    this.#folder = folder;
    this.#hashes = hashes;
  }

  async outcomesOf(content: Parameters<RunDirectory['outcomesOf']>[0]): Promise<KeptOutcomes> {
    const { log, kept } = this.#folder;
    const data = canonicalJSON([await this.#hashes.of(content), content.positive]);
    // A fold whose model is to be saved is kept with it. The directory may be moved.
    const savedAt = ({ ctx, keepModel }: FoldTask) =>
      keepModel === 'save' ? String(content.placeOf(ctx.fold)).replace(this.place, '') : '';
    return {
      place: this.place,
      keyOf: (task) => taskKey(task, data + savedAt(task)),
      has: (key) => kept.has(key),
      read: async (key, task) => {
        const one = kept.get(key) as Kept;
        const { file: _file, sha256: _hash, ...attempt } = one;
        const way = 'Restore it, or remove it together with `log.jsonl` to train that fold again.';
        const { body } = await storedOutcome(this.place, task.ctx.fold, one, way);
        return outcomeFrom(body, task, attempt, content);
      },
      refuse: (fold) => {
        throw unfinished(this.place, fold);
      },
      write: (key, task, outcome) =>
        onDisk(this.place, async () => {
          if (key === undefined) return;
          const { seconds, secondsOf, left, status } = outcome;
          const { fold } = task.ctx;
          const facts = { fold, key, status, seconds, secondsOf, left };
          if (status === 'failed') {
            // Its message may quote a cell.
            const { name, code } = outcome.error;
            await log.add('attempt', { ...facts, error: { name, code } });
            return;
          }
          const { text, sha256 } = outcomeText(key, task, outcome);
          const file = outcomeFileName(fold, key);
          await writeWhole(nodeFiles as Files, join(this.place, 'folds', file), text, { overwrite: true });
          await log.add('fold_end', { ...facts, file, sha256 });
          kept.set(key, { file, sha256, seconds, secondsOf, left });
        }),
    };
  }

  async finished(): Promise<FinishedFold[]> {
    const all = Array.from(this.#folder.kept, async ([key, { file, seconds }]) => {
      const bytes = await ifThere(async () => (await stat(join(this.place, 'folds', file))).size, 0);
      return { key, seconds, bytes };
    });
    return Promise.all(all);
  }

  close(): Promise<void> {
    return this.#folder.release();
  }
}
