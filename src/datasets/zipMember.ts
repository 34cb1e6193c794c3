/** One file out of a zip archive. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';

/** Whether bytes begin as zip archives do. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * The unpacked bytes of the file of that name, in whatever folder of the archive.
 *
 * @param most unpacked bytes beyond which it is refused
 * @param from the archive, for messages
 * @throws {@link InvalidDataError} with code `broken_archive`
 */
export async function zipMember(bytes: Uint8Array, name: string, most: number, from: string): Promise<Uint8Array> {
  const { unzipSync } = await import('fflate');
  const refuse = (must: string, got: string, cause?: unknown) =>
    new InvalidDataError(sentence(`The archive ${from}`, must, phrase(got)), { code: 'broken_archive', cause });
  let size = 0;
  let found: Uint8Array | undefined;
  try {
    const isWanted = (path: string) => path === name || path.endsWith(`/${name}`);
    const filter = (file: { name: string; originalSize: number }) => {
      if (!isWanted(file.name)) return false;
      size = file.originalSize;
      return size <= most;
    };
    [found] = Object.values(unzipSync(bytes, { filter }));
  } catch (cause) {
    throw refuse('be a whole zip archive', `${wholeNumber(bytes.length)} bytes that do not unpack`, cause);
  }
  if (size > most) throw refuse(`hold ${name} with at most ${wholeNumber(most)} bytes`, wholeNumber(size));
  if (!found) throw refuse(`hold the file ${name}`, 'others');
  return found;
}
