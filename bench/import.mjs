/**
 * What `import 'cvkit'` costs, and `import 'cvkit/snake'` over it: time in fresh processes, and the files that load. Sizes in a
 * page: test/meta/root.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = Number(process.env.RUNS ?? 21);
const LIMIT = 60;
const SNAKE_LIMIT = 10;

/** Wall time of a fresh process, in milliseconds. */
function timeOf(code) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - start;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

// In turn, so that a busy moment of the machine meets all.
const times = { '': [], "import 'cvkit'": [], "import 'cvkit/snake'": [] };
for (let run = 0; run < RUNS; run++) for (const code of Object.keys(times)) times[code].push(timeOf(code));
const [empty, root, snake] = Object.values(times).map(median);

/** Files that load with `path`: what it imports statically, and so on. */
function firstLoad(path, files = new Set()) {
  if (files.has(path)) return files;
  files.add(path);
  for (const { source } of parseAst(readFileSync(path, 'utf8')).body) {
    if (source?.value.startsWith('.')) firstLoad(resolve(dirname(path), source.value), files);
  }
  return files;
}

const than = `medians of ${RUNS} fresh processes less an empty one, ${empty.toFixed(0)} ms`;
console.log(`import 'cvkit': ${(root - empty).toFixed(1)} ms (limit ${LIMIT}); ${than}`);
console.log(
  `import 'cvkit/snake': ${(snake - root).toFixed(1)} ms more (limit ${SNAKE_LIMIT}), ratio ${((snake - empty) / (root - empty)).toFixed(2)}`,
);
for (const path of firstLoad(resolve(ROOT, 'dist/node/index.js'))) {
  console.log(`${(readFileSync(path).length / 1000).toFixed(0).padStart(6)} kB  ${relative(ROOT, path)}`);
}
