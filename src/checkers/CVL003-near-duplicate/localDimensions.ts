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

/** The mean step around a row, and the rows that tell. */
interface LocalScale {
  readonly step: number;
  readonly rows: readonly number[];
}

/**
 * The share of the dimensions that the rows around two rows fill: 1, or less where the steps between the ascending
 * distances of neighbours are clearly wider than the law has them. The widest step of a row is left out, since a copy makes
 * one; a burst of copies, which all its rows see alike, is left out altogether. Steps are wide around both rows, or
 * around them and their neighbours on average, or around a twentieth of all rows: then any pair may be of that kind.
 * One dimension is filled by all.
 *
 * Source: Renyi 1953, Acta Math. Hung. 4:191 (steps between ordered values, each times its rank, are independent); Hill 1975, Annals
 * of Statistics 3:1163 (their mean is the reciprocal of the dimensions).
 */
export class LocalDimensions {
  readonly #dimensions: number;
  /** Steps vary more where there are few dimensions: so wide are those of a twentieth of the rows in normal data, at most. */
  readonly #clear: number;
  readonly #steps = new Map<number, Steps>();
  readonly #known = new Map<number, LocalScale>();
  readonly #means = new Map<number, number>();
  #elsewhere: number | undefined;

  /**
   * @param around gives what surrounds a row
   * @param queries rows that stand for all
   */
  constructor(
    readonly nearer: Nearer,
    readonly around: (row: number) => Neighbourhood,
    readonly queries: Int32Array,
  ) {
    this.#dimensions = Math.max(1, (nearer(1e-6, 1) - nearer(1e-7, 1)) / Math.LN10);
    this.#clear = 1.5 + 1.5 / Math.sqrt(this.#dimensions);
  }

  /** Of the dimensions, the share that the rows around two rows fill. */
  share(first: number, second: number): number {
    const both = this.#ifClear(Math.min(this.#scaleAround(first).step, this.#scaleAround(second).step));
    const here = Math.max(1, this.#meanAround(first), this.#meanAround(second), both);
    this.#elsewhere ??= this.#ifClear(usual(Array.from(this.queries, (row) => this.#scaleAround(row).step)));
    return 1 / Math.min(this.#dimensions, Math.max(here, this.#elsewhere));
  }

  #ifClear(step: number): number {
    return step > this.#clear ? step : 1;
  }

  #stepsAround(row: number): Steps {
    const steps = this.#steps.get(row) ?? stepsOf(this.around(row), this.nearer);
    this.#steps.set(row, steps);
    return steps;
  }

  #scaleAround(row: number): LocalScale {
    const told = this.#known.get(row) ?? this.#estimate(row);
    this.#known.set(row, told);
    return told;
  }

  #estimate(row: number): LocalScale {
    const { sizes, widest } = this.#stepsAround(row);
    const { nearest } = this.around(row);
    const [all, edge] = [sum(sizes), widest + 1];
    const isWide = edge < sizes.length && sizes[widest] * sizes.length > EDGE * (all - sizes[widest]);
    if (isWide && nearest.slice(0, edge).every((other) => this.#stepsAround(other).widest === widest)) {
      const behind = sizes.slice(edge).map((size, at) => (size * (at + 1)) / (at + 1 + edge));
      return { step: mean(behind), rows: nearest.slice(edge) };
    }
    return { step: sizes.length > 1 ? (all - sizes[widest]) / USUAL[sizes.length] : 1, rows: nearest };
  }

  #meanAround(row: number): number {
    let step = this.#means.get(row);
    if (step === undefined) {
      const all = [row, ...this.around(row).nearest].map((each) => this.#scaleAround(each));
      const rows = new Set(all.flatMap((each) => each.rows)).size;
      step = mean(all.map((each) => each.step)) - SLACK / Math.sqrt(rows);
      this.#means.set(row, step);
    }
    return step;
  }
}

const usual = (steps: number[]) => steps.sort((a, b) => a - b)[Math.floor(MOST * steps.length)];

function stepsOf({ distances }: Neighbourhood, nearer: Nearer): Steps {
  const logs = distances.map((distance) => -nearer(distance, distances[distances.length - 1]));
  const sizes = logs.slice(0, -1).map((log, at) => (at + 1) * (log - logs[at + 1]));
  return { sizes, widest: sizes.indexOf(Math.max(...sizes)) };
}
