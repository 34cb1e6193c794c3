/** A published file from the cache or from its address. */
import { files } from '#io';
import { CVKitError, InvalidOptionError, messageOf, sentence } from '../core/errors.js';
import type { Files } from '../core/io.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
import { cacheFolder, inTime, makeFolder, noFile, unusable } from './cacheFolder.js';
import { emptied, fetchBytes, type Half } from './fetchBytes.js';
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
 * same time, also of several programs, see a whole file or none. The cache is tried before the download, within `timeout` and
 * `signal`; where the whole file cannot take its place after all, it is given all the same, and `warnings` says so.
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
    return { bytes: first.bytes, ...(await verified(file, first.bytes, file.url)) };
  } catch (error) {
    if (!first.resumed || !isChecksum(error)) throw error;
  }
  const { bytes } = await fetchBytes({ ...request, half: emptied(half) });
  return { bytes, ...(await verified(file, bytes, file.url)) };
}

/** The cached file; undefined where there is none, and 'broken' where its hash is another. */
async function fromCache(file: PublishedFile, target: string, disk: Files): Promise<Verified | 'broken' | undefined> {
  try {
    const facts = await disk.lstat(target);
    // In a folder that others can write to, a link may lead anywhere, and a pipe may never end.
    if (!facts.isFile() && !facts.isDirectory()) return 'broken';
    return await verified(file, await disk.readFile(target), 'the cache');
  } catch (error) {
    if (isChecksum(error)) return 'broken';
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw noFile(target, error);
    throw error;
  }
}

const isChecksum = (error: unknown) => error instanceof CVKitError && error.code === 'checksum';

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

const noFileSystem = (folder: string | URL) =>
  new InvalidOptionError(
    sentence('The `cacheDir` option', 'be left out where there is no file system', folder, 'Browsers keep no cache.'),
    { code: 'idle_option' },
  );
