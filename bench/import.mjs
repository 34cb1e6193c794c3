/** What `import 'cvkit'` costs: time in a fresh process, and the files that load with it. Sizes in a page: test/meta/root.test.ts. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = 21;
const LIMIT = 60;

/** Wall time of a fresh process, in milliseconds. */
function timeOf(code) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - start;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

// In turn, so that a busy moment of the machine meets both.
const empty = [];
const loaded = [];
for (let run = 0; run < RUNS; run++) {
  empty.push(timeOf(''));
  loaded.push(timeOf(`import 'cvkit'`));
}
const milliseconds = median(loaded) - median(empty);

/** Files that load with `path`: what it imports statically, and so on. */
function firstLoad(path, files = new Set()) {
  if (files.has(path)) return files;
  files.add(path);
  for (const { source } of parseAst(readFileSync(path, 'utf8')).body) {
    if (source?.value.startsWith('.')) firstLoad(resolve(dirname(path), source.value), files);
  }
  return files;
}

const name = `import 'cvkit', median of ${RUNS} fresh processes less an empty one (${median(empty).toFixed(0)} ms)`;
console.log(`${name}: ${milliseconds.toFixed(0)} ms (limit ${LIMIT})`);
for (const path of firstLoad(resolve(ROOT, 'dist/node/index.js'))) {
  console.log(`${(readFileSync(path).length / 1000).toFixed(0).padStart(6)} kB  ${relative(ROOT, path)}`);
}
