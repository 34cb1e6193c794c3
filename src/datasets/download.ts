/** A published file from the cache or from its address. */
import { cacheHome, files } from '#io';
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import type { Files } from '../core/io.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
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
 * same time, also of several programs, see a whole file or none.
 *
 * @throws {@link CVKitError} with code `cache_unusable` (the folder cannot be read or written), `checksum`, and those of
 *   {@link fetchBytes}
 */
export async function download(file: PublishedFile, options: DownloadOptions): Promise<Downloaded> {
  options.signal?.throwIfAborted();
  const disk = files;
  if (!disk) {
    if (options.cacheDir !== undefined) throw noFileSystem(options.cacheDir);
    return { ...(await fetched(file, options, inMemory())), warnings: [] };
  }
  const folder = options.cacheDir ?? cacheFolder();
  const target = `${folder}/${file.name}`;
  const inCache = <T>(work: () => Promise<T>) => work().catch(unusable(folder));
  const cached = await inCache(() => fromCache(file, target, disk));
  if (cached && cached !== 'broken') return { ...cached, warnings: [] };
  const part = await inCache(async () => {
    await disk.mkdir(folder, { recursive: true });
    return PartFile.claim(disk, target, file.url);
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
  const broken = `The file ${file.name} in the cache was not the published one (changed, or cut off), and was downloaded again.`;
  const warnings = cached === 'broken' ? [broken] : [];
  return { content: found.content, sha256: found.sha256, warnings };
}

/** Downloads and verifies. What began with a half file and has another hash is tried once more from its beginning. */
async function fetched(file: PublishedFile, options: DownloadOptions, half: Half) {
  const { timeout, stallTimeout, signal } = options;
  const most = 2 * file.size + 100_000;
  const began = performance.now();
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
    return await verified(file, await disk.readFile(target), 'the cache');
  } catch (error) {
    if (isChecksum(error)) return 'broken';
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
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

/** The folder where none is named. */
function cacheFolder(): string {
  const home = cacheHome();
  if (home === undefined) {
    const message = sentence('The cache folder', 'be in the home folder of the user', phrase('no home folder'), WAY);
    throw new CVKitError(message, { code: 'cache_unusable' });
  }
  return `${home}/cvkit`;
}

const WAY = 'Name another folder in `cacheDir`, or give the file as `path`.';

const unusable = (folder: string) => (cause: unknown) => {
  if (cause instanceof CVKitError) throw cause;
  throw new CVKitError(
    sentence(`The cache folder ${folder}`, 'be a folder that can be read and written', phrase(messageOf(cause)), WAY),
    { code: 'cache_unusable', cause },
  );
};

const noFileSystem = (folder: string) =>
  new InvalidOptionError(
    sentence('The `cacheDir` option', 'be left out where there is no file system', folder, 'Browsers keep no cache.'),
    { code: 'idle_option' },
  );
