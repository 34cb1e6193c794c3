/** Opens a run, and releases afterwards (also after an error) what it holds: its turn, the adapter, the callbacks. */
import type { EventEmitter } from 'eventemitter3';
import { cleanupOnError, withCleanup } from '../core/cleanup.js';
import { AbortError, FoldError } from '../core/errors.js';
import { type OptionShape, type Parsed, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { isReason, within } from '../core/timeLimit.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { type ActiveRun, asRun } from './activeRuns.js';
import { FurtherProgress } from './callbacks/furtherProgress.js';
import { ProgressLogger } from './callbacks/progressLogger.js';
import type { CVResults } from './cvResults.js';
import { emitterCallback } from './emitterCallback.js';
import type { RunnerEvents } from './events.js';
import { execute } from './execute.js';
import { tearDown } from './hooks.js';
import { ImpliedTask } from './impliedTask.js';
import { type Prepared, prepare } from './prepare.js';
import type { Problem } from './readData.js';
import type { runnerOptions } from './runnerOptions.js';
import type { RunCall } from './runOptions.js';
import { askTask, releaseModels, type Session, withSession } from './session.js';

/** The checked options, with the seed that is used and the callbacks that cvkit adds. */
export function runCall(
  runner: Parsed<typeof runnerOptions.shape>,
  run: RunCall['run'] & Pick<Parsed<OptionShape>, 'owner' | 'shape' | 'written'>,
  emitter?: EventEmitter<RunnerEvents>,
  written: RunCall['written'] = [runner, run],
): RunCall {
  const { verbose } = runner.options;
  const randomState = runner.options.randomState ?? freshSeed();
  const cvSplitter = seeded(runner.options.cvSplitter, randomState);
  return {
    runner: { ...runner, options: { ...runner.options, cvSplitter } },
    run,
    // A seed that was drawn here is what repeats the run.
    written: written.map((table) =>
      table.options.randomState === null ? { ...table, options: { ...table.options, randomState } } : table,
    ),
    randomState,
    listeners: [...progressOf(verbose), ...(emitter ? [emitterCallback(emitter)] : [])],
  };
}

const progressOf = (verbose: number) => (verbose > 0 ? [new ProgressLogger({ perEpoch: verbose > 1 })] : []);

/**
 * Makes the folds of a problem, opens what training needs and lets `work` use both. Callbacks are torn down, also after an
 * error, unless the rows are about to be read again; models that are kept are released when anything fails.
 *
 * @param made the folds, where they are made already
 */
export function openRun<T>(
  given: RunCall,
  problem: Problem,
  work: (prepared: Prepared, session: Session) => Promise<T>,
  made?: FoldPlan,
): Promise<T> {
  const { signal, foldTimeout } = given.run.options;
  let opened: Session | undefined;
  const asEnded = (error: unknown) => endedBy(error, signal, opened?.done.results);
  const opening = async (call: RunCall, active: ActiveRun) => {
    const prepared = await prepare(call, problem, () => askTask(call, active, problem), made);
    let thrown: unknown;
    let readAgain = false;
    const run = () =>
      withSession(prepared, active, (session) => {
        opened = session;
        return work(prepared, session);
      }).catch((error) => {
        thrown = asEnded(error);
        readAgain = error instanceof ImpliedTask;
        throw thrown;
      });
    const tornDown = async () => (readAgain ? undefined : tearDown(prepared.callbacks, thrown, signal));
    const released = async () => opened && releaseModels(opened);
    return cleanupOnError(
      () => withCleanup(run, tornDown),
      () => within(signal, foldTimeout, released),
    );
  };
  return withExecutor(given, opening).catch((error) => {
    throw asEnded(error);
  });
}

/** The error of a run that ended early, with what was done before. */
function endedBy(error: unknown, signal: AbortSignal | undefined, results: CVResults | undefined): unknown {
  const ended = isReason(error, signal) ? new AbortError(error) : error;
  if (results && (ended instanceof AbortError || ended instanceof FoldError)) {
    Object.defineProperty(ended, 'results', { value: results, configurable: true });
  }
  return ended;
}

/** Opens the threads that `nJobs` asks for, and closes them after the run. */
async function withExecutor<T>(call: RunCall, work: (call: RunCall, active: ActiveRun) => Promise<T>): Promise<T> {
  const { nJobs, executor: given } = call.runner.options;
  const begin = (opened: RunCall) => asRun(call.run.options.parent, (active) => work(opened, active));
  if (nJobs === 1) return begin(call);
  if (given !== 'inline') rejectUnusedOption('UniversalCVRunner', 'nJobs', '`executor` says where folds run');
  const { threads } = await import('#threads');
  const executor = threads({ workers: nJobs === -1 ? null : nJobs });
  const { options } = call.runner;
  return withCleanup(
    () => begin({ ...call, runner: { ...call.runner, options: { ...options, executor } } }),
    () => executor.close(),
  );
}

/** What is other in a further run than in the one that is open. */
interface Further {
  readonly cvSplitter: Splitter;
  readonly randomState: number | string;
  readonly problem: Problem;
  /** The folds, where they are made already. */
  readonly plan?: FoldPlan | undefined;
  /** Options of `run` that are other, and of the runner. */
  readonly run?: Partial<RunCall['run']['options']>;
  readonly verbose?: number;
  /** What progress says of the run, in one line, unless the open run is silent. */
  readonly title?: string | undefined;
  /** What is said before it starts, where it has a title. */
  readonly announced?: string | undefined;
}

/** The same model and training on other folds, rows or labels, with the adapter that is open. */
export async function runAgain(
  { call: { runner, run, written } }: Prepared,
  session: Session,
  { cvSplitter, randomState, problem, plan, ...other }: Further,
): Promise<CVResults> {
  const call: RunCall = {
    runner: { ...runner, options: { ...runner.options, cvSplitter: seeded(cvSplitter, randomState) } },
    run: {
      ...run,
      options: { ...run.options, ...other.run },
      // What the caller wrote and does not hold here cannot be refused for having no effect.
      changed: new Set([...run.changed].filter((name) => !Object.hasOwn(other.run ?? {}, name))),
    },
    written,
    randomState,
    listeners:
      other.title !== undefined && runner.options.verbose > 0
        ? [new FurtherProgress(other.title, other.announced)]
        : progressOf(other.verbose ?? 0),
    isFurther: true,
  };
  const prepared = await prepare(call, problem, async () => undefined, plan);
  const further: Session = { ...session, waiting: undefined, models: new Map() };
  return cleanupOnError(
    () => execute(prepared, further),
    () => releaseModels(further),
  );
}
