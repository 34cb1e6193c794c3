/** What `import 'cvkit'` costs: time in a fresh process, and size of the code that loads with it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = 21;
const LIMITS = { milliseconds: 60, kilobytes: 60 };

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
    const specifier = source?.value;
    if (specifier === '#io') firstLoad(join(ROOT, 'dist/io.node.js'), files);
    else if (specifier?.startsWith('.')) firstLoad(resolve(dirname(path), specifier), files);
    else if (specifier === 'eventemitter3') firstLoad(eventEmitter(), files);
  }
  return files;
}

function eventEmitter() {
  return join(dirname(createRequire(import.meta.url).resolve('eventemitter3')), 'index.mjs');
}

const files = [...firstLoad(join(ROOT, 'dist/index.js'))];
const sizes = files.map((path) => gzipSync(readFileSync(path)).length / 1000);
const kilobytes = sizes.reduce((sum, size) => sum + size, 0);

const row = (name, value, limit, unit) => ({
  measure: name,
  value: `${value.toFixed(1)} ${unit}`,
  limit: `${limit} ${unit}`,
  'value / limit': Number((value / limit).toFixed(2)),
});
console.log(`import 'cvkit', median of ${RUNS} fresh processes less an empty one (${median(empty).toFixed(0)} ms)`);
console.table([
  row('time', milliseconds, LIMITS.milliseconds, 'ms'),
  row('first load, gzip', kilobytes, LIMITS.kilobytes, 'kB'),
]);
console.table(files.map((path, at) => ({ file: relative(ROOT, path), 'gzip kB': Number(sizes[at].toFixed(1)) })));
