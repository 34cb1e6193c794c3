import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AdapterError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Executor, FoldLink, FoldTask } from '../runner/executor.js';
import type { RunDescription } from './machines/description.js';
import { type SlurmOptions, slurmOptions } from './slurmOptions.js';

/** Array tasks of one job: the largest index of an array is 1000 where a cluster does not say more. */
const ARRAY = 1000;

/**
 * An executor that runs folds on the nodes of a SLURM cluster, as tasks of job arrays. Results are those of `'inline'`, bit for bit.
 *
 * This program submits, watches and cancels the jobs; it may itself be a job. It and the nodes see one folder, the `runDirectory` or
 * `directory`, under the same path, and so the same Node, cvkit and modules. The model is the file: URL of a module, and the data are
 * named by theirs (`data: { module, export }`) or written into the folder by `copyData: true`. A task that ends without an answer
 * (a node that fails, a time limit, memory) is submitted again, twice at most; then its fold has failed.
 *
 * @throws {InvalidOptionError} when the run begins, for what cannot leave this process, with the way to let it
 * @throws {CVKitError} `no_slurm` where there is no sbatch, `slurm_refused` with what sbatch says
 * @example
 * const executor = slurm({ sbatch: ['--partition=gpu', '--time=02:00:00'], atOnce: 20 });
 * const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 100 }), executor });
 * const data = { module: new URL('./data.mjs', import.meta.url), export: 'load' };
 * const results = await runner.run({ model: new URL('./model.mjs', import.meta.url), data, runDirectory: 'runs/heart' });
 */
export function slurm(input: SlurmOptions = {}): Executor {
  const { directory, root: base, ...options } = slurmOptions.resolve(input);
  const root = resolve(base ?? '.');
  const cli = fileURLToPath(new URL('./cli.js', import.meta.url));
  const names = new Set<string>();
  let closing = new AbortController();
  const commands = lazily(() => import('./slurmCommands.js').then((all) => ({ ...all, queue: new all.JobQueue() })));
  return {
    name: 'slurm',
    concurrency: options.atOnce,
    elsewhere: 'machines',
    async *run(tasks, link) {
      const own = directory === null ? undefined : resolve(directory, `cvkit-${randomUUID()}`);
      const place = own ?? runDirectoryOf(link);
      const signal = AbortSignal.any([closing.signal, link.services.signal ?? closing.signal]);
      const { cancelLostBatches, SlurmArray } = await import('./slurmArray.js');
      const { queue } = await commands();
      const description = lazily(() => described(link, root, place));
      const source = tasks[Symbol.iterator]();
      let isClean = true;
      // One array after the other, so that `atOnce` holds, and tasks are made when they are needed.
      for (let count = 0; ; count++) {
        const drawn = taken(source, ARRAY * options.foldsPerTask);
        if (drawn.length === 0) {
          if (own && count > 0 && isClean) await rm(own, { recursive: true, force: true });
          return;
        }
        const run = await description();
        if (count === 0) await cancelLostBatches(place);
        const array = new SlurmArray({ ...options, place, root, cli, array: ARRAY, link, signal, queue, names });
        isClean = (yield* array.outcomes(drawn, run)) && isClean;
      }
    },
    async close() {
      const got = phrase('one that was closed while folds ran');
      closing.abort(new AdapterError(sentence("The executor 'slurm'", 'be open', got), { code: 'closed' }));
      closing = new AbortController();
      await (await commands()).cancelJobs([...names]);
    },
  };
}

/** What `make` gives, made when it is first needed. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

async function described(link: FoldLink, root: string, place: string): Promise<RunDescription> {
  const { describeRun } = await import('./machines/description.js');
  const description = await describeRun(link, root, place);
  const outside = Object.keys(description.modules).find((url) => relative(root, fileURLToPath(url)).startsWith('..'));
  if (outside === undefined) return description;
  const must = `be a folder that all modules of the run are below of, also ${nameText(fileURLToPath(outside), 300)}`;
  const message = sentence('The `root` option of slurm', must, phrase(nameText(root, 300)));
  throw new InvalidOptionError(message, { code: 'outside_root' });
}

function taken(source: Iterator<FoldTask>, most: number): FoldTask[] {
  const tasks: FoldTask[] = [];
  while (tasks.length < most) {
    const { done, value } = source.next();
    if (done) break;
    tasks.push(value);
  }
  return tasks;
}

function runDirectoryOf(link: FoldLink): string {
  const found = link.forMachines().directory?.place;
  if (found !== undefined) return resolve(found);
  const way = 'Pass a `runDirectory` to the run, or `directory` to slurm.';
  const message = sentence("The executor 'slurm'", 'have a folder that all nodes see', phrase('none'), way);
  throw new InvalidOptionError(message, { code: 'missing_option' });
}
