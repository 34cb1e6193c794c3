/** Whether two windows or tiles are cut from one recording or slide, half or more of each: exactly, value by value. */
import type { NumericArray } from '../../../data/rows.js';
import { isPeriodic, isPredictable } from './predictable.js';

/** What two rows share. */
export interface Overlap {
  /** How much further on the second one begins, along each dimension of a row. */
  readonly shift: readonly number[];
  /** Share of each row. */
  readonly share: number;
  /** More than half of what is shared is one value: a thing on an empty ground, of which another row may have one like it. */
  readonly mostlyOne: boolean;
}

/** Windows that share less are left alone; a half may be a little less where sides are odd. */
const LEAST = 0.45;
/** What is shared has at least so many values, so many of them different. */
const [VALUES, DIFFERENT] = [16, 8];
/** In what is not shared there are at least so many different values: else a thing was moved on an empty ground. */
const BESIDE = 3;

/**
 * What two rows of this shape share if the second one begins `shift` values later, as they are stored; `'differ'` if they
 * do not agree in every value there; undefined if that is less than half, or says little: too few different values, a
 * period or a curve that fits any such shift, or a thing on an empty ground.
 */
export function overlapOf(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  shift: number,
): Overlap | 'differ' | undefined {
  let answer: 'differ' | undefined;
  for (const steps of stepsOf(shape, shift)) {
    const share = shape.reduce((part, side, at) => (part * Math.max(0, side - Math.abs(steps[at]))) / side, 1);
    if (share < LEAST) continue;
    const shared = isShared(a, b, shape, steps, shift);
    if (shared) return { shift: steps, share, mostlyOne: shared.mostlyOne };
    if (shared === false) answer = 'differ';
  }
  return answer;
}

/** The steps along each dimension that a shift may be: the nearest, and one line more or less. */
function stepsOf(shape: readonly number[], shift: number): number[][] {
  const [side] = shape.slice(-1);
  if (shape.length === 1) return [[shift]];
  const rest = shape.slice(0, -1);
  const last = ((shift % side) + side) % side;
  return [last, last - side].flatMap((step) => stepsOf(rest, (shift - step) / side).map((steps) => [...steps, step]));
}

/** False where they differ, undefined where what they share says little. */
function isShared(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  steps: readonly number[],
  shift: number,
): { readonly mostlyOne: boolean } | false | undefined {
  const [shared, beside] = [new Map<number, number>(), new Set<number>()];
  let count = 0;
  const place = shape.map(() => 0);
  for (let at = 0; at < a.length; at++) {
    // `at` is a place of the first row; the second one has it at `at - shift`.
    const within = place.every((value, axis) => value - steps[axis] >= 0 && value - steps[axis] < shape[axis]);
    if (within) {
      if (!Object.is(a[at] + 0, b[at - shift] + 0)) return false;
      count++;
      shared.set(a[at], (shared.get(a[at]) ?? 0) + 1);
    } else if (beside.size < BESIDE) beside.add(a[at]);
    for (let axis = shape.length - 1; axis >= 0 && ++place[axis] === shape[axis]; axis--) place[axis] = 0;
  }
  const isTelling = count >= VALUES && shared.size >= DIFFERENT && beside.size >= BESIDE;
  if (!isTelling) return undefined;
  const whole = joined(a, b, shape, steps);
  const recurs =
    isPeriodic(whole, [whole.length / (a.length / shape[0]), ...shape.slice(1)]) || isPredictable(a, shape);
  if (recurs) return undefined;
  let most = 0;
  for (const times of shared.values()) most = Math.max(most, times);
  return { mostlyOne: most > count / 2 };
}

/** Both rows as one, where they were moved along the first dimension alone: a long period shows in it. */
function joined(a: NumericArray, b: NumericArray, shape: readonly number[], steps: readonly number[]): NumericArray {
  if (steps.slice(1).some((step) => step !== 0)) return a;
  const [early, late] = steps[0] > 0 ? [a, b] : [b, a];
  const more = (Math.abs(steps[0]) * a.length) / shape[0];
  return Float64Array.from([...early, ...late.slice(late.length - more)]);
}
