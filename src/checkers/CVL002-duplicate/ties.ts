/**
 * Columns that stand for one thing, such as what is known of a town, a household or a day: rows that agree in one of them
 * agree in the others, though they are no copies. Fellegi & Sunter 1969, Journal of the American Statistical Association
 * 64:1183 (agreement among pairs that are no match); Cohen 1960, Educational and Psychological Measurement 20:37
 * (agreement beyond chance).
 */
import type { Counts } from './cells.js';

/**
 * Shared values of a column that are looked at, a pair of rows each: so many at least and at most; cells that are
 * compared in all.
 */
const [FEWEST, MOST, CELLS] = [10, 200, 2e6];
/** The share of such pairs that agree, beyond those that do by chance, from which on two columns are tied. */
const TIED = 0.5;
/** Pairs that the share starts from. */
const PRIOR = 1;

export interface Tie {
  readonly parent: number;
  readonly share: number;
}

type Pair = readonly [number, number];

/**
 * The earlier column to which each is tied most, if any; `columns` that tell most come first.
 *
 * @param isPair whether two rows of the sample, by their places, may be compared: not of one unit, nor equal
 * @param differing a copy differs in no more columns than this: pairs that may be copies are left out
 */
export function tiesOf(
  columns: readonly Counts[],
  isPair: (first: number, second: number) => boolean,
  differing: number,
): (Tie | undefined)[] {
  const ties: (Tie | undefined)[] = columns.map(() => undefined);
  const most = Math.min(MOST, Math.floor(CELLS / columns.length ** 2));
  if (most < FEWEST) return ties;
  columns.forEach((parent, at) => {
    const pairs = pairsOf(parent, isPair, most).filter((pair) => differencesIn(columns, pair) > differing);
    if (pairs.length < FEWEST) return;
    for (let child = at + 1; child < columns.length; child++) {
      const { placeOf, rows } = columns[child];
      const alike = pairs.filter(([first, second]) => placeOf[first] === placeOf[second]).length;
      if (alike < TIED * pairs.length) continue;
      const chance = pairs.reduce((sum, [first]) => sum + rows[placeOf[first]] / placeOf.length, 0);
      const share = (alike - chance) / (pairs.length - chance + PRIOR);
      if (share >= Math.max(TIED, ties[child]?.share ?? 0)) ties[child] = { parent: at, share };
    }
  });
  return ties;
}

function pairsOf({ placeOf, rows }: Counts, isPair: (first: number, second: number) => boolean, most: number): Pair[] {
  if (rows.filter((count) => count > 1).length < FEWEST) return [];
  const pairs: Pair[] = [];
  const firsts = new Int32Array(rows.length).fill(-1);
  const done = new Uint8Array(rows.length);
  for (let at = 0; at < placeOf.length && pairs.length < most; at++) {
    const place = placeOf[at];
    if (done[place] === 1) continue;
    if (firsts[place] < 0) firsts[place] = at;
    else if (isPair(firsts[place], at)) {
      pairs.push([firsts[place], at]);
      done[place] = 1;
    }
  }
  return pairs;
}

const differencesIn = (columns: readonly Counts[], [first, second]: Pair): number =>
  columns.filter(({ column, placeOf }) => !column.free && placeOf[first] !== placeOf[second]).length;
