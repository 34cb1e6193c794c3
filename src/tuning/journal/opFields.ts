/** What the operations of a journal must hold, so that what is wrong is said with its line, and not where it is used. */
import { isPlainObject } from '../../core/options.js';
import { OP, STATES } from './opLines.js';

/** Throws where an operation lacks a field, or has one of another kind: Optuna would stop there, too. */
export function checkFields(code: number, op: Readonly<Record<string, unknown>>): void {
  for (const [field, fits] of Object.entries(FIELDS[code] ?? {})) {
    if (!fits(op[field])) throw new SyntaxError(`its \`${field}\` is missing or of the wrong kind`);
  }
}

type Fits = (value: unknown) => boolean;
const isId: Fits = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Fits = (value) => typeof value === 'string';
const isNumber: Fits = (value) => typeof value === 'number';
const isState: Fits = (value) => isId(value) && (value as number) < STATES.length;
const isDate: Fits = (value) => isText(value) && !Number.isNaN(Date.parse(value as string));
const isNumbers: Fits = (value) => Array.isArray(value) && value.every(isNumber);
const each =
  (fits: Fits): Fits =>
  (value) =>
    isPlainObject(value) && Object.values(value).every(fits);
const areNumbers = each(isNumber);
const areTexts = each(isText);
const orNone =
  (fits: Fits): Fits =>
  (value) =>
    value === undefined || value === null || fits(value);

/** What each operation holds. */
const FIELDS: Readonly<Record<number, Readonly<Record<string, Fits>>>> = {
  [OP.createStudy]: { study_name: isText, directions: Array.isArray },
  [OP.deleteStudy]: { study_id: isId },
  [OP.studyUserAttr]: { study_id: isId, user_attr: isPlainObject },
  [OP.studySystemAttr]: { study_id: isId, system_attr: isPlainObject },
  [OP.createTrial]: {
    study_id: isId,
    state: orNone(isState),
    values: orNone(isNumbers),
    value: orNone(isNumber),
    params: orNone(areNumbers),
    distributions: orNone(areTexts),
    user_attrs: orNone(isPlainObject),
    system_attrs: orNone(isPlainObject),
    intermediate_values: orNone(areNumbers),
    datetime_start: orNone(isDate),
    datetime_complete: orNone(isDate),
  },
  [OP.trialParam]: { trial_id: isId, param_name: isText, param_value_internal: isNumber, distribution: isText },
  [OP.trialState]: {
    trial_id: isId,
    state: isState,
    values: orNone(isNumbers),
    datetime_start: orNone(isDate),
    datetime_complete: orNone(isDate),
  },
  [OP.trialReport]: { trial_id: isId, step: isId, intermediate_value: isNumber },
  [OP.trialUserAttr]: { trial_id: isId, user_attr: isPlainObject },
  [OP.trialSystemAttr]: { trial_id: isId, system_attr: isPlainObject },
};
