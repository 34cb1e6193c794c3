/** What hangs together among 0 ... count-1, directly or through others (union-find). */
export class Components {
  readonly #parent: Int32Array;

  constructor(count: number) {
    this.#parent = Int32Array.from({ length: count }, (_, item) => item);
  }

  join(a: number, b: number): void {
    const [rootA, rootB] = [this.#root(a), this.#root(b)];
    this.#parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  /** Items with a negative code stay as they are. */
  joinEqual(codes: Int32Array): void {
    const first = new Map<number, number>();
    codes.forEach((code, item) => {
      if (code < 0) return;
      const lead = first.get(code);
      if (lead === undefined) first.set(code, item);
      else this.join(lead, item);
    });
  }

  /** Set of each item, 0 ... count-1 in the order of their smallest members, and their sizes. */
  codes(): { readonly codes: Int32Array; readonly sizes: readonly number[] } {
    const codes = new Int32Array(this.#parent.length);
    const sizes: number[] = [];
    for (let item = 0; item < codes.length; item++) {
      const root = this.#root(item);
      codes[item] = root === item ? sizes.push(0) - 1 : codes[root];
      sizes[codes[item]]++;
    }
    return { codes, sizes };
  }

  #root(item: number): number {
    const parent = this.#parent;
    while (parent[item] !== item) {
      parent[item] = parent[parent[item]];
      item = parent[item];
    }
    return item;
  }
}
