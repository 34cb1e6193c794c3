import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { serialize } from 'node:v8';
import { AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { ifThere } from '../core/wholeFile.js';
import { exactJSON, fromExactJSON } from '../node/directory/exactJSON.js';
import { taskKey } from '../node/directory/taskKey.js';
import { describeRun } from '../node/machines/description.js';
import { type Answer, answeredOutcome, outcomePath, type TaskMessage } from '../node/machines/taskFolder.js';
import type { FoldLink, FoldTask } from '../runner/executor.js';
import { pathOnly } from '../runner/foldExecutor.js';
import { type FoldOutcome, failedAtOnce } from '../runner/foldResult.js';
import type { BullMQSettings } from './bullmqOptions.js';
import { away, endedChannel, type FoldJob, type Line, runKey } from './connection.js';

/** Milliseconds between two looks at the queue. */
const LOOK = 1000;
/** Looks without an answer before the run says that it waits. */
const LATE = 3;
/** Seconds that a run counts as going on when nothing is heard of it: workers drop the jobs of one that was killed. */
const ALIVE = 120;
/** How often a job that is gone is added again. */
const AGAIN = 20;
/** Milliseconds for tidying up at the end. */
const END = 500;

/** A task that has no outcome yet. */
interface Open {
  readonly at: number;
  readonly message: TaskMessage;
  state: 'new' | 'adding' | 'added';
  /** How often its job was lost. */
  lost: number;
  begun?: Promise<unknown>;
}

/** One run of an executor. The queue is a messenger: what counts is the outcomes here, and what it lost is added again. */
export class QueueRun {
  readonly #id = randomUUID();
  readonly #open = new Map<number, Open>();
  readonly #ready: FoldOutcome[] = [];
  readonly #line: Line;
  readonly #link: FoldLink;
  readonly #options: BullMQSettings;
  readonly #key: string;
  readonly #kept: ReturnType<FoldLink['forMachines']>['directory'];
  #description = '';
  #tasks = 0;
  #adding: Promise<unknown> = Promise.resolve();
  #ended = false;
  /** Looks since the last one that Redis answered. */
  #unheard = 0;
  #last: unknown;
  #fault: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(line: Line, link: FoldLink, options: BullMQSettings) {
    this.#line = line;
    this.#link = link;
    this.#options = options;
    this.#key = runKey((name) => line.queue.toKey(name), this.#id);
    this.#kept = link.forMachines().directory;
  }

  async *outcomes(tasks: Iterable<FoldTask>): AsyncGenerator<FoldOutcome, void, undefined> {
    const { events } = this.#line;
    const { signal } = this.#link.services;
    const look = this.#oneAtATime(() => this.#look());
    const collect = this.#oneAtATime(() => this.#collect());
    const heard = (then: (one: Open) => void) => (event: { readonly jobId: string }) => {
      const [run, at] = event.jobId.split('.');
      const one = run === this.#id ? this.#open.get(Number(at)) : undefined;
      if (one) then(one);
    };
    const [onActive, onCompleted] = [heard((one) => this.#begin(one)), heard(collect)];
    const onAbort = () => this.#wake();
    const timer = setInterval(() => {
      this.#beLate();
      look();
    }, LOOK);
    events.on('active', onActive);
    events.on('completed', onCompleted);
    signal?.addEventListener('abort', onAbort);
    try {
      const root = this.#options.root ?? process.cwd();
      this.#description = exactJSON(await describeRun(this.#link, root, this.#kept?.place));
      const source = tasks[Symbol.iterator]();
      for (let more = true; ; ) {
        signal?.throwIfAborted();
        if (this.#fault) throw this.#fault.error;
        const drawn: Open[] = [];
        while (more && this.#open.size + this.#ready.length < this.#options.atOnce) {
          const { value, done } = source.next();
          more = !done;
          if (!done) drawn.push(this.#taken(value));
        }
        if (drawn.length > 0) this.#adding = Promise.all([this.#adding, this.#add(drawn)]);
        const outcome = this.#ready.shift();
        if (outcome) yield outcome;
        else if (this.#open.size === 0) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      clearInterval(timer);
      events.off('active', onActive);
      events.off('completed', onCompleted);
      signal?.removeEventListener('abort', onAbort);
      await this.#end();
    }
  }

  #taken(task: FoldTask): Open {
    const at = this.#tasks++;
    const place = task.keepModel === 'save' ? this.#link.services.placeOf(task.ctx.fold) : undefined;
    const key = this.#kept?.keyOf(task) ?? taskKey(task, this.#id) ?? `${this.#id}.${at}`;
    const message = { task, key, place: place === undefined ? undefined : pathOnly(place, 'process') };
    const one: Open = { at, message, state: 'new', lost: 0 };
    this.#open.set(at, one);
    return one;
  }

  #jobOf({ at, lost }: Open): string {
    return `${this.#id}.${at}.${lost}`;
  }

  async #add(some: readonly Open[]): Promise<void> {
    for (const one of some) one.state = 'adding';
    const jobs = some.map((one) => {
      const message = serialize(one.message).toString('base64');
      const data: FoldJob = { run: this.#id, at: one.at, description: this.#description, message };
      const opts = { jobId: this.#jobOf(one), attempts: 1, removeOnComplete: true, removeOnFail: { age: ALIVE } };
      return { name: 'fold', data, opts };
    });
    try {
      await this.#stayAlive();
      if (!this.#ended) await this.#line.queue.addBulk(jobs);
      for (const one of some) one.state = 'added';
    } catch (error) {
      this.#last = error;
      for (const one of some) one.state = 'new';
    }
  }

  async #stayAlive(): Promise<void> {
    if (this.#ended) return;
    await this.#line.client.multi().hset(this.#key, 'alive', 1).expire(this.#key, ALIVE).exec();
  }

  /** Takes the answers that are there. */
  async #collect(): Promise<void> {
    const { alive: _alive, ...answers } = await this.#line.client.hgetall(this.#key);
    const found = Object.entries(answers);
    if (found.length === 0) return;
    await this.#line.client.hdel(this.#key, ...Object.keys(answers));
    await Promise.all(found.map(([at, text]) => this.#settle(Number(at), (one) => this.#outcomeIn(text, one))));
  }

  /** Events get lost, and so do jobs. States first: a job that was completed before has its answer there. */
  async #look(): Promise<void> {
    const { queue } = this.#line;
    const added = [...this.#open.values()].filter(({ state }) => state === 'added');
    const states = await Promise.all(added.map((one) => queue.getJobState(this.#jobOf(one))));
    this.#unheard = 0;
    await this.#stayAlive();
    await this.#collect();
    this.#unheard = 0;
    const again = [...this.#open.values()].filter(({ state }) => state === 'new');
    for (const [place, one] of added.entries()) {
      if (!this.#open.has(one.at)) continue;
      if (states[place] === 'active') this.#begin(one);
      if (states[place] === 'failed') await this.#failed(one);
      if (states[place] === 'unknown') again.push(one);
    }
    for (const one of again) {
      one.lost++;
      if (one.lost > AGAIN) await this.#settle(one.at, () => this.#lost(one));
    }
    const kept = again.filter(({ at }) => this.#open.has(at));
    if (kept.length > 0) this.#adding = Promise.all([this.#adding, this.#add(kept)]);
  }

  /** The first outcome of a task counts. */
  async #settle(at: number, answeredOutcome: (one: Open) => Promise<FoldOutcome>): Promise<void> {
    const one = this.#open.get(at);
    if (!one) return;
    this.#open.delete(at);
    await this.#begin(one);
    const started = performance.now();
    const failed = (error: unknown) => failedAtOnce(one.message.task.ctx, started, error);
    this.#ready.push(await answeredOutcome(one).catch(failed));
    this.#wake();
  }

  #begin(one: Open): Promise<unknown> {
    one.begun ??= this.#link
      .emit({ type: 'foldStart', ctx: one.message.task.ctx, inner: false })
      .catch((error) => this.#give(error));
    return one.begun;
  }

  async #outcomeIn(text: string, { message }: Open): Promise<FoldOutcome> {
    const { services } = this.#link;
    const answer = fromExactJSON(text) as Answer;
    if (answer.failed || answer.text !== undefined) return answeredOutcome(answer, message, services);
    const path = this.#kept && outcomePath(this.#kept.place, message.task, message.key);
    const found = path && (await ifThere(() => readFile(path, 'utf8'), undefined));
    if (found !== undefined) return answeredOutcome({ ...answer, text: found }, message, services);
    const subject = `The large outcome of ${nameText(message.task.ctx.fold)}`;
    const must = 'be in the `runDirectory`, where its worker has written it';
    const way = 'Start workers with the same folder as --directory.';
    throw new AdapterError(sentence(subject, must, phrase('none'), way), { code: 'large_outcome' });
  }

  /** BullMQ gives a job up whose workers were lost time after time. */
  async #failed(one: Open): Promise<void> {
    const job = await this.#line.queue.getJob(this.#jobOf(one));
    await job?.remove();
    await this.#settle(one.at, async ({ message }) => {
      const subject = `The worker of ${nameText(message.task.ctx.fold)}`;
      const got = phrase(nameText(job?.failedReason ?? 'no reason', 300));
      throw new AdapterError(sentence(subject, 'live until its fold has ended', got), { code: 'worker_lost' });
    });
  }

  async #lost({ message }: Open): Promise<never> {
    const subject = `The job of ${nameText(message.task.ctx.fold)}`;
    const got = phrase(this.#last === undefined ? `none, ${AGAIN} times` : messageOf(this.#last));
    const way = 'Let Redis keep what it holds: look at its memory and `maxmemory-policy`.';
    const must = 'stay in the queue until its fold has ended';
    throw new AdapterError(sentence(subject, must, got, way), { code: 'job_lost' });
  }

  #beLate(): void {
    const { address, lastError } = this.#line;
    const { patience } = this.#options;
    this.#unheard++;
    if (this.#unheard === LATE) {
      const warning = `Redis at ${address} does not answer. The run waits for it, up to ${patience} s.`;
      process.emitWarning(warning, { code: 'CVKIT_REDIS' });
    }
    if (this.#unheard * LOOK > patience * 1000) this.#give(away(address, patience, this.#last ?? lastError()));
  }

  /** Ends the run. */
  #give(error: unknown): void {
    this.#fault ??= { error };
    this.#wake();
  }

  /** Work that is wanted while it goes on is done once more. */
  #oneAtATime(work: () => Promise<void>): () => void {
    let state: 'free' | 'busy' | 'wanted' = 'free';
    const start = (): void => {
      if (state !== 'free') {
        state = 'wanted';
        return;
      }
      state = 'busy';
      const failed = (error: unknown) => {
        this.#last = error;
      };
      void work()
        .catch(failed)
        .then(() => {
          const again = state === 'wanted';
          state = 'free';
          if (again) start();
        });
    };
    return start;
  }

  /** Leaves nothing in Redis, and lets workers end the folds at hand. Where Redis is away, both happen without the run. */
  async #end(): Promise<void> {
    const { client, queue } = this.#line;
    const toKey = (name: string) => queue.toKey(name);
    const jobs = [...this.#open.values()].map((one) => this.#jobOf(one));
    this.#ended = true;
    const tidy = async () => {
      await this.#adding;
      // A job that a worker has cannot be removed as long as it is locked.
      const locks = jobs.map((job) => `${toKey(job)}:lock`);
      await client
        .multi()
        .del(this.#key, ...locks)
        .publish(endedChannel(toKey), this.#id)
        .exec();
      await Promise.all(jobs.map((job) => queue.remove(job)));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, END);
    });
    const failed = (error: unknown) => {
      this.#last = error;
    };
    await Promise.race([tidy().catch(failed), late]);
    clearTimeout(timer);
  }
}
