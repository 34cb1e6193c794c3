/** The folder that keeps what was downloaded: which one it is, making it, and what is said when it is of no use. */
import { cacheHome } from '#io';
import { CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import type { Files } from '../core/io.js';
import { pathOfPlace } from '../core/pathOfPlace.js';

const WAY = 'Name another folder in `cacheDir`, or give the file as `path`.';

/**
 * The path of the folder that is named, or of the one where none is.
 *
 * @throws {@link CVKitError} with code `cache_unusable` for a user without a home folder
 */
export function cacheFolder(named: string | URL | undefined): string {
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
export async function makeFolder(disk: Files, folder: string): Promise<void> {
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
 * @throws {@link CVKitError} with code `cache_unusable`; the reason of the signal; what `work` throws
 */
export async function inTime<T>(
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

/** The error of a cache that cannot be used. */
export const unusable = (folder: string, cause: unknown): CVKitError =>
  refused(`The cache folder ${folder}`, 'be a folder that can be read and written', WAY, cause);

/** The error of what lies in the place of a cached file, and is none. */
export const noFile = (path: string, cause: unknown): CVKitError =>
  refused(`The entry ${path} of the cache`, 'be a file', 'Remove it, or name another folder in `cacheDir`.', cause);

const refused = (subject: string, must: string, way: string, cause: unknown) =>
  new CVKitError(sentence(subject, must, phrase(messageOf(cause)), way), { code: 'cache_unusable', cause });
