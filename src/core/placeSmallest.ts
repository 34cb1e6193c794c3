/** Puts the rows with the smallest keys before place `wanted` of `first ... last` (Hoare 1961, CACM 4:321). */
export function placeSmallest(
  rows: Int32Array,
  first: number,
  last: number,
  wanted: number,
  keyOf: (row: number) => number,
): void {
  let [from, to] = [first, last];
  while (from < to) {
    const pivot = keyOf(rows[(from + to) >> 1]);
    let [i, j] = [from, to];
    // Both ends stop at keys equal to the pivot, so that duplicates are shared out evenly.
    while (i <= j) {
      while (keyOf(rows[i]) < pivot) i++;
      while (keyOf(rows[j]) > pivot) j--;
      if (i > j) break;
      const row = rows[i];
      rows[i++] = rows[j];
      rows[j--] = row;
    }
    if (wanted <= j) to = j;
    else if (wanted >= i) from = i;
    else return;
  }
}
