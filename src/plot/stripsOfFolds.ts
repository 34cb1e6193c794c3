/** One line per fold over the rows. */
import { scaleLinear, scaleUtc } from 'd3-scale';
import { isLabels, labelsOf } from '../data/labels.js';
import { groupsOf, timesOf } from '../data/sideData.js';
import { describeFigure, type Figure, labelOf, leftOut, thinned } from './figure.js';
import { COLOURS, legend, type Role, rolesOf } from './roles.js';
import { element, heading, INK, paragraph, picture, round, words } from './svg.js';

const LEFT = 130;
const RIGHT = 16;
const LINE = 18;
const GAP = 4;

/** Colours of classes: further ones begin again. */
const CLASSES = ['#bbbbbb', '#009e73', '#0072b2', '#e69f00', '#cc79a7', '#000000'];
const GROUPS = ['#777777', '#d0d0d0'];

export function stripsOfFolds(figure: Figure): string {
  const { plan, folds, width } = figure;
  const all = orderOf(figure);
  const rows = thinned(all.order, figure.maxRows);
  const x = scaleLinear([0, rows.length], [LEFT, width - RIGHT]);
  const head = heading(figure.title, RIGHT, width);
  let y = head.height;
  const parts: string[] = [];
  const line = (label: string, colours: readonly string[]) => {
    parts.push(words(label, { x: LEFT - 8, y: y + LINE - 5, 'text-anchor': 'end' }), strip(colours, x, y));
    y += LINE + GAP;
  };
  const used = new Set<Role>();
  for (const fold of folds) {
    const roles = rolesOf(fold, plan.n);
    const shown = Array.from(rows, (row) => roles[row]);
    for (const role of shown) used.add(role);
    line(
      short(labelOf(fold)),
      shown.map((role) => COLOURS[role]),
    );
  }
  y += GAP;
  for (const [label, colours] of marks(figure))
    line(
      label,
      Array.from(rows, (row) => colours[row]),
    );
  if (all.times) {
    parts.push(timeAxis(all.times, rows, x, y));
    y += 22;
  } else {
    parts.push(words(`${all.by} →`, { x: LEFT, y: y + 12 }));
    y += 20;
  }
  const note = paragraph(leftOut(figure, rows.length), width - LEFT - RIGHT, { x: LEFT, y: y + 36 });
  parts.push(legend(used, LEFT, y + 16), note.markup);
  return picture({ width, height: y + 28 + note.height, ...describeFigure(figure) }, head.markup, ...parts);
}

/** Rows as the picture orders them: by time, else by group, else as they are. */
function orderOf({ plan, data }: Figure): { order: Int32Array; by: string; times?: ReturnType<typeof timesOf> } {
  const order = Int32Array.from({ length: plan.n }, (_, row) => row);
  if (data.timestamps) {
    const times = timesOf(data.timestamps, plan.n);
    return { order: order.sort((a, b) => times.values[a] - times.values[b] || a - b), by: 'time', times };
  }
  if (data.groups) {
    const { codes } = groupsOf(data.groups, plan.n);
    return { order: order.sort((a, b) => codes[a] - codes[b] || a - b), by: 'rows by group' };
  }
  return { order, by: 'rows' };
}

/** Neighbours of one colour as one shape, so that files stay small. */
function strip(colours: readonly string[], x: (at: number) => number, y: number): string {
  const paths = new Map<string, string>();
  for (let from = 0, to = 0; from < colours.length; from = to) {
    while (to < colours.length && colours[to] === colours[from]) to++;
    const run = `M${round(x(from))},${y}H${round(x(to))}v${LINE}H${round(x(from))}z`;
    paths.set(colours[from], (paths.get(colours[from]) ?? '') + run);
  }
  return [...paths].map(([fill, d]) => element('path', { d, fill })).join('');
}

/** The lines below the folds: label and a colour per row. */
function marks({ plan, y, data }: Figure): [string, string[]][] {
  const lines: [string, string[]][] = [];
  const labels = y === undefined ? undefined : isLabels(y) ? y : labelsOf(y);
  if (labels && labels.codes.length > 0) {
    lines.push(['class', Array.from(labels.codes, (code) => CLASSES[code % CLASSES.length])]);
  } else if (labels && labels.indicators.length > 0 && !labels.shape) {
    const width = labels.classes.length;
    labels.classes.slice(0, 6).forEach((label, at) => {
      lines.push([
        `label ${label}`,
        Array.from({ length: plan.n }, (_, row) => CLASSES[labels.indicators[row * width + at]]),
      ]);
    });
  }
  const levels = Object.entries({ ...(data.groups ? { group: data.groups } : {}), ...data.hierarchy });
  for (const [name, ids] of levels) {
    const { codes } = groupsOf(ids, plan.n, name);
    lines.push([short(name), Array.from(codes, (code) => GROUPS[code % 2])]);
  }
  return lines;
}

/** Ticks where the drawn rows pass round times. */
function timeAxis(
  { values, dates }: ReturnType<typeof timesOf>,
  rows: Int32Array,
  x: (at: number) => number,
  y: number,
): string {
  const times = Array.from(rows, (row) => values[row]);
  const range: [number, number] = [times[0], times[times.length - 1]];
  const scale = dates ? scaleUtc(range, [0, 1]) : scaleLinear(range, [0, 1]);
  const format = scale.tickFormat(6);
  const ticks = scale.ticks(6).map((tick) => {
    const at = x(times.findIndex((time) => time >= Number(tick)));
    return (
      element('path', { d: `M${round(at)},${y}v5`, stroke: INK }) +
      words(format(tick as never), { x: at, y: y + 17, 'text-anchor': 'middle', 'font-size': 11 })
    );
  });
  return words('time', { x: LEFT - 32, y: y + 17, 'text-anchor': 'end' }) + ticks.join('');
}

const short = (label: string) => (label.length > 18 ? `${label.slice(0, 17)}…` : label);
