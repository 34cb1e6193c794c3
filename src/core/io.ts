/** What `#io` offers: io.node.ts in Node, io.default.ts elsewhere. */

export interface Terminal {
  readonly isTTY: boolean;
  readonly columns: number;
  /** Writes `text` as it is; a line ends where the caller ends it with `\n`. */
  write(text: string): void;
}

/** The part of `node:fs/promises` that is needed. */
export interface Files {
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
  writeFile(path: string | URL, data: string | Iterable<Uint8Array>): Promise<void>;
  /** Without `recursive` the folder above must be there, and the folder itself must not. */
  mkdir(path: string | URL, options?: { recursive: true }): Promise<unknown>;
  rename(from: string | URL, to: string | URL): Promise<void>;
  symlink(target: string, path: string | URL): Promise<void>;
  readlink(path: string | URL): Promise<string>;
  link(from: string | URL, to: string | URL): Promise<void>;
  rm(path: string | URL, options: { force: true; recursive?: boolean }): Promise<void>;
  rmdir(path: string | URL): Promise<void>;
  readdir(path: string | URL): Promise<string[]>;
  open(path: string | URL, flags: 'a+' | 'wx' | 'r' | 'r+', mode?: number): Promise<OpenFile>;
  realpath(path: string | URL): Promise<string>;
  lstat(path: string | URL): Promise<FileFacts>;
}

export interface FileFacts {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface OpenFile {
  stat(): Promise<FileFacts>;
  read(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  appendFile(data: string | Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A value that belongs to a piece of work, until what it returns is settled. */
export interface WorkScope<T> {
  run<R>(value: T, work: () => R): R;
  /** Node follows work through every `await` and timer; elsewhere it is the value of the work that began last and goes on. */
  get(): T | undefined;
}

export interface Sha256 {
  update(bytes: Uint8Array): void;
  digest(): string;
}
