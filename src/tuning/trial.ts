import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { mean } from '../core/numbers.js';
import type { OptionsOf } from '../core/options.js';
import type { Distribution, FrozenTrial, Params, ParamValue, TrialState } from '../core/tuningTrial.js';
import {
  categoricalDistribution,
  distributionText,
  floatDistribution,
  holds,
  intDistribution,
  invalidSpace,
  parameterText,
  type RangeOptions,
  sameDistribution,
} from './distribution.js';
import type { Pruner } from './pruner.js';
import type { tellOptions } from './studyOptions.js';
import type { StudyOp } from './studyStorage.js';

export interface TrialHost {
  draw(entry: TrialEntry, name: string, distribution: Distribution): ParamValue;
  write(op: StudyOp): void;
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

export function endEntry(
  entry: TrialEntry,
  value: unknown,
  { state: ended = 'complete', reason }: OptionsOf<typeof tellOptions>,
  { reads }: Pick<Pruner, 'reads'>,
): void {
  if (value !== null && value !== undefined && typeof value !== 'number') {
    const must = 'be a number, or null where it has none';
    const way = "How it ended is told beside it: tell(trial, null, { state: 'pruned' }).";
    throw new InvalidOptionError(sentence('The value of a trial', must, value, way));
  }
  entry.state = ended === 'complete' && !Number.isFinite(value) ? 'failed' : ended;
  entry.value = entry.state === 'complete' ? (value as number) : null;
  if (entry.state === 'pruned') {
    const values = [...entry.reports].sort(([a], [b]) => a - b).map(([, each]) => each);
    const known = reads === 'folds' ? mean(values) : values.at(-1);
    entry.value = Number.isFinite(known) ? (known as number) : null;
  }
  if (entry.state === 'failed') entry.reason = reason ?? `the objective gave ${String(value)}`;
  entry.endedAt = new Date();
}

/**
 * A trial, as an objective is given it. Asked twice for the same parameter it gives the same value.
 *
 * @example
 * const study = new Study({ direction: 'minimize', randomState: 1 });
 * await study.optimize((trial) => {
 *   const x = trial.suggestFloat('x', -5, 5);
 *   const kind = trial.suggestCategorical('kind', ['plain', 'squared']);
 *   return kind === 'plain' ? x : x ** 2;
 * }, { nTrials: 20 });
 * console.log(study.bestParams);
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
    this.#host.write({ type: 'report', number: this.number, step, value });
  }

  /** Whether the pruner would end this trial: then throw {@link TrialPruned}, or tell the study 'pruned'. */
  shouldPrune(): boolean {
    return this.#host.shouldPrune(this.#entry);
  }

  /** Keeps a note with the trial: plain data. */
  setUserAttr(key: string, value: unknown): void {
    this.#entry.userAttrs[key] = frozenCopy(value);
    this.#host.write({ type: 'userAttr', number: this.number, key, value });
  }

  #checkOpen(verb: string): void {
    const { number, state } = this.#entry;
    if (state === 'running') return;
    const got = phrase(`one that is ${state}`);
    throw new InvalidOptionError(sentence(`Trial ${number}`, `be running to ${verb}`, got), { code: 'trial_ended' });
  }
}

export function checkSame(name: string, known: Distribution, distribution: Distribution): void {
  if (known === distribution || sameDistribution(known, distribution)) return;
  const got = phrase(`${distributionText(known)}, and ${distributionText(distribution)}`);
  throw invalidSpace(parameterText(name), 'have one range in the whole study', got, 'Use two names.');
}

export function checkHolds(name: string, distribution: Distribution, value: unknown): void {
  if (holds(distribution, value)) return;
  throw invalidSpace(`The value of '${nameText(name)}'`, `be in its range, ${distributionText(distribution)}`, value);
}
