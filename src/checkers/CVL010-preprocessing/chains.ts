/** Which preparations may turn the original columns into the processed ones. */
import type { Column } from '../features/columns.js';
import { COLUMN_STEP_NAMES, columnStep, learnsNothing, stepsOfKind } from './columnSteps.js';
import { targetOf } from './labelSteps.js';
import { SELECTIONS, selectionsFor } from './selection.js';
import type { PreparedData } from './task.js';

export interface Chain {
  readonly name: string;
  readonly steps: readonly string[];
}

/** Kinds that a caller may name for all of their steps. */
const KINDS = ['impute', 'impute:class', 'scale', 'power', 'quantile', 'target'];

export const STEPS: readonly string[] = [...COLUMN_STEP_NAMES, 'pca', ...SELECTIONS, ...KINDS, 'select'];

/** Whether it is the name of a step or of a kind; any range may follow `minmax:`. */
export const isStep = (name: unknown): boolean =>
  typeof name === 'string' && (STEPS.includes(name) || columnStep(name) !== undefined);

function meanings(name: string, { y }: PreparedData): string[] {
  if (name === 'select') return y ? selectionsFor(y) : [];
  if (name === 'standardize' || name === 'mad') return stepsOfKind('scale').filter((step) => step.startsWith(name));
  return columnStep(name) || !OF_KIND.includes(name) ? [name] : stepsOfKind(name);
}

/** `base`: logarithms of another base, which a scaling makes one. */
const OF_KIND = [...KINDS, 'fixed', 'base'];

/** The usual orders, shortest first. */
const USUAL: readonly (readonly string[])[] = [
  [],
  ['scale'],
  ['fixed'],
  ['base'],
  ['impute'],
  ['impute:class'],
  ['quantile'],
  ['power'],
  ['target'],
  ['select'],
  ['pca'],
  ['impute', 'scale'],
  ['scale', 'impute'],
  ['fixed', 'scale'],
  ['power', 'scale'],
  ['target', 'scale'],
  ['fixed', 'impute'],
  ['impute', 'fixed'],
  ['impute', 'power'],
  ['impute', 'quantile'],
  ['impute', 'target'],
  ['impute:class', 'scale'],
  ['scale', 'select'],
  ['select', 'scale'],
  ['impute', 'select'],
  ['scale', 'pca'],
  ['impute', 'pca'],
  ['fixed', 'impute', 'scale'],
  ['impute', 'fixed', 'scale'],
  ['impute', 'power', 'scale'],
  ['impute', 'target', 'scale'],
  ['impute', 'scale', 'select'],
  ['impute', 'select', 'scale'],
  ['impute', 'scale', 'pca'],
];

export function chainsFor(task: PreparedData, steps?: readonly string[]): Chain[] {
  const lists = steps ? [steps] : USUAL.filter((list) => fits(list, task));
  return lists
    .flatMap((list) =>
      list.reduce<string[][]>(
        (chains, name) => chains.flatMap((chain) => meanings(name, task).map((step) => [...chain, step])),
        [[]],
      ),
    )
    .map((chain) => ({ steps: chain, name: chain.join(', ') || 'unchanged' }));
}

/** The steps that were fitted to all rows, in each way that a chain may leak: all of them first, which is the usual mistake, and none last. */
export function leakVariants(steps: readonly string[]): string[][] {
  return subsetsOf([...new Set(steps)].filter((step) => !learnsNothing(step)));
}

/** Missing cells ask for imputing, fewer columns for selection or components, classes and targets for labels. */
function fits(list: readonly string[], { before, after, y }: PreparedData): boolean {
  const imputes = list.some((name) => name.startsWith('impute'));
  if (imputes !== (hasMissing(before) && !hasMissing(after))) return false;
  if (list.includes('target') && !targetOf(y)) return false;
  if (list.includes('impute:class') && !y?.codes.length) return false;
  if (list.includes('pca')) return after.length <= before.length;
  return list.includes('select') === after.length < before.length && after.length <= before.length;
}

const hasMissing = (columns: readonly Column[]) => columns.some(({ values }) => values.some(Number.isNaN));

export function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const masks = Array.from({ length: 2 ** items.length }, (_, at) => 2 ** items.length - 1 - at);
  return masks.map((mask) => items.filter((_, at) => mask & (1 << at)));
}
