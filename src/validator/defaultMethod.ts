import type { Task } from '../data/labels.js';
import { designsFor } from './designTable.js';
import { methodName } from './methods.js';

/**
 * The method when the caller named none, and why: patients are kept whole, classes balanced. It is the row of the
 * decision table for data of which nothing else is known, and draws the folds once.
 */
export function defaultMethod(task: Task, repeatedGroups: boolean, masks = false): { method: string; why: string } {
  const facts = {
    task,
    masks,
    repeated: repeatedGroups,
    ordered: false,
    labelEnds: false,
    site: null,
    apart: false,
    small: false,
  };
  const [row] = designsFor(facts);
  return { method: methodName(row.splitter), why: row.why(facts) };
}
