/** Who does the work of some tasks: the executor, and what this process has for it. */
import { freshName } from '../core/wholeFile.js';
import { inSharedMemory, portableLabels, portableRows } from '../data/portable.js';
import { ofRun, ranAlone } from './activeRuns.js';
import type { TaskEnvironment } from './coordinate.js';
import type { FoldLink, FoldServices, RunRecord, SavingRun } from './executor.js';
import { inlineExecutor } from './inlineExecutor.js';
import { moduleUrl } from './modelSource.js';
import type { Prepared } from './prepare.js';
import { modelScoring } from './scoring.js';
import type { Session } from './session.js';

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
  const { adapter, source, active, models, waiting } = session;
  const alone = ranAlone(active);
  const services: FoldLink['services'] = {
    ...{ adapter, source, models, placeOf, saving },
    ...{ X, y: prepared.y, auxiliary: prepared.auxiliary, data: prepared.data },
    ...{ weight: prepared.weight, positive: prepared.positive, training: prepared.localTraining },
    modelScores: modelScoring(prepared.scorers),
    signal: call.run.options.signal,
    waiting: waiting && alone() ? { fold: prepared.plan.at(prepared.folds[0]).id, held: waiting } : undefined,
    watchMemory: () => (executor.concurrency > 1 ? () => false : ranAlone(active)),
    contextOf: (ctx) => ofRun(active, Object.freeze({ ...ctx })),
  };
  let record: Promise<RunRecord> | undefined;
  const describe = () => {
    record ??= recordOf(prepared, session, saving);
    return record;
  };
  return { executor, services, describe, callbacks, count: { fits: 0 } };
}

async function recordOf(
  { X, y, auxiliary, data, weight, positive, call, preparation }: Prepared,
  { session, opener, portable }: Session,
  saving: SavingRun,
): Promise<RunRecord> {
  const { elsewhere } = session;
  const rows = portable.get(X) ?? portableRows(X);
  portable.set(X, rows);
  return {
    id: saving.run,
    model: moduleUrl(call.run.options.model) as string, // see checkElsewhere
    takesParams: call.tuning !== undefined,
    framework: opener.name,
    adapterOptions: elsewhere && 'options' in elsewhere ? elsewhere.options : call.runner.options.adapterOptions,
    engine: session.info,
    preprocessing: preparation?.toJSON(),
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
