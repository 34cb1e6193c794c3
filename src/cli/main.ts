/** What the command does with its words, up to its exit code. */
import { CommanderError } from 'commander';
import { AbortError, CVKitError, messageOf } from '../core/errors.js';
import { FAULT, INTERRUPTED } from './exitCodes.js';
import { program } from './program.js';
import { inFlags, isModule } from './words.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs one command; what goes wrong is one sentence on stderr. @returns the exit code */
export async function main(words: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  // The first signal ends a run in order, the second one the process.
  const end = (signal: string) => {
    for (const each of SIGNALS) process.off(each, end);
    interrupted.abort(`${signal}`);
  };
  let code = 0;
  let isOfTable = words[0] !== 'worker';
  const cvkit = program(async (work, args, flags) => {
    for (const each of SIGNALS) process.on(each, end);
    if (args.some(isModule)) isOfTable = false;
    const { CommandOutput } = await import('./output.js');
    code = await work(args, flags, new CommandOutput(flags, interrupted.signal));
  });
  try {
    if (words[0] === 'complete') (await import('./completions.js')).complete(cvkit);
    if (words.length === 0) cvkit.outputHelp();
    else await cvkit.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    // Of its own errors commander has printed the sentence.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAULT;
    const text = isOfTable ? inFlags(sentenceOf(error)) : sentenceOf(error);
    process.stderr.write(`${words.includes('--debug') ? stackOf(error) : text}\n`);
    return interrupted.signal.aborted || error instanceof AbortError ? INTERRUPTED : FAULT;
  } finally {
    for (const each of SIGNALS) process.off(each, end);
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : messageOf(error));

function sentenceOf(error: unknown): string {
  if (error instanceof CVKitError)
    return error.message.replace(/(The run was ended by its signal: )+/, 'The run was ended: ');
  return `${messageOf(error)}\nThis sentence is not one of cvkit: --debug shows where it comes from.`;
}
