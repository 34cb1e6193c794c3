import { type RandomSource, randomInterval } from '../core/random.js';
import { encode, rowsByCode, tally } from '../data/encode.js';
import { gather } from '../data/labels.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';

/** From so many units on {@link manyDraws} takes a third of the time, with other numbers from the same seed. */
export const MANY = 50_000;

/** The integers of `randomInterval`. Rejected numbers count 0: an unpredictable branch takes longer than the draw. */
export function* drawUnits(random: RandomSource, n: number, count: number): Iterable<Draws> {
  if (n >= MANY) {
    for (let b = 0; b < count; b++) yield manyDraws(random, n);
    return;
  }
  const mask = 2 ** (32 - Math.clz32(Math.max(n - 1, 0))) - 1;
  for (let b = 0; b < count; b++) {
    const draws = new Int32Array(mask + 1);
    for (let drawn = 0; drawn < n; ) {
      const unit = random.uint32() & mask;
      const taken = Number(unit < n);
      draws[unit] += taken;
      drawn += taken;
    }
    yield draws.slice(0, n);
  }
}

export type Draws = Int32Array | Uint16Array | Uint8Array;

/** Larger counts have a probability below 2^-33 and are cut to this one. */
const MOST = 15;
/** Sixteen bits do not decide. */
const UNDECIDED = 255;

/** P(X <= k) of a Poisson variable X of mean 1, in units of 2^-32. */
const BELOW = Float64Array.from({ length: MOST }, (_, k) => {
  let [term, sum] = [1, 0];
  for (let j = 0; j <= k; j++) {
    sum += term;
    term /= j + 1;
  }
  return Math.round(sum * Math.exp(-1) * 2 ** 32);
});

function countOf(bits: number): number {
  let k = 0;
  while (k < MOST && bits >= BELOW[k]) k++;
  return k;
}

/** The count by the first sixteen of 32 bits, where it does not depend on the others. Built on first use. */
function drawHalves(): Uint8Array {
  const halves = new Uint8Array(2 ** 16);
  for (let bits = 0; bits < halves.length; bits++) {
    const first = countOf(bits * 2 ** 16);
    halves[bits] = first === countOf((bits + 1) * 2 ** 16 - 1) ? first : UNDECIDED;
  }
  return halves;
}

let kept: Uint8Array | undefined;

/**
 * Unit by unit: drawing one by one jumps about in memory. Each unit gets a Poisson number of mean 1; given their sum S these
 * are multinomial with S draws. Then n - S further draws are added, or S - n of them, each equally likely, are taken back.
 *
 * Source: Hanley & MacGibbon 2006, Computer Methods and Programs in Biomedicine 83:57, for the Poisson numbers.
 */
function manyDraws(random: RandomSource, n: number): Uint8Array {
  kept ??= drawHalves();
  const halves = kept;
  const draws = new Uint8Array(n);
  let drawn = 0;
  for (let unit = 0, word = 0; unit < n; unit++) {
    word = unit & 1 ? word >>> 16 : random.uint32();
    const bits = word & 0xffff;
    let times = halves[bits];
    if (times === UNDECIDED) times = countOf(bits * 2 ** 16 + (random.uint32() >>> 16));
    draws[unit] = times;
    drawn += times;
  }
  for (; drawn < n; drawn++) draws[randomInterval(random, n - 1)]++;
  while (drawn > n) {
    // A unit is accepted in proportion to how often it was drawn.
    const unit = randomInterval(random, n - 1);
    if (randomInterval(random, MOST) >= draws[unit]) continue;
    draws[unit]--;
    drawn--;
  }
  return draws;
}

const MOST_CELLS = 1000;

export interface RowsOfUnits {
  readonly table: ScoreTable;
  readonly units: Int32Array;
}

/** Cells of rows with the same truth and prediction, which metrics of labels cannot distinguish. */
export interface LabelCells {
  /** One row per cell. Its weights are rewritten for every resample. */
  readonly table: ScoreTable & { readonly fixed: true; readonly weight: Float64Array };
  weigh(times: Draws, out: Float64Array): void;
}

/** The metric reads nothing of a row but its weight and its two labels. */
export const readsCells = ({ weighted, needs, ofPatients }: Metric, { task }: ScoreTable): boolean =>
  weighted === true && !ofPatients && needs === 'labels' && (task === 'binary' || task === 'multiclass');

/** Undefined where there are more than 1,000 cells, or half as many as rows. */
export function labelCells({ table, units }: RowsOfUnits): LabelCells | undefined {
  const { yTrue, yPred, classes, length, weight: own, yProba: _, ...facts } = table;
  const pairs = new Int32Array(length);
  for (let row = 0; row < length; row++) pairs[row] = yTrue[row] * classes.length + yPred[row];
  const cells = encode(pairs);
  const count = cells.classes.length;
  if (count > MOST_CELLS || 2 * count > length) return undefined;
  const rows = rowsByCode(cells);
  const ends = tally(cells.codes, count);
  for (let cell = 1; cell < count; cell++) ends[cell] += ends[cell - 1];
  const unitOf = gather(units, rows);
  const weightOf = own && gather(own, rows);
  return {
    table: {
      ...facts,
      classes,
      length: count,
      yTrue: Int32Array.from(cells.classes, (pair) => Math.floor(pair / classes.length)),
      yPred: Int32Array.from(cells.classes, (pair) => pair % classes.length),
      fixed: true,
      weight: new Float64Array(count),
    },
    weigh(times, out) {
      for (let cell = 0, at = 0; cell < count; cell++) {
        let sum = 0;
        if (weightOf) for (; at < ends[cell]; at++) sum += times[unitOf[at]] * weightOf[at];
        else for (; at < ends[cell]; at++) sum += times[unitOf[at]];
        out[cell] = sum;
      }
    },
  };
}
