import { InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import type {
  CategoricalDistribution,
  Distribution,
  FloatDistribution,
  IntDistribution,
  ParamValue,
} from '../core/tuningTrial.js';

/** What is written of a range, besides its bounds. */
export interface RangeOptions {
  /** Draws on the logarithmic scale; `low` must be above 0. */
  readonly log?: boolean;
  /** Distance of two values, counted from `low`. */
  readonly step?: number | null;
}

/** A range, checked. Its upper bound is the last value that is a whole number of steps above the lower one. */
export function floatDistribution(
  name: string,
  low: number,
  high: number,
  options: RangeOptions = {},
): FloatDistribution {
  const { log = false, step = null } = options;
  checkRange(name, { low, high, log, step });
  return Object.freeze({ kind: 'float', low, high: step === null ? high : lastStep(low, high, step), log, step });
}

export function intDistribution(name: string, low: number, high: number, options: RangeOptions = {}): IntDistribution {
  const { log = false } = options;
  const step = options.step ?? 1;
  for (const [what, value] of Object.entries({ low, high, step })) {
    if (!Number.isSafeInteger(value)) refuse(name, `have a whole number as \`${what}\``, value);
  }
  checkRange(name, { low, high, log, step: log && step === 1 ? null : step });
  return Object.freeze({ kind: 'int', low, high: lastStep(low, high, step), log, step });
}

export function categoricalDistribution(name: string, choices: readonly ParamValue[]): CategoricalDistribution {
  if (!Array.isArray(choices)) refuse(name, 'have a list of choices', choices);
  if (choices.length === 0) refuse(name, 'have at least one choice', phrase('none'));
  const known = new Set<string>();
  for (const choice of choices) {
    if (!isPlain(choice)) {
      const must = 'have choices that are plain data (numbers, text, true, false, null, or lists of them)';
      const way = 'Give each choice a name, and let modelFn (or preprocessing) make what the name stands for.';
      refuse(name, must, choice, way);
    }
    const key = JSON.stringify(choice);
    if (known.has(key)) refuse(name, 'have each choice once', phrase(`${show(choice)} twice`));
    known.add(key);
  }
  return Object.freeze({ kind: 'categorical', choices: Object.freeze(structuredClone(choices)) });
}

export function sameDistribution(a: Distribution, b: Distribution): boolean {
  if (a === b) return true;
  if (a.kind === 'categorical') {
    if (b.kind !== 'categorical' || a.choices.length !== b.choices.length) return false;
    return a.choices.every((choice, at) => choice === b.choices[at]) || JSON.stringify(a) === JSON.stringify(b);
  }
  return a.kind === b.kind && a.low === b.low && a.high === b.high && a.log === b.log && a.step === b.step;
}

export function holds(distribution: Distribution, value: unknown): boolean {
  if (distribution.kind === 'categorical') return choiceIndex(distribution, value) >= 0;
  const { kind, low, high, step } = distribution;
  if (typeof value !== 'number' || !(value >= low && value <= high)) return false;
  if (step === null) return true;
  const steps = (value - low) / step;
  const nearest = Math.round(steps);
  if (kind === 'int') return Number.isInteger(value) && steps === nearest;
  // Other libraries add steps without rounding, and a quotient of large numbers has noise of its own.
  return Math.abs(steps - nearest) < SLACK || value === atStep(low, step, nearest);
}

const SLACK = 1e-8;

export const choiceIndex = ({ choices }: CategoricalDistribution, value: unknown): number => {
  const simple = choices.indexOf(value as ParamValue);
  if (simple >= 0 || typeof value !== 'object' || value === null) return simple;
  const key = JSON.stringify(value);
  return choices.findIndex((choice) => JSON.stringify(choice) === key);
};

/** All values, where they can be counted: choices, whole numbers, steps. Undefined for a continuous range. */
export function valuesOf(distribution: Distribution): readonly ParamValue[] | undefined {
  if (distribution.kind === 'categorical') return distribution.choices;
  const { low, step } = distribution;
  const count = countOf(distribution);
  return Number.isFinite(count) ? Array.from({ length: count }, (_, at) => atStep(low, step ?? 0, at)) : undefined;
}

export function countOf(distribution: Distribution): number {
  if (distribution.kind === 'categorical') return distribution.choices.length;
  const { low, high, step } = distribution;
  if (low === high) return 1;
  return step === null ? Number.POSITIVE_INFINITY : Math.round((high - low) / step) + 1;
}

/** `low` and so many steps, without the noise of adding them: .1 + 2 * .1 is .3, and -.3 + 3 * .1 is 0. */
export function atStep(low: number, step: number, steps: number): number {
  if (steps === 0) return low;
  const sum = low + steps * step;
  // Fifteen digits of the larger part: the sum may have lost some.
  const decimals = 14 - Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(steps * step))));
  return decimals > 100 || decimals < 0 ? sum : Number(sum.toFixed(decimals)) + 0;
}

function lastStep(low: number, high: number, step: number): number {
  const steps = Math.round((high - low) / step);
  const last = atStep(low, step, steps);
  return last - high <= SLACK * step ? last : atStep(low, step, steps - 1);
}

export function distributionText(distribution: Distribution): string {
  if (distribution.kind === 'categorical') return `one of ${nameText(JSON.stringify(distribution.choices), 200)}`;
  const { low, high, log, step } = distribution;
  return `${low} to ${high}${log ? ' on the logarithmic scale' : ''}${step === null ? '' : ` in steps of ${step}`}`;
}

function checkRange(name: string, { low, high, log, step }: Omit<FloatDistribution, 'kind'>): void {
  for (const [what, value] of Object.entries({ low, high })) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      refuse(name, `have a finite number as \`${what}\``, value);
  }
  if (typeof log !== 'boolean') refuse(name, 'have true or false as `log`', log);
  if (low > high) refuse(name, 'have a `low` that is not above `high`', phrase(`${low} and ${high}`), 'Swap them.');
  if (log && low <= 0) {
    const must = 'begin above 0 with `log`, since 0 has no logarithm';
    refuse(name, must, phrase(String(low)), 'Begin at 1e-6, or leave out `log`.');
  }
  if (step === null) return;
  if (typeof step !== 'number' || !(step > 0) || !Number.isFinite(step)) refuse(name, 'have a `step` above 0', step);
  if (log) refuse(name, 'have `log` or `step`', phrase('both'), 'Leave one out.');
  if (low < high && step - (high - low) > SLACK * step) {
    refuse(name, `have a \`step\` of at most ${high - low}, the width of the range`, step);
  }
}

export const invalidSpace = (...parts: Parameters<typeof sentence>): InvalidOptionError =>
  new InvalidOptionError(sentence(...parts), { code: 'invalid_space' });

export const parameterText = (name: string): string => `The parameter '${nameText(name)}'`;

const refuse = (name: string, must: string, got: unknown, way?: string): never => {
  throw invalidSpace(parameterText(name), must, got, way);
};

export function isPlain(value: unknown): value is ParamValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return isPlainObject(value) && Object.values(value).every(isPlain);
}
