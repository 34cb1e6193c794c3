import { tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
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
 * @param rows those that are looked at, where not all are
 */
export function* featureVariables(
  { columns }: Pick<Features, 'columns'>,
  levelText: (column: Column) => (code: number) => string,
  rows?: Int32Array,
): Generator<Variable> {
  for (const column of columns) {
    const values = rows ? gather(column.values, rows) : column.values;
    const missing = missingIn(values);
    if (column.kind === 'category') yield* levelsOf({ ...column, values }, levelText(column));
    else if (missing < values.length) {
      const { distinct } = columnRanks({ values });
      if (distinct > 1) yield { name: column.name, values: normalScores(values), distinct };
    }
    if (missing > 0 && missing < values.length) {
      yield indicator(`${column.name} (missing)`, values, (value) => (Number.isNaN(value) ? 1 : 0));
    }
  }
}

function missingIn(values: Float64Array): number {
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
