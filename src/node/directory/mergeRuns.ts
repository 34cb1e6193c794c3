import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { withCleanup } from '../../core/cleanup.js';
import { InvalidOptionError, sentence } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { isThere, writeWhole } from '../../core/wholeFile.js';
import type { CVResults } from '../../runner/cvResults.js';
import { AS_IT_IS } from '../../runner/runDirectory.js';
import { makeCall } from './makeCall.js';
import { type MergeRunsOptions, mergeRunsOptions } from './mergeRunsOptions.js';
import {
  fault,
  finishedIn,
  onDisk,
  openFolder,
  type RunFolder,
  readRun,
  readWhole,
  refuseOther,
  storedOutcome,
  type WholeRun,
} from './runFolder.js';

const files = nodeFiles as Files;

/**
 * Joins the run directories of one run whose folds were done in several places, by `shard` or by other `folds`.
 *
 * The call is made again on the joined directory: it scores, checks and reports as one run would, and trains the fits for intervals,
 * which no part has. It is the call that is stored with the run (see {@link resultsFrom}), which refuses a fold that no part has
 * (`unfinished_run`); or `call`, which trains it.
 *
 * @param places run directories of the same call, which stay as they are
 * @returns what the call gives
 * @throws {RunDirectoryError} for another run, a fold that was changed, two outcomes of one fold, and a call that is not plain data
 * @example
 * const lines = ["import { LogisticRegression } from 'cvkit/estimators';", 'export default () => new LogisticRegression();'];
 * await writeFile('merged.mjs', lines.join('\n'));
 * const call = { model: new URL('./merged.mjs', import.meta.url), data: [X, y] };
 * for (const part of [1, 2]) { // perhaps on two machines
 *   await runner.run({ ...call, copyData: true, runDirectory: `part-${part}`, shard: `${part}/2` });
 * }
 * const results = await mergeRuns(['part-1', 'part-2']);
 * console.log(results.meanScores.roc_auc);
 */
export async function mergeRuns<R = CVResults>(
  places: readonly string[],
  options: Omit<MergeRunsOptions, 'call'> & { readonly call?: (runDirectory: string) => Promise<R> } = {},
): Promise<R> {
  const { into, call } = mergeRunsOptions.resolve(options);
  if (!Array.isArray(places) || places.length === 0 || places.some((place) => typeof place !== 'string')) {
    throw new InvalidOptionError(sentence('`places` of mergeRuns', 'be a list of run directories', places));
  }
  const runs: WholeRun[] = [];
  for (const place of places) {
    const run = await onDisk(place, () => readWhole(place));
    if (run.reason !== null) throw fault(place, 'damaged_run_directory', 'have a log as it was written', run.reason);
    runs.push(run);
    refuseOther(place, runs[0].facts, run.facts);
  }
  const work = async (place: string) => {
    await onDisk(place, () => joined(place, runs));
    if (call) return (await call(place)) as R;
    return (await makeCall(place, { runDirectory: { place, [AS_IT_IS]: true }, verbose: 0 })) as R;
  };
  if (into !== undefined) return work(into);
  const passing = await mkdtemp(join(tmpdir(), 'cvkit-runs-'));
  return withCleanup(
    () => work(join(passing, 'run')),
    () => rm(passing, { recursive: true }),
  );
}

async function joined(into: string, runs: readonly WholeRun[]): Promise<void> {
  const isNew = (await readRun(into)) === undefined;
  const folder = await openFolder(into, runs[0].facts, false);
  const work = async () => {
    // One of the parts lends its pseudonyms, so that they stay those of a report that is out.
    if (isNew) {
      for (const part of [join('private', 'salt'), 'call.json', 'data']) {
        const from = join(runs[0].place, part);
        if (await isThere(files, from)) await cp(from, join(into, part), { force: true, recursive: true });
      }
    }
    for (const run of runs) await add(into, folder, run);
  };
  return withCleanup(work, () => folder.release());
}

async function add(into: string, { log, kept }: RunFolder, { place, id, entries }: WholeRun): Promise<void> {
  for (const [key, { fold, ...one }] of finishedIn(entries)) {
    const known = kept.get(key);
    if (known && known.sha256 !== one.sha256) {
      const way = 'Find what is not the same each time: a random number without a seed, a clock, another library.';
      throw fault(place, 'other_outcome', `have the outcome of ${fold} that another part has`, 'another one', way);
    }
    if (known) continue;
    const { text } = await storedOutcome(place, fold, one);
    await writeWhole(files, join(into, 'folds', one.file), text, { overwrite: true });
    await log.add('fold_end', { fold, status: 'completed', key, ...one, from: id });
    kept.set(key, one);
  }
  const models = join(place, 'models');
  if (!(await isThere(files, models))) return;
  await mkdir(join(into, 'models'), { recursive: true });
  await cp(models, join(into, 'models'), { recursive: true, force: false });
}
