/** A picture of one plane: heading, plane, legend, note. */
import { type Axis, type LegendEntry, legend, type Plane, plane } from './plane.js';
import { heading, type PlotTable, paragraph, Svg } from './svg.js';

interface PlanePicture {
  readonly title: string;
  readonly width: number;
  readonly x: Axis;
  readonly y: Axis;
  /** Height of the plane as a share of its width; 1 when left out. */
  readonly ratio?: number;
  /** What lies on the plane, the lowest first. */
  draw(on: Plane): readonly string[];
  /** What stands between plane and legend, from `top` on. */
  below?(on: Plane, top: number): { readonly markup: string; readonly bottom: number };
  readonly legend: readonly LegendEntry[];
  /** Sentences under the legend. */
  readonly note?: string;
  readonly description: string;
  readonly table: PlotTable;
}

const MARGIN = 14;

export function planePicture(picture: PlanePicture): Svg {
  const { title, width, x, y, ratio = 1, note: text = '', description, table } = picture;
  const head = heading(title, MARGIN, width);
  const on = plane({ x, y, width, top: head.height + 4, height: ratio * (width - 70) });
  const drawn = picture.draw(on);
  const below = picture.below?.(on, on.bottom + 12) ?? { markup: '', bottom: on.bottom };
  const key = legend(picture.legend, { x: MARGIN, y: below.bottom + 16, width: width - 2 * MARGIN });
  const note = paragraph(text, width - 2 * MARGIN, { x: MARGIN, y: key.bottom + 14 });
  return new Svg(
    { title, description: `${description} ${text}`.trim(), width, height: key.bottom + note.height + 6, table },
    head.markup,
    on.axes,
    ...drawn,
    below.markup,
    key.markup,
    note.markup,
  );
}
