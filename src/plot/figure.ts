/** What both kinds of picture are made from. */
import type { LabelsInput } from '../core/labels.js';
import type { SideData } from '../core/sideData.js';
import { type FoldPlan, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import type { Fold } from '../splitters/splitter.js';

/** A fold, or an inner fold of one. */
export type DrawnFold = Fold & { readonly isInner: boolean };

/** The folds of a plan with their inner folds, at most `most` lines. */
export function drawnFolds(plan: FoldPlan, most: number): DrawnFold[] {
  const drawn: DrawnFold[] = [];
  for (let at = 0; at < plan.length && drawn.length < most; at++) {
    const fold = plan.at(at);
    drawn.push({ ...fold, isInner: false });
    const inner = hasInner(fold) ? [...innerFoldsOf(fold, plan.n)] : [];
    drawn.push(...inner.map((each) => ({ ...each, isInner: true })));
  }
  return drawn.slice(0, most);
}

export interface Figure {
  readonly plan: FoldPlan;
  /** The folds to draw; inner ones follow the outer fold that they belong to. */
  readonly folds: readonly DrawnFold[];
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
export function leftOut({ plan, folds }: Figure, shown: number): string {
  const outer = folds.filter(({ isInner }) => !isInner).length;
  const parts = [
    ...(outer < plan.length ? [`${outer} of ${plan.length} folds`] : []),
    ...(shown < plan.n ? [`${shown} of ${plan.n} rows, evenly spaced`] : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join('; ')}.` : '';
}

/** The title and the promises of a picture in words, for those who cannot see it. */
export const describeFigure = ({ plan, title }: Figure) => ({
  title,
  description: `${plan.length} folds of ${plan.n} rows by ${plan.splitterName}.`,
});
