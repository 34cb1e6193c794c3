import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { ifThere } from '../core/wholeFile.js';
import { exactJSON, fromExactJSON } from '../node/directory/exactJSON.js';
import { describeRun } from '../node/machines/description.js';
import {
  type Answer,
  answeredOutcome,
  outcomePath,
  type TaskMessage,
  taskMessages,
} from '../node/machines/taskFolder.js';
import type { FoldLink, FoldTask } from '../runner/executor.js';
import { type FoldOutcome, failedAtOnce } from '../runner/foldResult.js';
import type { BullMQSettings } from './bullmqOptions.js';
import { away, type Connected, endedChannel, type FoldJob, runKey } from './connection.js';

/** Milliseconds between two looks at the queue. */
const LOOK = 1000;
/** Looks without an answer before the run says that it waits. */
const LATE = 3;
/** Seconds that a run counts as going on when nothing is heard of it: workers drop the jobs of one that was killed. */
const ALIVE = 120;
/** How often a job is added for a task: those before were gone. */
const MOST_TRIES = 20;
/** Milliseconds for tidying up at the end. */
const END = 500;

/** A task that has no outcome yet. */
interface Open {
  readonly at: number;
  readonly message: TaskMessage;
  /** Its job is in the queue, as far as is known. */
  isAdded: boolean;
  /** How often a job was added for it, or would have been. */
  tries: number;
  begun?: Promise<unknown>;
}

/** One run of an executor. The queue is a messenger: what counts is the outcomes here, and what it lost is added again. */
export class QueueRun {
  readonly #id = randomUUID();
  readonly #open = new Map<number, Open>();
  readonly #ready: FoldOutcome[] = [];
  readonly #connected: Connected;
  readonly #link: FoldLink;
  readonly #options: BullMQSettings;
  readonly #key: string;
  readonly #directory: string | undefined;
  #description = '';
  #ended = false;
  /** Looks since the last one that Redis answered. */
  #unheard = 0;
  #last: unknown;
  #fault: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(connected: Connected, link: FoldLink, options: BullMQSettings) {
    this.#connected = connected;
    this.#link = link;
    this.#options = options;
    this.#key = runKey((name) => connected.queue.toKey(name), this.#id);
    this.#directory = link.forMachines().directory?.place;
  }

  async *outcomes(tasks: Iterable<FoldTask>): AsyncGenerator<FoldOutcome, void, undefined> {
    const { events } = this.#connected;
    const { signal } = this.#link.services;
    const heard = (then: (one: Open) => void) => (event: { readonly jobId: string }) => {
      const [run, at] = event.jobId.split('.');
      const one = run === this.#id ? this.#open.get(Number(at)) : undefined;
      if (one) then(one);
    };
    const [onActive, onCompleted] = [heard((one) => this.#begin(one)), heard(this.#collect)];
    const onAbort = () => this.#wake();
    const timer = setInterval(() => {
      this.#beLate();
      void this.#look();
    }, LOOK);
    events.on('active', onActive);
    events.on('completed', onCompleted);
    signal?.addEventListener('abort', onAbort);
    try {
      const root = this.#options.root ?? process.cwd();
      this.#description = exactJSON(await describeRun(this.#link, root, this.#directory));
      const messageTo = taskMessages(this.#link, this.#id);
      const source = tasks[Symbol.iterator]();
      let at = 0;
      for (let more = true; ; ) {
        signal?.throwIfAborted();
        if (this.#fault) throw this.#fault.error;
        const before = at;
        while (more && this.#open.size + this.#ready.length < this.#options.atOnce) {
          const { value, done } = source.next();
          more = !done;
          if (!done) this.#open.set(at, { at: at++, message: messageTo(value), isAdded: false, tries: 0 });
        }
        if (at > before) void this.#add();
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

  #jobOf({ at, tries }: Open): string {
    return `${this.#id}.${at}.${tries}`;
  }

  /** Adds a job for each task without one. Where Redis refuses them, the next look tries again. */
  readonly #add = this.#oneAtATime(async () => {
    if (this.#ended) return;
    const missing = [...this.#open.values()].filter(({ isAdded }) => !isAdded);
    for (const one of missing) {
      one.tries++;
      if (one.tries > MOST_TRIES) await this.#settle(one, () => this.#lost(one));
    }
    const kept = missing.filter(({ at }) => this.#open.has(at));
    const jobs = kept.map((one) => {
      const message = serialize(one.message).toString('base64');
      const data: FoldJob = { run: this.#id, at: one.at, description: this.#description, message };
      const opts = { jobId: this.#jobOf(one), attempts: 1, removeOnComplete: true, removeOnFail: { age: ALIVE } };
      return { name: 'fold', data, opts };
    });
    await this.#stayAlive();
    await this.#connected.queue.addBulk(jobs);
    for (const one of kept) one.isAdded = true;
  });

  async #stayAlive(): Promise<void> {
    if (this.#ended) return;
    await this.#connected.client.multi().hset(this.#key, 'alive', 1).expire(this.#key, ALIVE).exec();
  }

  /** Takes the answers that are there. */
  readonly #collect = this.#oneAtATime(async () => {
    const { client } = this.#connected;
    const { alive: _alive, ...answers } = await client.hgetall(this.#key);
    if (Object.keys(answers).length === 0) return;
    await client.hdel(this.#key, ...Object.keys(answers));
    for (const [at, text] of Object.entries(answers)) {
      const one = this.#open.get(Number(at));
      if (one) await this.#settle(one, () => this.#outcomeIn(text, one));
    }
  });

  /** Events get lost, and so do jobs. States first: a job that was completed before has its answer there. */
  readonly #look = this.#oneAtATime(async () => {
    const { queue } = this.#connected;
    const added = [...this.#open.values()].filter(({ isAdded }) => isAdded);
    const states = await Promise.all(added.map((one) => queue.getJobState(this.#jobOf(one))));
    this.#unheard = 0;
    await this.#stayAlive();
    await this.#collect();
    for (const [place, one] of added.entries()) {
      if (!this.#open.has(one.at)) continue;
      if (states[place] === 'active') this.#begin(one);
      if (states[place] === 'failed') await this.#failed(one);
      if (states[place] === 'unknown') one.isAdded = false;
    }
    await this.#add();
  });

  /** The first outcome of a task counts. */
  async #settle(one: Open, outcome: () => Promise<FoldOutcome>): Promise<void> {
    if (!this.#open.delete(one.at)) return;
    await this.#begin(one);
    const started = performance.now();
    this.#ready.push(await outcome().catch((error) => failedAtOnce(one.message.task.ctx, started, error)));
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
    const path = this.#directory && outcomePath(this.#directory, message.task, message.key);
    const found = path && (await ifThere(() => readFile(path, 'utf8'), undefined));
    if (found !== undefined) return answeredOutcome({ ...answer, text: found }, message, services);
    const subject = `The large outcome of ${nameText(message.task.ctx.fold)}`;
    const must = 'be in the `runDirectory`, where its worker has written it';
    const way = 'Start workers with the same folder as --directory.';
    throw new AdapterError(sentence(subject, must, phrase('none'), way), { code: 'large_outcome' });
  }

  /** BullMQ gives a job up whose workers were lost time after time. */
  async #failed(one: Open): Promise<void> {
    const job = await this.#connected.queue.getJob(this.#jobOf(one));
    await job?.remove();
    await this.#settle(one, async () => {
      const subject = `The worker of ${nameText(one.message.task.ctx.fold)}`;
      const got = phrase(nameText(job?.failedReason ?? 'no reason', 300));
      throw new AdapterError(sentence(subject, 'live until its fold has ended', got), { code: 'worker_lost' });
    });
  }

  async #lost({ message }: Open): Promise<never> {
    const subject = `The job of ${nameText(message.task.ctx.fold)}`;
    const got = phrase(this.#last === undefined ? `none, ${MOST_TRIES} times` : messageOf(this.#last));
    const way = 'Let Redis keep what it holds: look at its memory and `maxmemory-policy`.';
    const must = 'stay in the queue until its fold has ended';
    throw new AdapterError(sentence(subject, must, got, way), { code: 'job_lost' });
  }

  #beLate(): void {
    const { address, lastError } = this.#connected;
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

  /** Work that is wanted while it goes on is done once more. What goes wrong in it is tried again by the next look. */
  #oneAtATime(work: () => Promise<void>): () => Promise<void> {
    let going: Promise<void> | undefined;
    let isWanted = false;
    const all = async () => {
      while (isWanted) {
        isWanted = false;
        await work().catch((error) => {
          this.#last = error;
        });
      }
      going = undefined;
    };
    return () => {
      isWanted = true;
      going ??= all();
      return going;
    };
  }

  /** Leaves nothing in Redis, and lets workers end the folds at hand. Where Redis is away, both happen without the run. */
  async #end(): Promise<void> {
    const { client, queue } = this.#connected;
    const toKey = (name: string) => queue.toKey(name);
    const jobs = [...this.#open.values()].map((one) => this.#jobOf(one));
    this.#ended = true;
    const tidy = this.#oneAtATime(async () => {
      // Jobs may be on their way.
      await this.#add();
      // A job that a worker has cannot be removed as long as it is locked.
      const locks = jobs.map((job) => `${toKey(job)}:lock`);
      await client
        .multi()
        .del(this.#key, ...locks)
        .publish(endedChannel(toKey), this.#id)
        .exec();
      await Promise.all(jobs.map((job) => queue.remove(job)));
    });
    await Promise.race([tidy(), sleep(END, undefined, { ref: false })]);
  }
}
