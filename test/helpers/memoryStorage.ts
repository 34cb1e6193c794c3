import type { Distribution, FrozenTrial, ParamValue } from '../../src/core/tuningTrial.js';
import type { StudyOp, StudyStorage } from '../../src/tuning/studyStorage.js';

/** A storage that forgets nothing while the process lives. `flushed`: called before each flush, and may throw. */
export function memoryStorage(flushed: () => void = () => undefined): StudyStorage & { closed: number } {
  const logs = new Map<string, StudyOp[]>();
  const storage = {
    closed: 0,
    async open(name: string) {
      const log = logs.get(name) ?? [];
      logs.set(name, log);
      const waiting: StudyOp[] = [];
      return {
        ...replayed(log),
        write: (op: StudyOp) => void waiting.push(structuredClone(op)),
        async flush() {
          flushed();
          log.push(...waiting.splice(0));
        },
      };
    },
    close: async () => void storage.closed++,
  };
  return storage;
}

/** A trial that can still change. */
interface Entry extends Pick<FrozenTrial, 'number' | 'startedAt'> {
  state: FrozenTrial['state'];
  params: Record<string, ParamValue>;
  distributions: Record<string, Distribution>;
  intermediateValues: Map<number, number>;
  userAttrs: Record<string, unknown>;
  value: number | null;
  endedAt: Date | null;
  reason?: string;
}

function replayed(log: readonly StudyOp[]) {
  const trials: Entry[] = [];
  const userAttrs: Record<string, unknown> = {};
  for (const op of log) {
    if (op.type === 'studyAttr') userAttrs[op.key] = op.value;
    else if (op.type === 'create') trials.push(created(op));
    else apply(trials[op.number], op);
  }
  return { trials, userAttrs };
}

const created = ({ number, state, at, params = {} }: Extract<StudyOp, { type: 'create' }>): Entry => ({
  number,
  state,
  value: null,
  params: { ...params },
  distributions: {},
  intermediateValues: new Map(),
  userAttrs: {},
  startedAt: state === 'running' ? at : null,
  endedAt: null,
});

function apply(trial: Entry, op: Exclude<StudyOp, { type: 'studyAttr' | 'create' }>): void {
  if (op.type === 'begin') Object.assign(trial, { state: 'running', startedAt: op.at });
  else if (op.type === 'report') trial.intermediateValues.set(op.step, op.value);
  else if (op.type === 'userAttr') trial.userAttrs[op.key] = op.value;
  else if (op.type === 'param') {
    trial.params[op.name] = op.value;
    trial.distributions[op.name] = op.distribution;
  } else {
    const { state, value, at, reason } = op;
    Object.assign(trial, { state, value, endedAt: at }, reason === undefined ? {} : { reason });
  }
}
