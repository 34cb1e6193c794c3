import type { CVResults } from '../../runner/cvResults.js';
import type { Executor } from '../../runner/executor.js';
import { AS_IT_IS } from '../../runner/runDirectory.js';
import { makeCall } from './makeCall.js';
import { fault, onDisk, readRun, unfinished } from './runFolder.js';

/**
 * The results that a finished run directory holds: what the call gave, its checks, intervals and repeats included. Nothing is
 * trained. The call is stored with the run where it is plain data: model, data and functions by their modules (or `copyData`),
 * splitters, steps and callbacks of training of cvkit. For another call, make it again: it trains nothing that is there.
 *
 * @param place the run directory
 * @returns what the call returned: `CVResults` of `run`, a `ValidationResult` of `validate`, `TuningResults` of a search
 * @throws {RunDirectoryError} where there is none, where folds are not there yet, for another version of the data, and for a call
 *   that is not plain data, with what is not
 * @example
 * const lines = ["import { LogisticRegression } from 'cvkit/estimators';", 'export default () => new LogisticRegression();'];
 * await writeFile('kept.mjs', lines.join('\n'));
 * const call = { model: new URL('./kept.mjs', import.meta.url), data: [X, y] };
 * await runner.run({ ...call, copyData: true, runDirectory: 'runs/kept' });
 * const results = await resultsFrom('runs/kept');
 * console.log(results.meanScores.accuracy);
 */
export async function resultsFrom<R = CVResults>(place: string): Promise<R> {
  return onDisk(place, async () => {
    if (!(await readRun(place))) throw fault(place, 'no_run_directory', 'have a run.json', 'none');
    const runDirectory = { place, [AS_IT_IS]: true };
    return (await makeCall(place, { runDirectory, executor: readsAlone(place), verbose: 0 })) as R;
  });
}

/** Folds that must run are not there. */
const readsAlone = (place: string): Executor => ({
  name: 'resultsFrom',
  concurrency: 1,
  // biome-ignore lint/correctness/useYield: there is no outcome to give
  async *run(tasks) {
    for (const { ctx } of tasks) throw unfinished(place, ctx.fold);
  },
  close: async () => undefined,
});
