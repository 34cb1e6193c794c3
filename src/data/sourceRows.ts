/** Rows that a {@link RowSource} gives when they are asked for. */

import { InvalidDataError, phrase, sentence, threw } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { isTensor } from './dense.js';
import { picked } from './nestedLists.js';
import type { FoundAs } from './rowKinds.js';
import type { RowReader, RowSource, Rows, RowsInput } from './rows.js';

/** `rowsOf` makes the view over what the source gives; names that were given are held against it. */
export function sourceReader(
  { content: source, featureNames }: FoundAs<'source'>,
  name: string,
  rowsOf: (X: RowsInput, name: string, featureNames?: readonly string[]) => Rows,
): Required<RowReader> {
  const taken = async <T>(rows: Int32Array | null, read: (got: Rows) => Promise<T>): Promise<T> => {
    const wanted = rows ?? Int32Array.from(picked(source.length, null));
    const given = await takeFrom(source, wanted.slice(), name);
    try {
      const got = rowsOf(given, name, featureNames);
      if (got.length !== wanted.length) {
        throw new InvalidDataError(
          sentence(
            `The row source ${name}`,
            `give ${wanted.length} rows when asked for as many`,
            phrase(String(got.length)),
          ),
        );
      }
      return await read(got);
    } finally {
      disposeTensors(given);
    }
  };
  return {
    inputs: (rows) => taken(rows, (got) => got.toInputs()),
    dense: (rows) => taken(rows, (got) => got.toDense()),
    arrays: (rows) => taken(rows, (got) => got.toArrays()),
  };
}

async function takeFrom(source: RowSource, wanted: Int32Array, name: string): Promise<RowsInput> {
  try {
    return await source.take(wanted);
  } catch (error) {
    return threw(`The row source ${name}`, 'give the rows asked for', 'source_failed', InvalidDataError)(error);
  }
}

/** A source makes its tensors for the one who asks; those that it marks by `tf.keep` it may give again. */
function disposeTensors(given: unknown): void {
  if (isTensor(given)) {
    const { dispose, kept } = given as Partial<{ dispose(): void; kept: boolean }>;
    if (!kept) dispose?.call(given);
  } else if (isPlainObject(given)) Object.values(given).forEach(disposeTensors);
}
