/**
 * What intervals about these predictions hold of the training procedure, which they do not claim to be about: how often
 * `analytic`, the default interval without resampling, holds the expected value of the procedure, and how wide it is beside
 * the corrected t interval. Repetitions are cut into chunks, each with seeds of its own; a chunk that is done
 * is a file, so that the study goes on where it stopped.
 *
 * node bench/coverageStudy/index.mjs [--smoke] [--grid tuning|judging] [--repetitions 5000] [--trainingSets 2000]
 *   [--workers 2] [--seed 20260101] [--results folder] [--write]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
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
    grid: { type: 'string' },
    repetitions: { type: 'string', default: '5000' },
    trainingSets: { type: 'string', default: '2000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '20260101' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
});
const CHUNK = options.smoke ? 5 : 250;
const counts = {
  intervals: options.smoke ? 3 : Number(options.repetitions),
  truth: options.smoke ? 5 : Number(options.trainingSets),
};
const folder = options.smoke ? `${options.results}-smoke` : options.results;
mkdirSync(folder, { recursive: true });

const scenarios = SCENARIOS.filter(({ grid }) => !options.grid || grid === options.grid);
const tasks = scenarios.flatMap((scenario) =>
  Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: Math.ceil(count / CHUNK) }, (_, at) => ({
      kind,
      id: scenario.id,
      from: at * CHUNK,
      to: Math.min(count, (at + 1) * CHUNK),
      seed: options.seed,
      file: join(folder, `${scenario.id}.${kind}.${at * CHUNK}.json`),
    })),
  ),
);
await doChunks(tasks, {
  worker: new URL('worker.mjs', import.meta.url),
  workers: Number(options.workers),
  title: `${scenarios.length} scenarios with seed ${options.seed}`,
});

const summary = summarise(scenarios, folder, counts);
const text = markdown(summary, { seed: options.seed, ...counts });
console.log(text);
if (options.write) {
  writeFileSync(new URL('../../docs/coverage.md', import.meta.url), text);
}
