/**
 * Runs every examples/*.mjs as a user would, as many at once as there are processors, and prints the last line that each writes.
 *
 * Usage: node scripts/examples.mjs [folder with real data]
 *
 * Without a folder the examples generate their data. With one, those that name a file of it in a line
 * ` * @data <file>` of their first comment get its path as CVKIT_DATA; the others are left out.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIMIT_SECONDS = 180;
const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url));
const [data] = process.argv.slice(2);
const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));

let failed = 0;
const waiting = names.sort();
await Promise.all(Array.from({ length: availableParallelism() }, worker));
process.exitCode = failed === 0 ? 0 : 1;

async function worker() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await example(name);
}

async function example(name) {
  const file = data && dataFile(name);
  if (data && !file) return;
  if (file && !existsSync(file)) {
    failed++;
    console.log(`FAILED  ${name}  names data that are not there: ${file}`);
    return;
  }
  const { code, output, seconds } = await run(join(EXAMPLES, name), file);
  const took = `${seconds.toFixed(1)} s`.padStart(7);
  if (code === 0) console.log(`ok  ${took}  ${name}  ${lastLine(output)}`);
  else {
    failed++;
    console.log(`FAILED  ${took}  ${name}  (${code})\n${output}`);
  }
}

/** Path of the file that an example wants, or undefined when it always generates its data. */
function dataFile(name) {
  const wanted = readFileSync(join(EXAMPLES, name), 'utf8').match(/^ \* @data (\S+)$/m);
  return wanted ? resolve(data, wanted[1]) : undefined;
}

/** Runs a script in an empty folder, so that what it writes does not stay. */
async function run(script, file) {
  const cwd = mkdtempSync(join(tmpdir(), 'cvkit-example-'));
  const { CVKIT_DATA: _, ...env } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, [script], {
    cwd,
    env: file ? { ...env, CVKIT_DATA: file } : env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_SECONDS * 1000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status, signal) =>
      done(signal === 'SIGKILL' ? `longer than ${LIMIT_SECONDS} s` : (status ?? signal)),
    );
  });
  rmSync(cwd, { recursive: true });
  return { code, output, seconds: (performance.now() - start) / 1000 };
}

function lastLine(output) {
  return output.trimEnd().split('\n').at(-1);
}
