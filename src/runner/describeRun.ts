/** Makes the record of a run. */
import { inSharedMemory, type PortableRows, portableLabels, portableRows } from '../data/portable.js';
import type { Rows } from '../data/rows.js';
import type { SavingRun } from './foldServices.js';
import type { AdapterSession } from './frameworkAdapter.js';
import { moduleUrl } from './modelSource.js';
import type { Prepared } from './prepare.js';
import type { RunRecord } from './runRecord.js';
import type { Session } from './session.js';

let runs = 0;
/** Rows of further runs are those of the first one. */
const made = new WeakMap<Rows, Promise<PortableRows>>();

/** Makes the record of a run, once, when it is first asked for. */
export function describeRun(prepared: Prepared, session: Session, saving: SavingRun): () => Promise<RunRecord> {
  let record: Promise<RunRecord> | undefined;
  return () => {
    record ??= recordOf(prepared, session, saving);
    return record;
  };
}

async function recordOf(prepared: Prepared, { session, opener }: Session, saving: SavingRun): Promise<RunRecord> {
  const { X, y, auxiliary, data, weight, positive, call } = prepared;
  const rows = made.get(X) ?? portableRows(X);
  made.set(X, rows);
  runs++;
  return {
    id: `run-${runs}`,
    model: moduleUrl(call.run.options.model) as string, // see checkElsewhere
    takesParams: call.tuning !== undefined,
    framework: opener.name,
    adapterOptions: optionsElsewhere(session) ?? call.runner.options.adapterOptions,
    engine: session.info,
    preprocessing: prepared.preparation?.toJSON(),
    X: await rows,
    y: portableLabels(y),
    auxiliary:
      auxiliary && Object.fromEntries(Object.entries(auxiliary).map(([name, each]) => [name, portableLabels(each)])),
    groups: data.groups && Array.from(data.groups),
    weight: weight && inSharedMemory(weight),
    positive,
    saving,
  };
}

const optionsElsewhere = ({ elsewhere }: AdapterSession) =>
  elsewhere && 'options' in elsewhere ? elsewhere.options : undefined;
