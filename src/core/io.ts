/** What `#io` offers on every platform: io.node.ts in Node, io.default.ts in browsers and elsewhere. */

/** Where progress is written. */
export interface Terminal {
  /** True when the same line can be drawn again. */
  readonly isTTY: boolean;
  /** Width in characters. */
  readonly columns: number;
  /** Writes `text` as it is; a line ends where the caller ends it with `\n`. */
  write(text: string): void;
}
