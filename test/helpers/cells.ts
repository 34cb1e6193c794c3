/** Labels and predictions with these cells of the 2 x 2 table: true positives, false positives, false and true negatives. */
export function rowsOfCells([tp, fp, fn, tn]: readonly number[]): { yTrue: number[]; yPred: number[] } {
  const repeat = (count: number, value: number) => new Array<number>(count).fill(value);
  return {
    yTrue: [...repeat(tp, 1), ...repeat(fp, 0), ...repeat(fn, 1), ...repeat(tn, 0)],
    yPred: [...repeat(tp + fp, 1), ...repeat(fn + tn, 0)],
  };
}
