import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InvalidDataError, messageOf, phrase, sentence } from '../core/errors.js';

/** What comes with the package besides its code. */
export const ownFolder = (...names: string[]): string =>
  join(dirname(createRequire(import.meta.url).resolve('cvkit/package.json')), ...names);

/** A JSON file that the command line names. */
export async function jsonIn(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new InvalidDataError(sentence(`The file ${file}`, 'be one that can be read', phrase(messageOf(error))), {
      cause: error,
    });
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    // Without the words of the parser, which show a part of the file.
    throw new InvalidDataError(sentence(`The file ${file}`, 'be JSON', phrase('text that is none')), { cause: error });
  }
}
