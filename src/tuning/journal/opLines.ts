import { nameText } from '../../core/foreignText.js';
import type { StudyOp } from '../studyStorage.js';
import { distributionJson, internalOf } from './journalDistributions.js';
import { fieldsText, float, pythonText } from './pythonJson.js';

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
