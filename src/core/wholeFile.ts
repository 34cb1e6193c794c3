/** The one writer of files that are saved: what stands in a place stays whole until what is new is on the disk. */
import { cleanupOnError, withCleanup } from './cleanup.js';
import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import { nameText } from './foreignText.js';
import type { Files } from './io.js';
import { freshSeed } from './random.js';

/** A name that no other writer takes: eight hexadecimal digits. */
export const freshName = (): string => freshSeed().toString(16).padStart(8, '0');

/**
 * Writes a file under another name, waits until it is on the disk, and moves it to its place: who reads the place finds
 * what was there before or all that is new, also after a crash or on a full disk.
 *
 * @throws {CVKitError} `place_taken`: something is there, and `overwrite` is false; `unwritable_place`.
 */
export async function writeWhole(
  files: Files,
  path: string,
  content: string | readonly Uint8Array[],
  { overwrite = false }: { readonly overwrite?: boolean } = {},
): Promise<void> {
  const temporary = `${path}.${freshName()}.tmp`;
  const write = async () => {
    const file = await files.open(temporary, 'wx');
    const fill = async () => {
      for (const part of typeof content === 'string' ? [content] : content) await file.appendFile(part);
      await file.sync();
    };
    await withCleanup(fill, () => file.close());
    await (overwrite ? files.rename(temporary, path) : moveNew(files, temporary, path));
  };
  await writing(path, async () => {
    await cleanupOnError(write, () => files.rm(temporary, { force: true }));
    await syncFolder(files, folderOf(path));
  });
}

/** Does `work`, which writes to a place; errors of the file system are told as one sentence. */
export async function writing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CVKitError) throw cause;
    const subject = `The place '${nameText(place, 200)}'`;
    throw new CVKitError(sentence(subject, 'be one that can be written to', phrase(messageOf(cause))), {
      code: 'unwritable_place',
      cause,
    });
  }
}

/** Waits until the names in a folder are on the disk, where the platform can. */
export async function syncFolder(files: Files, folder: string): Promise<void> {
  try {
    const opened = await files.open(folder, 'r');
    await withCleanup(
      () => opened.sync(),
      () => opened.close(),
    );
  } catch (error) {
    // Windows opens no folders, and some file systems of networks do not wait for them.
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error))) throw error;
  }
}

/** The error for a place where something stands that may not be replaced. */
export const placeTaken = (place: string): CVKitError =>
  new CVKitError(
    sentence(
      `The place '${nameText(place, 200)}'`,
      'be empty',
      phrase('one where a model is saved'),
      'Save to another place, or pass overwrite: true.',
    ),
    { code: 'place_taken' },
  );

/** Whether there is a file, a folder or a link. */
export async function isThere(files: Files, path: string): Promise<boolean> {
  try {
    await files.lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
    throw error;
  }
}

/** Moves a file to a place where nothing is. Of several that try, one succeeds. */
async function moveNew(files: Files, from: string, path: string): Promise<void> {
  try {
    await files.link(from, path);
    await files.rm(from, { force: true });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw placeTaken(path);
    // File systems without hard links, such as exFAT.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error;
    if (await isThere(files, path)) throw placeTaken(path);
    await files.rename(from, path);
  }
}

const folderOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))) || '.';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);
