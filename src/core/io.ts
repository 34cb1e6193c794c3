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

/** What saving and loading need of `node:fs/promises`. */
export interface Files {
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
  writeFile(path: string | URL, data: string | Iterable<Uint8Array>): Promise<void>;
  mkdir(path: string | URL, options: { recursive: true }): Promise<unknown>;
  rename(from: string | URL, to: string | URL): Promise<void>;
  rm(path: string | URL, options: { force: true }): Promise<void>;
}

/** A value that belongs to a piece of work, which may be asynchronous. */
export interface WorkScope<T> {
  /** Does `work` with `value`, until what it returns is settled. */
  run<R>(value: T, work: () => R): R;
  /**
   * The value of the work that asks. Node follows work through every `await` and timer; elsewhere it is the value of
   * the work that began last and goes on.
   */
  get(): T | undefined;
}

/** A running SHA-256: feed it in order, then take the digest once. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** 64 hexadecimal digits. */
  digest(): string;
}
