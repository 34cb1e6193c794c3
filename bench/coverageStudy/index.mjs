/**
 * How often the default interval holds the true value, and how wide it is compared with other methods (version 3 of the
 * study). Repetitions are cut into chunks, each with seeds of its own; a chunk that is done is a file, so that the
 * study goes on where it stopped.
 *
 * node bench/coverageStudy/index.mjs [--smoke] [--grid tuning|judging] [--only id ...] [--repetitions 2000] [--trainingSets 2000]
 *   [--fewer 400] [--competitors 200] [--workers 2] [--seed 20260101] [--results folder] [--write]
 *
 * `--repetitions`: of `ciFits: 10`, corrected t and Bayle; `--fewer`: of `ciFits: 5` and `0`, with the models of the
 * folds on a pool; `--competitors`: of those that train many models of their own. `--seed` is that of the tuning grid;
 * the judging grid has the seed of the commit that froze it. `--write` writes docs/coverage.md and
 * docs/images/coverage.svg.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { doChunks } from '../chunks.mjs';
import { frozen, frozenFaults } from './frozen.mjs';
import { page, scenariosPage } from './page.mjs';
import { picture } from './picture.mjs';
import { cpuPer, tasksOf } from './results.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { summarise } from './summary.mjs';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    grid: { type: 'string' },
    only: { type: 'string', multiple: true },
    repetitions: { type: 'string', default: '2000' },
    trainingSets: { type: 'string', default: '2000' },
    fewer: { type: 'string', default: '400' },
    competitors: { type: 'string', default: '200' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '20260101' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
});
const counts = options.smoke
  ? { truth: 3, intervals: 2, fewer: 1, competitors: 1 }
  : {
      truth: Number(options.trainingSets),
      intervals: Number(options.repetitions),
      fewer: Number(options.fewer),
      competitors: Number(options.competitors),
    };

const scenarios = SCENARIOS.filter(
  ({ grid, id }) => (!options.grid || grid === options.grid) && (!options.only || options.only.includes(id)),
);
if (scenarios.length === 0) refuse(`No scenario is meant. They are:\n${SCENARIOS.map(({ id }) => id).join('\n')}`);
const judging = scenarios.some(({ grid }) => grid === 'judging');
const faults = judging && !options.smoke ? frozenFaults() : [];
if (faults.length > 0) refuse(faults.join('\n'));

// A smoke run says nothing, so it may run the judging grid with any seed.
const seeds = { tuning: options.seed, judging: options.smoke ? options.seed : String(frozen()?.seed) };
const folderOf = ({ grid }) =>
  join(options.smoke ? `${options.results}-smoke` : options.results, `seed-${seeds[grid]}`);
const tasks = Object.entries(seeds).flatMap(([grid, seed]) => {
  const ofGrid = scenarios.filter((scenario) => scenario.grid === grid);
  if (ofGrid.length > 0) mkdirSync(folderOf({ grid }), { recursive: true });
  const place = { seed, folder: folderOf({ grid }) };
  if (!options.smoke) return tasksOf(ofGrid, counts, place);
  // The dear ones run on every fourth scenario of a smoke run.
  const { competitors, ...others } = counts;
  const few = ofGrid.filter((_, at) => at % 4 === 0);
  return [...tasksOf(ofGrid, others, place), ...tasksOf(few, { competitors }, place)];
});
await doChunks(tasks, {
  worker: new URL('worker.mjs', import.meta.url),
  workers: Number(options.workers),
  title: `${scenarios.length} scenarios`,
});

console.log('\nCPU milliseconds per training set and repetition:');
for (const scenario of scenarios) {
  const times = Object.keys(counts).map((kind) => {
    const ms = cpuPer(folderOf(scenario), scenario.id, kind);
    return `${kind} ${ms === undefined ? '-' : ms.toFixed(1)}`;
  });
  console.log(`${scenario.id}: ${times.join(', ')}`);
}

const summary = summarise(scenarios, folderOf);
const text = page(summary, { counts, seeds, frozenAt: options.smoke ? undefined : frozen()?.commit });
console.log(`\n${text}\n${scenariosPage(summary)}`);
if (options.write) {
  const [first] = ['judging', 'tuning'].filter((grid) => summary.some((row) => row.grid === grid));
  const docs = new URL('../../docs/', import.meta.url);
  writeFileSync(new URL('coverage.md', docs), text);
  writeFileSync(new URL('coverage-scenarios.md', docs), scenariosPage(summary));
  writeFileSync(new URL('images/coverage.svg', docs), picture(summary.filter(({ grid }) => grid === first)));
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
