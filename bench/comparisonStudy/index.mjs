/**
 * What the answers of `compareModels` are worth: how often each rejects when two procedures, or two fixed scores, are equally
 * good, and how often its limits hold the true difference of two procedures. Repetitions are cut into chunks, each with seeds
 * of its own; a chunk that is done is a file, so that the study goes on where it stopped.
 *
 * node bench/comparisonStudy/index.mjs [--smoke] [--repetitions 2000] [--trainingSets 2000] [--workers 2] [--seed 20261125]
 *   [--results folder] [--report]
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { doChunks } from '../chunks.mjs';
import { markdown, summarise } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    repetitions: { type: 'string', default: '2000' },
    trainingSets: { type: 'string', default: '2000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '20261125' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
  },
});
const CHUNK = options.smoke ? 5 : 100;
const counts = {
  truth: options.smoke ? 5 : Number(options.trainingSets),
  answers: options.smoke ? 3 : Number(options.repetitions),
};
const folder = options.smoke ? `${options.results}-smoke` : options.results;
mkdirSync(folder, { recursive: true });

// A round of chunks of all scenarios, then the next: a study that is stopped has told something of each.
const rounds = Math.ceil(Math.max(counts.truth, counts.answers) / CHUNK);
const tasks = Array.from({ length: rounds }, (_, at) => at * CHUNK).flatMap((from) =>
  SCENARIOS.flatMap(({ id, pair }) =>
    Object.entries(counts)
      .filter(([kind, count]) => from < count && (kind === 'answers' || pair === 'different'))
      .map(([kind, count]) => ({
        kind,
        id,
        from,
        to: Math.min(count, from + CHUNK),
        seed: options.seed,
        file: join(folder, `${id}.${kind}.${from}.json`),
      })),
  ),
);
if (!options.report) {
  await doChunks(tasks, {
    worker: new URL('worker.mjs', import.meta.url),
    workers: Number(options.workers),
    title: `${SCENARIOS.length} scenarios with seed ${options.seed}`,
  });
}
console.log(markdown(summarise(SCENARIOS, folder, counts)));
