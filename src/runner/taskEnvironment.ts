/** Who does the work of some tasks: the executor, and what this process has for it. */
import { freshName } from '../core/wholeFile.js';
import { inSharedMemory, type PortableRows, portableLabels, portableRows } from '../data/portable.js';
import type { Rows } from '../data/rows.js';
import { ofRun, ranAlone } from './activeRuns.js';
import type { TaskEnvironment } from './coordinate.js';
import type { Executor, FoldLink } from './executor.js';
import type { FoldServices, SavingRun } from './foldServices.js';
import type { AdapterSession } from './frameworkAdapter.js';
import { inlineExecutor } from './inlineExecutor.js';
import { moduleUrl } from './modelSource.js';
import type { Prepared } from './prepare.js';
import type { RunRecord } from './runRecord.js';
import { modelScoring } from './scoring.js';
import type { Session } from './session.js';

/** The environment of the tasks of a run. */
export function taskEnvironment(
  prepared: Prepared,
  session: Session,
  placeOf: FoldServices['placeOf'],
  data: Readonly<Record<string, string | null>> | null = null,
): TaskEnvironment {
  const { call, callbacks, X, preparation } = prepared;
  const { overwrite } = call.run.options;
  const run = `${freshName()}${freshName()}`;
  const about = { featureNames: X.featureNames ?? null, preprocessing: preparation?.described ?? null };
  const saving = { framework: session.opener.name, run, data, ...about, overwrite };
  const executor = call.runner.options.executor === 'inline' ? inlineExecutor : call.runner.options.executor;
  const services = { ...servicesOf(prepared, session, executor, placeOf), saving };
  return { executor, services, describe: describeRun(prepared, session, saving), callbacks, count: { fits: 0 } };
}

function servicesOf(
  prepared: Prepared,
  { adapter, source, active, models, waiting }: Session,
  executor: Executor,
  placeOf: FoldServices['placeOf'],
): Omit<FoldLink['services'], 'saving'> {
  const { X, y, auxiliary, data, weight, positive, scorers, plan, folds } = prepared;
  const alone = ranAlone(active);
  return {
    adapter,
    source,
    X,
    y,
    auxiliary,
    data,
    weight,
    positive,
    training: prepared.localTraining,
    modelScores: modelScoring(scorers),
    signal: prepared.call.run.options.signal,
    models,
    placeOf,
    waiting: waiting && alone() ? { fold: plan.at(folds[0]).id, held: waiting } : undefined,
    watchMemory: () => (executor.concurrency > 1 ? () => false : ranAlone(active)),
    contextOf: (ctx) => ofRun(active, Object.freeze({ ...ctx })),
  };
}

// Makes the record of a run.

let runs = 0;
/** Rows of further runs are those of the first one. */
const portable = new WeakMap<Rows, Promise<PortableRows>>();

/** Makes the record of a run, once, when it is first asked for. */
function describeRun(prepared: Prepared, session: Session, saving: SavingRun): () => Promise<RunRecord> {
  let record: Promise<RunRecord> | undefined;
  return () => {
    record ??= recordOf(prepared, session, saving);
    return record;
  };
}

async function recordOf(prepared: Prepared, { session, opener }: Session, saving: SavingRun): Promise<RunRecord> {
  const { X, y, auxiliary, data, weight, positive, call } = prepared;
  const rows = portable.get(X) ?? portableRows(X);
  portable.set(X, rows);
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
