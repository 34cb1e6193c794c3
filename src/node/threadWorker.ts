/** What a thread of `threads` runs. */
import type { MessagePort } from 'node:worker_threads';
import type { FoldOutcome } from '../runner/foldResult.js';
import { type FoldMessage, foldWorker } from '../runner/foldWorker.js';

export interface ThreadMessage extends FoldMessage {
  readonly port: MessagePort;
}

export default async function runFoldHere({ port, ...message }: ThreadMessage): Promise<FoldOutcome> {
  const worker = foldWorker(port);
  try {
    return await worker.fold(message);
  } finally {
    worker.close();
  }
}
