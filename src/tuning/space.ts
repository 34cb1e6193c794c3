import { phrase, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import type { Distribution, Params, ParamValue } from '../core/tuningTrial.js';
import {
  categoricalDistribution,
  floatDistribution,
  intDistribution,
  invalidSpace,
  parameterText,
  type RangeOptions,
} from './distribution.js';
import type { Trial } from './trial.js';

/** Numbers from `low` to `high`; with whole `low` and `step`, whole numbers. */
export interface ParamRange extends RangeOptions {
  readonly low: number;
  readonly high: number;
}

/** Name to a list of choices or to a range. */
export type ParamGrid = Readonly<Record<string, readonly ParamValue[] | ParamRange>>;

/** Asks the trial for parameters, some perhaps only where others have certain values, and gives all that the model needs. */
export type ParamFunction = (
  trial: Pick<Trial, 'number' | 'suggestFloat' | 'suggestInt' | 'suggestCategorical'>,
) => Params;

export interface Space {
  /** Undefined for a function, which tells its parameters only when it is called. */
  readonly distributions: Readonly<Record<string, Distribution>> | undefined;
  paramsOf(trial: Trial): Params;
  /** What the model was given, from the values that a trial had asked for. */
  restored(values: Params, number: number): Params;
}

export function spaceOf(source: ParamGrid | ParamFunction): Space {
  if (typeof source === 'function') {
    return {
      distributions: undefined,
      paramsOf(trial) {
        const params = checkedParams(
          source({
            number: trial.number,
            suggestFloat: trial.suggestFloat.bind(trial),
            suggestInt: trial.suggestInt.bind(trial),
            suggestCategorical: trial.suggestCategorical.bind(trial),
          }),
        );
        if (Object.keys(trial.params).length > 0) return params;
        const way = 'Call trial.suggestFloat, suggestInt or suggestCategorical in it.';
        throw invalidSpace(OF_TRIAL, 'ask for at least one parameter', phrase('none'), way);
      },
      restored(values, number) {
        const known = (name: string) => values[name];
        const suggest = { suggestFloat: known, suggestInt: known, suggestCategorical: known };
        return checkedParams(source({ number, ...suggest } as Parameters<ParamFunction>[0]));
      },
    };
  }
  const distributions = recordSpace(source);
  return {
    distributions,
    paramsOf: (trial) =>
      Object.fromEntries(
        Object.entries(distributions).map(([name, distribution]) => [name, trial.suggest(name, distribution)]),
      ),
    restored: (values) => values,
  };
}

export function recordSpace(grid: ParamGrid): Readonly<Record<string, Distribution>> {
  if (!isPlainObject(grid)) {
    throw invalidSpace('`paramGrid`', 'be a record of name to list or range, or a function of the trial', grid);
  }
  const entries = Object.entries(grid);
  if (entries.length === 0) {
    const way = 'Use `run` where there is nothing to choose.';
    throw invalidSpace('`paramGrid`', 'have at least one parameter', phrase('none'), way);
  }
  return Object.freeze(Object.fromEntries(entries.map(([name, choices]) => [name, distributionOf(name, choices)])));
}

const RANGE_KEYS = ['low', 'high', 'log', 'step'];

function distributionOf(name: string, choices: unknown): Distribution {
  if (Array.isArray(choices)) return categoricalDistribution(name, choices);
  const keys = isPlainObject(choices) ? Object.keys(choices) : undefined;
  if (!keys?.includes('low') || !keys.includes('high') || !keys.every((key) => RANGE_KEYS.includes(key))) {
    const got = keys ? `{ ${keys.map((key) => nameText(key)).join(', ')} }` : show(choices);
    throw invalidSpace(parameterText(name), 'be a list of choices or { low, high, log?, step? }', phrase(got));
  }
  const { low, high, log = false, step = null } = choices as ParamRange;
  const whole = Number.isInteger(step) && Number.isInteger(low);
  return whole && Number.isFinite(high)
    ? intDistribution(name, low, Math.floor(high), { log, step })
    : floatDistribution(name, low, high, { log, step });
}

const OF_TRIAL = '`paramGrid`, a function of the trial,';

function checkedParams(values: unknown): Params {
  const refuse = (got: unknown) => {
    throw invalidSpace(OF_TRIAL, 'give the parameters as a plain object of plain data', got);
  };
  if (values instanceof Promise) refuse(phrase('a promise'));
  if (!isPlainObject(values)) refuse(values);
  const params = values as Record<string, unknown>;
  for (const [name, value] of Object.entries(params)) {
    if (!isData(value)) refuse(phrase(`${show(value)} as \`${nameText(name)}\``));
  }
  return structuredClone(params) as Params;
}

const isData = (value: unknown): boolean =>
  value === null ||
  ['number', 'string', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isData)) ||
  (isPlainObject(value) && Object.values(value).every(isData));
