/** The one writer of files that are saved: what stands in a place stays whole until what is new is on the disk. */
import { isGone, lockMark } from '#io';
import { cleanupOnError, withCleanup } from './cleanup.js';
import { CVKitError, messageOf, phrase, sentence } from './errors.js';
import { nameText } from './foreignText.js';
import type { Files } from './io.js';
import { freshSeed } from './random.js';

export const freshName = (): string => freshSeed().toString(16).padStart(8, '0');

/**
 * Writes a file under another name and moves it to its place once it is on the disk: who reads the place finds what was there
 * before or all that is new, also after a crash.
 *
 * @throws {CVKitError} `place_taken`: something is there, and `overwrite` is false; `unwritable_place`.
 */
export async function writeWhole(
  files: Files,
  path: string,
  content: string | readonly Uint8Array[],
  { overwrite = false, mode }: { readonly overwrite?: boolean; readonly mode?: number | undefined } = {},
): Promise<void> {
  const temporary = `${path}.${freshName()}.tmp`;
  const write = async () => {
    const file = await files.open(temporary, 'wx', mode);
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

export const INDEX = 'model.json';
/** Parts that an index may name, also the weights as others write them. */
const NAMED = /"(parts-[\da-f]{8}|weights(?:-[\da-f-]{8,36})?\.bin)"/g;
/** The mark of a save under way: who makes it, and the parts that it writes or replaces, a line each. */
const MARK = /^[\da-f]{8}\.saving$/;
const PART = /^(parts-[\da-f]{8}|weights(-[\da-f-]{8,36})?\.bin)$/;
const UNMOVED = /^[\da-f]{8}\.tmp$/;

/**
 * Saves an index and the parts that it names: `write` makes them under a name that no other save takes (`parts-<save>` or
 * `weights-<save>.bin`) and gives the text of the index, which is moved into place last.
 *
 * @throws {CVKitError} `place_taken`: something is there, and `overwrite` is false
 */
export async function replaceIndexed(
  files: Files,
  place: string,
  overwrite: boolean,
  nameOf: (save: string) => string,
  write: (name: string) => Promise<string>,
): Promise<void> {
  const index = `${place}/${INDEX}`;
  const before = await partsNamed(files, index);
  if (before && !overwrite) throw placeTaken(place);
  const save = freshName();
  const name = nameOf(save);
  const remove = async (names: readonly string[]) => {
    for (const each of names) await files.rm(`${place}/${each}`, { recursive: true, force: true });
  };
  const work = async () => {
    await files.writeFile(`${place}/${save}.saving`, [lockMark(), name, ...(before ?? [])].join('\n'));
    await writeWhole(files, index, await write(name), { overwrite });
    await remove([...(before ?? []), ...(overwrite ? await restsIn(files, place, save) : [])]);
  };
  const saved = () =>
    withCleanup(
      () => cleanupOnError(work, async () => remove((await partsNamed(files, index))?.includes(name) ? [] : [name])),
      () => remove([`${save}.saving`]),
    );
  await inNewFolder(files, place, saved);
}

/** Where `work` fails, folders that are new and hold nothing are removed. */
export async function inNewFolder<T>(files: Files, folder: string, work: () => Promise<T>): Promise<T> {
  const created: string[] = [];
  for (let at = folder; !(await isThere(files, at)); at = folderOf(at)) created.push(at);
  const filled = async () => {
    // One by one: in `/proc`, which refuses folders as if the one above were missing, `recursive` of Node 20 tries for ever.
    for (const each of created.toReversed()) {
      await files.mkdir(each).catch((error) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      await syncFolder(files, folderOf(each));
    }
    return work();
  };
  return cleanupOnError(filled, async () => {
    for (const each of created) {
      // Of two saves that fail at once, one removes it; and one that goes on may need it.
      await files.rmdir(each).catch((error) => {
        if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
      });
    }
  });
}

const textAt = (files: Files, path: string) =>
  ifThere(async () => new TextDecoder().decode(await files.readFile(path)), undefined);

async function partsNamed(files: Files, index: string): Promise<string[] | undefined> {
  const text = await textAt(files, index);
  return text === undefined ? undefined : Array.from(text.matchAll(NAMED), ([, name]) => name);
}

/** What killed saves have left, as their marks say; nothing where another save may be at work. */
async function restsIn(files: Files, place: string, own: string): Promise<string[]> {
  const names = await files.readdir(place);
  const rests: string[] = [];
  for (const mark of names.filter((name) => MARK.test(name) && name !== `${own}.saving`)) {
    // One that is empty, or no longer there, is of a save that has no parts yet, or has ended.
    const owner = await textAt(files, `${place}/${mark}`);
    if (!owner) continue;
    if (!isGone(owner)) return [];
    rests.push(mark, ...owner.split('\n').filter((line) => PART.test(line)));
  }
  if (rests.length > 0)
    rests.push(...names.filter((name) => name.startsWith(`${INDEX}.`) && UNMOVED.test(name.slice(INDEX.length + 1))));
  // Read after the names: a save that ended meanwhile stands in the index.
  const named = await partsNamed(files, `${place}/${INDEX}`);
  return rests.filter((name) => !named?.includes(name));
}

/** Does `work`, which writes to a place; errors of the file system become one sentence. */
export async function writing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CVKitError) throw cause;
    const subject = `The place '${nameText(place, 200)}'`;
    const message = sentence(subject, 'be one that can be written to', phrase(messageOf(cause)));
    throw new CVKitError(message, { code: 'unwritable_place', cause });
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
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error))) throw error;
  }
}

export const placeTaken = (place: string): CVKitError => {
  const way = 'Save to another place, or pass overwrite: true.';
  const subject = `The place '${nameText(place, 200)}'`;
  const message = sentence(subject, 'be empty', phrase('one where a model is saved'), way);
  return new CVKitError(message, { code: 'place_taken' });
};

export const ifThere = <T, N>(ask: () => Promise<T>, none: N): Promise<T | N> =>
  ask().catch((error) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return none;
    throw error;
  });

export const isThere = (files: Files, path: string): Promise<boolean> =>
  ifThere(() => files.lstat(path).then(() => true), false);

/** To a place where nothing is. Of several that try, one succeeds. */
async function moveNew(files: Files, from: string, path: string): Promise<void> {
  try {
    await files.link(from, path);
    await files.rm(from, { force: true });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw placeTaken(path);
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    if (await isThere(files, path)) throw placeTaken(path);
    await files.rename(from, path);
  }
}

/** Mistakes of file systems without links, such as exFAT. */
export const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

const folderOf = (path: string): string => {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end < 0 ? '.' : path.slice(0, end) || path[0];
};

export const errorCode = (error: unknown): string => String((error as { code?: unknown } | null)?.code);
