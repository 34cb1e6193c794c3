/** What a fold needs of its run where it has nothing else: in another thread or process. Plain data. */
import {
  inSharedMemory,
  type PortableLabels,
  type PortableRows,
  portableLabels,
  portableRows,
} from '../data/portable.js';
import type { Rows } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import type { AdapterSession } from './frameworkAdapter.js';
import { moduleUrl } from './modelSource.js';
import type { Prepared } from './prepare.js';
import type { Session } from './session.js';

export interface RunRecord {
  /** Differs from that of every other run of this process. */
  readonly id: string;
  /** file: URL of the module that exports the model factory. */
  readonly model: string;
  readonly framework: string;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  /** What the adapter told of its engine, which must be the same where the fold runs. */
  readonly engine: Readonly<Record<string, string>>;
  readonly X: PortableRows;
  readonly y: PortableLabels;
  readonly auxiliary: Readonly<Record<string, PortableLabels>> | undefined;
  readonly groups: SideData['groups'];
  readonly weight: Float64Array | undefined;
  readonly positive: number;
}

let runs = 0;
/** Rows of further runs are those of the first one. */
const made = new WeakMap<Rows, Promise<PortableRows>>();

/** Makes the record of a run, once, when it is first asked for. */
export function runRecord(prepared: Prepared, session: Session): () => Promise<RunRecord> {
  let record: Promise<RunRecord> | undefined;
  return () => {
    record ??= recordOf(prepared, session);
    return record;
  };
}

async function recordOf(prepared: Prepared, { session, opener }: Session): Promise<RunRecord> {
  const { X, y, auxiliary, data, weight, positive, call } = prepared;
  const rows = made.get(X) ?? portableRows(X);
  made.set(X, rows);
  runs++;
  return {
    id: `run-${runs}`,
    model: moduleUrl(call.run.options.model) as string, // see checkElsewhere
    framework: opener.name,
    adapterOptions: optionsElsewhere(session) ?? call.runner.options.adapterOptions,
    engine: session.info,
    X: await rows,
    y: portableLabels(y),
    auxiliary:
      auxiliary && Object.fromEntries(Object.entries(auxiliary).map(([name, each]) => [name, portableLabels(each)])),
    groups: data.groups && Array.from(data.groups),
    weight: weight && inSharedMemory(weight),
    positive,
  };
}

const optionsElsewhere = ({ elsewhere }: AdapterSession) =>
  elsewhere && 'options' in elsewhere ? elsewhere.options : undefined;
