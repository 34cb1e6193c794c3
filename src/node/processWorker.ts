/** What a process of `processes` runs: folds, and a thread that ends the process with its parent, whatever a fold is doing. */
import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import type { Port } from '../runner/portCalls.js';

if (isMainThread) {
  new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), execArgv: [] });
  // They reach all that runs in a terminal: what becomes of the run is for the parent to say.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  const { foldWorker } = await import('../runner/foldWorker.js');
  const port: Port = {
    // Once the channel is closed, this process is about to end.
    postMessage: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    on: (event, listener) => process.on(event === 'close' ? 'disconnect' : 'message', listener),
    close: () => process.disconnect(),
  };
  foldWorker(port, { answer: async (message) => (await import('./machines/answerHere.js')).answerHere(message) });
} else {
  watch(Number(process.argv[2]));
}

/** @param memoryLimit in MB; 0: none */
function watch(memoryLimit: number): void {
  const end = () => process.kill(process.pid, 'SIGKILL');
  // The system closes the pipe with the parent, however that ends.
  const parent = new Socket({ fd: 4 }).on('error', end).on('close', end).resume();
  if (memoryLimit === 0) return;
  const timer = setInterval(() => {
    const used = process.memoryUsage.rss() / 2 ** 20;
    if (used <= memoryLimit) return;
    clearInterval(timer);
    parent.write(used.toFixed(0), end);
  }, 50);
}
