/**
 * Runs programs one after the other in this process and writes what became of each: `[{ error, printed }]` to the file
 * `answer`. A process for each would spend most of its time on loading the same modules.
 *
 * Usage: node runPrograms.mjs answer program...
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const LIMIT_SECONDS = 60;
const [answer, ...programs] = process.argv.slice(2);
const results = [];
const written = { stdout: process.stdout.write, stderr: process.stderr.write };
let printed = '';

process.on('unhandledRejection', (reason) => {
  results.at(-1).error ??= `unhandled rejection: ${inspect(reason)}`;
});

for (const program of programs) {
  const result = { error: undefined, printed: '' };
  results.push(result);
  printed = '';
  for (const stream of ['stdout', 'stderr']) {
    process[stream].write = (chunk, encoding, done) => {
      if (stream === 'stdout') printed += chunk;
      (typeof encoding === 'function' ? encoding : done)?.();
      return true;
    };
  }
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done after ${LIMIT_SECONDS} s`)), LIMIT_SECONDS * 1000);
  });
  try {
    await Promise.race([import(pathToFileURL(resolve(program))), late]);
  } catch (error) {
    result.error = inspect(error);
  } finally {
    clearTimeout(timer);
    Object.assign(process.stdout, { write: written.stdout });
    Object.assign(process.stderr, { write: written.stderr });
  }
  result.printed = printed;
}
writeFileSync(answer, JSON.stringify(results));
process.exit(0);
