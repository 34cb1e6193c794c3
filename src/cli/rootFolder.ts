/** Files below one folder: what a server reads that takes its paths from a program. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';

const WAY = 'Another folder is named where the server starts: cvkit mcp --root FOLDER.';

const outside = (got: string) =>
  new InvalidOptionError(sentence('A path', 'lie in the folder of `cvkit mcp`', phrase(got), WAY), {
    code: 'outside_root',
  });

const notThere = (must: string, got: string, cause?: unknown) =>
  new InvalidOptionError(sentence('A path', must, phrase(got)), { code: 'no_file', cause });

export class RootFolder {
  readonly #named: string;
  readonly #real: string;

  private constructor(named: string, real: string) {
    this.#named = named;
    this.#real = real;
  }

  static async open(named: string): Promise<RootFolder> {
    const real = await realpath(named).catch((cause: unknown): never => {
      throw notThere('be a folder that exists', 'none of that name', cause);
    });
    if (!(await stat(real)).isDirectory()) throw notThere('be a folder', 'a file');
    return new RootFolder(resolve(named), real);
  }

  /** The place of a file, all links followed. */
  async file(path: string): Promise<string> {
    const place = await this.#place(path);
    // A pipe or a device would be waited for.
    if (!(await stat(place)).isFile()) throw notThere('be that of a file', 'another thing');
    return place;
  }

  /** The place of a file, or of a folder without links: whoever reads it leaves it nowhere. */
  async fileOrFolder(path: string): Promise<{ readonly place: string; readonly isFolder: boolean }> {
    const place = await this.#place(path);
    if (!(await stat(place)).isDirectory()) return { place: await this.file(path), isFolder: false };
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    if (entries.some((entry) => entry.isSymbolicLink())) throw outside('a folder with links in it');
    return { place, isFolder: true };
  }

  async #place(path: string): Promise<string> {
    // Before anything is touched: `\\host\share` would call another machine.
    if (path.includes('\0') || /^[\\/]{2}/.test(path)) throw outside('one of another kind');
    const place = resolve(this.#named, path);
    if (![this.#named, this.#real].some((root) => isBelow(root, place))) throw outside('one elsewhere');
    const real = await realpath(place).catch((cause: unknown): never => {
      throw notThere('be that of a file or folder that can be read', 'none', cause);
    });
    if (!isBelow(this.#real, real)) throw outside('a link to elsewhere');
    return real;
  }
}

function isBelow(root: string, place: string): boolean {
  const way = relative(root, place);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
