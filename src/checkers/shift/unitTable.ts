import { mean, sum } from '../../core/numbers.js';
import { presentIn } from '../../core/numbersWhere.js';
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
  for (const { values, ...facts } of variables) {
    await yieldToPage();
    const column = meansOf(values, codes, count);
    if (unitsDiffering(column) < LEAST_DIFFERENT) {
      if (facts.kind) continue;
      rare.push(facts.name);
      mixed = Math.max(mixed, facts.share ? distanceFromMix(column) : Infinity);
      continue;
    }
    const scale = standardise(column);
    if (scale > 1e-9) kept.push({ facts, scale, column });
  }
  const width = kept.length;
  const data = new Float64Array(count * width);
  kept.forEach(({ column }, place) => {
    for (let unit = 0; unit < count; unit++) data[unit * width + place] = column[unit];
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

/** The mean of each unit, NaN without a value; rows of the unit -1 do not count. */
export function meansOf(values: Float64Array, codes: Int32Array, count: number): Float64Array {
  const means = new Float64Array(count);
  const rows = new Int32Array(count);
  for (let row = 0; row < values.length; row++) {
    const unit = codes[row];
    const value = values[row];
    if (unit < 0 || Number.isNaN(value)) continue;
    means[unit] += value;
    rows[unit]++;
  }
  return means.map((sum, unit) => (rows[unit] > 0 ? sum / rows[unit] : Number.NaN));
}

/** One variable of the table. */
export const columnAt = (data: Float64Array, place: number, width: number): Float64Array =>
  Float64Array.from({ length: data.length / width }, (_, unit) => data[unit * width + place]);

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
  const known = presentIn(column);
  const centre = mean(known);
  const squares = sum(known.map((value) => (value - centre) ** 2));
  // A missing mean is put at 0, so that the permutation's variance is that of the full column.
  const unit = Math.sqrt(squares / (column.length - 1)) || 1;
  for (let at = 0; at < column.length; at++) column[at] = Number.isNaN(column[at]) ? 0 : (column[at] - centre) / unit;
  return Math.sqrt(squares / (known.length - 1));
}
