/** One job array of SLURM from its tasks to its outcomes. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, lockMark, files as nodeFiles } from '#io';
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { groupBy } from '../core/groupBy.js';
import type { Files } from '../core/io.js';
import type { OptionsOf } from '../core/options.js';
import { orAborted } from '../core/timeLimit.js';
import { ifThere, writeWhole, writing } from '../core/wholeFile.js';
import type { FoldLink, FoldTask } from '../runner/executor.js';
import { pathOnly } from '../runner/foldExecutor.js';
import { type FoldOutcome, failedAtOnce } from '../runner/foldResult.js';
import { taskKey } from './directory/taskKey.js';
import type { RunDescription } from './machines/description.js';
import { answeredOutcome, TaskFolder, type TaskMessage, writeTasks } from './machines/taskFolder.js';
import { cancelJobs, type JobQueue, type JobStates, PATIENCE, patiently } from './slurmCommands.js';
import type { slurmOptions } from './slurmOptions.js';

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

interface Settings extends Pick<OptionsOf<typeof slurmOptions>, 'sbatch' | 'atOnce' | 'foldsPerTask'> {
  readonly place: string;
  readonly root: string;
  /** The command `cvkit`. */
  readonly cli: string;
  /** The largest number of array tasks. */
  readonly array: number;
  readonly link: FoldLink;
  readonly signal: AbortSignal;
  readonly queue: JobQueue;
  /** Names of jobs that may be there. */
  readonly names: Set<string>;
}

/** A task without an answer. */
interface Open {
  readonly at: number;
  readonly message: TaskMessage;
  readonly began: number;
  /** The array task that does it now, `12_3`, and when it was submitted. */
  job: string;
  submitted: number;
  tries: number;
  /** Since when it is known to run. */
  runs?: number | undefined;
  /** Since when its array task is known to have ended, and how. */
  ended?: { readonly at: number; readonly state: string } | undefined;
}

export class SlurmArray {
  readonly #name = `cvkit-${randomUUID()}`;
  readonly #settings: Settings;
  readonly #folder: TaskFolder;
  readonly #open = new Map<number, Open>();
  readonly #started = new Set<number>();
  /** Numbers of the arrays. */
  readonly #jobs: string[] = [];
  #total = 0;
  /** When the queue was last heard of. */
  #heard = performance.now();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#folder = new TaskFolder(settings.place, this.#name);
  }

  /** @returns whether every fold was completed, without a task that was lost: then the folder of the tasks is gone */
  async *outcomes(tasks: readonly FoldTask[], description: RunDescription): AsyncGenerator<FoldOutcome, boolean> {
    const { signal, names, foldsPerTask } = this.#settings;
    await this.#write(tasks, description);
    let [isClean, isDone] = [true, false];
    let [pause, gap, askAt] = [QUICK, SOON, 0];
    try {
      const first = Array.from(this.#open.keys()).filter((at) => at % foldsPerTask === 0);
      await this.#submit(first, foldsPerTask);
      while (this.#open.size > 0) {
        signal.throwIfAborted();
        let isQuiet = true;
        for await (const [one, outcome] of this.#answered()) {
          isQuiet = false;
          isClean &&= outcome.status === 'completed';
          await this.#start(one);
          yield outcome;
        }
        const states = performance.now() > askAt && this.#open.size > 0 ? await this.#states(gap / 2) : undefined;
        if (states) {
          const { lost, dead } = await this.#look(states);
          if (dead.length > 0) isClean = false;
          for (const [one, error] of dead) yield await this.#failed(one, error);
          // Each on its own, so that a fold that ends its node takes no other with it.
          if (lost.length > 0) await this.#submit(lost, 1);
          if (lost.length > 0) isClean = false;
          const isSoon = lost.length > 0 || Array.from(this.#open.values()).some(({ ended }) => ended);
          gap = isSoon ? SOON : Math.min(1.5 * gap, LATER);
          askAt = performance.now() + gap;
        }
        pause = isQuiet ? Math.min(1.5 * pause, SLOW) : QUICK;
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
    const { place, link } = this.#settings;
    const { services } = link;
    const kept = link.forMachines().directory;
    // Without a run directory the outcome is for this call alone, and so is its name.
    const keyOf = (task: FoldTask) => kept?.keyOf(task) ?? taskKey(task, this.#name) ?? randomUUID();
    const placeOf = (fold: string) => pathOnly(services.placeOf(fold), 'job');
    await writing(place, async () => {
      const messages = await writeTasks(this.#folder, description, tasks, { keyOf, placeOf });
      await writeWhole(nodeFiles as Files, join(this.#folder.place, OWNER), lockMark());
      const began = performance.now();
      for (const [at, message] of messages.entries())
        this.#open.set(at, { at, message, began, job: '', submitted: 0, tries: 0 });
      this.#total = messages.length;
    });
  }

  async #submit(tasks: readonly number[], count: number): Promise<void> {
    const { sbatch, atOnce, array, place, root, cli, names, signal } = this.#settings;
    const words = [process.execPath, cli, 'worker', place, '--batch', this.#name, '--root', root].map(quoted);
    // In a pattern of SLURM a % begins what it replaces.
    const log = join(this.#folder.place, 'N').slice(0, -1).replaceAll('%', '%%');
    for (const [block, some] of groupBy(tasks, (at) => Math.floor(at / (count * array)))) {
      const base = block * count * array;
      const indices = some.map((at) => (at - base) / count);
      const [low, high] = [indices[0], indices[indices.length - 1]];
      const list = high - low === indices.length - 1 ? `${low}-${high}` : indices.join();
      const rest = `${this.#total} - n`;
      const lines = [
        `n=$((${base} + SLURM_ARRAY_TASK_ID * ${count}))`,
        `exec ${words.join(' ')} --task "$n" --count "$((${rest} < ${count} ? ${rest} : ${count}))"`,
      ];
      const args = [
        ...[...sbatch, '--parsable', `--job-name=${this.#name}`, `--array=${list}%${atOnce}`],
        // In time for a fold to be dropped; tasks that are lost are submitted again, which is quicker.
        ...['--signal=B:TERM@60', '--no-requeue', `--output=${log}%A_%a.log`, '--wrap', lines.join('\n')],
      ];
      names.add(this.#name);
      const id = (await patiently('sbatch', args, signal)).trim();
      this.#jobs.push(id);
      const submitted = performance.now();
      for (const [index, at] of some.entries()) {
        for (let each = at; each < at + count; each++) {
          const one = this.#open.get(each);
          if (one)
            Object.assign(one, {
              job: `${id}_${indices[index]}`,
              submitted,
              tries: one.tries + 1,
              runs: undefined,
              ended: undefined,
            });
        }
      }
    }
  }

  /** Outcomes that have come; their tasks are open no longer. */
  async *#answered(): AsyncGenerator<readonly [Open, FoldOutcome]> {
    const names = new Set(await readdir(this.#folder.place));
    for (const one of [...this.#open.values()].filter(({ at }) => names.has(`${at}.json`))) {
      const answer = await this.#folder.answer(one.at, one.message);
      if (!answer) continue;
      this.#open.delete(one.at);
      yield [one, answeredOutcome(answer, one.message, this.#settings.link.services)];
    }
  }

  /** Undefined where nobody tells them now: who cannot be asked for a moment has lost nothing. */
  async #states(age: number): Promise<JobStates | undefined> {
    try {
      const states = await orAborted(this.#settings.signal, () => this.#settings.queue.states(age));
      this.#heard = states.at;
      return states;
    } catch (error) {
      this.#settings.signal.throwIfAborted();
      if (performance.now() - this.#heard > PATIENCE) throw error;
      return undefined;
    }
  }

  /** Tells what is to be submitted again, and what has failed for good. */
  async #look({ at: now, of }: JobStates): Promise<{ lost: number[]; dead: [Open, CVKitError][] }> {
    const lost: number[] = [];
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
        await this.#start(one);
        const { timeout } = one.message.task;
        if (timeout === undefined || now - one.runs < 1000 * timeout + START) continue;
        await patiently('scancel', ['--quiet', one.job]);
        dead.push([one, lateError(one.message.task)]);
      } else {
        one.ended ??= { at: now, state };
        if (now - one.ended.at < graceOf(state)) continue;
        if (one.tries <= AGAIN) lost.push(one.at);
        else dead.push([one, this.#lostError(one, state)]);
      }
    }
    return { lost, dead };
  }

  async #failed(one: Open, error: CVKitError): Promise<FoldOutcome> {
    this.#open.delete(one.at);
    await this.#start(one);
    return failedAtOnce(one.message.task.ctx, one.began, error);
  }

  async #start({ at, message }: Open): Promise<void> {
    if (this.#started.has(at)) return;
    this.#started.add(at);
    await this.#settings.link.emit({ type: 'foldStart', ctx: message.task.ctx, inner: false });
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
    const jobs = new Set(this.#jobs);
    try {
      for (let look = 0; look < 50; look++) {
        const { of } = await this.#settings.queue.states(0);
        if (![...of].some(([job, state]) => jobs.has(job.split('_')[0]) && LIVE.test(state))) break;
        await sleep(200);
      }
      await rm(this.#folder.place, { recursive: true, force: true });
    } catch (error) {
      process.emitWarning(`The folder of the jobs stays: ${messageOf(error)}`, { code: 'CVKIT_SLURM' });
    }
  }
}

function lateError({ ctx, timeout }: FoldTask): CVKitError {
  const subject = `The SLURM job of ${nameText(ctx.fold)}`;
  const must = `end within ${timeout} s, its \`foldTimeout\``;
  const way = 'Raise `foldTimeout`, or see what in `fit` or `predict` never ends.';
  return new CVKitError(sentence(subject, must, phrase('one that goes on'), way), { code: 'fold_timeout' });
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Ends what a killed program left running in this run directory, which no other program may use meanwhile. */
export async function cancelLostBatches(place: string): Promise<void> {
  const tasks = join(place, 'tasks');
  for (const name of await ifThere(() => readdir(tasks), [])) {
    const owner = await ifThere(() => readFile(join(tasks, name, OWNER), 'utf8'), '');
    if (!isGone(owner)) continue;
    await cancelJobs([name]);
    await rm(join(tasks, name), { recursive: true, force: true });
  }
}
