/** What a fold costs: the seconds of its parts, and what the library holds more when it has ended. */
import { withCleanup } from '../core/cleanup.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { FoldJob } from './foldJob.js';
import type { FoldSeconds } from './foldResult.js';
import { growth, type HeldMemory } from './frameworkAdapter.js';

/** What the library held before the fold began; the model that waits for the first fold is part of that fold. */
export function heldBefore({ adapter, folds, waiting }: FoldJob, { index }: CheckedFold): HeldMemory | undefined {
  const held = adapter.memory?.();
  if (!held || !waiting || index !== folds[0]) return held;
  return { tensors: held.tensors - waiting.tensors, bytes: held.bytes - waiting.bytes };
}

/** What the library holds more; nothing can be said of models that are kept, or where other runs were under way. */
export const leftOver = (job: FoldJob, before: HeldMemory | undefined, alone: () => boolean) =>
  (job.keepModels !== 'memory' && alone() && growth(before, job.adapter.memory?.())) || null;

export type Spent = { -readonly [P in Exclude<keyof FoldSeconds, 'inner'>]: number };

/** Does `work` and adds its seconds to a part, also after an error. */
export async function timed<T>(spent: Spent, part: keyof Spent, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  return withCleanup(work, () => {
    spent[part] += (performance.now() - started) / 1000;
  });
}
