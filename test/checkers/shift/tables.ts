/** Tables and folds as the references have them. */
import type { TestShares } from '../../../src/checkers/shift/foldUnits.js';
import type { UnitTable } from '../../../src/checkers/shift/unitTable.js';

/** Rows of values as they are, taken for standardised. */
export const tableOf = (rows: readonly (readonly number[])[]): UnitTable => ({
  count: rows.length,
  variables: rows[0].map((_, at) => ({ name: `v${at}` })),
  scales: Float64Array.from(rows[0], () => 1),
  data: Float64Array.from(rows.flat()),
  rare: [],
});

/** A fold from the test share of every unit. */
export function sharesOf(all: readonly number[], at = 0): TestShares {
  const units = Int32Array.from(all.keys()).filter((unit) => all[unit] > 0);
  const sum = all.reduce((total, share) => total + share, 0);
  const squares = all.reduce((total, share) => total + share * share, 0);
  return {
    id: `fold-${at}`,
    units,
    shares: Float64Array.from(units, (unit) => all[unit]),
    spread: Math.sqrt(squares - (sum * sum) / all.length),
    enough: true,
  };
}
