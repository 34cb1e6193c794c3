import { type ScaleLinear, scaleLinear, scaleUtc } from 'd3-scale';
import { type InputOf, integer, oneOf, optionTable, string } from '../core/options.js';
import { isLabels, type LabelsInput, labelsOf, rowNumbers } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import { hasPlace, knownGroups, type SideData, timesOf } from '../data/sideData.js';
import { type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { type Fold, labelsAndOptions, type Splitter, splitDataOptions } from '../splitters/splitter.js';
import { legend } from './plane.js';
import { element, heading, INK, LETTER, paragraph, round, Svg, short, words } from './svg.js';

export const plotSplitsOptions = optionTable('plotSplits', {
  ...splitDataOptions.shape,
  axes: oneOf('xy', 'latlon').default('xy').describe("What coordinates are: [x, y], or [lat, lon] as for 'haversine'."),
  title: string().optional().describe('Heading; the splitter with its options when left out.'),
  width: integer({ min: 300, max: 4000 }).default(720).describe('Width in pixels.'),
  maxFolds: integer({ min: 1, max: 100 })
    .default(10)
    .describe('Folds to draw, inner ones included; the picture says how many there are.'),
  maxRows: integer({ min: 20, max: 5000 })
    .default(300)
    .describe('Rows to draw, evenly spaced over all; the picture says so when it leaves rows out.'),
});

export type PlotSplitsOptions = InputOf<typeof plotSplitsOptions>;

/**
 * The folds of a splitter as one picture, an {@link Svg}. One line per fold over the rows, which are
 * put in the order of time when timestamps are given, else of groups when groups are; below them a line for the classes
 * of y, for the groups and for time. With coordinates: one map per fold. Colours tell training, test, purged, embargoed
 * and buffered rows.
 *
 * Throws what the splitter throws for these data.
 *
 * @example
 * const picture = plotSplits(new GroupKFold({ nSplits: 4, randomState: 1 }), X, y, { groups: patientIds });
 * await writeFile('folds.svg', String(picture));
 * console.log(picture.description);
 */
export function plotSplits(
  splitter: Splitter,
  X: RowsInput | number,
  y?: LabelsInput | PlotSplitsOptions | null,
  input?: PlotSplitsOptions,
): Svg {
  const [labels, options] = labelsAndOptions(y, input);
  const { axes, title, width, maxFolds, maxRows, ...rest } = plotSplitsOptions.resolve(options);
  const data: SideData = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const plan = foldsOf(splitter, X, labels, data);
  const figure = { plan, ...drawnFolds(plan, maxFolds), y: labels, data, title: title ?? plan.design, width, maxRows };
  return data.coordinates ? mapsOfFolds(figure, inXY(data.coordinates, axes)) : stripsOfFolds(figure);
}

const inXY = (coordinates: ArrayLike<ArrayLike<number>>, axes: 'xy' | 'latlon'): ArrayLike<ArrayLike<number>> =>
  axes === 'xy' ? coordinates : Array.from(coordinates, (place) => [place[1], place[0]]);

const LEFT = 130;
const RIGHT = 16;
const LINE = 18;
const GAP = 4;

const CLASSES = ['#bbbbbb', '#009e73', '#0072b2', '#e69f00', '#cc79a7', '#000000'];
const GROUPS = ['#777777', '#d0d0d0'];

/** A line for each fold over the rows. */
export function stripsOfPlan(
  plan: FoldPlan,
  { maxFolds, ...rest }: Omit<Figure, 'plan' | 'folds' | 'innerFolds'> & { readonly maxFolds: number },
): Svg {
  return stripsOfFolds({ plan, ...drawnFolds(plan, maxFolds), ...rest });
}

function stripsOfFolds(figure: Figure): Svg {
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
    const colours = shown.map((role) => COLOURS[role]);
    line(short(labelOf(fold)), colours);
  }
  y += GAP;
  for (const [label, colours] of marks(figure)) {
    const shown = Array.from(rows, (row) => colours[row]);
    line(label, shown);
  }
  if (all.times) {
    parts.push(timeAxis(all.times, rows, x, y));
    y += 22;
  } else {
    parts.push(words(`${all.by} →`, { x: LEFT, y: y + 12 }));
    y += 20;
  }
  const key = legendOf(used, LEFT, y + 16, width - RIGHT);
  const note = paragraph(omittedText(figure, rows.length), width - LEFT - RIGHT, { x: LEFT, y: key.bottom + 12 });
  parts.push(key.markup, note.markup);
  return new Svg({ width, height: key.bottom + 4 + note.height, ...describeFigure(figure) }, head.markup, ...parts);
}

function orderOf({ plan, data }: Figure): { order: Int32Array; by: string; times?: ReturnType<typeof timesOf> } {
  const order = rowNumbers(plan.n);
  if (data.timestamps) {
    const times = timesOf(data.timestamps, plan.n);
    return { order: order.sort((a, b) => times.values[a] - times.values[b] || a - b), by: 'time', times };
  }
  if (data.groups) {
    const { codes } = knownGroups(data.groups, plan.n);
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

function marks({ plan, y, data }: Figure): [string, string[]][] {
  const lines: [string, string[]][] = [];
  const labels = y === undefined ? undefined : isLabels(y) ? y : labelsOf(y);
  if (labels && labels.codes.length > 0) {
    lines.push(['class', Array.from(labels.codes, (code) => CLASSES[code % CLASSES.length])]);
  } else if (labels && labels.indicators.length > 0 && !labels.shape) {
    const { classes, indicators } = labels;
    for (const [at, label] of classes.slice(0, 6).entries()) {
      const colours = Array.from({ length: plan.n }, (_, row) => CLASSES[indicators[row * classes.length + at]]);
      lines.push([`label ${label}`, colours]);
    }
  }
  const levels = Object.entries({ ...(data.groups ? { group: data.groups } : {}), ...data.hierarchy });
  for (const [name, ids] of levels) {
    const { codes } = knownGroups(ids, plan.n, name);
    lines.push([short(name), Array.from(codes, (code) => (code < 0 ? COLOURS.unused : GROUPS[code % 2]))]);
  }
  return lines;
}

/** Ticks where the drawn rows pass round times. */
function timeAxis(
  { values, dates }: ReturnType<typeof timesOf>,
  rows: Int32Array,
  x: ScaleLinear<number, number>,
  y: number,
): string {
  const times = Array.from(rows, (row) => values[row]);
  const range: [number, number] = [times[0], times[times.length - 1]];
  const scale = dates ? scaleUtc(range, [0, 1]) : scaleLinear(range, [0, 1]);
  const format = scale.tickFormat(6);
  let end = LEFT - 28;
  const ticks = scale.ticks(6).map((tick) => {
    const at = x(times.findIndex((time) => time >= Number(tick)));
    const text = format(tick as never);
    const half = (6.6 * text.length) / 2;
    const isFree = at - half > end && at + half < x.range()[1] + RIGHT;
    if (isFree) end = at + half + 4;
    return (
      element('path', { d: `M${round(at)},${y}v5`, stroke: INK }) +
      (isFree ? words(text, { x: at, y: y + 17, 'text-anchor': 'middle', 'font-size': 11 }) : '')
    );
  });
  return words('time', { x: LEFT - 32, y: y + 17, 'text-anchor': 'end' }) + ticks.join('');
}

const MARGIN = 12;
const PANEL = 200;
const HEAD = 18;

function mapsOfFolds(figure: Figure, places: ArrayLike<ArrayLike<number>>): Svg {
  const { plan, folds, width } = figure;
  const columns = Math.max(1, Math.min(folds.length, Math.floor((width - MARGIN) / PANEL)));
  const side = (width - MARGIN) / columns - MARGIN;
  const placed = rowNumbers(plan.n).filter((row) => hasPlace(places[row]));
  const rows = thinned(placed, figure.maxRows);
  const { x, y } = scales(rows, places, side);
  const used = new Set<Role>();
  const head = heading(figure.title, MARGIN, width);
  const panels = folds.map((fold, at) => {
    const left = MARGIN + (at % columns) * (side + MARGIN);
    const top = head.height + Math.floor(at / columns) * (side + HEAD + MARGIN);
    const roles = rolesOf(fold, plan.n);
    const dots = LAYERS.flatMap((role) => {
      const found = Array.from(rows.filter((row) => roles[row] === role));
      if (found.length === 0) return [];
      used.add(role);
      const d = found.map((row) => dot(x(places[row][0]), y(places[row][1]))).join('');
      return [element('path', { d, fill: COLOURS[role] })];
    });
    const frame = element('rect', { y: HEAD, width: side, height: side, fill: 'none', stroke: '#999999' });
    const transform = `translate(${round(left)},${round(top)})`;
    return element(
      'g',
      { transform },
      words(short(labelOf(fold), Math.floor(side / LETTER)), { y: 12 }),
      frame,
      ...dots,
    );
  });
  const bottom = head.height + Math.ceil(folds.length / columns) * (side + HEAD + MARGIN) + 12;
  const key = legendOf(used, MARGIN, bottom, width - MARGIN);
  const note = paragraph(omittedText(figure, rows.length), width - 2 * MARGIN, { x: MARGIN, y: key.bottom + 12 });
  return new Svg(
    { width, height: Math.ceil(key.bottom + 6 + note.height), ...describeFigure(figure) },
    head.markup,
    ...panels,
    key.markup,
    note.markup,
  );
}

/** One scale for both axes, so that distances look as they are; the second coordinate points up. */
function scales(rows: Int32Array, places: ArrayLike<ArrayLike<number>>, side: number) {
  const spanOf = (axis: number) => {
    const values = Array.from(rows, (row) => places[row][axis]);
    return [Math.min(...values), Math.max(...values)];
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

const dot = (x: number, y: number, r = 2.5) =>
  `M${round(x - r)},${round(y)}a${r},${r},0,1,0,${2 * r},0a${r},${r},0,1,0,${-2 * r},0`;

type DrawnFold = Fold & { readonly isInner: boolean };

function drawnFolds(plan: FoldPlan, most: number): Pick<Figure, 'folds' | 'innerFolds'> {
  const drawn: DrawnFold[] = [];
  for (let at = 0; at < plan.length && drawn.length < most; at++) {
    const fold = plan.at(at);
    drawn.push({ ...fold, isInner: false });
    const inner = hasInner(fold) ? [...innerFoldsOf(fold, plan.n)] : [];
    drawn.push(...inner.map((each) => ({ ...each, isInner: true })));
  }
  return { folds: drawn.slice(0, most), innerFolds: drawn.filter(({ isInner }) => isInner).length };
}

const labelOf = ({ id, isInner }: DrawnFold): string => (isInner ? `inner ${id}` : id);

interface Figure {
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

function thinned(order: Int32Array, most: number): Int32Array {
  if (order.length <= most) return order;
  return Int32Array.from({ length: most }, (_, at) => order[Math.floor(((at + 0.5) * order.length) / most)]);
}

/** What the picture leaves out, as a sentence; empty when it shows everything. */
function omittedText({ plan, folds, innerFolds }: Figure, shown: number): string {
  const outer = folds.filter(({ isInner }) => !isInner).length;
  const inner = folds.length - outer;
  const parts = [
    ...(outer < plan.length || inner < innerFolds ? [`${outer} of ${plan.length} folds`] : []),
    ...(inner < innerFolds ? [`${inner} of their ${innerFolds} inner folds`] : []),
    ...(shown < plan.n ? [`${shown} of ${plan.n} rows, evenly spaced`] : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join('; ')}.` : '';
}

const describeFigure = ({ plan, folds, title }: Figure) => ({
  title,
  description: `${plan.length} folds of ${plan.n} rows by ${plan.splitterName}.`,
  table: {
    header: ['fold', 'training rows', 'test rows', 'left out'],
    rows: folds.map((fold) => [
      ...[labelOf(fold), fold.train.length, fold.test.length].map(String),
      String(plan.n - fold.train.length - fold.test.length),
    ]),
  },
});

type Role = 'train' | 'test' | 'inner test' | 'purged' | 'embargoed' | 'buffered' | 'unused';

/** Colours that people with any kind of colour vision can tell apart (after Okabe & Ito 2008), light for what is not used. */
const COLOURS: Readonly<Record<Role, string>> = {
  train: '#56b4e9',
  test: '#d55e00',
  'inner test': '#009e73',
  purged: '#222222',
  embargoed: '#cc79a7',
  buffered: '#7e57c2',
  unused: '#eeeeee',
};

const ROLES = Object.keys(COLOURS) as Role[];

/** From the lowest to the highest, where rows may cover each other: test rows on top of what surrounds them. */
const LAYERS: readonly Role[] = ['unused', 'train', 'embargoed', 'purged', 'buffered', 'inner test', 'test'];

function rolesOf({ train, test, excluded = {}, isInner }: DrawnFold, n: number): Role[] {
  const roles = new Array<Role>(n).fill('unused');
  const mark = (rows: Int32Array, role: Role) => {
    for (const row of rows) roles[row] = role;
  };
  for (const [reason, rows] of Object.entries(excluded)) mark(rows, reason as keyof typeof excluded);
  mark(train, 'train');
  mark(test, isInner ? 'inner test' : 'test');
  return roles;
}

const legendOf = (used: ReadonlySet<Role>, x: number, y: number, right: number) =>
  legend(
    ROLES.filter((role) => used.has(role)).map((role) => ({
      ...{ label: role === 'unused' ? 'not used' : role, as: 'area', colour: COLOURS[role], opacity: 1 },
    })),
    { x, y, width: right - x },
  );
