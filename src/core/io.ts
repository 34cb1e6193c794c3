/** What `#io` offers on every platform: io.node.ts in Node, io.default.ts in browsers and elsewhere. */

export interface Terminal {
  /** True when the same line can be drawn again. */
  readonly isTTY: boolean;
  readonly columns: number;
  /** Writes `text` as it is; a line ends where the caller ends it with `\n`. */
  write(text: string): void;
}

/** What saving, loading, journals and the cache of data sets need of `node:fs/promises`. */
export interface Files {
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
  writeFile(path: string | URL, data: string | Iterable<Uint8Array>): Promise<void>;
  /** Without `recursive` the folder above must be there, and the folder itself must not. */
  mkdir(path: string | URL, options?: { recursive: true }): Promise<unknown>;
  rename(from: string | URL, to: string | URL): Promise<void>;
  symlink(target: string, path: string | URL): Promise<void>;
  readlink(path: string | URL): Promise<string>;
  /** A second name of a file; an error where something has that name. */
  link(from: string | URL, to: string | URL): Promise<void>;
  rm(path: string | URL, options: { force: true; recursive?: boolean }): Promise<void>;
  /** Removes a folder; an error where it holds something. */
  rmdir(path: string | URL): Promise<void>;
  readdir(path: string | URL): Promise<string[]>;
  /**
   * 'a+': reads anywhere and writes at the end, made where there is none. 'wx', 'ax+': new, an error where there is one. 'r'
   * and 'r+': a file, with 'r' also a folder, that is there.
   */
  open(path: string | URL, flags: 'a+' | 'wx' | 'ax+' | 'r' | 'r+'): Promise<OpenFile>;
  /** Where a path leads to, without links. */
  realpath(path: string | URL): Promise<string>;
  /** Facts of what is at a path; of a link, not of what it leads to. */
  lstat(path: string | URL): Promise<FileFacts>;
}

/** Which file it is, its size in bytes, and when it was changed, in milliseconds. */
export interface FileFacts {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** No folder, link, pipe or device. */
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface OpenFile {
  stat(): Promise<FileFacts>;
  /** Reads up to `length` bytes from `position` to place `offset` of `bytes`. */
  read(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  appendFile(data: string | Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Waits until what was written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
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
  digest(): string;
}
