/**
 * The leakage suite: how often each check finds a planted leak, and how often it accuses a clean twin. Cases are cut
 * into chunks, each with seeds of its own; a chunk that is done is a file, so that the suite goes on where it stopped.
 *
 * node bench/leakage/index.mjs [--smoke] [--sample cases] [--part tuned|held] [--check CVL003] [--only pattern]
 *   [--planted 400] [--clean 1000] [--workers 2] [--seed 20260101] [--results folder] [--write]
 *
 * `--sample 2` makes that many cases of each small scenario: minutes, for before and after a change. A third of the scenarios
 * is held out (`--part held`): it is run once before a change lands.
 *
 * Cases are counted per check and shared between its scenarios. `--check` and `--only` (a regular expression on ids of
 * scenarios) do a part of the suite, with the same cases. `--write` puts the counts of all full cases that there are by then
 * into the data file.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { doChunks } from '../chunks.mjs';
import { writeParts } from './dataFile.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { byCheck, byCorpus, GOALS, summarise } from './summary.mjs';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    sample: { type: 'string' },
    part: { type: 'string' },
    check: { type: 'string' },
    only: { type: 'string', default: '' },
    planted: { type: 'string', default: '400' },
    clean: { type: 'string', default: '1000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: '20260101' },
    results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
});
const CHUNK = 25;
/** Cases of a kind of clean data that was accused too often in its first ones. */
const DOUBTED = 200;
/** Pixels of a set of pictures of which fewer cases are made. */
const MANY_PIXELS = 1e6;
/** Larger pictures are left out of a sample. */
const SAMPLE_PIXELS = 280_000;

/** Cases of a scenario, however many there are of its kind; fewer of pictures, whose goals pool several scenarios. */
function leastOf({ kind, pixels = 0 }) {
  if (pixels) return kind === 'planted' || pixels < MANY_PIXELS ? 50 : 25;
  return kind === 'planted' ? 100 : 50;
}
const isFull = !options.sample && !options.smoke;
const size = options.sample ? '-sample' : options.smoke ? '-smoke' : '';
const folder = `${options.results}${size}`;
mkdirSync(folder, { recursive: true });

/** The smallest scenario of each check and kind that has a goal and trains nothing: what the smoke size judges, one case of each. */
const smallest = new Map();
for (const each of SCENARIOS.filter(({ fired, goal }) => !fired && goal !== false).toSorted((a, b) => b.n - a.n)) {
  smallest.set(`${each.check} ${each.kind}`, each);
}

/** How many cases of a scenario. */
function casesOf(scenario) {
  const { check, kind, n, pixels = 0, fired } = scenario;
  if (options.smoke) return Number(smallest.get(`${check} ${kind}`) === scenario);
  if (options.sample) return n <= 1000 && pixels < SAMPLE_PIXELS && !fired ? Number(options.sample) : 0;
  const alike = SCENARIOS.filter((each) => each.check === check && each.kind === kind);
  return Math.max(leastOf(scenario), Math.ceil(Number(options[kind]) / alike.length));
}
/** The chunks of a scenario from a case on. */
const chunksOf = ({ id }, from, to) =>
  Array.from({ length: Math.ceil((to - from) / CHUNK) }, (_, chunk) => {
    const start = from + chunk * CHUNK;
    const file = join(folder, `${id}.${start}.json`);
    return { id, from: start, to: Math.min(to, start + CHUNK), seed: options.seed, file };
  });
const wanted = new RegExp(options.only);
const isHeld = (id) => createHash('sha256').update(id).digest()[0] % 3 === 0;
const isOfPart = (id) => options.part === undefined || isHeld(id) === (options.part === 'held');
const part = SCENARIOS.filter(
  ({ id, check }) => (!options.check || check === options.check) && wanted.test(id) && isOfPart(id),
);
const ids = new Set(part.map(({ id }) => id));
const work = (all, title) =>
  doChunks(
    all.filter(({ id }) => ids.has(id)),
    { worker: new URL('worker.mjs', import.meta.url), workers: Number(options.workers), title },
  );
const first = SCENARIOS.flatMap((scenario) => chunksOf(scenario, 0, casesOf(scenario)));
await work(first, `${part.length} scenarios with seed ${options.seed}`);

/** Two accused of 50 may be chance: such a kind gets more cases, and is judged by all of them. */
const doubted = !isFull
  ? []
  : byCorpus(byCheck(summarise(SCENARIOS, first))).filter(
      ({ kind, share }) => kind === 'clean' && share < GOALS.cleanCorpus,
    );
const isDoubted = (each) => doubted.some(({ check, corpus }) => each.check === check && each.corpus === corpus);
const more = SCENARIOS.filter((each) => each.kind === 'clean' && isDoubted(each)).flatMap((each) =>
  chunksOf(each, casesOf(each), DOUBTED),
);
if (more.length > 0) await work(more, `${doubted.length} kinds of clean data that were accused too often`);

const summaries = summarise(SCENARIOS, [...first, ...more]);
for (const { check, rows, ...rights } of byCheck(summaries.filter(({ id }) => ids.has(id)))) {
  for (const { kind, right, cases, low, high } of [rights.planted, rights.clean].filter(Boolean)) {
    const wrong = rows.filter(
      (each) => each.kind === kind && each.counts && each.fired !== (kind === 'planted' ? each.cases : 0),
    );
    const names = wrong.map((each) => `${each.id} ${each.fired}/${each.cases}`).join(', ');
    const fired = kind === 'planted' ? right : cases - right;
    const share = `${kind === 'planted' ? 'sensitivity' : 'specificity'} ${low.toFixed(3)} to ${high.toFixed(3)}`;
    console.log(`${check} ${kind} ${fired}/${cases} (${share})${names ? `: ${names}` : ''}`);
  }
}
if (options.write && isFull) {
  const { seed, planted, clean } = options;
  const records = summaries.filter(({ cases }) => cases > 0).map(({ id, ...row }) => row);
  writeParts({ scenarios: { seed, planted: Number(planted), clean: Number(clean), records } });
}
