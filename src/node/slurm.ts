import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isGone, lockMark, files as nodeFiles } from '#io';
import { AdapterError, type CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Files } from '../core/io.js';
import type { OptionsOf } from '../core/options.js';
import { lateFold, orAborted } from '../core/timeLimit.js';
import { ifThere, writeWhole, writing } from '../core/wholeFile.js';
import type { Executor, FoldLink, FoldTask } from '../runner/executor.js';
import { type FoldOutcome, failedAtOnce } from '../runner/foldResult.js';
import { describeRun, pathBelow, type RunDescription } from './machines/description.js';
import { answeredOutcome, TaskFolder, type TaskMessage, taskMessages } from './machines/taskFolder.js';
import { cancelJobs, type JobStates, jobStates, PATIENCE, patiently } from './slurmCommands.js';
import { type SlurmOptions, slurmOptions } from './slurmOptions.js';

/** Array tasks of one job: the largest index of an array is 1000 where a cluster does not say more. */
const ARRAY = 1000;
/** How often a task that ended without an answer is submitted again. */
const AGAIN = 2;
/** States of tasks that may still answer. */
const LIVE =
  /^(PENDING|RUNNING|COMPLETING|CONFIGURING|SUSPENDED|REQUEUE.*|RESIZING|SIGNALING|STAGE_OUT|STOPPED|RESV_DEL_HOLD|SPECIAL_EXIT)$/;
/** Milliseconds from looking for answers to looking again. */
const [QUICK, SLOW] = [50, 2000];
/** And for states, which the controller of a whole cluster must tell. */
const [SOON, LATER] = [1000, 10_000];
/** A folder of a network may show an answer later than the end of its task; a task that says that all is done has one. */
const graceOf = (state: string) => (state === 'COMPLETED' ? 60_000 : 1000);
/** Milliseconds beyond its `foldTimeout`, for the start of Node and reading data, after which a fold is cancelled that cannot end itself. */
const START = 60_000;
/** Names the program that waits for the answers. */
const OWNER = 'owner';

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
  const options = slurmOptions.resolve(input);
  const root = resolve(options.root ?? '.');
  const names = new Set<string>();
  let closing = new AbortController();
  return {
    name: 'slurm',
    concurrency: options.atOnce,
    elsewhere: 'machines',
    async *run(tasks, link) {
      const own = options.directory === null ? undefined : resolve(options.directory, `cvkit-${randomUUID()}`);
      const place = own ?? runDirectoryOf(link);
      const signal = AbortSignal.any([closing.signal, link.services.signal ?? closing.signal]);
      const source = tasks[Symbol.iterator]();
      let description: RunDescription | undefined;
      let isClean = true;
      // One array after the other, so that `atOnce` holds, and tasks are made when they are needed.
      for (;;) {
        const drawn = taken(source, ARRAY * options.foldsPerTask);
        if (drawn.length === 0) break;
        if (!description) {
          description = await described(link, root, place);
          await cancelLostBatches(place);
        }
        const array = new SlurmArray({ ...options, place, root, link, signal, names });
        isClean = (yield* array.outcomes(drawn, description)) && isClean;
      }
      if (own && isClean) await rm(own, { recursive: true, force: true });
    },
    async close() {
      const got = phrase('one that was closed while folds ran');
      closing.abort(new AdapterError(sentence("The executor 'slurm'", 'be open', got), { code: 'closed' }));
      closing = new AbortController();
      await cancelJobs([...names]);
    },
  };
}

async function described(link: FoldLink, root: string, place: string): Promise<RunDescription> {
  const description = await describeRun(link, root, place);
  const paths = Object.keys(description.modules).map((url) => fileURLToPath(url));
  const outside = paths.find((path) => pathBelow(root, path) === undefined);
  if (outside === undefined) return description;
  const must = `be a folder that all modules of the run are below of, also ${nameText(outside, 300)}`;
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

/** Ends what a killed program left running in this run directory, which no other program may use meanwhile. */
async function cancelLostBatches(place: string): Promise<void> {
  const tasks = join(place, 'tasks');
  for (const name of await ifThere(() => readdir(tasks), [])) {
    const owner = await ifThere(() => readFile(join(tasks, name, OWNER), 'utf8'), '');
    if (!isGone(owner)) continue;
    await cancelJobs([name]);
    await rm(join(tasks, name), { recursive: true, force: true });
  }
}

interface Settings extends Pick<OptionsOf<typeof slurmOptions>, 'sbatch' | 'atOnce' | 'foldsPerTask'> {
  readonly place: string;
  readonly root: string;
  readonly link: FoldLink;
  readonly signal: AbortSignal;
  /** Names of jobs that may be there. */
  readonly names: Set<string>;
}

/** A task without an answer. */
interface Open {
  readonly at: number;
  readonly message: TaskMessage;
  readonly began: number;
  /** Its fold has begun. */
  isBegun: boolean;
  /** The array task that does it now, `12_3`, and when it was submitted. */
  job: string;
  submitted: number;
  tries: number;
  /** Since when it is known to run. */
  runs?: number | undefined;
  /** Since when its array task is known to have ended, and how. */
  ended?: { readonly at: number; readonly state: string } | undefined;
}

/** One job array from its tasks to its outcomes. */
class SlurmArray {
  readonly #name = `cvkit-${randomUUID()}`;
  readonly #settings: Settings;
  readonly #folder: TaskFolder;
  readonly #open = new Map<number, Open>();
  /** Numbers of the arrays. */
  readonly #jobs = new Set<string>();
  /** When the queue was last heard of. */
  #heard = performance.now();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#folder = new TaskFolder(settings.place, this.#name);
  }

  /** @returns whether every fold was completed, without a task that was lost: then the folder of the tasks is gone */
  async *outcomes(tasks: readonly FoldTask[], description: RunDescription): AsyncGenerator<FoldOutcome, boolean> {
    const { signal, names, foldsPerTask } = this.#settings;
    await writing(this.#settings.place, () => this.#write(tasks, description));
    let [isClean, isDone] = [true, false];
    let [pause, gap, askAt] = [QUICK, SOON, 0];
    try {
      const all = [...this.#open.values()];
      const starts = all.filter(({ at }) => at % foldsPerTask === 0);
      await this.#submit(starts.map(({ at }) => all.slice(at, at + foldsPerTask)));
      while (this.#open.size > 0) {
        signal.throwIfAborted();
        pause = Math.min(1.5 * pause, SLOW);
        for await (const outcome of this.#answered()) {
          pause = QUICK;
          isClean &&= outcome.status === 'completed';
          yield outcome;
        }
        const states = performance.now() > askAt && this.#open.size > 0 ? await this.#states() : undefined;
        if (states) {
          const { lost, dead } = await this.#look(states);
          isClean &&= lost.length + dead.length === 0;
          for (const [one, error] of dead) {
            await this.#end(one);
            yield failedAtOnce(one.message.task.ctx, one.began, error);
          }
          // Each on its own, so that a fold that ends its node takes no other with it; what is too many waits for the next look.
          await this.#submit(lost.slice(0, ARRAY).map((one) => [one]));
          const isSoon = lost.length > 0 || Array.from(this.#open.values()).some(({ ended }) => ended);
          gap = isSoon ? SOON : Math.min(1.5 * gap, LATER);
          askAt = performance.now() + gap;
        }
        if (this.#open.size > 0) await orAborted(signal, () => sleep(pause));
      }
      isDone = isClean;
    } finally {
      // Of tasks that were submitted twice one may go on after all have answered.
      if (!isDone && names.has(this.#name)) await cancelJobs([this.#name]);
      names.delete(this.#name);
    }
    if (isDone) await this.#tidy();
    return isDone;
  }

  async #write(tasks: readonly FoldTask[], description: RunDescription): Promise<void> {
    const messageTo = taskMessages(this.#settings.link, this.#name);
    await this.#folder.begin(description);
    const began = performance.now();
    for (const [at, task] of tasks.entries()) {
      const message = messageTo(task);
      await this.#folder.add(at, message);
      this.#open.set(at, { at, message, began, isBegun: false, job: '', submitted: 0, tries: 0 });
    }
    await writeWhole(nodeFiles as Files, join(this.#folder.place, OWNER), lockMark());
  }

  /** An array task for each group, whose numbers follow each other. */
  async #submit(groups: readonly (readonly Open[])[]): Promise<void> {
    if (groups.length === 0) return;
    const { sbatch, atOnce, place, root, names, signal } = this.#settings;
    const cli = fileURLToPath(new URL('./cli.js', import.meta.url));
    const words = [process.execPath, cli, 'worker', place, '--batch', this.#name, '--root', root].map(quoted);
    const lines = [
      `set -- ${groups.map(([{ at }, ...more]) => `'${at} --count ${1 + more.length}'`).join(' ')}`,
      'shift "$SLURM_ARRAY_TASK_ID"',
      `exec ${words.join(' ')} --task $1`,
    ];
    // In a pattern of SLURM a % begins what it replaces.
    const log = join(this.#folder.place, 'N').slice(0, -1).replaceAll('%', '%%');
    const args = [
      ...[...sbatch, '--parsable', `--job-name=${this.#name}`, `--array=0-${groups.length - 1}%${atOnce}`],
      // In time for a fold to be dropped; tasks that are lost are submitted again, which is quicker.
      ...['--signal=B:TERM@60', '--no-requeue', `--output=${log}%A_%a.log`, '--wrap', lines.join('\n')],
    ];
    names.add(this.#name);
    // Some clusters add their name behind the number.
    const [id] = (await patiently('sbatch', args, signal)).trim().split(';');
    this.#jobs.add(id);
    const submitted = performance.now();
    for (const [index, group] of groups.entries()) {
      for (const one of group) {
        one.tries++;
        Object.assign(one, { job: `${id}_${index}`, submitted, runs: undefined, ended: undefined });
      }
    }
  }

  /** Outcomes that have come. */
  async *#answered(): AsyncGenerator<FoldOutcome> {
    const names = new Set(await readdir(this.#folder.place));
    for (const one of [...this.#open.values()].filter(({ at }) => names.has(`${at}.json`))) {
      const answer = await this.#folder.answer(one.at, one.message);
      if (!answer) continue;
      await this.#end(one);
      yield answeredOutcome(answer, one.message, this.#settings.link.services);
    }
  }

  /** Undefined where nobody tells them now: who cannot be asked for a moment has lost nothing. */
  async #states(): Promise<JobStates | undefined> {
    const { signal } = this.#settings;
    try {
      const states = await orAborted(signal, jobStates);
      this.#heard = states.at;
      return states;
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() - this.#heard > PATIENCE) throw error;
      return undefined;
    }
  }

  /** Tells what is to be submitted again, and what has failed for good. */
  async #look({ at: now, of }: JobStates): Promise<{ lost: Open[]; dead: [Open, CVKitError][] }> {
    const lost: Open[] = [];
    const dead: [Open, CVKitError][] = [];
    const running = new Set<string>();
    for (const one of this.#open.values()) {
      if (one.submitted > now) continue;
      const state = of.get(one.job) ?? 'one that the queue no longer has';
      if (LIVE.test(state)) {
        one.ended = undefined;
        // An array task does its folds in their order.
        if (state !== 'RUNNING' || running.has(one.job)) continue;
        running.add(one.job);
        one.runs ??= now;
        await this.#begin(one);
        const { timeout, ctx } = one.message.task;
        if (timeout === undefined || now - one.runs < 1000 * timeout + START) continue;
        await patiently('scancel', ['--quiet', one.job]);
        dead.push([one, lateFold(`The SLURM job of ${nameText(ctx.fold)}`, timeout)]);
      } else {
        one.ended ??= { at: now, state };
        if (now - one.ended.at < graceOf(state)) continue;
        if (one.tries <= AGAIN) lost.push(one);
        else dead.push([one, this.#lostError(one, state)]);
      }
    }
    return { lost, dead };
  }

  async #begin(one: Open): Promise<void> {
    if (one.isBegun) return;
    one.isBegun = true;
    await this.#settings.link.emit({ type: 'foldStart', ctx: one.message.task.ctx, inner: false });
  }

  async #end(one: Open): Promise<void> {
    this.#open.delete(one.at);
    await this.#begin(one);
  }

  #lostError({ message, job, tries }: Open, state: string): CVKitError {
    const subject = `The SLURM job of ${nameText(message.task.ctx.fold)}`;
    const got = phrase(`${tries} jobs without one; the state of the last, ${job}, is ${state}`);
    const log = nameText(join(this.#folder.place, `${job}.log`), 300);
    const way = `Look into ${log}; for TIMEOUT raise --time, for OUT_OF_MEMORY --mem in \`sbatch\`.`;
    return new AdapterError(sentence(subject, 'leave an answer', got, way), { code: 'job_lost' });
  }

  /** Removes the folder once nobody writes into it. */
  async #tidy(): Promise<void> {
    try {
      for (let look = 0; look < 50; look++) {
        const { of } = await jobStates();
        if (![...of].some(([job, state]) => this.#jobs.has(job.split('_')[0]) && LIVE.test(state))) break;
        await sleep(200);
      }
      await rm(this.#folder.place, { recursive: true, force: true });
    } catch (error) {
      process.emitWarning(`The folder of the jobs stays: ${messageOf(error)}`, { code: 'CVKIT_SLURM' });
    }
  }
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
