/** One map per fold. */
import { scaleLinear } from 'd3-scale';
import { hasPlace } from '../data/sideData.js';
import { describeFigure, type Figure, labelOf, leftOut, thinned } from './figure.js';
import { COLOURS, LAYERS, legend, type Role, rolesOf } from './roles.js';
import { element, heading, paragraph, picture, round, words } from './svg.js';

const MARGIN = 12;
const PANEL = 200;
const HEAD = 18;

export function mapsOfFolds(figure: Figure, places: ArrayLike<ArrayLike<number>>): string {
  const { plan, folds, width } = figure;
  const columns = Math.max(1, Math.min(folds.length, Math.floor((width - MARGIN) / PANEL)));
  const side = (width - MARGIN) / columns - MARGIN;
  const rows = thinned(
    Int32Array.from({ length: plan.n }, (_, row) => row).filter((row) => hasPlace(places[row])),
    figure.maxRows,
  );
  const { x, y } = scales(rows, places, side);
  const used = new Set<Role>();
  const head = heading(figure.title, MARGIN, width);
  const panels = folds.map((fold, at) => {
    const left = MARGIN + (at % columns) * (side + MARGIN);
    const top = head.height + Math.floor(at / columns) * (side + HEAD + MARGIN);
    const roles = rolesOf(fold, plan.n);
    const dots = LAYERS.map((role) => {
      const d = Array.from(
        rows.filter((row) => roles[row] === role),
        (row) => dot(x(places[row][0]), y(places[row][1])),
      );
      if (d.length > 0) used.add(role);
      return d.length > 0 ? element('path', { d: d.join(''), fill: COLOURS[role] }) : '';
    });
    const frame = element('rect', { y: HEAD, width: side, height: side, fill: 'none', stroke: '#999999' });
    return element(
      'g',
      { transform: `translate(${round(left)},${round(top)})` },
      words(labelOf(fold), { y: 12 }),
      frame,
      ...dots,
    );
  });
  const bottom = head.height + Math.ceil(folds.length / columns) * (side + HEAD + MARGIN) + 12;
  const note = paragraph(leftOut(figure, rows.length), width - 2 * MARGIN, { x: MARGIN, y: bottom + 20 });
  return picture(
    { width, height: Math.ceil(bottom + 14 + note.height), ...describeFigure(figure) },
    head.markup,
    ...panels,
    legend(used, MARGIN, bottom),
    note.markup,
  );
}

/** One scale for both axes, so that distances look as they are; the second coordinate points up. */
function scales(rows: Int32Array, places: ArrayLike<ArrayLike<number>>, side: number) {
  const spanOf = (axis: number) => {
    let [low, high] = [Infinity, -Infinity];
    for (const row of rows) {
      low = Math.min(low, places[row][axis]);
      high = Math.max(high, places[row][axis]);
    }
    return [low, high];
  };
  const [a, b] = [spanOf(0), spanOf(1)];
  const extent = Math.max(a[1] - a[0], b[1] - b[0]) || 1;
  const within = ([low, high]: number[]) => [(low + high - extent) / 2, (low + high + extent) / 2];
  const padding = 8;
  return {
    x: scaleLinear(within(a), [padding, side - padding]),
    y: scaleLinear(within(b), [HEAD + side - padding, HEAD + padding]),
  };
}

/** A circle as a piece of a path. */
const dot = (x: number, y: number, r = 2.5) =>
  `M${round(x - r)},${round(y)}a${r},${r},0,1,0,${2 * r},0a${r},${r},0,1,0,${-2 * r},0`;
