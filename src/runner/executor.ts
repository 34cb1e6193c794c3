/** Who runs folds. */
import type { EpochControl, FoldEvent, FoldReply } from './foldEvents.js';
import type { FoldOutcome } from './foldOutcome.js';
import type { FoldServices } from './foldServices.js';
import type { FoldTask } from './foldTask.js';

/** What the run hands to an executor. */
export interface FoldLink {
  /** What this process has. An executor that works elsewhere makes its own there. */
  readonly services: Omit<FoldServices, 'emit'>;
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
}

/**
 * Runs tasks and gives their outcomes, in any order; tasks are made while they are asked for. An outcome says what went
 * wrong in a fold; `run` throws only when it cannot go on.
 */
export interface Executor {
  readonly name: string;
  /** So many folds at once, at most. */
  readonly concurrency: number;
  run(tasks: Iterable<FoldTask>, link: FoldLink): AsyncIterable<FoldOutcome>;
  close(): Promise<void>;
}
