/** Who does the work of some tasks: the executor, and what this process has for it. */
import { freshName } from '../core/wholeFile.js';
import { hadNoCompany, ofRun } from './activeRuns.js';
import type { TaskEnvironment } from './coordinate.js';
import { describeRun } from './describeRun.js';
import type { Executor, FoldLink } from './executor.js';
import type { FoldServices } from './foldServices.js';
import { inlineExecutor } from './inlineExecutor.js';
import type { Prepared } from './prepare.js';
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
  const alone = hadNoCompany(active);
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
    watchMemory: () => (executor.concurrency > 1 ? () => false : hadNoCompany(active)),
    contextOf: (ctx) => ofRun(active, Object.freeze({ ...ctx })),
  };
}
