/** What both kinds of picture are made from. */
import type { LabelsInput } from '../core/labels.js';
import type { SideData } from '../core/sideData.js';
import type { CheckedFold, FoldPlan } from '../splitters/foldsOf.js';

export interface Figure {
  readonly plan: FoldPlan;
  /** The folds to draw. */
  readonly folds: readonly CheckedFold[];
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
  const parts = [
    ...(folds.length < plan.length ? [`${folds.length} of ${plan.length} folds`] : []),
    ...(shown < plan.n ? [`${shown} of ${plan.n} rows, evenly spaced`] : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join('; ')}.` : '';
}

/** The title and the promises of a picture in words, for those who cannot see it. */
export const describeFigure = ({ plan, title }: Figure) => ({
  title,
  description: `${plan.length} folds of ${plan.n} rows by ${plan.splitterName}.`,
});
