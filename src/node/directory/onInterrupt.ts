import { terminal } from '#io';

/**
 * Lets Ctrl-C end a run that has a directory: the first one calls `stop`, the second ends the process at once.
 *
 * @returns a function that ends the watching
 */
export function onInterrupt(place: string, stop: (reason: Error) => void): () => void {
  const kept = `Finished folds are kept in ${place}, and the same call goes on from there.`;
  const atOnce = () => process.kill(process.pid, 'SIGINT');
  const interrupted = () => {
    process.once('SIGINT', atOnce);
    terminal.write(`\nStopping. ${kept} Ctrl-C again ends at once.\n`);
    stop(new Error(`Ctrl-C. ${kept}`));
  };
  process.once('SIGINT', interrupted);
  return () => void process.off('SIGINT', interrupted).off('SIGINT', atOnce);
}
