/**
 * What a search says of pure noise, where the true AUC is .5: rows of normal numbers, balanced labels that have nothing to do
 * with them, 100 configurations. The best inner score flatters itself; the nested estimate and BBC-CV must not.
 *
 * Goals, over 100 repetitions: best inner AUC above .6 (else there was nothing to be honest about), nested .5 +- .02, BBC-CV at
 * most .54. Besides: how often the interval of the nested estimate holds .5, and what the search takes beside a loop by hand.
 *
 * Usage: npm run bench:tuning, or node bench/tuning/noise.mjs REPETITIONS
 */
import { Worker } from 'node:worker_threads';
import { mean, median, verdicts } from '../tfjs/verdicts.mjs';
import { bareSearch } from './bareSearch.mjs';
import { CASES } from './noiseModels.mjs';
import { combinations, INNER, noise, outerFolds, ROWS, searchOn, timed } from './repetition.mjs';

const REPETITIONS = Number(process.argv[2] ?? 100);
const WORKERS = 2;
const ROUNDS = 5;

for (const name of Object.keys(CASES)) await measure(name);

async function measure(name) {
  const { result, seconds } = await timed(() =>
    Promise.all([...Array(WORKERS).keys()].map((from) => part(name, from))),
  );
  const found = result.flat();
  const of = (key) => found.map((each) => each[key]);
  const { search, bare } = await perModel(CASES[name]);
  const row = (measure, key, bounds) => ({ measure, value: mean(of(key)), digits: 4, ...bounds });
  const errorOf = (measure, key) => ({
    measure: `standard error of ${measure}`,
    value: standardError(of(key)),
    digits: 4,
  });
  const sum = (key) => of(key).reduce((total, value) => total + value, 0);
  const n = combinations(CASES[name].paramGrid).length;
  verdicts(`${name}: AUC on noise, ${ROWS} rows, ${n} configurations, ${REPETITIONS} repetitions`, [
    row('naive: best inner score', 'naive', { atLeast: 0.6 }),
    row('nested estimate', 'nested', { atLeast: 0.48, atMost: 0.52 }),
    row('BBC-CV of the best', 'corrected', { atMost: 0.54 }),
    errorOf('naive', 'naive'),
    errorOf('nested', 'nested'),
    errorOf('BBC-CV', 'corrected'),
    row('best inner score of the nested run', 'naiveNested'),
    row('share of 95 % intervals of nested that hold .5', 'covered'),
    { measure: 'models trained', value: sum('models'), digits: 0 },
    { measure: `seconds, ${WORKERS} threads`, value: seconds, digits: 1 },
    { measure: 'seconds of one nested search', value: sum('secondsNested') / found.length },
    { measure: 'seconds of one search with outer: false', value: sum('secondsWhole') / found.length },
    { measure: 'ms for each model, nested search', value: median(search), digits: 4 },
    { measure: 'ms for each model, loop by hand', value: median(bare), digits: 4 },
    { measure: 'ratio of the two', value: median(search.map((each, at) => each / bare[at])) },
  ]);
}

function part(name, from) {
  const workerData = { name, from, every: WORKERS, repetitions: REPETITIONS };
  const worker = new Worker(new URL('./noiseWorker.mjs', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Milliseconds for each model that is trained, of the nested search and of a loop by hand, in turns. */
async function perModel(kind) {
  const times = { search: [], bare: [] };
  const configurations = combinations(kind.paramGrid);
  for (let round = 0; round <= ROUNDS; round++) {
    const data = noise(round);
    const search = await timed(() => searchOn(data, kind, round));
    const make = (params) => new kind.Model(params);
    const design = { make, configurations, outerCv: outerFolds(round), innerFolds: INNER };
    const bare = await timed(() => bareSearch(data, design));
    if (round === 0) continue; // both are compiled
    times.search.push((1000 * search.seconds) / search.result.modelsTrained);
    times.bare.push((1000 * bare.seconds) / bare.result);
  }
  return times;
}

function standardError(values) {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}
