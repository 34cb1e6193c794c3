/**
 * Near-duplicates by size: 20,000 x 128 with peak memory and the pairs beside those of brute force, and 100,000 x 512.
 * Each size runs in a process of its own, so that the peak memory is its own.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DataLeakageChecker, randomSource } from 'cvkit';
import { milliseconds, verdicts } from '../tfjs/verdicts.mjs';

const [COPIES, NOISE, THRESHOLD] = [100, 0.08, 0.99];

/** Normal features; the last rows are the first ones with noise. */
function dataOf(n, p) {
  const random = randomSource(1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const data = Float32Array.from({ length: n * p }, normal);
  for (let row = 0; row < COPIES; row++) {
    for (let k = 0; k < p; k++) data[(n - 1 - row) * p + k] = data[row * p + k] + NOISE * normal();
  }
  return data;
}

/** Pairs of a row of the first half and one of the second whose squared distance is at most `most`, one by one. */
function brute(data, n, p, most) {
  const pairs = [];
  for (let i = 0; i < n / 2; i++) {
    for (let j = n / 2; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < p && sum <= most; k++) {
        const gap = data[i * p + k] - data[j * p + k];
        sum += gap * gap;
      }
      if (sum <= most) pairs.push(`${i} ${j - n / 2}`);
    }
  }
  return pairs;
}

async function measure(n, p, compare) {
  const data = dataOf(n, p);
  const half = (n / 2) * p;
  const [train, test] = [data.subarray(0, half), data.subarray(half)].map((part) => ({
    data: part,
    shape: [n / 2, p],
  }));
  const checker = new DataLeakageChecker({ verbose: false });
  let found;
  const wall = await milliseconds(async () => {
    found = await checker.checkNearDuplicates(train, test, { similarityThreshold: THRESHOLD });
  });
  const memory = process.resourceUsage().maxRSS / 1024;
  const expected = compare ? brute(data, n, p, 2 * p * (1 - THRESHOLD)) : [];
  const ours = found.pairs.map(({ trainIndex, testIndex }) => `${trainIndex} ${testIndex}`);
  const missed = expected.filter((pair) => !ours.includes(pair)).length;
  return { wall, memory, pairs: ours.length, expected: expected.length, missed };
}

const [n, p, compare] = process.argv.slice(2).map(Number);
if (n) {
  console.log(JSON.stringify(await measure(n, p, compare === 1)));
} else {
  const apart = (...sizes) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), ...sizes.map(String)],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout.trim().split('\n').at(-1));
  };
  const small = apart(20_000, 128, 1);
  verdicts('Near-duplicates, 20,000 x 128', [
    { measure: 'time, ms', value: small.wall, digits: 0 },
    { measure: 'peak memory, MB', value: small.memory, digits: 0, atMost: 500 },
    { measure: 'pairs found by brute force', value: small.expected, digits: 0, atLeast: COPIES },
    { measure: 'of these not found', value: small.missed, digits: 0, atMost: 0 },
  ]);
  const large = apart(100_000, 512);
  verdicts('Near-duplicates, 100,000 x 512', [
    { measure: 'time, s', value: large.wall / 1000, digits: 1, atMost: 60 },
    { measure: 'pairs found', value: large.pairs, digits: 0, atLeast: COPIES },
    { measure: 'peak memory, MB', value: large.memory, digits: 0 },
  ]);
}
