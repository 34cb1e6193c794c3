/** What `import 'cvkit/snake'` costs over `import 'cvkit'`: time in fresh processes, in turn, so that a busy moment meets both. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = Number(process.env.RUNS ?? 21);
const LIMIT = 10;

/** Wall time of a fresh process, in milliseconds. */
function timeOf(code) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - start;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const times = { '': [], "import 'cvkit'": [], "import 'cvkit/snake'": [] };
for (let run = 0; run < RUNS; run++) for (const code of Object.keys(times)) times[code].push(timeOf(code));
const [empty, root, snake] = Object.values(times).map(median);
const more = snake - root;
console.log(`import 'cvkit': ${(root - empty).toFixed(1)} ms, import 'cvkit/snake': ${(snake - empty).toFixed(1)} ms`);
console.log(
  `difference ${more.toFixed(1)} ms (limit ${LIMIT}), ratio ${((snake - empty) / (root - empty)).toFixed(2)}; medians of ${RUNS} fresh processes less an empty one (${empty.toFixed(0)} ms)`,
);
process.exitCode = more <= LIMIT ? 0 : 1;
