/** One cross-validation from checked options to results: what `UniversalCVRunner.run` loads when it is called. */
import type { EventEmitter } from 'eventemitter3';
import type { Parsed } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { isLabels } from '../data/labels.js';
import { seeded } from '../splitters/splitter.js';
import { type ActiveRun, asRun } from './activeRuns.js';
import { ProgressLogger } from './callbacks/progressLogger.js';
import type { CVResults } from './cvResults.js';
import { emitterCallback, type RunnerEvents } from './events.js';
import { execute } from './execute.js';
import { inline } from './executor.js';
import { asImplied } from './impliedTask.js';
import { prepare, type RunCall } from './prepare.js';
import { readData } from './readData.js';
import type { runnerOptions } from './runnerOptions.js';
import { type RunOptions, runOptions } from './runOptions.js';
import { askTask, withSession } from './session.js';

interface CallInput {
  readonly runner: Parsed<typeof runnerOptions.shape>;
  readonly input: RunOptions;
  readonly emitter: EventEmitter<RunnerEvents>;
}

/** Reads the data, makes the folds, runs them and gives everything back that it took, also after an error. */
export async function crossValidate({ runner, input, emitter }: CallInput): Promise<CVResults> {
  const randomState = runner.options.randomState ?? freshSeed();
  const cvSplitter = seeded(runner.options.cvSplitter, randomState);
  const run = runOptions.parse(input);
  const call: RunCall = { runner: { ...runner, options: { ...runner.options, cvSplitter } }, run, randomState };
  return asRun(run.options.parent, (active) => oneRun(call, emitter, active));
}

async function oneRun(call: RunCall, emitter: EventEmitter<RunnerEvents>, active: ActiveRun): Promise<CVResults> {
  const { options } = call.run;
  const y = Array.isArray(options.data) ? options.data[1] : (options.data as { y?: unknown }).y;
  // Who gives labels that are read, as the validator does, reads them again himself.
  const readings: typeof asImplied = isLabels(y) ? (read) => read({}) : asImplied;
  return readings(async (reading) => {
    const problem = readData(options.data, { ...options, ...reading });
    const prepared = await prepare(call, problem, () => askTask(call, active, problem));
    const { verbose } = call.runner.options;
    const progress = verbose > 0 ? [new ProgressLogger({ perEpoch: verbose > 1 })] : [];
    const callbacks = [...prepared.callbacks, ...progress, emitterCallback(emitter)];
    const { executor } = call.runner.options;
    const told = { callbacks, executor: executor === 'inline' ? inline : executor };
    return withSession(prepared, active, (session) => execute(prepared, session, told));
  });
}
