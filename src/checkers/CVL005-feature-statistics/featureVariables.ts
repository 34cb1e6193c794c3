import { tally } from '../../data/encode.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { normalScores } from '../shift/normalScores.js';
import type { Variable } from '../shift/unitTable.js';

/** Levels with a smaller share of the rows are looked at together. */
const RARE = 0.02;

/**
 * What is compared of features: normal scores of numbers, shares of the levels of categories, shares missing.
 *
 * @param levelText how the levels of a column are printed, by code: see {@link levelTexts}
 */
export function* featureVariables(
  { columns, n }: Features,
  levelText: (column: Column) => (code: number) => string,
): Generator<Variable> {
  for (const column of columns) {
    const missing = missingIn(column);
    if (column.kind === 'category') yield* levelsOf(column, levelText(column));
    else if (missing < n) {
      const { distinct } = columnRanks(column);
      if (distinct > 1) yield { name: column.name, values: normalScores(column.values), distinct };
    }
    if (missing > 0 && missing < n) {
      yield indicator(`${column.name} (missing)`, column.values, (value) => (Number.isNaN(value) ? 1 : 0));
    }
  }
}

function missingIn({ values }: Column): number {
  let missing = 0;
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row])) missing++;
  return missing;
}

/** One variable per level; of two levels one says it all. */
function* levelsOf({ name, values, levels = [] }: Column, textOf: (code: number) => string): Generator<Variable> {
  const present = values.filter((code) => !Number.isNaN(code));
  const counts = tally(Int32Array.from(present), levels.length);
  const common = [...levels.keys()].filter((code) => counts[code] >= RARE * present.length);
  for (const code of common.length === 2 && levels.length === 2 ? common.slice(1) : common) {
    yield indicator(`${name} = ${textOf(code)}`, values, (value) => share(value, value === code));
  }
  if (common.length < levels.length) {
    const isCommon = new Set(common);
    yield indicator(`${name} = rare levels`, values, (value) => share(value, !isCommon.has(value)));
  }
}

const share = (value: number, holds: boolean) => (Number.isNaN(value) ? Number.NaN : Number(holds));

const indicator = (name: string, values: Float64Array, of: (value: number) => number): Variable => ({
  name,
  values: values.map(of),
  share: true,
});
