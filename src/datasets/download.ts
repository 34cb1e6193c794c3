/** The bytes that a loader reads: of `path`, or of the published file, from the cache or from its address. */
import { cacheHome, files, readBytes } from '#io';
import { cleanupOnError } from '../core/cleanup.js';
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Files } from '../core/io.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
import { pathOfPlace } from '../core/pathOfPlace.js';
import { sha256Of } from '../core/sha256Of.js';
import { orEnded } from '../core/timeLimit.js';
import { errorCode, ifThere, inNewFolder, writeWhole } from '../core/wholeFile.js';
import type { Dataset } from './dataset.js';
import { type Begun, fetchBytes } from './fetchBytes.js';
import type { downloadOptions } from './loaderTables.js';
import { type PublishedFile, type Verified, verifiedContent } from './publishedFile.js';

export interface Source {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** A sentence that the description ends with where the data are not the published ones; else empty. */
  readonly remark: string;
  readonly facts: Pick<Dataset, 'sha256' | 'warnings'>;
}

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

/** From the cache, or from its address and then into the cache; `<file>.part` keeps what came of one that breaks off. */
export async function download(
  file: PublishedFile,
  options: DownloadOptions,
): Promise<Verified & { warnings: readonly string[] }> {
  options.signal?.throwIfAborted();
  const began = performance.now();
  const disk = files;
  if (!disk) {
    if (options.cacheDir !== undefined) {
      const must = 'be left out where there is no file system';
      const message = sentence('The `cacheDir` option', must, options.cacheDir, 'Browsers keep no cache.');
      throw new InvalidOptionError(message, { code: 'idle_option' });
    }
    const { content, sha256 } = await fetched(file, options, { parts: [], validator: undefined }, began);
    return { content, sha256, warnings: [] };
  }
  const folder = cacheFolder(options.cacheDir);
  const target = `${folder}/${file.name}`;
  const half = `${target}.part`;
  const write = (path: string, parts: readonly Uint8Array[]) => writeWhole(disk, path, parts, { overwrite: true });
  const keep = ({ validator = '', parts }: Begun) =>
    write(half, [new TextEncoder().encode(`${file.url}\n${validator}\n`), ...parts]);
  const ready = await inTime(folder, options, async () => {
    const cached = await fromCache(file, target, disk);
    if (cached && cached !== 'broken') return { ...cached, warnings: [] };
    return inNewFolder(disk, folder, async () => {
      const begun = await begunAt(half, file, disk);
      // Tried now: what cannot be written is better known before a download than after it.
      await keep(begun);
      return { isBroken: cached === 'broken', begun };
    });
  });
  if ('content' in ready) return ready;
  const { begun, isBroken } = ready;
  const warnings = isBroken
    ? [`The file ${file.name} in the cache was not the published one (changed, or cut off), and was downloaded again.`]
    : [];
  const { bytes, content, sha256 } = await cleanupOnError(
    () => fetched(file, options, begun, began),
    () => (begun.parts.length > 0 ? keep(begun) : disk.rm(half, { force: true })),
  );
  await disk
    .rm(half, { force: true })
    .then(() => write(target, [bytes]))
    .catch((error: unknown) => {
      const why = `the cache folder ${folder} could not keep it: ${messageOf(ownCause(error))}`;
      warnings.push(`The file ${file.name} was downloaded, but ${why}.`);
    });
  return { content, sha256, warnings };
}

/** More bytes than this are not the file; it may be packed, or have grown. */
const mostBytes = ({ size }: PublishedFile) => 2 * size + 100_000;

/** What began with a half file and has another hash is tried once more from its beginning. */
async function fetched(file: PublishedFile, options: DownloadOptions, begun: Begun, began: number) {
  const request = { ...options, url: file.url, name: file.name, begun, most: mostBytes(file), began };
  for (;;) {
    const { bytes, resumed } = await fetchBytes(request);
    try {
      return { bytes, ...(await verifiedContent(file, bytes, file.url)) };
    } catch (error) {
      // Of no use to a later try; anything else that came may be the beginning of the file.
      begun.parts = [];
      if (!resumed) throw error;
    }
  }
}

async function fromCache(file: PublishedFile, target: string, disk: Files): Promise<Verified | 'broken' | undefined> {
  try {
    const facts = await disk.lstat(target);
    // In a folder that others can write to, a link may lead anywhere, and a pipe may never end.
    if (!facts.isFile() && !facts.isDirectory()) return 'broken';
    if (facts.size > mostBytes(file)) return 'broken';
    return await verifiedContent(file, await disk.readFile(target), 'the cache');
  } catch (error) {
    if (isChecksum(error)) return 'broken';
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'EISDIR') {
      throw refused(
        `The entry ${target} of the cache`,
        'be a file',
        'Remove it, or name another folder in `cacheDir`.',
        error,
      );
    }
    throw error;
  }
}

const isChecksum = (error: unknown) => error instanceof CVKitError && error.code === 'checksum';

const NEW_LINE = 10;

/** What an earlier download left: a line with the address, one with the version of the server, and the bytes. */
async function begunAt(path: string, file: PublishedFile, disk: Files): Promise<Begun> {
  const nothing: Begun = { parts: [], validator: undefined };
  const facts = await ifThere(() => disk.lstat(path), undefined);
  if (!facts?.isFile() || facts.size > mostBytes(file)) return nothing;
  const bytes = await disk.readFile(path);
  const first = bytes.indexOf(NEW_LINE);
  const second = bytes.indexOf(NEW_LINE, first + 1);
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  if (second <= first || second === bytes.length - 1 || text(0, first) !== file.url) return nothing;
  return { parts: [bytes.subarray(second + 1)], validator: text(first + 1, second) || undefined };
}

const WAY = 'Name another folder in `cacheDir`, or give the file as `path`.';

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

/** Work on the cache that ends with `timeout` (seconds) and `signal`: a disk on a network may never answer. */
async function inTime<T>(folder: string, { timeout, signal }: DownloadOptions, work: () => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = () => limit.abort(unusable(folder, new Error(`no answer within ${timeout} s`)));
  const timer = setTimeout(late, timeout * 1000);
  const done = async () =>
    work().catch((error) => {
      const cause = ownCause(error);
      throw cause instanceof CVKitError ? cause : unusable(folder, cause);
    });
  try {
    return await orEnded(AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]), done, 0);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of the file system beneath that of {@link writeWhole}. */
const ownCause = (error: unknown) =>
  error instanceof CVKitError && error.code === 'unwritable_place' ? error.cause : error;

const unusable = (folder: string, cause: unknown): CVKitError =>
  refused(`The cache folder ${folder}`, 'be a folder that can be read and written', WAY, cause);

const refused = (subject: string, must: string, way: string, cause: unknown) =>
  new CVKitError(sentence(subject, must, phrase(messageOf(cause)), way), { code: 'cache_unusable', cause });
