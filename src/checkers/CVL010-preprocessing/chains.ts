/** Which preparations may turn the original columns into the processed ones. */
import type { Column } from '../features/columns.js';
import { COLUMN_STEPS } from './columnSteps.js';
import { SELECTIONS, selectionsFor } from './selection.js';
import type { Task } from './task.js';

/** Steps in order; none is the data as they were. */
export interface Chain {
  readonly name: string;
  readonly steps: readonly string[];
}

/** What a step may be called; `impute`, `scale` and `select` stand for all of their kind. */
export const STEPS: readonly string[] = [
  ...Object.keys(COLUMN_STEPS),
  'pca',
  ...SELECTIONS,
  'impute',
  'scale',
  'select',
];

const byKind = (kind: string) =>
  Object.keys(COLUMN_STEPS).filter((name) => name.startsWith('impute') === (kind === 'impute'));

/** The steps that a name may stand for. */
function meanings(name: string, { y }: Task): string[] {
  if (name === 'impute' || name === 'scale') return byKind(name);
  if (name === 'select') return y ? selectionsFor(y) : [];
  return name === 'standardize' ? ['standardize', 'standardize:sample'] : [name];
}

/** The usual orders, shortest first. */
const USUAL: readonly (readonly string[])[] = [
  [],
  ['scale'],
  ['impute'],
  ['select'],
  ['pca'],
  ['impute', 'scale'],
  ['scale', 'impute'],
  ['scale', 'select'],
  ['select', 'scale'],
  ['impute', 'select'],
  ['scale', 'pca'],
  ['impute', 'pca'],
  ['impute', 'scale', 'select'],
  ['impute', 'select', 'scale'],
  ['impute', 'scale', 'pca'],
];

/** The chains that could have been at work; with `steps` of the caller's, the meanings of those alone. */
export function chainsFor(task: Task, steps?: readonly string[]): Chain[] {
  const lists = steps ? [steps] : USUAL.filter((list) => fits(list, task));
  return lists
    .flatMap((list) =>
      list.reduce<string[][]>(
        (made, name) => made.flatMap((chain) => meanings(name, task).map((step) => [...chain, step])),
        [[]],
      ),
    )
    .map((chain) => ({ steps: chain, name: chain.join(', ') || 'unchanged' }));
}

/** Which steps may have seen all rows: all of them first, which is the usual mistake, and none last. */
export function sightsOf(steps: readonly string[]): string[][] {
  const learning = [...new Set(steps)].filter((step) => step !== 'impute:constant');
  const masks = Array.from({ length: 2 ** learning.length }, (_, at) => 2 ** learning.length - 1 - at);
  return masks.map((mask) => learning.filter((_, at) => mask & (1 << at)));
}

/** Missing cells ask for imputing, and fewer columns for selection or components. */
function fits(list: readonly string[], { before, after }: Task): boolean {
  const imputes = list.includes('impute');
  if (imputes !== (hasMissing(before) && !hasMissing(after))) return false;
  if (list.includes('pca')) return after.length <= before.length;
  return list.includes('select') === after.length < before.length && after.length <= before.length;
}

const hasMissing = (columns: readonly Column[]) => columns.some(({ values }) => values.some(Number.isNaN));
