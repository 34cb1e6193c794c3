/** Rows on their way through several steps. */
import type { Rows } from '../data/rows.js';
import { readTable, type Table, tableRows } from './table.js';

/** Rows between two steps, as rows and as a table; the one is made from the other when it is asked for. */
export class Stage {
  #rows: Rows | undefined;
  #table: Table | undefined;

  constructor(content: { readonly rows: Rows } | { readonly table: Table }) {
    if ('rows' in content) this.#rows = content.rows;
    else this.#table = content.table;
  }

  get length(): number {
    return (this.#table ?? (this.#rows as Rows)).length;
  }

  rows(): Rows {
    this.#rows ??= tableRows(this.#table as Table);
    return this.#rows;
  }

  /** The table, where it was made already. */
  get known(): Table | undefined {
    return this.#table;
  }

  async table(): Promise<Table> {
    this.#table ??= await readTable(this.#rows as Rows);
    return this.#table;
  }
}
