/** Opens a run and gives back, after an error too, what it took: its turn, the adapter, the callbacks. */
import type { EventEmitter } from 'eventemitter3';
import { cleanupOnError, withCleanup } from '../core/cleanup.js';
import type { Parsed } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { seeded } from '../splitters/splitter.js';
import { asRun } from './activeRuns.js';
import { ProgressLogger } from './callbacks/progressLogger.js';
import { emitterCallback, type RunnerEvents } from './events.js';
import { tearDown } from './hooks.js';
import { ImpliedTask } from './impliedTask.js';
import { type Prepared, prepare, type RunCall } from './prepare.js';
import type { Problem } from './readData.js';
import type { runnerOptions } from './runnerOptions.js';
import { type RunOptions, runOptions } from './runOptions.js';
import { askTask, releaseModels, type Session, withSession } from './session.js';

/** What was said, checked, with the seed that is used and those of ours who listen. */
export function runCall(
  runner: Parsed<typeof runnerOptions.shape>,
  input: RunOptions,
  emitter?: EventEmitter<RunnerEvents>,
): RunCall {
  const { verbose } = runner.options;
  const randomState = runner.options.randomState ?? freshSeed();
  const cvSplitter = seeded(runner.options.cvSplitter, randomState);
  return {
    runner: { ...runner, options: { ...runner.options, cvSplitter } },
    run: runOptions.parse(input),
    randomState,
    listeners: [
      ...(verbose > 0 ? [new ProgressLogger({ perEpoch: verbose > 1 })] : []),
      ...(emitter ? [emitterCallback(emitter)] : []),
    ],
  };
}

/**
 * Makes the folds of a problem, opens what training needs and lets `work` use both. Callbacks are torn down, also after an
 * error, unless the rows are about to be read again; models that are kept are released when anything fails.
 */
export const openRun = <T>(
  call: RunCall,
  problem: Problem,
  work: (prepared: Prepared, session: Session) => Promise<T>,
): Promise<T> =>
  asRun(call.run.options.parent, async (active) => {
    const prepared = await prepare(call, problem, () => askTask(call, active, problem));
    let opened: Session | undefined;
    let readAgain = false;
    const run = () =>
      withSession(prepared, active, (session) => {
        opened = session;
        return work(prepared, session);
      }).catch((error) => {
        readAgain = error instanceof ImpliedTask;
        throw error;
      });
    const torn = () => withCleanup(run, () => (readAgain ? undefined : tearDown(prepared.callbacks)));
    return cleanupOnError(torn, () => opened && releaseModels(opened));
  });
