#!/usr/bin/env node
/** The command `cvkit`. */
import { CommanderError } from 'commander';
import { AbortError, CVKitError, messageOf } from '../core/errors.js';
import { FAULT, INTERRUPTED } from './exitCodes.js';
import { program } from './program.js';
import { inFlags } from './words.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const interrupted = new AbortController();

// Who reads the result may have read enough: `cvkit ... | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

const cvkit = program(async (work, args, flags) => {
  // The first signal ends a run in order, the second one the process.
  const end = (signal: string) => {
    for (const each of SIGNALS) process.off(each, end);
    interrupted.abort(new AbortError(`The command was ended by ${signal}.`));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const { Terminal } = await import('./terminal.js');
  process.exitCode = await work(args, flags, new Terminal(flags, interrupted.signal));
});

try {
  if (process.argv[2] === 'complete') (await import('./completions.js')).complete(cvkit);
  if (process.argv.length === 2) cvkit.outputHelp();
  else await cvkit.parseAsync();
} catch (error) {
  // Of its own errors commander has printed the sentence.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : FAULT;
  else report(error);
}
// What a fold left behind when its time was over would keep a worker from ending.
if (process.argv[2] === 'worker') process.exit();

function report(error: unknown): void {
  const isEnd = error instanceof AbortError || interrupted.signal.aborted;
  process.exitCode = isEnd ? INTERRUPTED : FAULT;
  const isDebug = process.argv.includes('--debug');
  if (isDebug) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  else if (error instanceof CVKitError) process.stderr.write(`${inFlags(error.message)}\n`);
  else
    process.stderr.write(
      `${messageOf(error)}\nThis sentence is not one of cvkit: --debug shows where it comes from.\n`,
    );
}
