/** Several inputs as one: a record of views, taken in step. */
import type { Dense, InputRows, RowReader, Rows } from './rows.js';

/** The rows of an input; `null` means all. */
export const takeOf = (part: Rows, rows: Int32Array | null) => (rows ? part.take(rows) : part);

/** The window in which rows of all of these can be read side by side: the narrowest. */
export function leastWindow(all: readonly Rows[]): number | undefined {
  const windows = all.flatMap(({ window }) => window ?? []);
  return windows.length > 0 ? Math.min(...windows) : undefined;
}

/** Reads the inputs of a record, each by itself or all side by side. */
export function inputReader(parts: Readonly<Record<string, Rows>>): Required<RowReader> {
  const entries = Object.entries(parts);
  const inputs = async (rows: Int32Array | null) => {
    const read: InputRows[] = [];
    // One after the other: an input may be a row source that reads much at a time.
    for (const [input, part] of entries) read.push({ name: input, ...(await takeOf(part, rows).toDense()) });
    return read;
  };
  return {
    inputs,
    dense: async (rows) => sideBySide(await inputs(rows)),
    async arrays(rows) {
      const columns: [string, unknown[]][] = [];
      for (const [input, part] of entries) columns.push([input, await takeOf(part, rows).toArrays()]);
      return columns[0][1].map((_, row) => Object.fromEntries(columns.map(([input, values]) => [input, values[row]])));
    },
  };
}

/** One row of all inputs after the other, each row flat. */
function sideBySide(inputs: readonly InputRows[]): Dense {
  const n = inputs[0].shape[0];
  const widths = inputs.map(({ data }) => data.length / n);
  const width = widths.reduce((sum, each) => sum + each, 0);
  const data = new Float64Array(n * width);
  let at = 0;
  inputs.forEach((input, i) => {
    for (let row = 0; row < n; row++) {
      data.set(input.data.subarray(row * widths[i], (row + 1) * widths[i]), row * width + at);
    }
    at += widths[i];
  });
  return { data, shape: [n, width] };
}
