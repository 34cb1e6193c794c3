/** A published file from the cache or from its address. */
import { cacheHome, files } from '#io';
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import type { Files } from '../core/io.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
import { fetchBytes, type Half } from './fetchBytes.js';
import { PartFile } from './partFile.js';
import { type PublishedFile, type Verified, verified } from './publishedFile.js';
import type { downloadOptions } from './sourceOptions.js';

export type DownloadOptions = OptionsOf<OptionTable<typeof downloadOptions>>;

/** What came, and what there is to say about how. */
export interface Downloaded extends Verified {
  readonly warnings: readonly string[];
}

/**
 * The file from the cache where it is there with the right hash; else from its address, and then into the cache.
 *
 * A cached file with another hash is downloaded again, and `warnings` says so. A download that breaks off leaves what came
 * (`<file>.part`), and the next one goes on from there. The file takes its place in the cache by renaming, so that loads at the
 * same time, also of several programs, see a whole file or none.
 *
 * @throws {@link CVKitError} with code `cache_unusable` (the folder cannot be read or written), `checksum`, and those of
 *   {@link fetchBytes}
 */
export async function download(file: PublishedFile, options: DownloadOptions): Promise<Downloaded> {
  options.signal?.throwIfAborted();
  if (!files) {
    if (options.cacheDir !== undefined) throw noFileSystem(options.cacheDir);
    return { ...(await fetched(file, options, inMemory())), warnings: [] };
  }
  const folder = options.cacheDir ?? `${cacheHome()}/cvkit`;
  const target = `${folder}/${file.name}`;
  const inCache = <T>(work: () => Promise<T>) => work().catch(unusable(folder));
  const cached = await inCache(() => fromCache(file, target, files as Files));
  if (cached && !(cached instanceof CVKitError)) return { ...cached, warnings: [] };
  const part = await inCache(async () => {
    await (files as Files).mkdir(folder, { recursive: true });
    return PartFile.claim(files as Files, target, file.url);
  });
  const half = onDisk(part, inCache);
  let found: Verified & { readonly bytes: Uint8Array };
  try {
    found = await fetched(file, options, half);
  } catch (error) {
    // What has another hash is of no use; anything else may be the beginning of the file.
    await inCache(() => (isChecksum(error) ? part.discard() : part.keep()));
    throw error;
  }
  await inCache(() => part.finish(found.bytes));
  const warnings = cached ? [`${messageOf(cached)} It was downloaded again.`] : [];
  return { content: found.content, sha256: found.sha256, warnings };
}

/** Downloads and verifies. What began with a half file and has another hash is tried once more from its beginning. */
async function fetched(file: PublishedFile, options: DownloadOptions, half: Half) {
  const { timeout, stallTimeout, signal } = options;
  const most = 2 * file.size + 100_000;
  const request = { url: file.url, name: file.name, half, most, timeout, stallTimeout, signal };
  const first = await fetchBytes(request);
  try {
    return { bytes: first.bytes, ...(await verified(file, first.bytes, file.url)) };
  } catch (error) {
    if (!first.resumed || !isChecksum(error)) throw error;
  }
  await half.restart(undefined);
  const { bytes } = await fetchBytes({ ...request, half: { ...inMemory(), append: (each) => half.append(each) } });
  return { bytes, ...(await verified(file, bytes, file.url)) };
}

/** The cached file; undefined where there is none, and the error where its hash is another. */
async function fromCache(file: PublishedFile, target: string, disk: Files): Promise<Verified | CVKitError | undefined> {
  try {
    return await verified(file, await disk.readFile(target), 'the cache');
  } catch (error) {
    if (isChecksum(error)) return error;
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

const isChecksum = (error: unknown): error is CVKitError => error instanceof CVKitError && error.code === 'checksum';

/** Bytes that are kept nowhere else. */
const inMemory = (): Half => ({
  bytes: new Uint8Array(0),
  validator: undefined,
  restart: async () => undefined,
  append: async () => undefined,
});

/** The half file, with errors of the disk in our words. */
const onDisk = (part: PartFile, inCache: <T>(work: () => Promise<T>) => Promise<T>): Half => ({
  bytes: part.bytes,
  validator: part.validator,
  restart: (validator) => inCache(() => part.restart(validator)),
  append: (bytes) => inCache(() => part.append(bytes)),
});

const unusable = (folder: string) => (cause: unknown) => {
  if (cause instanceof CVKitError) throw cause;
  const way = 'Name another folder in `cacheDir`, or give the file as `path`.';
  throw new CVKitError(
    sentence(`The cache folder ${folder}`, 'be a folder that can be read and written', phrase(messageOf(cause)), way),
    { code: 'cache_unusable', cause },
  );
};

const noFileSystem = (folder: string) =>
  new InvalidOptionError(
    sentence('The `cacheDir` option', 'be left out where there is no file system', folder, 'Browsers keep no cache.'),
    { code: 'idle_option' },
  );
