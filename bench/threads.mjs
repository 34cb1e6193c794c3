/**
 * Folds in threads against one fold after the other, in one run and in turns: how much faster, bit for bit the same, and
 * what a gigabyte of data takes when all threads read it. Needs two cores with nothing else to do.
 */
import { availableParallelism } from 'node:os';
import { KFold, UniversalCVRunner } from 'cvkit';
import { threads } from 'cvkit/node';
import { median, milliseconds, verdicts } from './tfjs/verdicts.mjs';

const ROUNDS = 3;
const workers = 2;
const model = (name) => new URL(`./threads/${name}.mjs`, import.meta.url);
const numbers = (n) => Float32Array.from({ length: n }, (_, at) => Math.sin(at * 12.9898));

const images = { n: 600, shape: [28, 28, 1] };
const CASES = {
  cnn: {
    model: model('cnn'),
    data: [
      { data: numbers(images.n * 784), shape: [images.n, ...images.shape] },
      Array.from({ length: images.n }, (_, row) => Number(Math.sin(row * 784 * 12.9898) > 0)),
    ],
    epochs: 15,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
  },
  forest: {
    model: model('forest'),
    data: [
      Array.from({ length: 800 }, (_, row) => Array.from(numbers(12), (value, at) => Math.sin(value + row * (at + 1)))),
      Array.from({ length: 800 }, (_, row) => Number(Math.sin(row) > 0)),
    ],
  },
};

const run = (options, executor, nSplits = 6) =>
  new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits }),
    executor,
    verbose: 0,
    ...(options.epochs ? { adapterOptions: { backend: 'wasm' } } : {}),
  }).run(options);

/** Predictions and scores: what must be the same whoever runs the folds. */
const result = ({ outOfFold, scores, histories }) => JSON.stringify({ outOfFold, scores, histories });

for (const [name, options] of Object.entries(CASES)) {
  const times = { inline: [], threads: [], started: [] };
  const results = new Set();
  await run(options, 'inline'); // what the engine compiles is compiled
  const kept = threads({ workers });
  await run(options, kept);
  for (let round = 0; round < ROUNDS; round++) {
    times.inline.push(await milliseconds(async () => results.add(result(await run(options, 'inline')))));
    times.threads.push(await milliseconds(async () => results.add(result(await run(options, kept)))));
    const fresh = threads({ workers });
    times.started.push(await milliseconds(async () => results.add(result(await run(options, fresh)))));
    await fresh.close();
  }
  await kept.close();
  const ratio = (which) => median(times.inline) / median(times[which]);
  verdicts(`${name}: 6 folds, ${workers} threads, ${availableParallelism()} cores`, [
    { measure: 'inline, ms', value: median(times.inline), digits: 0 },
    { measure: 'threads, ms', value: median(times.threads), digits: 0 },
    { measure: 'times as fast', value: ratio('threads'), atLeast: 1.7 },
    { measure: 'times as fast, threads started', value: ratio('started') },
    { measure: 'different results', value: results.size, atLeast: 1, atMost: 1 },
  ]);
}

const GB = 2 ** 30;
const shape = [2 ** 12, 2 ** 16];
const data = new Float32Array(new SharedArrayBuffer(GB));
for (let at = 0; at < data.length; at += 1024) data[at] = Math.sin(at);
const y = Array.from({ length: shape[0] }, (_, row) => row % 2);
const before = process.memoryUsage().rss;
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 20);
const executor = threads({ workers });
await run({ model: model('reader'), data: [{ data, shape }, y], metrics: ['accuracy'] }, executor, 4);
clearInterval(watch);
await executor.close();
verdicts('1 GB in shared memory, read in batches by 2 threads', [
  { measure: 'GB before', value: before / GB },
  { measure: 'GB at most', value: most / GB },
  { measure: 'GB more', value: (most - before) / GB, atMost: 0.5 },
]);
