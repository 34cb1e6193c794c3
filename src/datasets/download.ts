/** The bytes that a loader reads: of `path`, or of the published file, from the cache or from its address. */
import { cacheHome, files, readBytes } from '#io';
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Files, OpenFile } from '../core/io.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
import { pathOfPlace } from '../core/pathOfPlace.js';
import { freshSeed } from '../core/random.js';
import { sha256Of } from '../core/sha256Of.js';
import type { Dataset } from './dataset.js';
import { emptied, fetchBytes, type Half } from './fetchBytes.js';
import { type downloadOptions, MOST_STALL, MOST_TIME } from './loaderTables.js';
import { type PublishedFile, type Verified, verifiedContent } from './publishedFile.js';

export interface Source {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** A sentence that the description ends with where the data are not the published ones; else empty. */
  readonly remark: string;
  readonly facts: Pick<Dataset, 'sha256' | 'warnings'>;
}

/** Takes the content out of what `path` may lead to, for example an archive. */
type Opened = (bytes: Uint8Array, name: string) => Promise<Uint8Array> | Uint8Array;

export async function readSource(
  file: PublishedFile,
  { path, ...options }: DownloadOptions & { readonly path: string | URL | undefined },
  opened?: Opened,
): Promise<Source> {
  if (path !== undefined) return atPath(path, file, options.signal, opened);
  const { content, sha256, warnings } = await download(file, options);
  const facts = { sha256, ...(warnings.length > 0 ? { warnings } : {}) };
  return { bytes: content, name: file.content, remark: '', facts };
}

/** What is at `path`. It may be another file than the published one; `remark` says so. */
export async function atPath(
  path: string | URL,
  published: Pick<PublishedFile, 'content' | 'sha256'>,
  signal: AbortSignal | undefined,
  opened: Opened = (bytes) => bytes,
): Promise<Source> {
  const name = nameText(`${path}`.split(/[/\\]/).at(-1) ?? '');
  const bytes = await opened(await readBytes(path, signal), name);
  const sha256 = await sha256Of(bytes);
  const isPublished = sha256 === published.sha256;
  const remark = isPublished ? '' : ` These rows are not the published ${published.content}, or not all of it.`;
  return { bytes, name, remark, facts: { sha256 } };
}

export type DownloadOptions = OptionsOf<OptionTable<typeof downloadOptions>>;

export interface Downloaded extends Verified {
  readonly warnings: readonly string[];
}

/**
 * The file from the cache where it is there with the right hash; else from its address, and then into the cache. A download that
 * breaks off leaves what came (`<file>.part`), and the next one goes on from there. The file takes its place by renaming, so that
 * loads at the same time see a whole file or none. `warnings` names a cached file with another hash, and a cache that could not
 * keep the file.
 *
 * @throws {@link CVKitError} with code `cache_unusable` (the folder cannot be read or written), `checksum`, and those of
 *   {@link fetchBytes}
 */
export async function download(file: PublishedFile, options: DownloadOptions): Promise<Downloaded> {
  options.signal?.throwIfAborted();
  const began = performance.now();
  const disk = files;
  if (!disk) {
    if (options.cacheDir !== undefined) throw noFileSystem(options.cacheDir);
    const { content, sha256 } = await fetched(file, options, inMemory(), began);
    return { content, sha256, warnings: [] };
  }
  const folder = cacheFolder(options.cacheDir);
  const target = `${folder}/${file.name}`;
  const inCache = <T>(work: () => Promise<T>) =>
    work().catch((cause: unknown) => {
      throw cause instanceof CVKitError ? cause : unusable(folder, cause);
    });
  const prepared = inCache(async () => {
    const cached = await fromCache(file, target, disk);
    if (cached && cached !== 'broken') return cached;
    await makeFolder(disk, folder);
    return { isBroken: cached === 'broken', part: await PartFile.claim(disk, target, file.url) };
  });
  const ready = await inTime(prepared, folder, options, async (late) => {
    if ('part' in late) await late.part.keep();
  });
  if ('content' in ready) return { ...ready, warnings: [] };
  const { part, isBroken } = ready;
  const half = onDisk(part, inCache);
  let found: Verified & { readonly bytes: Uint8Array };
  try {
    found = await fetched(file, options, half, began);
  } catch (error) {
    // What has another hash is of no use; anything else may be the beginning of the file.
    await inCache(() => (isChecksum(error) ? part.discard() : part.keep()));
    throw error;
  }
  const broken = `The file ${file.name} in the cache was not the published one (changed, or cut off), and was downloaded again.`;
  const warnings = isBroken ? [broken] : [];
  try {
    await part.finish(found.bytes);
  } catch (error) {
    warnings.push(
      `The file ${file.name} was downloaded, but the cache folder ${folder} could not keep it: ${messageOf(error)}.`,
    );
  }
  return { content: found.content, sha256: found.sha256, warnings };
}

/** Downloads and verifies. What began with a half file and has another hash is tried once more from its beginning. */
async function fetched(file: PublishedFile, options: DownloadOptions, half: Half, began: number) {
  const { timeout, stallTimeout, signal } = options;
  const most = 2 * file.size + 100_000;
  const request = { url: file.url, name: file.name, half, most, began, timeout, stallTimeout, signal };
  const first = await fetchBytes(request);
  try {
    return { bytes: first.bytes, ...(await verifiedContent(file, first.bytes, file.url)) };
  } catch (error) {
    if (!first.resumed || !isChecksum(error)) throw error;
  }
  const { bytes } = await fetchBytes({ ...request, half: emptied(half) });
  return { bytes, ...(await verifiedContent(file, bytes, file.url)) };
}

/** The cached file; undefined where there is none, and 'broken' where its hash is another. */
async function fromCache(file: PublishedFile, target: string, disk: Files): Promise<Verified | 'broken' | undefined> {
  try {
    const facts = await disk.lstat(target);
    // In a folder that others can write to, a link may lead anywhere, and a pipe may never end.
    if (!facts.isFile() && !facts.isDirectory()) return 'broken';
    return await verifiedContent(file, await disk.readFile(target), 'the cache');
  } catch (error) {
    if (isChecksum(error)) return 'broken';
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw noFile(target, error);
    throw error;
  }
}

const isChecksum = (error: unknown) => error instanceof CVKitError && error.code === 'checksum';

const inMemory = (): Half => ({
  bytes: new Uint8Array(0),
  validator: undefined,
  restart: async () => undefined,
  append: async () => undefined,
});

const onDisk = (part: PartFile, inCache: <T>(work: () => Promise<T>) => Promise<T>): Half => ({
  bytes: part.bytes,
  validator: part.validator,
  restart: (validator) => inCache(() => part.restart(validator)),
  append: (bytes) => inCache(() => part.append(bytes)),
});

const noFileSystem = (folder: string | URL) =>
  new InvalidOptionError(
    sentence('The `cacheDir` option', 'be left out where there is no file system', folder, 'Browsers keep no cache.'),
    { code: 'idle_option' },
  );

const WAY = 'Name another folder in `cacheDir`, or give the file as `path`.';

/** Throws {@link CVKitError} with code `cache_unusable` for a user without a home folder. */
function cacheFolder(named: string | URL | undefined): string {
  if (named !== undefined) {
    const place = String(named);
    if (!/^file:/i.test(place)) return place;
    try {
      return pathOfPlace(place);
    } catch (cause) {
      throw unusable(place, cause);
    }
  }
  const home = cacheHome();
  if (home === undefined) {
    const message = sentence('The cache folder', 'be in the home folder of the user', phrase('no home folder'), WAY);
    throw new CVKitError(message, { code: 'cache_unusable' });
  }
  return `${home}/cvkit`;
}

/**
 * Makes a folder, and those above it that are not there. Step by step: where a file system refuses new folders as if the
 * one above were missing (`/proc`), `mkdir` of Node 20 with `recursive` tries for ever.
 */
async function makeFolder(disk: Files, folder: string): Promise<void> {
  try {
    return await make(disk, folder);
  } catch (error) {
    const above = pathAbove(folder);
    if ((error as { code?: unknown }).code !== 'ENOENT' || above === '' || above === folder) throw error;
    await makeFolder(disk, above);
  }
  await make(disk, folder);
}

/** By hand: patterns take a time that grows with the square of a run of slashes. */
function pathAbove(folder: string): string {
  const isSlash = (at: number) => folder[at] === '/' || folder[at] === '\\';
  let end = folder.length;
  for (const wanted of [true, false, true]) while (end > 0 && isSlash(end - 1) === wanted) end--;
  return folder.slice(0, end);
}

async function make(disk: Files, folder: string): Promise<void> {
  try {
    await disk.mkdir(folder);
  } catch (error) {
    // It is there, as a folder or, as using it will show, as a file. Of the root macOS says EISDIR.
    if (!['EEXIST', 'EISDIR'].includes((error as { code: string }).code)) throw error;
  }
}

/** How long work on the cache may take: `timeout` in seconds. */
interface Limits {
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * What `work` gives, unless the time is over or the signal is aborted first: a disk on a network may never answer.
 *
 * @param late what to do with a result that nobody waits for any more
 */
async function inTime<T>(
  work: Promise<T>,
  folder: string,
  { timeout, signal }: Limits,
  late: (result: T) => Promise<void>,
): Promise<T> {
  let isOver = false;
  let abort: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    const over = (reason: unknown) => {
      isOver = true;
      reject(reason);
    };
    abort = () => over(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    timer = setTimeout(() => over(unusable(folder, new Error(`no answer within ${timeout} s`))), timeout * 1000);
  });
  // In the race, so that an error that comes too late has a reader.
  const answered = work.then(async (result) => {
    if (isOver) await late(result);
    return result;
  });
  try {
    return await Promise.race([answered, end]);
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
  }
}

const unusable = (folder: string, cause: unknown): CVKitError =>
  refused(`The cache folder ${folder}`, 'be a folder that can be read and written', WAY, cause);

const noFile = (path: string, cause: unknown): CVKitError =>
  refused(`The entry ${path} of the cache`, 'be a file', 'Remove it, or name another folder in `cacheDir`.', cause);

const refused = (subject: string, must: string, way: string, cause: unknown) =>
  new CVKitError(sentence(subject, must, phrase(messageOf(cause)), way), { code: 'cache_unusable', cause });

// The half file of a download: `<file>.<id>.part`. Its first two lines are the address and what the server calls this version;
// the bytes follow. Each download writes to a file of its own; who goes on with that of another takes it by renaming it.

/** A half file that nobody has written to for so many milliseconds is abandoned: no program waits so long. */
const LEFT_BEHIND = 2000 * MOST_STALL;
/** One of this age, in milliseconds, is of no use either: no download lasts so long. */
const FORGOTTEN = 1000 * MOST_TIME;

class PartFile implements Half {
  readonly #files: Files;
  readonly #target: string;
  readonly #url: string;
  readonly #own: string;
  #file: OpenFile | undefined;
  #length = 0;
  bytes: Uint8Array = new Uint8Array(0);
  validator: string | undefined;

  private constructor(files: Files, target: string, url: string) {
    this.#files = files;
    this.#target = target;
    this.#url = url;
    this.#own = `${target}.${freshSeed()}.part`;
  }

  /** Takes what an earlier try left of this address, if there is something, and removes what was left long ago beside it. */
  static async claim(files: Files, target: string, url: string): Promise<PartFile> {
    const part = new PartFile(files, target, url);
    const old = `${target}.${freshSeed()}.part`;
    let isTaken = false;
    for (const left of await leftOf(files, target)) {
      if (!isTaken) isTaken = await taken(files, left.path, old);
      else if (left.age > FORGOTTEN) await files.rm(left.path, { force: true });
    }
    const bytes = isTaken ? await part.#leftIn(old) : undefined;
    // A new file: one of that name, or a link, may have been put there to write through it.
    part.#file = await files.open(part.#own, 'ax+');
    // Tried now: what cannot be written is better known before a download than after it.
    try {
      if (bytes) await part.#file.appendFile(bytes);
      else await part.restart(undefined);
      if (isTaken) await files.rm(old, { force: true });
      return part;
    } catch (error) {
      await part.discard();
      throw error;
    }
  }

  /** What another try left; undefined where it is of no use, as of another address, or a link. */
  async #leftIn(old: string): Promise<Uint8Array | undefined> {
    if (!(await this.#files.lstat(old)).isFile()) return undefined;
    const bytes = await this.#files.readFile(old);
    const first = bytes.indexOf(NEW_LINE);
    const second = bytes.indexOf(NEW_LINE, first + 1);
    if (first < 0 || second < 0) return undefined;
    const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
    if (text(0, first) !== this.#url) return undefined;
    this.validator = text(first + 1, second) || undefined;
    this.bytes = bytes.subarray(second + 1);
    this.#length = this.bytes.length;
    return this.#length > 0 ? bytes : undefined;
  }

  async restart(validator: string | undefined): Promise<void> {
    await this.#open.truncate(0);
    await this.#open.appendFile(`${this.#url}\n${validator ?? ''}\n`);
    this.#length = 0;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#open.appendFile(bytes);
    this.#length += bytes.length;
  }

  /** Leaves what came, if something came, for a later try. */
  async keep(): Promise<void> {
    if (this.#length === 0) return this.discard();
    await this.#close();
    await this.#files.rename(this.#own, `${this.#target}.part`);
  }

  async discard(): Promise<void> {
    await this.#close();
    await this.#files.rm(this.#own, { force: true });
  }

  /** The whole file takes its place at once: who reads sees the old one or the new one. Leaves nothing where that fails. */
  async finish(bytes: Uint8Array): Promise<void> {
    try {
      await this.#open.truncate(0);
      await this.#open.appendFile(bytes);
      await this.#open.sync();
      await this.#close();
      await this.#files.rename(this.#own, this.#target);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  get #open(): OpenFile {
    return this.#file as OpenFile;
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

const NEW_LINE = 10;

/** Half files that nobody writes to, the one that a download left on purpose first; ages in milliseconds. */
async function leftOf(files: Files, target: string): Promise<{ path: string; age: number }[]> {
  const at = Math.max(target.lastIndexOf('/'), target.lastIndexOf('\\'));
  const [folder, name] = [target.slice(0, at), target.slice(at + 1)];
  const left: { path: string; age: number }[] = [];
  for (const other of await files.readdir(folder)) {
    if (!other.startsWith(`${name}.`) || !other.endsWith('.part')) continue;
    const found = { path: `${folder}/${other}`, age: await ageOf(files, `${folder}/${other}`) };
    if (other === `${name}.part`) left.unshift(found);
    else if (found.age > LEFT_BEHIND) left.push(found);
  }
  return left;
}

const isGone = (error: unknown) => (error as { code?: unknown }).code === 'ENOENT';

async function ageOf(files: Files, path: string): Promise<number> {
  try {
    return Date.now() - (await files.lstat(path)).mtimeMs;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

async function taken(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.rename(from, to);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
