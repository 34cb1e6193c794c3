import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidDataError, invalidData, kindOf, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject } from '../../core/options.js';
import { numberIn } from '../../table/cellColumn.js';
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

export interface Listing {
  /** Full sentences for a report. */
  readonly notes?: readonly string[];
  /** Whether every file was named one by one: then each must be an image. */
  readonly named: boolean;
  readonly files: readonly ListedFile[];
  /** Links to files or folders that are there already. */
  readonly again: readonly string[];
}

export interface ListedFile {
  readonly path: string;
  readonly name: string;
  readonly entry: ManifestEntry;
}

/** @throws {InvalidDataError} for a manifest that is none, and a path that is not there */
export async function listFiles(where: unknown, { root }: ImageOptions): Promise<Listing> {
  if (root !== undefined) await there('The `root` of the images', root);
  if (Array.isArray(where)) {
    // Without a root, a list of the caller may name any file.
    return root === undefined ? listed(where, process.cwd()) : within(root, where);
  }
  const path = where instanceof URL ? fileURLToPath(where) : where;
  if (typeof path !== 'string' || path === '') {
    const must = 'be a folder, a CSV file, or a list of { file, y, group }';
    throw new InvalidDataError(sentence('The images', must, kindOf(where)));
  }
  const found = await there('The folder or file of images', path);
  if (found.isDirectory()) return below(path);
  if (!/^\.(csv|tsv)$/i.test(extname(path))) return listed([{ file: basename(path) }], root ?? dirname(path));
  const { entries, notes } = await csvEntries(path);
  return { ...(await within(root ?? dirname(path), entries)), notes };
}

/** @param path as the caller wrote it, so that messages may name it */
const there = (what: string, path: string) =>
  stat(path).catch((cause) => {
    const message = sentence(what, 'be there', phrase(`nothing at '${nameText(path, 200)}'`));
    throw new InvalidDataError(message, { code: 'missing_file', cause });
  });

/** In the order of their paths, without hidden ones. Nothing is taken twice by a link: folds could tear copies apart. */
async function below(folder: string): Promise<Listing> {
  const names: string[] = [];
  const again: string[] = [];
  const links: string[] = [];
  const folders = new Set<string>();
  async function walk(under: string, taken: string[]): Promise<void> {
    const path = join(folder, under);
    const read = async () => ({ here: await realpath(path), entries: await readdir(path, { withFileTypes: true }) });
    const found = await (under === '' ? read() : ifThere(read));
    // A folder that is gone, or may not be read, is an error as a file of that kind is.
    if (!found) return void names.push(under);
    const { here, entries } = found;
    if (folders.has(here)) return void again.push(under);
    folders.add(here);
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const name = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) await walk(name, taken);
      else if (entry.isSymbolicLink()) links.push(name);
      else if (entry.isFile()) taken.push(name);
    }
  }
  await walk('', names);
  const real = await realpath(folder);
  for (const name of names) folders.add(join(real, name));
  // After all else, so that what is there in itself keeps its own name. Links may lead to further links.
  while (links.length > 0) {
    links.sort(byUnits);
    const name = links.shift() as string;
    const target = await ifThere(() => stat(join(folder, name)));
    // A link to nothing is an error as a file that is not there.
    if (!target) names.push(name);
    else if (target.isDirectory()) {
      const found: string[] = [];
      await walk(name, found);
      for (const each of found) await takeOnce(each);
    } else if (target.isFile()) await takeOnce(name);
  }
  async function takeOnce(name: string): Promise<void> {
    const path = (await ifThere(() => realpath(join(folder, name)))) ?? join(folder, name);
    if (folders.has(path)) again.push(name);
    else names.push(name);
    folders.add(path);
  }
  const files = names.sort(byUnits).map((name) => ({ path: join(folder, name), name, entry: { file: name } }));
  return { named: false, files, again: again.sort(byUnits) };
}

const NOT_THERE = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

/** What `ask` gives; undefined where the place that it asks about is not there, or may not be read. */
async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (NOT_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** By code units, so that the order of rows is the same on every machine. */
const byUnits = (a: string, b: string) => (a < b ? -1 : 1);

/** The listed files, none outside of the root, also by a link: a list that others wrote could name any file of this machine. */
async function within(root: string, entries: readonly unknown[]): Promise<Listing> {
  const listing = listed(entries, root);
  const real = (await ifThere(() => realpath(root))) ?? resolve(root);
  const isOutside = (from: string, to: string) =>
    /^\.\.([/\\]|$)/.test(relative(from, to)) || isAbsolute(relative(from, to));
  for (const [at, { path, name }] of listing.files.entries()) {
    const target = await ifThere(() => realpath(path)); // what is not there is told when it is read
    if (!isAbsolute(name) && !isOutside(resolve(root), path) && !(target && isOutside(real, target))) continue;
    const way = 'Name a `root` above all of them.';
    throw invalidData('outside_root', `Entry ${at} of the images`, 'name a file within `root`', 'another place', way);
  }
  return listing;
}

function listed(entries: readonly unknown[], root: string): Listing {
  const firstAt = new Map<string, number>();
  const files = entries.map((entry, at): ListedFile => {
    const subject = `Entry ${at} of the images`;
    if (!isPlainObject(entry) || typeof entry.file !== 'string' || entry.file === '') {
      throw new InvalidDataError(sentence(subject, 'be { file, y, group }', kindOf(entry)));
    }
    const unknown = Object.keys(entry).find((key) => !KEYS.includes(key as (typeof KEYS)[number]));
    if (unknown !== undefined)
      throw new InvalidDataError(sentence(subject, `have no keys but ${KEYS.join(', ')}`, unknown));
    const path = resolve(root, entry.file);
    const before = firstAt.get(path);
    if (before !== undefined) {
      throw new InvalidDataError(sentence(subject, 'name a file of its own', phrase(`the file of entry ${before}`)));
    }
    firstAt.set(path, at);
    return { path, name: entry.file.split(sep).join('/'), entry: { ...entry } as unknown as ManifestEntry };
  });
  return { named: true, files, again: [] };
}

/** Other letters in place of those that are no UTF-8 would make one patient of two. */
async function textIn(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const must = 'be text in UTF-8';
    throw invalidData('wrong_encoding', `The manifest '${nameText(basename(path))}'`, must, 'bytes that are none');
  }
}

/** RFC 4180 with a header; blanks around cells are left out. Numbers become numbers in `y` alone. */
async function csvEntries(path: string): Promise<{ entries: Record<string, unknown>[]; notes: string[] }> {
  const [header, ...lines] = await cells(await textIn(path), /\.tsv$/i.test(path) ? '\t' : ',');
  const keys = (header?.record ?? []).map((key) => key.trim());
  const subject = `The manifest '${nameText(basename(path))}'`;
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw new InvalidDataError(sentence(subject, 'name each column once', twice));
  if (!keys.includes('file')) throw new InvalidDataError(sentence(subject, "have a column 'file'", keys));
  const isUsed = (key: string) => KEYS.includes(key as (typeof KEYS)[number]);
  const unused = keys.filter((key) => !isUsed(key)).map((key) => `'${nameText(key)}'`);
  const notes = unused.length > 0 ? [`Not used of the manifest: ${unused.join(', ')}. ${COLUMNS}`] : [];
  const entries = lines.map(({ record, info }) => {
    if (record.length === keys.length)
      return Object.fromEntries(keys.flatMap((key, at) => (isUsed(key) ? [[key, record[at].trim()]] : [])));
    const line = `Line ${info.lines} of the manifest '${nameText(basename(path))}'`;
    throw new InvalidDataError(sentence(line, `have ${keys.length} cells`, phrase(String(record.length))));
  });
  if (!keys.includes('y')) return { entries, notes };
  const labels = asLabels(entries.map(({ y }) => y));
  return { entries: entries.map((entry, at) => ({ ...entry, y: labels[at] })), notes };
}

const COLUMNS = 'Its columns are file, y (the label), group (the patient), site, study and series.';

/** Texts, or numbers where all of them are: `01` is none, it would be the same as `1`. */
export function asLabels(texts: readonly string[]): (string | number)[] {
  const numbers = texts.map((text) => numberIn(text, false));
  return numbers.some(Number.isNaN) ? [...texts] : numbers;
}

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function cells(text: string, delimiter: string): Promise<readonly Line[]> {
  const { parse } = await import('csv-parse/sync');
  try {
    const settings = { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, info: true };
    return parse(text, settings) as unknown as Line[];
  } catch (error) {
    const subject = `Line ${(error as { lines?: number }).lines} of the manifest`;
    throw new InvalidDataError(sentence(subject, 'be CSV', phrase('a quote that does not close')));
  }
}
