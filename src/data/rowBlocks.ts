/** Few enough that the cells of the rows of most tables stay in the fast memory of a processor. */
const ROWS = 32;

/** For turning rows into columns and back: a column at a time would read all of the memory once for each column. */
export function byRowBlocks(length: number, act: (from: number, to: number) => void): void {
  for (let from = 0; from < length; from += ROWS) act(from, Math.min(length, from + ROWS));
}
