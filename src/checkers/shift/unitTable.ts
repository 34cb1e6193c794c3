import { yieldToPage } from '../../core/yieldToPage.js';
import type { FoldUnits } from './foldUnits.js';

/** What is compared: one number per row, NaN where it is missing. */
export interface Variable {
  readonly name: string;
  readonly values: Float64Array;
  /** The values are 0 and 1: differences are read in percentage points. */
  readonly share?: true;
  /** Number of different values, of numbers. */
  readonly distinct?: number;
  /** What differs; left out, the mean. */
  readonly kind?: 'spread' | 'correlation';
  /** The features that a spread or a correlation is of. */
  readonly features?: readonly string[];
}

/** A variable without its values. */
export type VariableFacts = Omit<Variable, 'values'>;

/** Means of the units, standardised: mean 0 and variance 1 (ddof 1) over the units, 0 where a unit has no value. */
export interface UnitTable {
  readonly count: number;
  readonly variables: readonly VariableFacts[];
  /** Standard deviation of the units' means of each variable before that. */
  readonly scales: Float64Array;
  /** `[count, variables]`, row-major. */
  readonly data: Float64Array;
  /** Names of variables in which fewer than {@link LEAST_DIFFERENT} units differ from the commonest value. */
  readonly rare: readonly string[];
  /**
   * Where all variables are such shares, and most units hold both values of each: how far the others are from these in sum, in the
   * variable in which it is most.
   */
  readonly mixed?: number;
}

/** In fewer units than this a difference is never beyond chance, and its jumps would hide those of other variables. */
export const LEAST_DIFFERENT = 10;

/** The means of each unit in every variable that varies. Variables may be made one by one, in one array: none is kept. */
export async function unitTable(
  variables: Iterable<Variable>,
  { codes, count }: Pick<FoldUnits, 'codes' | 'count'>,
): Promise<UnitTable> {
  const kept: { readonly facts: VariableFacts; readonly scale: number; readonly column: Float64Array }[] = [];
  const rare: string[] = [];
  let mixed = 0;
  const rows = new Int32Array(count);
  for (const { values, ...facts } of variables) {
    await yieldToPage();
    const column = codes.length === count ? byCode(values, codes) : meansOf(values, codes, rows);
    if (unitsDiffering(column) < LEAST_DIFFERENT) {
      if (facts.kind) continue;
      rare.push(facts.name);
      mixed = Math.max(mixed, facts.share ? distanceFromMix(column) : Infinity);
      continue;
    }
    const scale = standardise(column);
    if (scale > 1e-9) kept.push({ facts, scale, column });
  }
  const data = new Float64Array(count * kept.length);
  kept.forEach(({ column }, place) => {
    putColumn(data, place, column);
  });
  return {
    count,
    variables: kept.map(({ facts }) => facts),
    scales: Float64Array.from(kept, ({ scale }) => scale),
    data,
    rare,
    ...(rare.length > 0 && mixed < Infinity ? { mixed } : {}),
  };
}

/** One row per unit. */
function byCode(values: Float64Array, codes: Int32Array): Float64Array {
  const column = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) column[codes[row]] = values[row];
  return column;
}

/** @param rows a place to count the rows of each unit in */
function meansOf(values: Float64Array, codes: Int32Array, rows: Int32Array): Float64Array {
  const means = new Float64Array(rows.length);
  rows.fill(0);
  for (let row = 0; row < values.length; row++) {
    const unit = codes[row];
    const value = values[row];
    if (unit < 0 || Number.isNaN(value)) continue;
    means[unit] += value;
    rows[unit]++;
  }
  for (let unit = 0; unit < means.length; unit++) means[unit] = rows[unit] > 0 ? means[unit] / rows[unit] : Number.NaN;
  return means;
}

/** Puts a variable in its place in the table. */
function putColumn(data: Float64Array, place: number, column: Float64Array): void {
  const width = data.length / column.length;
  for (let unit = 0, at = place; unit < column.length; unit++, at += width) data[at] = column[unit];
}

/** One variable of the table. */
export function columnAt(data: Float64Array, place: number, width: number): Float64Array {
  const column = new Float64Array(data.length / width);
  for (let unit = 0, at = place; unit < column.length; unit++, at += width) column[unit] = data[at];
  return column;
}

/** Units whose mean is not the commonest one; counted no further than it takes to know that they are enough. */
function unitsDiffering(column: Float64Array): number {
  const counts = new Map<number, number>();
  let [known, most] = [0, 0];
  for (const value of column) {
    if (Number.isNaN(value)) continue;
    known++;
    const times = (counts.get(value) ?? 0) + 1;
    counts.set(value, times);
    most = Math.max(most, times);
    if (counts.size > LEAST_DIFFERENT) return LEAST_DIFFERENT;
  }
  return known - most;
}

/** How far the units are from the commonest mean in sum; infinite where that is one value alone and no mix. */
function distanceFromMix(column: Float64Array): number {
  const sorted = column.slice().sort();
  // Nearly all units have it, the one in the middle too.
  const usual = sorted[sorted.length >> 1];
  return usual > 0 && usual < 1 ? column.reduce((total, value) => total + Math.abs(value - usual), 0) : Infinity;
}

/** Standardises in place and gives the standard deviation; 0 where all are alike. */
function standardise(column: Float64Array): number {
  let [sum, known] = [0, 0];
  for (let at = 0; at < column.length; at++) {
    if (Number.isNaN(column[at])) continue;
    sum += column[at];
    known++;
  }
  const mean = sum / known;
  let squares = 0;
  for (let at = 0; at < column.length; at++) if (!Number.isNaN(column[at])) squares += (column[at] - mean) ** 2;
  const scale = Math.sqrt(squares / (known - 1));
  // A missing mean is put at 0, so that the permutation's variance is that of the full column.
  const unit = Math.sqrt(squares / (column.length - 1)) || 1;
  for (let at = 0; at < column.length; at++) column[at] = Number.isNaN(column[at]) ? 0 : (column[at] - mean) / unit;
  return scale;
}
