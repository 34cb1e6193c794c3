/** The other end of `foldExecutor`, in a thread or a process: one fold at a time, of runs whose records it is sent once. */
import { invalidData, messageOf } from '../core/errors.js';
import type { EpochControl, FoldEvent, FoldReply, FoldTask, RunRecord } from './executor.js';
import type { FoldOutcome } from './foldResult.js';
import type { SaveOptions } from './modelFolder.js';
import { type Handlers, type Port, type PortCalls, portCalls, trimmed } from './portCalls.js';
import { type RunElsewhere, runFoldElsewhere, runFrom } from './runFoldElsewhere.js';

export interface FoldMessage {
  readonly task: FoldTask;
  /** Id of the run. The worker requests its record once. */
  readonly run: string;
  /** Runs that are still going on; all others are forgotten. */
  readonly runs: readonly string[];
  readonly place: string | undefined;
}

interface FoldWorker extends PortCalls {
  fold(message: FoldMessage): Promise<FoldOutcome>;
}

const known = new Map<string, Promise<RunElsewhere>>();

/** Runs folds for the other end of `port`, which may call `fold` and `more`. */
export function foldWorker(port: Port, more: Handlers = {}): FoldWorker {
  let control: EpochControl | undefined;
  const fold = async ({ task, run, runs, place }: FoldMessage) => {
    for (const id of known.keys()) if (!runs.includes(id)) known.delete(id);
    const described = () => {
      const found = known.get(run) ?? calls.call<RunRecord>('describe').catch(notCopied).then(runFrom);
      known.set(run, found);
      return found;
    };
    const emit = (event: FoldEvent, reply?: EpochControl) => {
      control = reply;
      return calls.call<FoldReply>('emit', trimmed(event), reply !== undefined);
    };
    return trimmed(await runFoldElsewhere(task, described, { emit, place }));
  };
  const calls = portCalls(port, {
    ...more,
    fold,
    keepWeights: async () => control?.keepWeights(),
    save: async (where: string, options?: SaveOptions) => control?.save(where, options),
  });
  return { ...calls, fold };
}

function notCopied(error: unknown): never {
  if (!messageOf(error).includes('could not be cloned')) throw error;
  const must = 'be numbers, texts, dates or records of these, since anything else cannot leave its thread';
  throw invalidData('bound_to_thread', 'The cells of X', must, messageOf(error));
}
