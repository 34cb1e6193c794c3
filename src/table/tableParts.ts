/** What `#table` offers: src/node/table/parts.ts in Node, src/pages/tableParts.ts elsewhere. */

/** Bytes at the beginning that show what a file is. */
export const HEAD = 16;

export interface OpenedFile {
  /** Without folders. */
  readonly name: string;
  readonly size: number;
  /** The first bytes. */
  readonly head: Uint8Array;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}
