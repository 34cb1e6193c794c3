/** What `#node` is where there is no Node: in pages. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';

export { webWorkers as threads } from './webWorkers.js';

export function onInterrupt(): () => void {
  const must = 'be left out in browsers, which have no folders';
  throw new InvalidOptionError(sentence('The `runDirectory` option', must, phrase('a place')));
}

export const openRunDirectory = async (): Promise<never> => onInterrupt() as never;
export const openFolderOfRuns = async (): Promise<never> => onInterrupt() as never;
export const writeFolds = async (): Promise<never> => onInterrupt() as never;
export const writeResult = async (): Promise<void> => undefined;
