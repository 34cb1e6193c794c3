import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { isPlainObject } from '../core/options.js';
import { deriveSeed, freshSeed, type RandomSource, randomSource } from '../core/random.js';
import { orEnded } from '../core/timeLimit.js';
import type { Distribution, FrozenTrial, Params, ParamValue } from '../core/tuningTrial.js';
import { stopOf } from '../runner/hooks.js';
import { bestOf, isBetter } from './bestTrial.js';
import { isPlain } from './distribution.js';
import { prunerOf, samplerOf } from './named.js';
import type { Pruner } from './pruner.js';
import type { Sampler, StudyView } from './sampler.js';
import { type ParamFunction, type ParamGrid, spaceOf } from './space.js';
import {
  checkEnds,
  type OnTrial,
  type OpenStudyOptions,
  type OptimizeOptions,
  openStudyOptions,
  optimizeOptions,
  type StudyOptions,
  studyOptions,
  type TellOptions,
  tellOptions,
} from './studyOptions.js';
import type { StudyOp, StudyRecord } from './studyStorage.js';
import {
  checkHolds,
  checkSame,
  endEntry,
  entryOf,
  frozenTrial,
  newEntry,
  nullProtoRecord,
  Trial,
  type TrialEntry,
  type TrialHost,
} from './trial.js';
import { TrialPruned } from './trialPruned.js';

type EndedTrial = FrozenTrial & { readonly state: 'complete' | 'pruned' | 'failed'; readonly endedAt: Date };

interface Running {
  readonly trial: Trial;
  readonly view: StudyView;
  readonly random: RandomSource;
}

/**
 * A search for parameters that make a value small or large, in the shape that users of Optuna know: `optimize`, or `ask` and
 * `tell`. What a trial is given depends on the seed, its number and the trials that were told before it was asked for.
 *
 * It needs no package. It knows nothing of folds: `runWithHyperparameterTuning` is the search that is cross-validated.
 *
 * @example
 * const study = new Study({ direction: 'minimize', sampler: 'tpe', randomState: 1 });
 * await study.optimize((trial) => (trial.suggestFloat('x', -10, 10) - 2) ** 2, { nTrials: 40 });
 * console.log(study.bestParams, study.bestValue);
 */
export class Study {
  /** Which values are better. */
  readonly direction: StudyView['direction'];
  /** Who proposes parameters. */
  readonly sampler: Sampler;
  /** Who ends trials early. */
  readonly pruner: Pruner;
  /** Its name in a storage. */
  readonly name: string;
  /** The seed that is used. */
  readonly randomState: number | string;
  readonly #entries: TrialEntry[] = [];
  readonly #ended = new Map<number, FrozenTrial>();
  readonly #running = new Map<number, Running>();
  readonly #ranges = new Map<string, Distribution>();
  readonly #userAttrs = nullProtoRecord<unknown>({});
  #record: StudyRecord | undefined;
  /** Trials of a session that broke off, which are to be ended first. */
  #interrupted: number[] = [];
  #group = Number.POSITIVE_INFINITY;
  readonly #host: TrialHost = {
    draw: (entry, name, distribution) => this.#draw(entry, name, distribution),
    write: (op) => this.#write(op),
    shouldPrune: (entry) => this.#shouldPrune(entry),
  };

  constructor(input: StudyOptions = {}) {
    const { direction, sampler, pruner, randomState, name } = studyOptions.resolve(input);
    this.direction = direction;
    this.sampler = samplerOf(sampler);
    this.pruner = prunerOf(pruner);
    this.name = name;
    this.randomState = randomState ?? freshSeed();
  }

  /**
   * A study that is kept in a storage, where it goes on if it is there already. Trials that were running when their process
   * ended are tried again, with their parameters and under their numbers.
   */
  static async open({ storage, ...input }: OpenStudyOptions): Promise<Study> {
    const { options } = openStudyOptions.parse({ storage, ...input });
    const study = new Study(input);
    study.#load(await options.storage.open(study.name, study.direction));
    return study;
  }

  /** All trials, in the order of their numbers. */
  get trials(): readonly FrozenTrial[] {
    return Object.freeze(this.#entries.map((entry) => this.#ended.get(entry.number) ?? frozenTrial(entry)));
  }

  /** The complete trial with the best value, the first of equal ones; null while there is none. */
  get bestTrial(): FrozenTrial | null {
    return bestOf(this.#ended.values(), this.direction) ?? null;
  }

  /** Parameters of the best trial. */
  get bestParams(): Params | null {
    return this.bestTrial?.params ?? null;
  }

  /** Value of the best trial. */
  get bestValue(): number | null {
    return this.bestTrial?.value ?? null;
  }

  /** What is to be said of the storage that it was found in: a line that was cut, for example. */
  get warnings(): readonly string[] {
    return this.#record?.warnings ?? [];
  }

  /** Notes of the caller. */
  get userAttrs(): Readonly<Record<string, unknown>> {
    return Object.freeze({ ...this.#userAttrs });
  }

  /** Keeps a note with the study: plain data. */
  setUserAttr(key: string, value: unknown): void {
    this.#userAttrs[key] = frozenCopy(value);
    this.#write({ type: 'studyAttr', key, value });
  }

  /**
   * Puts parameters in line: the next trial that is asked for takes them; others that it asks for are drawn.
   *
   * @throws {InvalidOptionError} what is no plain data.
   */
  enqueueTrial(params: Params): void {
    if (!isPlainObject(params) || !Object.values(params).every(isPlain)) {
      throw new InvalidOptionError(sentence('enqueueTrial', 'be given a record of name to plain data', params));
    }
    const own = frozenCopy(params);
    const entry = this.#create('waiting', own);
    this.#write({ type: 'create', number: entry.number, state: 'waiting', at: new Date(), params: own });
  }

  /** True when the sampler has nothing left to propose. */
  get isExhausted(): boolean {
    const isWaiting = this.#interrupted.length > 0 || this.#entries.some(({ state }) => state === 'waiting');
    return !isWaiting && this.sampler.isExhausted?.(this.#viewFor(this.#entries.length)) === true;
  }

  /** Trials that are asked for from now on do not know how trials from the number `first` on have ended. @hidden */
  beginGroup(first: number): void {
    this.#group = first;
  }

  /**
   * Begins a trial.
   *
   * @param space parameters to draw at once: lists and ranges by name. Left out, the trial is asked for them.
   * @throws {InvalidOptionError} `invalid_space`: no list and no range, or a value that is in none.
   */
  ask(space?: ParamGrid | ParamFunction): Trial {
    const read = space === undefined ? undefined : spaceOf(space);
    const { trial } = this.#begin(this.#nextEntry());
    read?.paramsOf(trial);
    return trial;
  }

  /**
   * Ends a trial.
   *
   * @param value what the objective gave; null, undefined or NaN: the trial has failed
   * @throws {InvalidOptionError} a trial that is not running.
   */
  tell(trial: Trial | number, value: number | null | undefined, options: TellOptions = {}): FrozenTrial {
    const how = tellOptions.resolve(options);
    const number = typeof trial === 'number' ? trial : trial?.number;
    const entry = this.#entries[number];
    if (entry?.state !== 'running') {
      const got = phrase(`trial ${number}, which ${entry ? `is ${entry.state}` : 'it does not have'}`);
      const subject = `The study '${nameText(this.name)}'`;
      throw new InvalidOptionError(sentence(subject, 'be told of a running trial', got), { code: 'trial_ended' });
    }
    endEntry(entry, value, how, this.pruner);
    const ended = frozenTrial(entry);
    this.#ended.set(number, ended);
    this.#running.delete(number);
    const { state, value: known, reason, endedAt: at } = ended as EndedTrial;
    this.#write({ type: 'end', number, state, value: known, at, ...(reason === undefined ? {} : { reason }) });
    return ended;
  }

  /**
   * Calls an objective with one trial after the other. A trial whose objective throws or gives no number has failed, and the
   * study goes on.
   *
   * @param objective gives the value of a trial, or throws {@link TrialPruned}
   * @throws {CVKitError} `all_trials_failed`: no trial has a value.
   */
  async optimize(objective: Objective, input: OptimizeOptions): Promise<this> {
    const { options } = optimizeOptions.parse(input);
    checkEnds(options, this.sampler);
    const evaluate = objectiveOutcomes(objective);
    await runStudy(this, { ...options, evaluate: (...group) => orEnded(options.signal, () => evaluate(...group)) });
    return this;
  }

  /** Writes what happened so far to the storage. Does nothing where there is none. */
  async flush(): Promise<void> {
    await this.#record?.flush();
  }

  #load(record: StudyRecord): void {
    for (const trial of record.trials) {
      const entry = entryOf(trial);
      this.#entries.push(entry);
      for (const [name, distribution] of Object.entries(trial.distributions)) this.#ranges.set(name, distribution);
      if (trial.state === 'running') this.#interrupted.push(trial.number);
      else if (trial.state !== 'waiting') this.#ended.set(trial.number, trial);
    }
    Object.assign(this.#userAttrs, record.userAttrs);
    this.#record = record;
  }

  #write(op: StudyOp): void {
    this.#record?.write(op);
  }

  #create(state: 'waiting' | 'running', fixed: Record<string, ParamValue> = {}): TrialEntry {
    const entry = newEntry(this.#entries.length, state, fixed);
    this.#entries.push(entry);
    return entry;
  }

  #nextEntry(): TrialEntry {
    const again = this.#interrupted.shift();
    if (again !== undefined) return this.#entries[again];
    const at = new Date();
    const waiting = this.#entries.find(({ state }) => state === 'waiting');
    if (waiting) {
      this.#write({ type: 'begin', number: waiting.number, at });
      return Object.assign(waiting, { state: 'running', startedAt: at });
    }
    const entry = Object.assign(this.#create('running'), { startedAt: at });
    this.#write({ type: 'create', number: entry.number, state: 'running', at });
    return entry;
  }

  #begin(entry: TrialEntry): Running {
    const random = randomSource(deriveSeed(this.randomState, 'trial', entry.number));
    const view = this.#viewFor(entry.number);
    const running = { trial: new Trial(entry, this.#host), view, random };
    this.#running.set(entry.number, running);
    const together = this.sampler.sampleTogether?.(view, { number: entry.number, params: { ...entry.fixed }, random });
    Object.assign(entry.fixed, { ...together, ...entry.fixed });
    return running;
  }

  /** What a trial may know of the others: those that have ended, and those that go on, without their reports. */
  #viewFor(number: number): StudyView {
    const trials = this.#entries.flatMap((entry) => {
      if (entry.number === number || entry.state === 'waiting') return [];
      const ended = entry.number < this.#group ? this.#ended.get(entry.number) : undefined;
      if (ended) return ended;
      if (entry.number > number) return [];
      const params = Object.freeze({ ...entry.fixed, ...entry.params });
      return { ...frozenTrial(entry), params, intermediateValues: new Map<number, number>() };
    });
    return Object.freeze({ direction: this.direction, trials: Object.freeze(trials) });
  }

  #draw(entry: TrialEntry, name: string, distribution: Distribution): ParamValue {
    const known = this.#ranges.get(name);
    if (known) checkSame(name, known, distribution);
    this.#ranges.set(name, distribution);
    const { view, random } = this.#running.get(entry.number) as Running;
    const proposed = Object.hasOwn(entry.fixed, name)
      ? entry.fixed[name]
      : this.sampler.sample(view, { number: entry.number, params: { ...entry.params }, random }, name, distribution);
    checkHolds(name, distribution, proposed);
    const value = structuredClone(proposed);
    this.#write({ type: 'param', number: entry.number, name, distribution, value });
    return value;
  }

  #shouldPrune(entry: TrialEntry): boolean {
    if (entry.state !== 'running') return false;
    return this.pruner.shouldPrune((this.#running.get(entry.number) as Running).view, frozenTrial(entry));
  }
}

/** Gives the value of a trial; null, undefined or NaN mean that it has failed. */
export type Objective = (trial: Trial) => number | null | undefined | Promise<number | null | undefined>;

export interface TrialOutcome extends TellOptions {
  readonly value: number | null | undefined;
}

/** Evaluates a group of trials, and reports each as soon as it has ended, in their order. */
export type EvaluateTrials = (
  trials: readonly Trial[],
  report: (trial: Trial, outcome: TrialOutcome) => Promise<'stop' | undefined>,
) => Promise<void>;

export interface StudyRun {
  readonly nTrials?: number | undefined;
  readonly timeout?: number | undefined;
  readonly patience?: number | undefined;
  readonly parallelTrials: number;
  readonly signal?: AbortSignal | undefined;
  readonly ask?: () => Trial;
  readonly evaluate: EvaluateTrials;
  readonly onTrial?: OnTrial | undefined;
}

export async function runStudy(study: Study, run: StudyRun): Promise<string> {
  const { nTrials = Number.POSITIVE_INFINITY, timeout = Number.POSITIVE_INFINITY, signal } = run;
  const until = performance.now() + timeout * 1000;
  const { bestTrial } = study;
  const earlier = study.trials.filter(({ endedAt }) => endedAt !== null);
  let done = earlier.length;
  let idle = bestTrial ? earlier.filter(({ number }) => number > bestTrial.number).length : 0;
  let stopped: string | undefined;
  const isIdle = () => {
    // Without a value there is nothing to be better than, unless nothing else would end the search.
    const counts = study.bestValue !== null || (nTrials === timeout && nTrials === Number.POSITIVE_INFINITY);
    return counts && idle >= (run.patience ?? Number.POSITIVE_INFINITY);
  };
  const idleText = () => `${counted(idle, 'trial')} in a row brought no better value`;
  const report = async (trial: Trial, { value, ...how }: TrialOutcome): Promise<'stop' | undefined> => {
    if (stopped !== undefined) {
      // It went on beside the one that ended the search: what it gave depends on how many go on at once, so it does not count.
      study.tell(trial, null, { state: 'pruned' });
      await study.flush();
      return 'stop';
    }
    const before = study.bestValue;
    const ended = study.tell(trial, value, how);
    await study.flush();
    done++;
    const improves =
      ended.state === 'complete' && (before === null || isBetter(study.direction, ended.value as number, before));
    idle = improves ? 0 : idle + 1;
    if (stopOf(await run.onTrial?.(ended))) stopped ??= 'it was told to stop';
    if (isIdle()) stopped ??= idleText();
    return stopped === undefined ? undefined : 'stop';
  };
  const reason = (): string | undefined => {
    if (stopped !== undefined) return stopped;
    // Of an earlier session, perhaps.
    if (isIdle()) return idleText();
    if (done >= nTrials) return `${counted(done, 'trial')} done`;
    if (performance.now() >= until) return `${timeout} s are over`;
    return study.isExhausted ? 'every combination was tried' : undefined;
  };
  let rested = performance.now();
  for (;;) {
    // Quick trials never leave the queue of promises: timers, and what aborts, must have a turn.
    if (performance.now() - rested > 50) {
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    signal?.throwIfAborted();
    const why = reason();
    if (why !== undefined) return endOf(study, why);
    const group: Trial[] = [];
    // A group that broke off is ended before the next one begins, so that a search that goes on has the same groups.
    const inGroup = done % run.parallelTrials;
    study.beginGroup(inGroup === 0 ? Number.POSITIVE_INFINITY : done - inGroup);
    const most = Math.min(run.parallelTrials - inGroup, nTrials - done);
    while (group.length < most && !study.isExhausted) group.push((run.ask ?? (() => study.ask()))());
    await study.flush();
    await run.evaluate(group, report);
  }
}

/** Throws where no trial has a value: whatever is chosen then is chosen by nothing. */
function endOf(study: Study, why: string): string {
  if (study.bestTrial) return why;
  const { trials } = study;
  const failed = trials.filter(({ state }) => state === 'failed');
  const which = trials.length === 1 ? 'one' : `${failed.length} of ${trials.length}`;
  const got =
    failed.length > 0
      ? `${which} that failed, the first because: ${failed[0].reason}`
      : `${counted(trials.length, 'trial')} without one, and ${why}`;
  const subject = `The trials of the study '${nameText(study.name)}'`;
  throw new CVKitError(sentence(subject, 'have at least one with a value', phrase(got)), { code: 'all_trials_failed' });
}

function objectiveOutcomes(objective: Objective): EvaluateTrials {
  if (typeof objective !== 'function') {
    throw new InvalidOptionError(sentence('The objective of optimize', 'be a function of a trial', objective));
  }
  return async (trials, report) => {
    const outcomes = trials.map((trial) => outcomeOf(() => objective(trial)));
    // Asked for now, so that one that ends the study while others are waited for is not an error that nobody handles.
    const all = Promise.allSettled(outcomes);
    try {
      for (const [at, outcome] of outcomes.entries()) await report(trials[at], await outcome);
    } finally {
      await all;
    }
  };
}

/** The outcome of some work. A wrong space is wrong in every trial, so it ends the study. */
export async function outcomeOf(work: () => unknown): Promise<TrialOutcome> {
  try {
    const value = await work();
    if (typeof value === 'number' || value === null || value === undefined) return { value };
    return { value: null, reason: `the objective gave ${typeof value} in place of a number` };
  } catch (error) {
    if (error instanceof TrialPruned) return { value: null, state: 'pruned' };
    if (error instanceof CVKitError && error.code === 'invalid_space') throw error;
    return { value: null, state: 'failed', reason: messageOf(error) };
  }
}
