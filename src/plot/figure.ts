/** What both kinds of picture are made from. */
import type { LabelsInput } from '../data/labels.js';
import type { SideData } from '../data/sideData.js';
import { type FoldPlan, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import type { Fold } from '../splitters/splitter.js';

/** A fold, or an inner fold of one. */
export type DrawnFold = Fold & { readonly isInner: boolean };

/** The folds of a plan with their inner folds, at most `most` in all. */
export function drawnFolds(plan: FoldPlan, most: number): Pick<Figure, 'folds' | 'innerFolds'> {
  const drawn: DrawnFold[] = [];
  for (let at = 0; at < plan.length && drawn.length < most; at++) {
    const fold = plan.at(at);
    drawn.push({ ...fold, isInner: false });
    const inner = hasInner(fold) ? [...innerFoldsOf(fold, plan.n)] : [];
    drawn.push(...inner.map((each) => ({ ...each, isInner: true })));
  }
  return { folds: drawn.slice(0, most), innerFolds: drawn.filter(({ isInner }) => isInner).length };
}

/** What a fold is called in the picture. */
export const labelOf = ({ id, isInner }: DrawnFold): string => (isInner ? `inner ${id}` : id);

export interface Figure {
  readonly plan: FoldPlan;
  /** The folds to draw; inner ones follow the outer fold that they belong to. */
  readonly folds: readonly DrawnFold[];
  /** How many inner folds the drawn outer folds have, drawn or not. */
  readonly innerFolds: number;
  readonly y: LabelsInput | undefined;
  readonly data: SideData;
  readonly title: string;
  readonly width: number;
  readonly maxRows: number;
}

/** `order` thinned evenly to at most `most` entries. */
export function thinned(order: Int32Array, most: number): Int32Array {
  if (order.length <= most) return order;
  return Int32Array.from({ length: most }, (_, at) => order[Math.floor(((at + 0.5) * order.length) / most)]);
}

/** What the picture leaves out, as a sentence; empty when it shows everything. */
export function leftOut({ plan, folds, innerFolds }: Figure, shown: number): string {
  const outer = folds.filter(({ isInner }) => !isInner).length;
  const inner = folds.length - outer;
  const parts = [
    ...(outer < plan.length || inner < innerFolds ? [`${outer} of ${plan.length} folds`] : []),
    ...(inner < innerFolds ? [`${inner} of their ${innerFolds} inner folds`] : []),
    ...(shown < plan.n ? [`${shown} of ${plan.n} rows, evenly spaced`] : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join('; ')}.` : '';
}

/** The title of a picture and what it shows in words, for those who cannot see it. */
export const describeFigure = ({ plan, title }: Figure) => ({
  title,
  description: `${plan.length} folds of ${plan.n} rows by ${plan.splitterName}.`,
});
