import { CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';
import { sha256Of } from '../core/sha256Of.js';

export interface PublishedFile {
  /** Its name, in messages and in the cache. */
  readonly name: string;
  readonly url: string;
  /** What is read of it: for an archive one of its files, else itself. */
  readonly content: string;
  /** SHA-256 of the content; 64 hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
  /** Takes the content out of the archive. Left out: the file is its content. */
  unpack?(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface Verified {
  readonly content: Uint8Array;
  readonly sha256: string;
}

export async function verifiedContent(file: PublishedFile, bytes: Uint8Array, from: string): Promise<Verified> {
  const must = `have the SHA-256 ${file.sha256}`;
  const refuse = (got: string, way: string, cause?: unknown) =>
    new CVKitError(sentence(`${file.content} from ${from}`, must, phrase(got), way), { code: 'checksum', cause });
  if (isWebPage(bytes)) {
    throw refuse(
      'a web page (HTML) in its place',
      'Networks that ask for a log-in answer so: open any page in a browser, log in, and call again.',
    );
  }
  let content = bytes;
  try {
    if (file.unpack) content = await file.unpack(bytes);
  } catch (cause) {
    const archive = `an archive of ${wholeNumber(bytes.length)} bytes that does not open (${messageOf(cause)})`;
    throw refuse(archive, CHANGED, cause);
  }
  const hash = await sha256Of(content);
  if (hash === file.sha256) return { content, sha256: hash };
  const isHalf = content.length < file.size;
  const size = `${isHalf ? 'only ' : ''}${wholeNumber(content.length)} bytes where there are ${wholeNumber(file.size)}`;
  throw refuse(content.length === file.size ? hash : `${hash}, ${size}`, CHANGED);
}

const CHANGED =
  'The publisher may have changed the file, or something between here and there did; a file that you trust can be given as `path`.';

export function isWebPage(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 512));
  return /^\s*<(!doctype\s+html|html|head|body|\?xml|!--)/i.test(head);
}
