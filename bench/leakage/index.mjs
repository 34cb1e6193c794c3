/**
 * The leakage suite: how often each check finds a planted leak, and how often it accuses a clean twin. Cases are cut
 * into chunks, each with seeds of its own; a chunk that is done is a file, so that the suite goes on where it stopped.
 *
 * node bench/leakage/index.mjs [--smoke] [--check CVL003] [--planted 400] [--clean 1000] [--workers 2]
 *   [--seed 20260101] [--results folder] [--write]
 *
 * Cases are counted per check and shared between its scenarios.
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
    check: { type: 'string' },
    planted: { type: 'string', default: '400' },
    clean: { type: 'string', default: '1000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '20260101' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
});
const CHUNK = 25;
/** Cases of a scenario, however many there are of its kind. */
const LEAST = { planted: 100, clean: 50 };
const folder = options.smoke ? `${options.results}-smoke` : options.results;
mkdirSync(folder, { recursive: true });

const scenarios = SCENARIOS.filter(({ check }) => !options.check || check === options.check);
/** How many cases of a scenario: a smoke case of a large one, or one that trains, would take longer than all others. */
function casesOf({ check, kind, n, fired }) {
  if (options.smoke) return Number(n <= 1000 && !fired);
  const alike = scenarios.filter((each) => each.check === check && each.kind === kind);
  return Math.max(LEAST[kind], Math.ceil(Number(options[kind]) / alike.length));
}
const tasks = scenarios.flatMap((scenario) =>
  Array.from({ length: Math.ceil(casesOf(scenario) / CHUNK) }, (_, at) => ({
    id: scenario.id,
    from: at * CHUNK,
    to: Math.min(casesOf(scenario), (at + 1) * CHUNK),
    seed: options.seed,
    file: join(folder, `${scenario.id}.${at * CHUNK}.json`),
  })),
);
await doChunks(tasks, {
  worker: new URL('worker.mjs', import.meta.url),
  workers: Number(options.workers),
  title: `${scenarios.length} scenarios with seed ${options.seed}`,
});

const text = markdown(summarise(scenarios, tasks), options);
console.log(text);
if (options.write) writeFileSync(new URL('../../docs/leakage-benchmark.md', import.meta.url), text);
