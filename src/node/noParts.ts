/** What `#node` is where there is no Node. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import type { Executor } from '../runner/executor.js';
import type { ThreadsOptions } from './threadsOptions.js';

export function threads({ workers }: ThreadsOptions): Executor {
  const must = 'be 1 in browsers, which have no threads of Node';
  throw new InvalidOptionError(sentence('The `nJobs` option', must, phrase(String(workers ?? -1))));
}

export function onInterrupt(): () => void {
  const must = 'be left out in browsers, which have no folders';
  throw new InvalidOptionError(sentence('The `runDirectory` option', must, phrase('a place')));
}

export const openRunDirectory = async (): Promise<never> => onInterrupt() as never;
export const openFolderOfRuns = async (): Promise<never> => onInterrupt() as never;
export const writeFolds = async (): Promise<never> => onInterrupt() as never;
export const writeResult = async (): Promise<void> => undefined;
