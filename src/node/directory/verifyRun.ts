import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../../core/sha256Of.js';
import type { TrailHead } from '../../core/trail.js';
import { ifThere } from '../../core/wholeFile.js';
import { outcomeBody } from './outcomeFile.js';
import { finishedIn, onDisk, readWhole } from './runFolder.js';

/** What `verifyRun` found. */
export interface VerifiedRun {
  /** The log is a whole chain, and every fold that it names is as it was written, as are `result.json` and `report.html`. */
  readonly valid: boolean;
  /** Ids of the folds that are whole; those of further fits, such as the ones for intervals, included. */
  readonly folds: readonly string[];
  /** What is wrong, with the fold and its file; the fold is null for the log, the result and the report. */
  readonly faults: readonly { readonly fold: string | null; readonly file: string; readonly reason: string }[];
  /** The end of a valid log, to be kept elsewhere; else null. */
  readonly head: TrailHead | null;
}

/**
 * Verifies a run directory: the chain of its log, and the hash of every fold, of the result and of the report. It changes nothing, and needs neither data nor model.
 *
 * It shows what was changed by accident, or by somebody who does not know the log. Who can write the whole folder can write another
 * one; `head`, kept where they cannot, tells it from this one (`verifyTrail`).
 *
 * @param place the run directory
 * @throws {RunDirectoryError} where there is none
 * @example
 * const lines = ["import { LogisticRegression } from 'cvkit/estimators';", 'export default () => new LogisticRegression();'];
 * await writeFile('verified.mjs', lines.join('\n'));
 * const call = { model: new URL('./verified.mjs', import.meta.url), data: [X, y] };
 * await runner.run({ ...call, runDirectory: 'runs/checked' });
 * const { valid, faults } = await verifyRun('runs/checked');
 * console.log(valid, faults);
 */
export async function verifyRun(place: string): Promise<VerifiedRun> {
  return onDisk(place, async () => {
    const { entries, reason, head } = await readWhole(place);
    const faults: { fold: string | null; file: string; reason: string }[] = [];
    if (reason !== null) faults.push({ fold: null, file: 'log.jsonl', reason });
    const folds: string[] = [];
    for (const { fold, file, sha256 } of finishedIn(entries).values()) {
      const stored = await ifThere(() => readFile(join(place, 'folds', file), 'utf8'), undefined);
      if (stored !== undefined && outcomeBody(stored)?.sha256 === sha256) folds.push(fold);
      else
        faults.push({ fold, file: `folds/${file}`, reason: stored === undefined ? 'it is missing' : 'it was changed' });
    }
    const end = entries.findLast(({ event }) => event === 'end');
    for (const [file, sha256] of Object.entries((end?.written ?? {}) as Readonly<Record<string, string>>)) {
      const stored = await ifThere(() => readFile(join(place, file), 'utf8'), undefined);
      if (stored !== undefined && (await sha256Of(stored)) === sha256) continue;
      faults.push({ fold: null, file, reason: stored === undefined ? 'it is missing' : 'it was changed' });
    }
    return { valid: faults.length === 0, folds, faults, head };
  });
}
