/** `cvkit worker`: folds of a run directory in this process, for whatever starts processes, or folds of a queue. */
import { errorOf } from '../../core/errorRecord.js';
import { InvalidOptionError, messageOf, phrase, sentence } from '../../core/errors.js';
import { onDisk } from '../../node/directory/runFolder.js';
import { TaskFolder, workOn } from '../../node/machines/taskFolder.js';
import { FINDINGS } from '../exitCodes.js';
import { ownFolder } from '../ownFiles.js';
import type { Work } from '../program.js';

interface WorkerFlags {
  readonly task?: number;
  readonly count?: number;
  readonly batch?: string;
  readonly root?: string[];
  readonly queue?: string;
  readonly connection?: string;
  readonly concurrency?: number;
  readonly directory?: string;
}

/** Exit codes: 0 done or ended, 1 a fold failed. */
export const workerCommand: Work = async ([place], flags, { signal }) => {
  const values = flags as WorkerFlags;
  // The models and the table of the command line come with the package.
  const roots = [...(values.root ?? [process.cwd()]), ownFolder('models', 'command')];
  if (values.queue !== undefined) {
    if (place !== undefined || values.task !== undefined) {
      const must = 'be called without a directory and --task with --queue';
      throw new InvalidOptionError(sentence('`cvkit worker`', must, phrase('both')));
    }
    const { queueWorker } = await import('../../bullmq/worker.js');
    const { queue, directory, concurrency = 1, connection = process.env.CVKIT_REDIS } = values;
    const log = (line: string) => process.stderr.write(`${line}\n`);
    await queueWorker({ queue, connection, concurrency, roots, directory, signal, log });
    return 0;
  }
  if (place === undefined || values.task === undefined) {
    const got = phrase(place === undefined ? 'no folder' : 'no --task');
    throw new InvalidOptionError(sentence('`cvkit worker`', 'be called with a directory and --task N', got));
  }
  const { task: first, count = 1, batch = 'folds' } = values;
  const tasks = Array.from({ length: count }, (_, at) => first + at);
  const folder = new TaskFolder(place, batch);
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  const failed = await onDisk(place, () => workOn(folder, tasks, { roots, directory: place }, signal, tell));
  for (const { failed: outcome } of failed) {
    if (outcome?.status === 'failed') process.stderr.write(`${messageOf(errorOf(outcome.error))}\n`);
  }
  return failed.length > 0 ? FINDINGS : 0;
};
