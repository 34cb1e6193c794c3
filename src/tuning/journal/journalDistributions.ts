/** Distributions as Optuna writes them: a text of JSON with the name of a class and its attributes. */

import { CVKitError, messageOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject } from '../../core/options.js';
import type { Distribution, ParamValue } from '../../core/tuningTrial.js';
import { choiceIndex, floatDistribution, intDistribution } from '../distribution.js';
import { float, parsePython, pythonText } from './pythonJson.js';

export interface StoredDistribution {
  /** Optuna lets a name stand for distributions of one key alone: the same class, `log` and choices. */
  readonly key: string;
  readonly kind: Distribution['kind'];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Classes of Optuna; the last five are of its second version, and still read. */
const CLASSES: Readonly<Record<string, { kind: Distribution['kind']; log?: boolean; step?: string }>> = {
  FloatDistribution: { kind: 'float' },
  IntDistribution: { kind: 'int' },
  CategoricalDistribution: { kind: 'categorical' },
  UniformDistribution: { kind: 'float' },
  LogUniformDistribution: { kind: 'float', log: true },
  DiscreteUniformDistribution: { kind: 'float', step: 'q' },
  IntUniformDistribution: { kind: 'int' },
  IntLogUniformDistribution: { kind: 'int', log: true },
};

const SHORT: Readonly<Record<string, string>> = {
  float: 'FloatDistribution',
  int: 'IntDistribution',
  categorical: 'CategoricalDistribution',
};

/** A distribution as a journal holds it; Optuna's short form (`{"type": "float", ...}`) is read, too. Throws what is wrong. */
export function storedDistribution(text: string): StoredDistribution {
  const json = parsePython(text);
  const short = isPlainObject(json) && !('name' in json);
  const name = isPlainObject(json) ? (short ? SHORT[String(json.type)] : String(json.name)) : undefined;
  const known = name !== undefined && Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  const written = short ? json : (json as { attributes?: unknown } | null)?.attributes;
  if (!known || !isPlainObject(written)) throw new SyntaxError('it has no distribution that Optuna knows');
  const { kind } = known;
  const log = known.log ?? written.log ?? false;
  const attributes = { ...written, log, step: written[known.step ?? 'step'] ?? null };
  if (kind === 'categorical' && !(Array.isArray(written.choices) && written.choices.length > 0)) {
    throw new SyntaxError('it has a categorical distribution without choices');
  }
  return { key: `${name} ${kind === 'categorical' ? equalKey(written.choices) : log}`, kind, attributes };
}

/** Equal for what is equal in Python: True and 1 are, and NaN counts as equal to itself. */
const equalKey = (choices: unknown): string =>
  JSON.stringify(choices, (_, value) => {
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
  });

/** Throws `invalid_journal` for a range that cannot be searched here, such as one without end. */
export function distributionOf(name: string, { kind, attributes }: StoredDistribution): Distribution {
  const { low, high, log, step, choices } = attributes as Record<string, never>;
  // Not checked any further: Optuna takes choices such as NaN, and values are kept as places.
  if (kind === 'categorical') return Object.freeze({ kind, choices: Object.freeze(choices as ParamValue[]) });
  try {
    return (kind === 'float' ? floatDistribution : intDistribution)(name, low, high, { log, step });
  } catch (cause) {
    const must = 'have ranges that can be searched here';
    const got = phrase(messageOf(cause).replace(/\.$/, ''));
    throw new CVKitError(sentence('The study of a journal', must, got), { code: 'invalid_journal', cause });
  }
}

/** The value behind the number that a journal holds: the place of a choice, 3.0 of a whole number. Undefined: there is none. */
export function externalOf({ kind, attributes }: StoredDistribution, internal: number): ParamValue | undefined {
  if (kind === 'float') return internal;
  const whole = Math.trunc(internal);
  return kind === 'int' ? whole : (attributes.choices as ParamValue[])[whole];
}

export const internalOf = (distribution: Distribution, value: ParamValue): unknown =>
  distribution.kind === 'categorical' ? choiceIndex(distribution, value) : float(value as number);

export function distributionJson(name: string, distribution: Distribution): string {
  const { kind } = distribution;
  const attributes =
    kind === 'categorical'
      ? { choices: distribution.choices }
      : {
          step: kind === 'float' && distribution.step !== null ? float(distribution.step) : distribution.step,
          low: kind === 'float' ? float(distribution.low) : distribution.low,
          high: kind === 'float' ? float(distribution.high) : distribution.high,
          log: distribution.log,
        };
  return pythonText({ name: SHORT[kind], attributes }, `The distribution of '${nameText(name)}'`);
}
