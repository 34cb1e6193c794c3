/** Which files are meant: those below a folder, those of a list, or those of a CSV file. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidDataError, kindOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject } from '../../core/options.js';
import type { ImageOptions } from './imageFile.js';

/** One file of a manifest. Everything besides `file` belongs to all rows of it. */
export interface ManifestEntry {
  /** Path, below `root`. */
  readonly file: string;
  /** Label. */
  readonly y?: string | number | boolean;
  /** Patient. */
  readonly group?: string | number;
  readonly site?: string | number;
  readonly study?: string | number;
  readonly series?: string | number;
}

const KEYS = ['file', 'y', 'group', 'site', 'study', 'series'] as const;

/** What a path, URL or list names. */
export interface Listing {
  /** Whether every file was named one by one: then each must be an image. */
  readonly named: boolean;
  readonly files: readonly ListedFile[];
}

export interface ListedFile {
  readonly path: string;
  readonly name: string;
  readonly entry: ManifestEntry;
}

/** @throws {InvalidDataError} for a manifest that is none; what the file system throws for a path that is not there */
export async function listFiles(where: unknown, { root }: ImageOptions): Promise<Listing> {
  if (Array.isArray(where)) return listed(where, root ?? process.cwd());
  const path = where instanceof URL ? fileURLToPath(where) : where;
  if (typeof path !== 'string' || path === '') {
    throw new InvalidDataError(
      sentence('The images', 'be a folder, a CSV file, or a list of { file, y, group }', kindOf(where)),
    );
  }
  const found = await stat(path).catch((error) => {
    throw new InvalidDataError(sentence(`The path '${nameText(path, 160)}'`, 'be there', phrase('nothing')), {
      code: 'missing_file',
      cause: error,
    });
  });
  if (found.isDirectory()) return below(path);
  if (!/^\.(csv|tsv)$/i.test(extname(path))) return listed([{ file: basename(path) }], root ?? dirname(path));
  return listed(csvEntries(await readFile(path, 'utf8'), path), root ?? dirname(path));
}

/** All files below a folder in the order of their paths; hidden ones are left out. */
async function below(folder: string): Promise<Listing> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !/(^|\/)\./.test(name))
    // By code units, so that the order of rows is the same on every machine.
    .sort((a, b) => (a < b ? -1 : 1));
  return { named: false, files: names.map((name) => ({ path: join(folder, name), name, entry: { file: name } })) };
}

function listed(entries: readonly unknown[], root: string): Listing {
  const seen = new Map<string, number>();
  const files = entries.map((entry, at): ListedFile => {
    const subject = `Entry ${at} of the images`;
    if (!isPlainObject(entry) || typeof entry.file !== 'string' || entry.file === '') {
      throw new InvalidDataError(sentence(subject, 'be { file, y, group }', kindOf(entry)));
    }
    const odd = Object.keys(entry).find((key) => !KEYS.includes(key as (typeof KEYS)[number]));
    if (odd !== undefined) throw new InvalidDataError(sentence(subject, `have no keys but ${KEYS.join(', ')}`, odd));
    const path = resolve(root, entry.file);
    const before = seen.get(path);
    if (before !== undefined) {
      throw new InvalidDataError(sentence(subject, 'name a file of its own', phrase(`the file of entry ${before}`)));
    }
    seen.set(path, at);
    return { path, name: entry.file.split(sep).join('/'), entry: { ...entry } as unknown as ManifestEntry };
  });
  return { named: true, files };
}

/** A manifest as CSV (RFC 4180), with a header; tabs when the file is named .tsv. Numbers become numbers in `y` alone. */
function csvEntries(text: string, path: string): Record<string, unknown>[] {
  const [header = [], ...lines] = cells(text.replace(/^\ufeff/, ''), /\.tsv$/i.test(path) ? '\t' : ',');
  const keys = header.map((key) => key.trim());
  const subject = `The manifest '${nameText(basename(path))}'`;
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw new InvalidDataError(sentence(subject, 'name each column once', twice));
  if (!keys.includes('file')) throw new InvalidDataError(sentence(subject, "have a column 'file'", keys));
  const entries = lines.map((line, at) => {
    if (line.length === keys.length) return Object.fromEntries(keys.map((key, i) => [key, line[i]]));
    throw new InvalidDataError(
      sentence(`Line ${at + 2} of ${subject}`, `have ${keys.length} cells`, phrase(String(line.length))),
    );
  });
  if (!keys.includes('y')) return entries;
  const labels = asLabels(entries.map(({ y }) => y));
  return entries.map((entry, at) => ({ ...entry, y: labels[at] }));
}

/** Texts, or numbers where all of them are. */
export function asLabels(texts: readonly string[]): (string | number)[] {
  const numeric = texts.every((text) => /^\s*-?\d+(\.\d+)?\s*$/.test(text));
  return numeric ? texts.map(Number) : [...texts];
}

function cells(text: string, delimiter: string): string[][] {
  const lines: string[][] = [[]];
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`, 'gy');
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) {
      const line = text.slice(0, from).split('\n').length;
      throw new InvalidDataError(
        sentence(`Line ${line} of the manifest`, 'be CSV', phrase('a quote that does not close')),
      );
    }
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === delimiter && pattern.lastIndex >= text.length) lines.at(-1)?.push('');
    if (match[3].endsWith('\n')) lines.push([]);
  }
  return lines.filter((line) => line.length > 1 || (line.length === 1 && line[0] !== ''));
}
