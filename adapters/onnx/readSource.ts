/** The bytes of an `.onnx` file: given, from a disk, or fetched. */
import { files } from '#io';
import { AdapterError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { pathOfPlace } from '../../src/core/pathOfPlace.js';

interface ReadSource {
  /** How messages begin. */
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly path: string | undefined;
}

export async function readSource(source: string | URL | Uint8Array | ArrayBuffer): Promise<ReadSource> {
  if (source instanceof Uint8Array) return { subject: 'The ONNX model', bytes: source, path: undefined };
  if (source instanceof ArrayBuffer) return readSource(new Uint8Array(source));
  const subject = `The ONNX model ${nameText(String(source), 300)}`;
  const isAddress = /^(https?|blob|data):/i.test(String(source));
  if (!files || isAddress) return { subject, bytes: await fetched(String(source), subject), path: undefined };
  const at = /^file:/i.test(String(source)) ? new URL(source) : source;
  const bytes = await files.readFile(at).catch((error) => {
    throw new AdapterError(sentence(subject, 'be a file that can be read', phrase(messageOf(error))), {
      code: 'unreadable_file',
      cause: error,
    });
  });
  return { subject, bytes, path: pathOfPlace(String(at)) };
}

async function fetched(address: string, subject: string): Promise<Uint8Array> {
  const failed = (why: string, cause?: unknown) =>
    new AdapterError(sentence(subject, 'be at an address that can be fetched', phrase(why)), {
      code: 'unreadable_file',
      cause,
    });
  const response = await fetch(address).catch((error) => {
    throw failed(messageOf(error), error);
  });
  if (!response.ok) throw failed(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
