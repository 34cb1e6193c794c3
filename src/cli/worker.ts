/** `cvkit worker`: folds of a run directory in this process, for whatever starts processes, or folds of a queue. */
import { parseArgs } from 'node:util';
import { errorOf } from '../core/errorRecord.js';
import { AbortError, CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { onDisk } from '../node/directory/runFolder.js';
import { TaskFolder, workOn } from '../node/machines/taskFolder.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export const WORKER_USAGE = `cvkit worker DIRECTORY --task N [--count N] [--batch NAME] [--root FOLDER]...

Does tasks of a run directory, which a call with \`dryRun: true\` or an executor has written there.

  --task N       number of the task, from 0
  --count N      how many tasks from there on (1)
  --batch NAME   which tasks (folds)
  --root FOLDER  modules are imported from below it alone (this folder); may be repeated

cvkit worker --queue NAME [--connection URL] [--concurrency N] [--directory FOLDER] [--root FOLDER]...

Does folds of a queue on Redis or Valkey, which runs with the executor \`bullmq\` fill, until it is ended.

  --queue NAME        the queue
  --connection URL    redis://host:port, or rediss://user:password@host:port (the variable CVKIT_REDIS)
  --concurrency N     folds at once, each in a process (1)
  --directory FOLDER  the run directory, for copied data and for outcomes of more than 1 MB
`;

/** @returns the exit code: 0 done or ended, 1 a fold failed */
export async function worker(args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args);
  const [directory] = positionals;
  const ended = new AbortController();
  // A cluster warns before it kills. The second signal ends the process.
  const end = (signal: string) => {
    for (const each of SIGNALS) process.off(each, end);
    ended.abort(new AbortError(`The worker was ended by ${signal}.`));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const roots = values.root ?? [process.cwd()];
  if (values.queue !== undefined) {
    if (positionals.length > 0 || values.task !== undefined) {
      const must = 'be called without a directory and --task with --queue';
      throw new InvalidOptionError(sentence('`cvkit worker`', must, phrase('both')));
    }
    const { queueWorker } = await import('../bullmq/worker.js');
    const { queue, directory, connection = process.env.CVKIT_REDIS } = values;
    const concurrency = whole('concurrency', values.concurrency, 1);
    const log = (line: string) => process.stderr.write(`${line}\n`);
    await queueWorker({ queue, connection, concurrency, roots, directory, signal: ended.signal, log });
    return 0;
  }
  if (positionals.length !== 1 || values.task === undefined) {
    const got = phrase(positionals.length === 1 ? 'no --task' : `${positionals.length} folders`);
    throw new InvalidOptionError(sentence('`cvkit worker`', 'be called with a directory and --task N', got));
  }
  const [first, count] = [whole('task', values.task, 0), whole('count', values.count, 1)];
  const tasks = Array.from({ length: count }, (_, at) => first + at);
  const folder = new TaskFolder(directory, values.batch);
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  const failed = await onDisk(directory, () => workOn(folder, tasks, { roots, directory }, ended.signal, tell));
  for (const { failed: outcome } of failed) {
    if (outcome?.status === 'failed') process.stderr.write(`${messageOf(errorOf(outcome.error))}\n`);
  }
  return failed.length > 0 ? 1 : 0;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        task: { type: 'string' },
        count: { type: 'string', default: '1' },
        batch: { type: 'string', default: 'folds' },
        root: { type: 'string', multiple: true },
        queue: { type: 'string' },
        connection: { type: 'string' },
        concurrency: { type: 'string', default: '1' },
        directory: { type: 'string' },
      },
    });
  } catch (error) {
    // Node's own sentence; what follows is about arguments that begin with a hyphen.
    const [sentenceOfNode] = messageOf(error).split(/\.?\n|\. /);
    throw new CVKitError(`${sentenceOfNode}. See \`cvkit worker --help\`.`, { code: 'usage', cause: error });
  }
}

function whole(name: string, text: string, min: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min) return number;
  throw new InvalidOptionError(sentence(`--${name} of \`cvkit worker\``, `be a whole number >= ${min}`, text));
}
