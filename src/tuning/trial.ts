/** One try of a study: asks for parameters, reports how it goes, and is told whether to go on. */

import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { mean } from '../core/numbers.js';
import { isPlainObject } from '../core/options.js';
import type { Distribution, FrozenTrial, Params, ParamValue, TrialState } from '../core/tuningTrial.js';
import {
  categoricalDistribution,
  distributionText,
  floatDistribution,
  holds,
  intDistribution,
  isPlain,
  type RangeOptions,
  sameDistribution,
} from './distribution.js';
import type { Pruner } from './pruner.js';
import type { StudyOp } from './studyStorage.js';

export interface TrialHost {
  /** A value of a parameter that the trial asks for the first time. */
  draw(entry: TrialEntry, name: string, distribution: Distribution): ParamValue;
  reported(entry: TrialEntry, step: number, value: number): void;
  noted(entry: TrialEntry, key: string, value: unknown): void;
  shouldPrune(entry: TrialEntry): boolean;
}

export interface TrialEntry {
  readonly number: number;
  state: TrialState;
  value: number | null;
  /** Values that are known before the trial asks: drawn together, enqueued, or from a journal. */
  readonly fixed: Record<string, ParamValue>;
  readonly params: Record<string, ParamValue>;
  readonly distributions: Record<string, Distribution>;
  readonly reports: Map<number, number>;
  readonly userAttrs: Record<string, unknown>;
  reason?: string;
  startedAt: Date | null;
  endedAt: Date | null;
}

export const frozenTrial = ({ fixed: _fixed, reports, ...entry }: TrialEntry): FrozenTrial =>
  Object.freeze({
    ...entry,
    params: Object.freeze({ ...entry.params }),
    distributions: Object.freeze({ ...entry.distributions }),
    userAttrs: Object.freeze({ ...entry.userAttrs }),
    intermediateValues: new Map([...reports].sort(([a], [b]) => a - b)),
  });

/** A record without a prototype, since a parameter may be called 'constructor' or '__proto__'. */
export const nullProtoRecord = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.assign(Object.create(null), record);

/** A trial that begins, or waits to. `fixed`: values that it has whatever is proposed. */
export const newEntry = (number: number, state: TrialState, fixed: Record<string, ParamValue> = {}): TrialEntry => ({
  number,
  state,
  value: null,
  fixed: nullProtoRecord(fixed),
  params: nullProtoRecord({}),
  distributions: nullProtoRecord({}),
  reports: new Map(),
  userAttrs: nullProtoRecord({}),
  startedAt: null,
  endedAt: null,
});

/** A trial that was kept. One that was running or waiting is (again) to begin, with the values that it was given. */
export function entryOf({ intermediateValues, ...trial }: FrozenTrial): TrialEntry {
  const again = trial.state === 'running' || trial.state === 'waiting';
  return {
    ...trial,
    fixed: nullProtoRecord(trial.params),
    params: nullProtoRecord(again ? {} : trial.params),
    distributions: nullProtoRecord(again ? {} : trial.distributions),
    reports: new Map(again ? [] : intermediateValues),
    userAttrs: nullProtoRecord(trial.userAttrs),
  };
}

/** Throws for what is neither a value nor the lack of one. */
function checkReported(value: unknown): void {
  if (value === null || value === undefined || typeof value === 'number') return;
  const way = "How it ended is told beside it: tell(trial, null, { state: 'pruned' }).";
  throw new InvalidOptionError(sentence('The value of a trial', 'be a number, or null where it has none', value, way));
}

/** Ends a trial with what was told of it. NaN and no value make it a failed one; throws for anything else. */
export function endEntry(
  entry: TrialEntry,
  value: number | null | undefined,
  {
    state,
    reason,
  }: { readonly state?: 'complete' | 'pruned' | 'failed' | undefined; readonly reason?: string | undefined },
  pruner: Pick<Pruner, 'reads'>,
): void {
  checkReported(value);
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  entry.state = state === 'complete' || state === undefined ? (isNumber ? 'complete' : 'failed') : state;
  entry.value =
    entry.state === 'pruned' ? valueWhenPruned(entry, pruner) : entry.state === 'complete' ? (value as number) : null;
  if (entry.state === 'failed') entry.reason = reason ?? `the objective gave ${String(value)}`;
  entry.endedAt = new Date();
}

export const endOf = ({ number, state, value, reason, endedAt }: FrozenTrial): StudyOp => ({
  type: 'end',
  number,
  state: state as 'complete',
  value,
  at: endedAt as Date,
  ...(reason === undefined ? {} : { reason }),
});

/** What is known of a pruned trial: its last report, or the mean of its folds; null where that is nothing, or no number. */
function valueWhenPruned({ reports }: TrialEntry, { reads }: Pick<Pruner, 'reads'>): number | null {
  const values = [...reports].sort(([a], [b]) => a - b).map(([, value]) => value);
  const known = reads === 'folds' ? mean(values) : values.at(-1);
  return known === undefined || !Number.isFinite(known) ? null : known;
}

/** A trial that goes on, as others may know it: what was drawn together for it, and none of its reports. */
export const openTrial = (entry: TrialEntry): FrozenTrial => ({
  ...frozenTrial(entry),
  params: Object.freeze({ ...entry.fixed, ...entry.params }),
  intermediateValues: new Map<number, number>(),
});

/** A copy of parameters that a caller gave; throws unless they are plain data by name. `subject`: who was given them. */
export function plainParams(subject: string, params: unknown): Params {
  if (isPlainObject(params) && Object.values(params).every(isPlain)) return frozenCopy(params) as Params;
  throw new InvalidOptionError(sentence(subject, 'be given a record of name to plain data', params));
}

/**
 * A trial, as an objective is given it. Asked twice for the same parameter it gives the same value.
 *
 * @example
 * study.optimize((trial) => {
 *   const x = trial.suggestFloat('x', -5, 5);
 *   const kind = trial.suggestCategorical('kind', ['plain', 'squared']);
 *   return kind === 'plain' ? x : x ** 2;
 * }, { nTrials: 50 });
 */
export class Trial {
  readonly #entry: TrialEntry;
  readonly #host: TrialHost;

  /** Made by a study: see `Study.ask`. @hidden */
  constructor(entry: TrialEntry, host: TrialHost) {
    this.#entry = entry;
    this.#host = host;
  }

  /** Place in the study, from 0. */
  get number(): number {
    return this.#entry.number;
  }

  /** The parameters that were asked for so far. */
  get params(): Params {
    return frozenCopy({ ...this.#entry.params });
  }

  /** What each of them was drawn from. */
  get distributions(): Readonly<Record<string, Distribution>> {
    return Object.freeze({ ...this.#entry.distributions });
  }

  /** Notes of the caller. */
  get userAttrs(): Readonly<Record<string, unknown>> {
    return Object.freeze({ ...this.#entry.userAttrs });
  }

  /**
   * A number from `low` to `high`, both included.
   *
   * @throws {InvalidOptionError} `invalid_space`: bounds, `log` or `step` that make no range, or the name of another range.
   */
  suggestFloat(name: string, low: number, high: number, options: RangeOptions = {}): number {
    return this.suggest(name, floatDistribution(name, low, high, options)) as number;
  }

  /** A whole number from `low` to `high`, both included. */
  suggestInt(name: string, low: number, high: number, options: RangeOptions = {}): number {
    return this.suggest(name, intDistribution(name, low, high, options)) as number;
  }

  /** One of the choices, which are plain data. */
  suggestCategorical<const C extends ParamValue>(name: string, choices: readonly C[]): C {
    return this.suggest(name, categoricalDistribution(name, choices)) as C;
  }

  /**
   * A value of a distribution.
   *
   * @throws {InvalidOptionError} `invalid_space`: the name stands for another range already.
   */
  suggest(name: string, distribution: Distribution): ParamValue {
    const { params, distributions } = this.#entry;
    this.#checkOpen('ask for parameters');
    const known = distributions[name];
    if (known) {
      checkSame(name, known, distribution);
      return params[name];
    }
    // What the objective does to its list must not change what is recorded.
    const value = frozenCopy(this.#host.draw(this.#entry, name, distribution));
    params[name] = value;
    distributions[name] = distribution;
    return value;
  }

  /**
   * Reports a value on the way, for the pruner.
   *
   * @param value in the unit of the objective; NaN where there is none
   * @param step an integer from 0: number of epochs or folds that were done, or the place of an inner fold
   * @throws {InvalidOptionError} a value that is no number, a step that is none, a trial that has ended.
   */
  report(value: number, step: number): void {
    this.#checkOpen('report');
    if (typeof value !== 'number') {
      throw new InvalidOptionError(sentence('The value that a trial reports', 'be a number', value));
    }
    if (!Number.isSafeInteger(step) || step < 0) {
      throw new InvalidOptionError(sentence('The step that a trial reports', 'be an integer from 0', step));
    }
    this.#entry.reports.set(step, value);
    this.#host.reported(this.#entry, step, value);
  }

  /** Whether the pruner would end this trial: then throw {@link TrialPruned}, or tell the study 'pruned'. */
  shouldPrune(): boolean {
    return this.#host.shouldPrune(this.#entry);
  }

  /** Keeps a note with the trial: plain data. */
  setUserAttr(key: string, value: unknown): void {
    this.#entry.userAttrs[key] = frozenCopy(value);
    this.#host.noted(this.#entry, key, value);
  }

  #checkOpen(verb: string): void {
    const { number, state } = this.#entry;
    if (state === 'running') return;
    const got = phrase(`one that is ${state}`);
    throw new InvalidOptionError(sentence(`Trial ${number}`, `be running to ${verb}`, got), { code: 'trial_ended' });
  }
}

/** Throws where a name stands for two ranges. */
export function checkSame(name: string, known: Distribution, distribution: Distribution): void {
  if (known === distribution || sameDistribution(known, distribution)) return;
  const subject = `The parameter '${nameText(name)}'`;
  const must = 'have one range in the whole study';
  const got = phrase(`${distributionText(known)}, and ${distributionText(distribution)}`);
  throw new InvalidOptionError(sentence(subject, must, got, 'Use two names.'), { code: 'invalid_space' });
}

/** Throws where a value is none of its distribution. */
export function checkHolds(name: string, distribution: Distribution, value: unknown): void {
  if (holds(distribution, value)) return;
  const must = `be in its range, ${distributionText(distribution)}`;
  throw new InvalidOptionError(sentence(`The value of '${nameText(name)}'`, must, value), { code: 'invalid_space' });
}
