/** Is a column a number of the row: each whole number once, in any order, or such numbers scaled? */
import { wholeNumber } from '../../core/format.js';
import { gather, type Labels, rowNumbers } from '../../data/labels.js';
import { normalTail } from '../../intervals/normalTail.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { centred, dot } from '../features/orthonormalBasis.js';
import { holdsIntegers, saysId } from '../features/suspects.js';

/** Fewer values in equal steps look like anything. */
const LEAST = 10;
/** What a float of 32 bits keeps of a value, and the share of a step that may be off. */
const [FLOAT, OFF] = [2 ** -22, 0.05];
/** Of numbers with gaps, as after exclusions: how many at least, and the range that they may have, by their number. */
const GAPS = { least: 50, range: 1.25 };
/** So many columns of the same steps are ranks, or half of the numbers. */
const RANKED = 3;
/** Columns that ranks are compared with; chance that a number of the row goes with one of them. */
const [COMPARED, ALPHA] = [64, 0.001];

interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly count: number;
  /** Whole numbers of which some are not there. */
  readonly gaps: boolean;
}

/**
 * Equal steps from the lowest value to the highest, each once. Of whole numbers a few may not be there: no measurement
 * has so many values in so small a range and none twice.
 */
export function equalSteps({ kind, dates, values }: Column): Steps | undefined {
  if (kind !== 'number' || dates) return undefined;
  let [count, from, to] = [0, Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count++;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  const gaps = holdsIntegers({ values }) && count >= GAPS.least && to - from >= count && to - from < GAPS.range * count;
  const step = gaps ? 1 : (to - from) / (count - 1);
  if (count < LEAST || !(step > 0) || !Number.isFinite(step)) return undefined;
  const off = Math.max(1e-6 * step, FLOAT * Math.max(Math.abs(from), Math.abs(to)));
  if (off > OFF * step) return undefined;
  const taken = new Uint8Array(Math.round((to - from) / step) + 1);
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const place = Math.round((value - from) / step);
    if (taken[place] || Math.abs(value - from - place * step) > off) return undefined;
    taken[place] = 1;
  }
  return { from, to, step, count, gaps };
}

/**
 * Why each column is a number of the row, or undefined. A rank of a measurement looks the same: several columns of a
 * table of ranks do, and a rank goes with another column among rows of one label, which a number of the row does not.
 */
export function numberings(columns: readonly Column[], y: Labels | undefined): (string | undefined)[] {
  const found = columns.map((column) => equalSteps(column));
  const numbers = columns.filter(({ kind }) => kind === 'number').length;
  const keyOf = ({ count, step }: Steps) => `${count} of ${step.toPrecision(5)}`;
  const alike = new Map<string, number>();
  for (const steps of found) if (steps) alike.set(keyOf(steps), (alike.get(keyOf(steps)) ?? 0) + 1);
  return found.map((steps, at) => {
    if (!steps) return undefined;
    const column = columns[at];
    const whole = Number.isInteger(steps.from) && Number.isInteger(steps.step);
    if (!saysId(column.name)) {
      const several = alike.get(keyOf(steps)) as number;
      if (several >= RANKED || (several > 1 && 2 * several >= numbers)) return undefined;
      // A grid of values that someone chose is the only feature of many an example.
      if ((!whole && columns.length === 1) || goesWithAnother(column, columns, y)) return undefined;
    }
    // Without the numbers themselves, which may be ids.
    const what =
      whole && steps.step === 1
        ? `${wholeNumber(steps.count)} whole numbers ${steps.gaps ? 'with some gaps' : 'without a gap'}, each once`
        : `${wholeNumber(steps.count)} values in equal steps, each once`;
    return `${what}, as ${whole ? 'numbers' : 'scaled numbers'} of rows are; ranks look the same`;
  });
}

/** The ranks of a column go with those of another, after what both have in common with the labels. */
function goesWithAnother(column: Column, columns: readonly Column[], y: Labels | undefined): boolean {
  const rows = rowNumbers(column.values.length).filter((row) => !Number.isNaN(column.values[row]));
  const own = withoutLabel(column, rows, y);
  const others = columns.filter((other) => other !== column && other.kind === 'number');
  const step = Math.max(1, others.length / COMPARED);
  const chosen = others.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return chosen.some((other) => {
    const values = withoutLabel(other, rows, y);
    const size = dot(own, own) * dot(values, values);
    if (!(size > 0)) return false;
    // Fisher's z of Spearman's coefficient: its standard error is 1.03 / sqrt(n - 3) (Fieller et al. 1957, Biometrika).
    const z = Math.atanh(Math.min(0.999999, Math.abs(dot(own, values)) / Math.sqrt(size)));
    return 2 * normalTail((z * Math.sqrt(rows.length - 3)) / 1.03) < ALPHA / chosen.length;
  });
}

/** Ranks less their mean among rows of one class, or less what follows from the rank of a measured label. */
function withoutLabel(column: Column, rows: Int32Array, y: Labels | undefined): Float64Array {
  const { ranks, order } = columnRanks(column);
  const own = gather(ranks, rows).map((rank) => (Number.isNaN(rank) ? (order.length + 1) / 2 : rank));
  if (!y || y.shape || y.task === 'multilabel') return centred(own);
  if (y.task === 'regression') {
    const labels = centred(gather(columnRanks({ values: y.numbers }).ranks, rows));
    const rest = centred(own);
    const slope = dot(rest, labels) / (dot(labels, labels) || 1);
    return rest.map((value, at) => value - slope * labels[at]);
  }
  const [sums, sizes] = [new Float64Array(y.classes.length), new Int32Array(y.classes.length)];
  rows.forEach((row, at) => {
    sums[y.codes[row]] += own[at];
    sizes[y.codes[row]]++;
  });
  return own.map((rank, at) => rank - sums[y.codes[rows[at]]] / sizes[y.codes[rows[at]]]);
}
