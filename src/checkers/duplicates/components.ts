/** What hangs together: connected components, by union and find. */
export class Components {
  readonly #parent: Int32Array;

  constructor(n: number) {
    this.#parent = new Int32Array(n).map((_, at) => at);
  }

  join(a: number, b: number): void {
    const [first, second] = [this.#rootOf(a), this.#rootOf(b)];
    // The lower number leads, so that components are numbered by their first row.
    this.#parent[Math.max(first, second)] = Math.min(first, second);
  }

  /** Joins all rows of one code; rows with a negative code stay as they are. */
  joinEqual(codes: Int32Array): void {
    const first = new Map<number, number>();
    codes.forEach((code, row) => {
      if (code < 0) return;
      const lead = first.get(code);
      if (lead === undefined) first.set(code, row);
      else this.join(lead, row);
    });
  }

  /** Component of each row, 0 ... count-1 in order of first rows, and their sizes. */
  codes(): { readonly codes: Int32Array; readonly sizes: readonly number[] } {
    const codes = new Int32Array(this.#parent.length);
    const sizes: number[] = [];
    for (let row = 0; row < codes.length; row++) {
      const root = this.#rootOf(row);
      codes[row] = root === row ? sizes.push(0) - 1 : codes[root];
      sizes[codes[row]]++;
    }
    return { codes, sizes };
  }

  #rootOf(row: number): number {
    const parent = this.#parent;
    while (parent[row] !== row) {
      parent[row] = parent[parent[row]];
      row = parent[row];
    }
    return row;
  }
}
