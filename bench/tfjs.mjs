/**
 * Training with TensorFlow.js, in numbers: what the runner costs, how far the backends are apart, what runs leave
 * behind, and what early stopping reads out of noise. Each measurement runs in a process of its own and prints tables
 * with target and verdict; the exit code is 1 when a target is missed.
 *
 * Usage: node bench/tfjs.mjs [name of a measurement ...]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Measurements with the flags that their process needs. */
const MEASUREMENTS = {
  overhead: [],
  convolutions: [],
  tensors: [],
  heap: ['--expose-gc'],
  noise: [],
  lazyImages: ['--max-old-space-size=96'],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(MEASUREMENTS).join(', ')}.`);
  process.exit(1);
}

const outcomes = (asked.length > 0 ? asked : Object.keys(MEASUREMENTS)).map((name) => {
  const script = join(import.meta.dirname, 'tfjs', `${name}.mjs`);
  const start = performance.now();
  // tfjs and TensorFlow greet on stderr; what went wrong is there, too, and is shown when something did.
  const { status, stderr } = spawnSync(process.execPath, [...MEASUREMENTS[name], script], {
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) console.error(stderr);
  return { measurement: name, seconds: Math.round((performance.now() - start) / 1000), met: status === 0 };
});
console.log('\nAll of them');
console.table(outcomes);
if (outcomes.some(({ met }) => !met)) process.exitCode = 1;
