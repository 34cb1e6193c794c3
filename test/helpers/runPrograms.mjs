/**
 * Runs programs one after the other in this process and writes what became of each: `[{ error, printed }]` to the file
 * `answer`. A process for each would spend most of its time on loading the same modules.
 *
 * A program that registers a member changes what all after it print, so it runs last.
 *
 * Usage: node runPrograms.mjs answer program...
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const LIMIT_SECONDS = 60;
const [answer, ...programs] = process.argv.slice(2);
const results = programs.map(() => ({ error: undefined, printed: '' }));
let current;
const written = { stdout: process.stdout.write, stderr: process.stderr.write };
let printed = '';

process.on('unhandledRejection', (reason) => {
  current.error ??= `unhandled rejection: ${inspect(reason)}`;
});

const registers = (program) => /\b(register[A-Z]\w*|defineMetric)\(/.test(readFileSync(program, 'utf8'));
const inOrder = [...programs.keys()].sort((a, b) => registers(programs[a]) - registers(programs[b]) || a - b);

for (const at of inOrder) {
  const program = programs[at];
  const result = results[at];
  current = result;
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
