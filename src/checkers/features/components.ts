import { Components as Sets } from '../../splitters/grouped/components.js';

/** Rows that hang together; joins whole clusters and tells their sizes. */
export class Components extends Sets {
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
    const { codes, count } = this.numbered();
    const sizes = new Array<number>(count).fill(0);
    for (const code of codes) sizes[code]++;
    return { codes, sizes };
  }
}
