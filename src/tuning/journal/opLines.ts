import { CVKitError, messageOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject } from '../../core/options.js';
import type { Distribution, ParamValue } from '../../core/tuningTrial.js';
import { choiceIndex, floatDistribution, intDistribution } from '../distribution.js';
import type { StudyOp } from '../studyStorage.js';
import { fieldsText, float, parsePython, pythonText } from './pythonJson.js';

/** Numbers of the operations: `JournalOperation` in `optuna/storages/journal/_storage.py`. */
export const OP_CODES = {
  createStudy: 0,
  deleteStudy: 1,
  studyUserAttr: 2,
  studySystemAttr: 3,
  createTrial: 4,
  trialParam: 5,
  trialState: 6,
  trialReport: 7,
  trialUserAttr: 8,
  trialSystemAttr: 9,
  discardTrials: 10,
} as const;

/** Numbers of the states are places: `TrialState` in `optuna/trial/_state.py`. */
export const STATES = ['running', 'complete', 'pruned', 'failed', 'waiting'] as const;

/** Numbers of the directions are places: `StudyDirection` in `optuna/study/_study_direction.py`. */
export const DIRECTIONS = [undefined, 'minimize', 'maximize'] as const;

export const FIXED_PARAMS = 'fixed_params';

/** Key of the system attribute for why a trial failed: Optuna's first versions kept it there. Its fifth keeps no reason. */
export const FAIL_REASON = 'fail_reason';

/** A line without what is known only when it is written: who writes, and the ids of the study and of the trial. */
export interface OpLine {
  readonly code: number;
  /** Number of the trial that it speaks of; undefined: it speaks of the study. */
  readonly number?: number;
  readonly fields: string;
}

export const createStudyLine = (name: string, direction: 'minimize' | 'maximize', worker: string): string =>
  lineText(OP_CODES.createStudy, worker, { study_name: name, directions: [DIRECTIONS.indexOf(direction)] });

export function completeLine({ code, number, fields }: OpLine, worker: string, study: number, trial?: number): string {
  const whose = number === undefined ? { study_id: study } : { trial_id: trial };
  return `${lineText(code, worker, whose).slice(0, -1)},${fields}}`;
}

const lineText = (code: number, worker: string, fields: Readonly<Record<string, unknown>>): string =>
  `{${fieldsText({ op_code: code, worker_id: worker, ...fields }, 'A line of the journal')}}`;

export function opLines(op: StudyOp): OpLine[] {
  const line = (code: number, fields: Readonly<Record<string, unknown>>): OpLine => ({
    code,
    fields: fieldsText(fields, 'What a trial is given'),
    ...(op.type === 'studyAttr' || op.type === 'create' ? {} : { number: op.number }),
  });
  switch (op.type) {
    case 'studyAttr':
      return [{ code: OP_CODES.studyUserAttr, fields: noteFields(op) }];
    case 'create':
      return [
        line(OP_CODES.createTrial, op.state === 'running' ? { datetime_start: dateText(op.at) } : waiting(op.params)),
      ];
    case 'begin':
      return [line(OP_CODES.trialState, { state: 0, values: null, datetime_start: dateText(op.at) })];
    case 'param': {
      const { name, distribution, value } = op;
      return [
        line(OP_CODES.trialParam, {
          param_name: name,
          param_value_internal: internalOf(distribution, value),
          distribution: distributionJson(name, distribution),
        }),
      ];
    }
    case 'report':
      return [line(OP_CODES.trialReport, { step: op.step, intermediate_value: float(op.value) })];
    case 'userAttr':
      return [{ code: OP_CODES.trialUserAttr, number: op.number, fields: noteFields(op) }];
    case 'end': {
      const values = op.value === null ? null : [float(op.value)];
      const state = STATES.indexOf(op.state);
      const end = line(OP_CODES.trialState, { state, values, datetime_complete: dateText(op.at) });
      // The reason comes first: a trial that has ended cannot be changed.
      return op.reason === undefined
        ? [end]
        : [line(OP_CODES.trialSystemAttr, { system_attr: { [FAIL_REASON]: op.reason } }), end];
    }
  }
}

/** Written by hand: `fieldsText` leaves out what is undefined, and Optuna cannot read a note without a key. */
const noteFields = ({ key, value }: { key: string; value: unknown }): string =>
  `"user_attr":{${JSON.stringify(key)}:${pythonText(value, `The note '${nameText(key)}'`)}}`;

/** A trial in line, as `Study.enqueue_trial` writes it. */
const waiting = (params: Readonly<Record<string, unknown>> = {}) => ({
  datetime_start: null,
  state: STATES.indexOf('waiting'),
  value: null,
  values: null,
  distributions: {},
  params: {},
  user_attrs: {},
  system_attrs: { [FIXED_PARAMS]: params },
  intermediate_values: {},
});

/** ISO 8601 with microseconds and `+00:00`: versions of Python before 3.11 do not read `Z`. */
const dateText = (at: Date): string => at.toISOString().replace('Z', '000+00:00');

/** A distribution as Optuna writes it: a text of JSON with the name of a class and its attributes. */
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

const internalOf = (distribution: Distribution, value: ParamValue): unknown =>
  distribution.kind === 'categorical' ? choiceIndex(distribution, value) : float(value as number);

function distributionJson(name: string, distribution: Distribution): string {
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
