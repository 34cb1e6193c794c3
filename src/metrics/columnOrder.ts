/** The order of columns of probabilities, compared with the labels that the model predicts itself. */

/** Share of the rows in which labels and columns agree when the order of the columns is right. */
const AGREES = 0.95;

/**
 * The code of the class that belongs to each column, when another order than the given one fits the labels and the
 * given one does not; else undefined.
 *
 * @param columns the most probable column of each row
 * @param labels code of the predicted label of each row
 * @param width number of columns
 */
export function otherOrder(
  columns: ArrayLike<number>,
  labels: ArrayLike<number>,
  width: number,
): readonly number[] | undefined {
  // A model's own cut-off may put every row into one class, which tells nothing about the order.
  if (new Set(Array.from(columns)).size < 2 || new Set(Array.from(labels)).size < 2) return undefined;
  const order = bestOrder(columns, labels, width);
  const share = (codeOf: (column: number) => number) =>
    Array.from(columns).filter((column, row) => codeOf(column) === labels[row]).length / columns.length;
  return share((column) => column) <= AGREES && share((column) => order[column]) > AGREES ? order : undefined;
}

/** By column the label that goes with it, the most frequent pairs first. */
function bestOrder(columns: ArrayLike<number>, labels: ArrayLike<number>, width: number): number[] {
  const counts = new Map<number, number>();
  for (let row = 0; row < columns.length; row++) {
    const pair = columns[row] * width + labels[row];
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const order = new Map<number, number>();
  const left = new Set(Array.from({ length: width }, (_, code) => code));
  for (const [pair] of [...counts].sort((a, b) => b[1] - a[1])) {
    const [column, code] = [Math.floor(pair / width), pair % width];
    if (!order.has(column) && left.delete(code)) order.set(column, code);
  }
  const rest = left.values();
  return Array.from({ length: width }, (_, column) => order.get(column) ?? (rest.next().value as number));
}
