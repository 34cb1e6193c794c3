/** What a thread of `threads` runs: one fold at a time, of runs whose records it is sent once. */
import type { MessagePort } from 'node:worker_threads';
import { invalidData, messageOf } from '../core/errors.js';
import type { EpochControl, FoldEvent, FoldReply, FoldTask, RunRecord } from '../runner/executor.js';
import type { FoldOutcome } from '../runner/foldResult.js';
import type { SaveOptions } from '../runner/modelFolder.js';
import { type RunElsewhere, runFoldElsewhere, runFrom } from '../runner/runFoldElsewhere.js';
import { portCalls, trimmed } from './portCalls.js';

export interface FoldMessage {
  readonly task: FoldTask;
  /** Id of the run. The thread requests its record once. */
  readonly run: string;
  /** Runs that are still going on; all others are forgotten. */
  readonly runs: readonly string[];
  readonly place: string | undefined;
  readonly port: MessagePort;
}

const known = new Map<string, Promise<RunElsewhere>>();

export default async function runFoldHere({ task, run, runs, place, port }: FoldMessage): Promise<FoldOutcome> {
  for (const id of known.keys()) if (!runs.includes(id)) known.delete(id);
  let control: EpochControl | undefined;
  const calls = portCalls(port, {
    keepWeights: async () => control?.keepWeights(),
    save: async (where: string, options?: SaveOptions) => control?.save(where, options),
  });
  const described = () => {
    const found = known.get(run) ?? calls.call<RunRecord>('describe').catch(notCopied).then(runFrom);
    known.set(run, found);
    return found;
  };
  try {
    const emit = (event: FoldEvent, reply?: EpochControl) => {
      control = reply;
      return calls.call<FoldReply>('emit', trimmed(event), reply !== undefined);
    };
    return trimmed(await runFoldElsewhere(task, described, { emit, place }));
  } finally {
    calls.close();
  }
}

function notCopied(error: unknown): never {
  if ((error as Error).name !== 'DataCloneError') throw error;
  const must = 'be numbers, texts, dates or records of these, since anything else cannot leave its thread';
  throw invalidData('bound_to_thread', 'The cells of X', must, messageOf(error));
}
