/**
 * What a run directory and other processes take, in one run: to write a fold of 100 kB next to a bare write of the same bytes, to
 * go on with 1,000 folds that are there, memory over 1,000 folds, and two processes and threads against one fold after the other.
 * Needs two cores with nothing else to do.
 */
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inlineExecutor, KFold, UniversalCVRunner } from 'cvkit';
import { processes, threads } from 'cvkit/node';
import { mean, median, milliseconds, verdicts } from './tfjs/verdicts.mjs';

const folder = await mkdtemp(join(tmpdir(), 'cvkit-runs-'));
const numbers = (n) => Float32Array.from({ length: n }, (_, at) => Math.sin(at * 12.9898));
const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(0.95 * values.length)];

/** The model of a run: probabilities of 17 digits, and no time to train. */
class Waves {
  async fit() {
    return this;
  }
  predictProba(X) {
    return X.map(([value]) => [0.5 - Math.sin(value) / 3, 0.5 + Math.sin(value) / 3]);
  }
}

/** Runs folds here and notes how long each outcome took to be kept, and what memory there was. */
function watched() {
  const times = [];
  const memory = [];
  const executor = {
    ...inlineExecutor,
    name: 'watched',
    async *run(tasks, link) {
      for await (const outcome of inlineExecutor.run(tasks, link)) {
        const start = performance.now();
        yield outcome;
        times.push(performance.now() - start);
        if (times.length % 100 !== 0) continue;
        globalThis.gc?.();
        memory.push(process.memoryUsage());
      }
    },
  };
  return { executor, times, memory };
}

async function bareWrites(bytes, count) {
  const place = join(folder, 'bare');
  const times = [];
  for (let at = 0; at < count; at++) {
    const write = async () => {
      const file = await open(`${place}.tmp`, 'w');
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
      await rename(`${place}.tmp`, place);
    };
    times.push(await milliseconds(write));
  }
  return times;
}

/** So many folds with so many rows in each. */
const foldsOf = (nSplits, rows) => {
  const n = nSplits * rows;
  const X = Array.from({ length: n }, (_, row) => [row + 1 / 3]);
  const y = X.map((_, row) => row % 2);
  return (runDirectory, executor) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits }), executor, verbose: 0 }).run({
      ...{ model: () => new Waves(), resumeKey: 'waves', data: [X, y], metrics: ['accuracy'], runDirectory },
    });
};

{
  const place = join(folder, 'large');
  const call = foldsOf(20, 3900);
  const { executor, times } = watched();
  const without = watched();
  await call(undefined, without.executor);
  for (let round = 0; round < 5; round++) {
    await rm(place, { recursive: true, force: true });
    await call(place, executor);
  }
  const [name] = await readdir(join(place, 'folds'));
  const { size } = await stat(join(place, 'folds', name));
  // Between two folds a run scores the first and draws the second, with a directory or without.
  const own = (of) => of(times) - median(without.times);
  const bare = await bareWrites(Buffer.alloc(size, '1'), 100);
  verdicts('a fold is written', [
    { measure: 'kB of a fold', value: size / 1000, atLeast: 90, atMost: 115 },
    { measure: 'ms, median', value: own(median), atMost: 15 },
    { measure: 'ms, 95 of 100', value: own(p95) },
    { measure: 'what a run without a directory does then, ms, median', value: median(without.times) },
    { measure: 'bare write, fsync and rename, ms, median', value: median(bare) },
    { measure: 'bare, ms, 95 of 100', value: p95(bare) },
    { measure: 'times a bare one, medians', value: own(median) / median(bare) },
  ]);
}

{
  const place = join(folder, 'many');
  const call = foldsOf(1000, 10);
  const { executor, memory, times } = watched();
  const first = await milliseconds(() => call(place, executor));
  const MB = (each, which) => each[which] / 2 ** 20;
  console.log('\nMB at each 100 folds');
  console.table(memory.map((each) => ({ rss: MB(each, 'rss').toFixed(1), heap: MB(each, 'heapUsed').toFixed(1) })));
  const again = [];
  for (let round = 0; round < 3; round++) again.push(await milliseconds(() => call(place, 'inline')));
  const without = await milliseconds(() => call(undefined, 'inline'));
  // The first hundreds warm up.
  const growth = (which) =>
    mean(memory.slice(-3).map((each) => MB(each, which))) - mean(memory.slice(2, 5).map((each) => MB(each, which)));
  verdicts('1,000 folds of 10 rows', [
    { measure: 'trained and kept, s', value: first / 1000 },
    { measure: 'kept again, s', value: median(again) / 1000, atMost: 2 },
    { measure: 'without a directory, s', value: without / 1000 },
    { measure: 'ms to write one, first hundred', value: median(times.slice(0, 100)) },
    { measure: 'ms to write one, last hundred', value: median(times.slice(-100)) },
    { measure: 'heap more from 400 to 900 folds, MB', value: growth('heapUsed'), atMost: 10 },
    { measure: 'rss more from 400 to 900 folds, MB', value: growth('rss') },
  ]);
}

{
  const n = 600;
  const call = (executor) =>
    new UniversalCVRunner({
      ...{ cvSplitter: new KFold({ nSplits: 6 }), executor, verbose: 0 },
      adapterOptions: { backend: 'wasm' },
    }).run({
      ...{ model: new URL('./threads/cnn.mjs', import.meta.url), epochs: 15 },
      ...{ optimizer: 'adam', lossFn: 'binaryCrossentropy' },
      data: [
        { data: numbers(n * 784), shape: [n, 28, 28, 1] },
        Array.from({ length: n }, (_, row) => Number(Math.sin(row * 784 * 12.9898) > 0)),
      ],
    });
  const result = ({ outOfFold, scores, histories }) => JSON.stringify({ outOfFold, scores, histories });
  const executors = { inline: 'inline', threads: threads({ workers: 2 }), processes: processes({ workers: 2 }) };
  const times = { inline: [], threads: [], processes: [] };
  const results = new Set();
  // The first round starts the workers and compiles.
  for (let round = 0; round < 4; round++) {
    for (const [name, executor] of Object.entries(executors)) {
      const ms = await milliseconds(async () => results.add(result(await call(executor))));
      if (round > 0) times[name].push(ms);
    }
  }
  await executors.threads.close();
  await executors.processes.close();
  const ratio = (name) => median(times.inline) / median(times[name]);
  verdicts(`a convolutional network of tfjs, 6 folds, 2 workers, ${availableParallelism()} cores`, [
    { measure: 'inline, ms', value: median(times.inline), digits: 0 },
    { measure: 'threads, times as fast', value: ratio('threads'), atLeast: 1.7 },
    { measure: 'processes, times as fast', value: ratio('processes'), atLeast: 1.7 },
    { measure: 'different results', value: results.size, atLeast: 1, atMost: 1 },
  ]);
}

await rm(folder, { recursive: true });
