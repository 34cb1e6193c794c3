/** Who runs folds. */
import type { EpochControl, FoldEvent, FoldReply } from './foldEvents.js';
import type { FoldOutcome } from './foldOutcome.js';
import type { FoldServices } from './foldServices.js';
import type { FoldTask } from './foldTask.js';
import type { RunRecord } from './runRecord.js';

/** What the run hands to an executor. */
export interface FoldLink {
  /** What this process has. An executor that works elsewhere makes its own there. */
  readonly services: Omit<FoldServices, 'emit'>;
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
  /** The run as plain data, for an executor that works elsewhere; see `runFoldElsewhere`. */
  describe(): Promise<RunRecord>;
}

/**
 * Runs tasks and gives their outcomes, in any order; tasks are made while they are asked for. An outcome says what went
 * wrong in a fold; `run` throws only when it cannot go on. `runFold` keeps to `foldTimeout`, and the run to its `signal`.
 */
export interface Executor {
  readonly name: string;
  /** The largest number of folds that run at once. */
  readonly concurrency: number;
  /** Folds run outside this thread, where only the record of the run is known: the model must be in a module. */
  readonly elsewhere?: boolean;
  run(tasks: Iterable<FoldTask>, link: FoldLink): AsyncIterable<FoldOutcome>;
  close(): Promise<void>;
}
