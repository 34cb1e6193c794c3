/** A class label or an id as the caller wrote it. */
export type Label = string | number | boolean;

/** Codes by ascending value: numbers by size, strings by code unit, false before true. */
export function encode<T extends Label>(values: ArrayLike<T>): { classes: T[]; codes: Int32Array } {
  const integers = encodeIntegers(values);
  if (integers) return { classes: integers.classes as T[], codes: integers.codes };
  const codeOf = new Map<T, number>();
  const codes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    // Neighbours are often equal, and comparing with the row before is cheaper than a look into the map.
    let code = i > 0 && value === values[i - 1] ? codes[i - 1] : codeOf.get(value);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(value, code);
    }
    codes[i] = code;
  }
  const classes = [...codeOf.keys()].sort((a, b) => (a < b ? -1 : 1));
  const rank = new Int32Array(classes.length);
  for (let at = 0; at < classes.length; at++) rank[codeOf.get(classes[at]) as number] = at;
  for (let i = 0; i < codes.length; i++) codes[i] = rank[codes[i]];
  return { classes, codes };
}

/** Codes of integers that lie close together: a table is ten times as fast as a map. Undefined for anything else. */
export function encodeIntegers(values: ArrayLike<unknown>): { classes: number[]; codes: Int32Array } | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isInteger(value)) return undefined;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const width = high - low + 1;
  if (!(width > 0 && width <= 4 * values.length)) return undefined;
  const rank = new Int32Array(width);
  for (let i = 0; i < values.length; i++) rank[(values[i] as number) - low] = 1;
  const classes: number[] = [];
  for (let at = 0; at < width; at++) if (rank[at] === 1) rank[at] = classes.push(low + at) - 1;
  const codes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) codes[i] = rank[(values[i] as number) - low];
  return { classes, codes };
}

/** Codes of units, and how many there are: of rows in ascending order, each on its own, no list is made, which would take long. */
export function unitCodes(units: ArrayLike<number>): {
  readonly classes: { readonly length: number };
  readonly codes: Int32Array;
} {
  for (let row = 1; row < units.length; row++) if (!(units[row] > units[row - 1])) return encode(units);
  const { length } = units;
  // Row numbers are their own codes.
  if (units instanceof Int32Array && units[0] === 0 && units[length - 1] === length - 1)
    return { classes: units, codes: units };
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) codes[row] = row;
  return { classes: units, codes };
}

/** How often each code 0 ... count-1 occurs. */
export function tally(codes: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(count);
  for (let i = 0; i < codes.length; i++) counts[codes[i]]++;
  return counts;
}

/** Row numbers by ascending code, rows of one code in their own order. */
export function rowsByCode({ classes, codes }: { readonly classes: ArrayLike<unknown>; readonly codes: Int32Array }) {
  const next = new Int32Array(classes.length + 1);
  for (let row = 0; row < codes.length; row++) next[codes[row] + 1]++;
  for (let code = 0; code < classes.length; code++) next[code + 1] += next[code];
  const rows = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[next[codes[row]]++] = row;
  return rows;
}

/** Ascending row numbers of each code; `counts` as {@link tally} gives them. */
export function rowsPerCode(codes: Int32Array, counts: Int32Array): Int32Array[] {
  const rows = Array.from(counts, (count) => new Int32Array(count));
  const filled = new Int32Array(counts.length);
  for (let row = 0; row < codes.length; row++) rows[codes[row]][filled[codes[row]]++] = row;
  return rows;
}
