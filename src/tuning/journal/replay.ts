/**
 * What the operations of a journal come to, as in `JournalStorageReplayResult` of `optuna/storages/journal/_storage.py`: ids count
 * in the order of the file, and what does not apply is passed over, such as a change of a trial that has ended.
 */
import { isPlainObject } from '../../core/options.js';
import { anyValue, leaf, leftOutOr, list, orNull, recordOfAny, type Shape, text, whole } from '../../core/shape.js';
import { FIXED_PARAMS, OP_CODES, STATES, type StoredDistribution, storedDistribution } from './opLines.js';
import { parsePython } from './pythonJson.js';

type Fields = Readonly<Record<string, unknown>>;

export interface StoredTrial {
  readonly study: StoredStudy;
  readonly number: number;
  state: (typeof STATES)[number];
  values: readonly number[] | null;
  readonly params: Map<string, { readonly internal: number; readonly distribution: StoredDistribution }>;
  readonly reports: Map<number, number>;
  readonly userAttrs: Map<string, unknown>;
  readonly systemAttrs: Map<string, unknown>;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface StoredStudy {
  readonly id: number;
  readonly name: string;
  /** 1: small values are better, 2: large ones; one for each objective. */
  readonly directions: readonly unknown[];
  readonly userAttrs: Map<string, unknown>;
  readonly trials: number[];
  /** The trial of the lowest number that has a parameter, and the key of its distribution. */
  readonly firstKeys: Map<string, { readonly number: number; readonly key: string }>;
  /** Operations on it that change what a search knows. */
  version: number;
}

export class Replay {
  readonly studies = new Map<string, StoredStudy>();
  readonly trials: StoredTrial[] = [];
  /** Operations that Optuna 5 does not have. */
  unknownOps = 0;
  readonly #byId = new Map<number, StoredStudy>();
  readonly #distributions = new Map<string, StoredDistribution>();
  #nextStudy = 0;

  apply(text: string): void {
    const op = parsePython(text);
    if (!isPlainObject(op) || !Number.isSafeInteger(op.op_code)) throw new SyntaxError('it has no `op_code`');
    const code = op.op_code as number;
    const fields = FIELDS[code];
    // Optuna 5 passes over the operation that discards trials, which another program writes.
    if (!fields && code !== OP_CODES.discardTrials) this.unknownOps++;
    if (!fields) return;
    const wrong = Object.keys(fields).find((field) => fields[field](op[field], field));
    if (wrong !== undefined) throw new SyntaxError(`its \`${wrong}\` is missing or of the wrong kind`);
    if (code === OP_CODES.createStudy) this.#createStudy(op);
    else if ('study_id' in fields) this.#changeStudy(code, op);
    else this.#changeTrial(code, op);
  }

  #createStudy({ study_name, directions }: Fields): void {
    const name = study_name as string;
    if (this.studies.has(name)) return;
    const study: StoredStudy = {
      id: this.#nextStudy++,
      name,
      directions: directions as unknown[],
      userAttrs: new Map(),
      trials: [],
      firstKeys: new Map(),
      version: 0,
    };
    this.studies.set(name, study);
    this.#byId.set(study.id, study);
  }

  #changeStudy(code: number, op: Fields): void {
    const study = this.#byId.get(op.study_id as number);
    if (!study) return;
    // Dashboards keep their notes in system attributes of the study, of which a search knows nothing.
    if (code === OP_CODES.studySystemAttr) return;
    if (code === OP_CODES.createTrial) this.#createTrial(study, op);
    if (code === OP_CODES.studyUserAttr) setAll(study.userAttrs, op.user_attr);
    study.version++;
    if (code !== OP_CODES.deleteStudy) return;
    this.#byId.delete(study.id);
    this.studies.delete(study.name);
  }

  #createTrial(study: StoredStudy, op: Fields): void {
    const { distributions, params, intermediate_values } = op as Record<string, Fields | null | undefined>;
    const values = (op.values as number[] | null | undefined) ?? (typeof op.value === 'number' ? [op.value] : null);
    const drawn = Object.entries(params ?? {}).map(([name, internal]) => {
      const distribution = this.#distribution(String(distributions?.[name]));
      return [name, { internal: internal as number, distribution }] as const;
    });
    const trial: StoredTrial = {
      study,
      number: study.trials.length,
      state: STATES[(op.state as number | undefined) ?? 0],
      values,
      params: new Map(drawn),
      reports: new Map(Object.entries(intermediate_values ?? {}).map(([step, value]) => [Number(step), Number(value)])),
      userAttrs: new Map(Object.entries((op.user_attrs as Fields | undefined) ?? {})),
      systemAttrs: new Map(Object.entries((op.system_attrs as Fields | undefined) ?? {})),
      startedAt: dateOf(op.datetime_start),
      endedAt: dateOf(op.datetime_complete),
    };
    study.trials.push(this.trials.push(trial) - 1);
    for (const [name, { distribution }] of drawn) noteKey(trial, name, distribution.key);
  }

  #changeTrial(code: number, op: Fields): void {
    const trial = this.trials[op.trial_id as number];
    if (trial?.state !== 'running' && trial?.state !== 'waiting') return;
    if (code === OP_CODES.trialParam) this.#setParam(trial, op);
    else if (code === OP_CODES.trialState) setState(trial, op);
    else if (code === OP_CODES.trialReport) trial.reports.set(op.step as number, op.intermediate_value as number);
    else if (code === OP_CODES.trialUserAttr) setAll(trial.userAttrs, op.user_attr);
    else setAll(trial.systemAttrs, op.system_attr);
    trial.study.version++;
  }

  #setParam(trial: StoredTrial, op: Fields): void {
    const name = op.param_name as string;
    const distribution = this.#distribution(op.distribution as string);
    const first = trial.study.firstKeys.get(name);
    if (first && first.key !== distribution.key) return;
    trial.params.set(name, { internal: op.param_value_internal as number, distribution });
    noteKey(trial, name, distribution.key);
  }

  #distribution(text: string): StoredDistribution {
    const read = this.#distributions.get(text) ?? storedDistribution(text);
    this.#distributions.set(text, read);
    return read;
  }
}

export const fixedParams = ({ systemAttrs }: StoredTrial): Fields => {
  const fixed = systemAttrs.get(FIXED_PARAMS);
  return isPlainObject(fixed) ? fixed : {};
};

function setState(trial: StoredTrial, { state: code, values, datetime_start, datetime_complete }: Fields): void {
  const state = STATES[code as number];
  // The trial goes on in another process already.
  if (state === 'running' && trial.state === 'running') return;
  if (state === 'running') trial.startedAt = dateOf(datetime_start);
  else if (state !== 'waiting') trial.endedAt = dateOf(datetime_complete);
  trial.state = state;
  if (values) trial.values = values as number[];
}

function noteKey({ study, number }: StoredTrial, name: string, key: string): void {
  const first = study.firstKeys.get(name);
  if (!first || number < first.number) study.firstKeys.set(name, { number, key });
}

function setAll(attrs: Map<string, unknown>, record: unknown): void {
  for (const [key, value] of Object.entries(record as Fields)) attrs.set(key, value);
}

const dateOf = (text: unknown): Date | null => (typeof text === 'string' ? new Date(text) : null);

// What the operations of a journal must hold, so that what is wrong is said with its line, and not where it is used.

const number = leaf('be a number, NaN among them', (v) => typeof v === 'number');
const state = whole(STATES.length);
const date = leaf('be a date', (v) => typeof v === 'string' && !Number.isNaN(Date.parse(v)));
const recordOf = (each: Shape): Shape =>
  leaf('be an object', (v) => isPlainObject(v) && Object.values(v).every((value) => !each(value, '')));
const orNone = (shape: Shape): Shape => leftOutOr(orNull(shape));

const FIELDS: Readonly<Record<number, Readonly<Record<string, Shape>>>> = {
  [OP_CODES.createStudy]: { study_name: text, directions: list(anyValue) },
  [OP_CODES.deleteStudy]: { study_id: whole() },
  [OP_CODES.studyUserAttr]: { study_id: whole(), user_attr: recordOfAny },
  [OP_CODES.studySystemAttr]: { study_id: whole(), system_attr: recordOfAny },
  [OP_CODES.createTrial]: {
    study_id: whole(),
    state: orNone(state),
    values: orNone(list(number)),
    value: orNone(number),
    params: orNone(recordOf(number)),
    distributions: orNone(recordOf(text)),
    user_attrs: orNone(recordOfAny),
    system_attrs: orNone(recordOfAny),
    intermediate_values: orNone(recordOf(number)),
    datetime_start: orNone(date),
    datetime_complete: orNone(date),
  },
  [OP_CODES.trialParam]: { trial_id: whole(), param_name: text, param_value_internal: number, distribution: text },
  [OP_CODES.trialState]: {
    trial_id: whole(),
    state,
    values: orNone(list(number)),
    datetime_start: orNone(date),
    datetime_complete: orNone(date),
  },
  [OP_CODES.trialReport]: { trial_id: whole(), step: whole(), intermediate_value: number },
  [OP_CODES.trialUserAttr]: { trial_id: whole(), user_attr: recordOfAny },
  [OP_CODES.trialSystemAttr]: { trial_id: whole(), system_attr: recordOfAny },
};
