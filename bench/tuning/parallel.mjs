/** Two trials at once in threads against one after the other, in turns in one run: how much faster, and the same result. */
import { availableParallelism } from 'node:os';
import { loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { threads } from 'cvkit/node';
import { StandardScaler } from 'cvkit/preprocessing';
import { median, milliseconds, verdicts } from '../tfjs/verdicts.mjs';

const ROUNDS = 3;
const workers = 2;
const { X, y } = await loadCancerImaging();

const search = (executor) =>
  new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 5 }),
    executor,
    verbose: 0,
  }).runWithHyperparameterTuning({
    modelFn: new URL('./parallelModel.mjs', import.meta.url),
    paramGrid: { C: { low: 1e-3, high: 1e3, log: true } },
    nTrials: 20,
    parallelTrials: workers,
    preprocessing: new StandardScaler(),
    scoring: 'roc_auc',
    defaultParams: { C: 1 },
    data: [X, y],
  });

const pool = threads({ workers });
const results = new Set();
const record = async (executor) => {
  const { perFoldParams, outerEstimate, bestParams } = await search(executor);
  results.add(JSON.stringify({ perFoldParams, outerEstimate, bestParams }));
};
const times = { inline: [], threads: [] };
await record('inline');
await record(pool);
for (let round = 0; round < ROUNDS; round++) {
  times.inline.push(await milliseconds(() => record('inline')));
  times.threads.push(await milliseconds(() => record(pool)));
}
await pool.close();
verdicts(`Logistic regression on WDBC, 20 trials in 6 searches, ${workers} threads, ${availableParallelism()} cores`, [
  { measure: 'inline, ms', value: median(times.inline), digits: 0 },
  { measure: 'threads, ms', value: median(times.threads), digits: 0 },
  { measure: 'times as fast', value: median(times.inline) / median(times.threads) },
  { measure: 'different results', value: results.size, atLeast: 1, atMost: 1 },
]);
