/** Folds in a process of a worker, of runs that other machines have begun. */
import { fromExactJSON } from '../directory/exactJSON.js';
import { type OpenedRun, openRun, type RunDescription, type Worker } from './description.js';
import { type Answer, answerTask, type TaskMessage } from './taskFolder.js';

export interface MachineMessage extends TaskMessage {
  readonly run: string;
  /** Runs that still go on. */
  readonly runs: readonly string[];
  /** A `RunDescription` by `exactJSON`. */
  readonly description: string;
  readonly worker: Worker;
}

/** Data and model are read once for each run. */
const opened = new Map<string, Promise<OpenedRun>>();

export function answerHere({ run, runs, description, worker, ...message }: MachineMessage): Promise<Answer> {
  for (const id of opened.keys()) if (!runs.includes(id)) opened.delete(id);
  const found = opened.get(run) ?? openRun(fromExactJSON(description) as RunDescription, worker);
  opened.set(run, found);
  return answerTask(found, message);
}
