/** How many of the dimensions of a law the rows around a row fill: those of a table need not fill the same everywhere. */
import { mean, sum } from '../../core/numbers.js';
import { NEIGHBOURS, type Neighbourhood } from './neighbours.js';

/** log of the share of the rows within `scale` that are within `distance`, by the law for all rows. */
export type Nearer = (distance: number, scale: number) => number;

/** The steps between the neighbours of a row: exponential with mean 1 where these fill the dimensions that the law has. */
interface Steps {
  readonly sizes: readonly number[];
  /** Place of the widest. */
  readonly widest: number;
}

/** What so many rows tell is off by chance: this, divided by the root of their number. */
const SLACK = 0.3;
/** A step so many times as wide as the others, on average, may be the edge of a burst of copies. */
const EDGE = 5;
/** Share of the rows that have narrower steps than those that tell whether some rows fill fewer dimensions, and how many. */
const MOST = 0.95;

/** Mean sum of so many exponential steps without the widest. */
const USUAL = Float64Array.from({ length: NEIGHBOURS }, (_, count) => {
  let widest = 0;
  for (let at = 1; at <= count; at++) widest += 1 / at;
  return count - widest;
});

/**
 * Gives the share of the dimensions that the rows around two rows fill: 1, or less where the steps between the ascending
 * distances of neighbours are clearly wider than the law has them. The widest step of a row is left out, since a copy makes
 * one; a burst of copies, which all its rows see alike, is left out altogether. Steps are wide around both rows, or
 * around them and their neighbours on average, or around a twentieth of all rows: then any pair may be of that kind.
 * One dimension is filled by all.
 *
 * Source: Renyi 1953, Acta Math. Hung. 4:191 (steps between ordered values, each times its rank, are independent); Hill 1975, Annals
 * of Statistics 3:1163 (their mean is the reciprocal of the dimensions).
 *
 * @param around gives what surrounds a row
 * @param queries rows that stand for all
 */
export function localDimensions(
  nearer: Nearer,
  around: (row: number) => Neighbourhood,
  queries: Int32Array,
): (first: number, second: number) => number {
  const dimensions = Math.max(1, (nearer(1e-6, 1) - nearer(1e-7, 1)) / Math.LN10);
  // Steps vary more where there are few dimensions: so wide are those of a twentieth of the rows in normal data, at most.
  const clear = 1.5 + 1.5 / Math.sqrt(dimensions);
  const known = new Map<number, Steps>();
  const stepsAround = (row: number): Steps => {
    const steps = known.get(row) ?? stepsOf(around(row), nearer);
    known.set(row, steps);
    return steps;
  };
  /** The mean step around a row, and the rows that tell. */
  const told = (row: number) => {
    const { sizes, widest } = stepsAround(row);
    const { nearest } = around(row);
    const [all, edge] = [sum(sizes), widest + 1];
    const isWide = edge < sizes.length && sizes[widest] * sizes.length > EDGE * (all - sizes[widest]);
    if (isWide && nearest.slice(0, edge).every((other) => stepsAround(other).widest === widest)) {
      const behind = sizes.slice(edge).map((size, at) => (size * (at + 1)) / (at + 1 + edge));
      return { step: mean(behind), rows: nearest.slice(edge) };
    }
    return { step: sizes.length > 1 ? (all - sizes[widest]) / USUAL[sizes.length] : 1, rows: nearest };
  };
  const means = new Map<number, number>();
  const meanAround = (row: number): number => {
    let step = means.get(row);
    if (step === undefined) {
      const all = [row, ...around(row).nearest].map(told);
      const rows = new Set(all.flatMap((each) => each.rows)).size;
      step = mean(all.map((each) => each.step)) - SLACK / Math.sqrt(rows);
      means.set(row, step);
    }
    return step;
  };
  const ifClear = (step: number) => (step > clear ? step : 1);
  let elsewhere: number | undefined;
  return (first, second) => {
    const both = ifClear(Math.min(told(first).step, told(second).step));
    const here = Math.max(1, meanAround(first), meanAround(second), both);
    elsewhere ??= ifClear(usual(Array.from(queries, (row) => told(row).step)));
    return 1 / Math.min(dimensions, Math.max(here, elsewhere));
  };
}

const usual = (steps: number[]) => steps.sort((a, b) => a - b)[Math.floor(MOST * steps.length)];

function stepsOf({ distances }: Neighbourhood, nearer: Nearer): Steps {
  const logs = distances.map((distance) => -nearer(distance, distances[distances.length - 1]));
  const sizes = logs.slice(0, -1).map((log, at) => (at + 1) * (log - logs[at + 1]));
  return { sizes, widest: sizes.indexOf(Math.max(...sizes)) };
}
