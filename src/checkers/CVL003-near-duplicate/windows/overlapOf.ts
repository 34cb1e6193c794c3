/** Whether two windows or tiles are cut from one recording or slide, half or more of each: exactly, value by value. */
import type { NumericArray } from '../../../data/rows.js';

/** What two rows share. */
export interface Overlap {
  /** How much further on the second one begins, along each dimension of a row. */
  readonly shift: readonly number[];
  /** Share of each row. */
  readonly share: number;
}

/** Windows that share less are left alone; a half may be a little less where sides are odd. */
const LEAST = 0.45;
/** What is shared has at least so many values, so many of them different. */
const [VALUES, DIFFERENT] = [16, 8];
/** In what is not shared there are at least so many different values: else a thing was moved on an empty ground. */
const BESIDE = 3;

/**
 * What two rows of this shape share if the second one begins `shift` values later, as they are stored; undefined if they
 * do not agree in every value there, share less than half, or if what they share says little: too few different values,
 * a period that fits any such shift, or a thing on an empty ground.
 */
export function overlapOf(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  shift: number,
): Overlap | undefined {
  for (const steps of stepsOf(shape, shift)) {
    const share = shape.reduce((part, side, at) => (part * Math.max(0, side - Math.abs(steps[at]))) / side, 1);
    if (share < LEAST) continue;
    if (isShared(a, b, shape, steps, shift)) return { shift: steps, share };
  }
  return undefined;
}

/** The steps along each dimension that a shift may be: the nearest, and one line more or less. */
function stepsOf(shape: readonly number[], shift: number): number[][] {
  const [side] = shape.slice(-1);
  if (shape.length === 1) return [[shift]];
  const rest = shape.slice(0, -1);
  const last = ((shift % side) + side) % side;
  return [last, last - side].flatMap((step) => stepsOf(rest, (shift - step) / side).map((steps) => [...steps, step]));
}

function isShared(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  steps: readonly number[],
  shift: number,
): boolean {
  const [shared, beside] = [new Set<number>(), new Set<number>()];
  let count = 0;
  const place = shape.map(() => 0);
  for (let at = 0; at < a.length; at++) {
    // `at` is a place of the first row; the second one has it at `at - shift`.
    const within = place.every((value, axis) => value - steps[axis] >= 0 && value - steps[axis] < shape[axis]);
    if (within) {
      if (!Object.is(a[at] + 0, b[at - shift] + 0)) return false;
      count++;
      if (shared.size < DIFFERENT) shared.add(a[at]);
    } else if (beside.size < BESIDE) beside.add(a[at]);
    for (let axis = shape.length - 1; axis >= 0 && ++place[axis] === shape[axis]; axis--) place[axis] = 0;
  }
  return count >= VALUES && shared.size >= DIFFERENT && beside.size >= BESIDE && !isPeriodic(a, shape);
}

/** Periods that are looked for, and the share of a row that repeats itself after one. */
const [LONGEST, REPEATED] = [512, 0.75];

/** Whether a row repeats itself along its first or its last dimension: then it fits others at many a shift. */
function isPeriodic(a: NumericArray, shape: readonly number[]): boolean {
  const [first, last] = [shape[0], shape[shape.length - 1]];
  const lines = a.length / first;
  const periods = (side: number) => Math.min(LONGEST, Math.floor(side / 2));
  for (let period = 1; period <= periods(first); period++) if (repeats(a, period * lines)) return true;
  for (let period = 1; shape.length > 1 && period <= periods(last); period++) if (repeats(a, period)) return true;
  return false;
}

function repeats(a: NumericArray, step: number): boolean {
  const most = (1 - REPEATED) * (a.length - step);
  let [other, changed] = [0, 0];
  for (let at = step; at < a.length && other <= most; at++) {
    if (a[at] !== a[at - step]) other++;
    if (a[at] !== a[at - 1]) changed++;
  }
  // What hardly changes at all is silence, which is judged by its values.
  return other <= most && changed > most;
}
