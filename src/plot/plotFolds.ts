import { InvalidDataError, sentence } from '../core/errors.js';
import { type InputOf, optionTable, string } from '../core/options.js';
import type { Label } from '../data/labels.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { plotSplitsOptions, stripsOfPlan } from './plotSplits.js';
import type { Svg } from './svg.js';

const { width, maxFolds, maxRows } = plotSplitsOptions.shape;

export const plotFoldsOptions = optionTable('plotFolds', {
  title: string().optional().describe('Heading; the design of the folds when left out.'),
  width,
  maxFolds,
  maxRows,
});
export type PlotFoldsOptions = InputOf<typeof plotFoldsOptions>;

interface Folded {
  readonly plan: FoldPlan;
  readonly outOfFold: Pick<OutOfFold, 'row' | 'group'>;
}

/**
 * The folds that a result was made with, as {@link plotSplits} draws those of a splitter: a line for each fold over the rows, in the order of
 * patients where they are known.
 *
 * @param results what `run` or `validate` gives, awaited
 * @throws {InvalidDataError} for anything else, such as results that were read from JSON
 * @example
 * const picture = plotFolds(result);
 * await writeFile('folds.svg', String(picture));
 * console.log(picture.description);
 */
export function plotFolds(results: Folded, input: PlotFoldsOptions = {}): Svg {
  const { title, ...options } = plotFoldsOptions.resolve(input);
  const { plan, outOfFold } = Object(results) as Folded;
  if (typeof plan?.at !== 'function' || !outOfFold) {
    throw new InvalidDataError(
      sentence('The argument of plotFolds', 'be what `run` or `validate` gives, awaited', results),
    );
  }
  return stripsOfPlan(plan, {
    ...options,
    title: title ?? plan.design,
    y: undefined,
    data: groupsIn(outOfFold, plan.n),
  });
}

/** Patients of the rows that were tested; another row is a patient of its own here. */
function groupsIn({ row, group }: Folded['outOfFold'], n: number): { readonly groups?: readonly Label[] } {
  if (!group) return {};
  const groups = Array.from({ length: n }, (_, at): Label => `row ${at}`);
  for (const [at, each] of row.entries()) groups[each] = group[at];
  return { groups };
}
