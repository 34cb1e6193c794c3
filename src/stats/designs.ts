/** The designs that functions of many runs take when the caller names none. */
import type { Task } from '../data/labels.js';
import { GroupKFold } from '../splitters/grouped/groupKFold.js';
import { RepeatedGroupKFold } from '../splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../splitters/iid/kFold.js';
import { RepeatedKFold } from '../splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../splitters/splitter.js';

interface Size {
  readonly nSplits?: number;
  readonly nRepeats?: number;
  readonly randomState: number | string;
}

/** Folds of whole patients, with the shares of the classes where there are classes. */
export function groupedFolds(task: Task, { nSplits = 5, nRepeats = 1, randomState }: Size): Splitter {
  const stratify = hasClasses(task);
  if (nRepeats > 1) return new RepeatedGroupKFold({ nSplits, nRepeats, stratify, randomState });
  return stratify
    ? new StratifiedGroupKFold({ nSplits, shuffle: true, randomState })
    : new GroupKFold({ nSplits, shuffle: true, randomState });
}

/** The shuffled folds of rows that most people would have used. */
export function plainFolds(task: Task, { nSplits = 5, nRepeats = 1, randomState }: Size): Splitter {
  const stratify = hasClasses(task);
  if (nRepeats > 1) return new RepeatedKFold({ nSplits, nRepeats, stratify, randomState });
  const options = { nSplits, shuffle: true, randomState };
  return stratify ? new StratifiedKFold(options) : new KFold(options);
}

const hasClasses = (task: Task) => task === 'binary' || task === 'multiclass';
