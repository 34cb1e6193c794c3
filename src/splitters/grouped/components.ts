/** What hangs together among 0 ... count-1, directly or through others; each set is known by its smallest member. */
export class Components {
  readonly #parent: Int32Array;

  constructor(count: number) {
    this.#parent = Int32Array.from({ length: count }, (_, item) => item);
  }

  join(a: number, b: number): void {
    const [rootA, rootB] = [this.#root(a), this.#root(b)];
    this.#parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  /** The sets as codes 0 ... count-1 in the order of their smallest members. */
  numbered(): { codes: Int32Array; count: number } {
    const codes = new Int32Array(this.#parent.length);
    let count = 0;
    for (let item = 0; item < codes.length; item++) {
      const root = this.#root(item);
      codes[item] = root === item ? count++ : codes[root];
    }
    return { codes, count };
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
