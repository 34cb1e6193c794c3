import { InvalidDataError, kindOf, phrase, sentence, show } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { groupBy } from '../core/groupBy.js';
import { arrayLike, type InputOf, isPlainObject, optionTable, rejectUnusedOption } from '../core/options.js';
import type { Label } from '../data/labels.js';
import { OWN_FORMAT } from './foldsToJSON.js';
import { PredefinedSplit } from './iid/predefinedSplit.js';
import type { GivenFold } from './splitter.js';

export const foldsFromJSONOptions = optionTable('foldsFromJSON', {
  ids: arrayLike<Label>('id[]').optional().describe('Case of each row, for files that name cases (nnU-Net).'),
});

export type FoldsFromJSONOptions = InputOf<typeof foldsFromJSONOptions>;

/**
 * A splitter from JSON text (or the value that it holds): what {@link foldsToJSON} wrote, scikit-learn's index lists
 * `[[train, test], ...]`, a list of `{ train, test }`, or nnU-Net's `splits_final.json`, whose cases are found in `ids`
 * (a case may have several rows).
 *
 * Throws `InvalidDataError` for anything else, for a case that `ids` lacks, and for one of our files whose folds do not
 * have the fingerprint that it was written with; `InvalidOptionError` for `ids` where the file has row numbers. Where the
 * number of rows is known, from `ids` or from our file, `split` refuses other data.
 *
 * @example
 * const text = JSON.stringify([{ train: ['b', 'c'], val: ['a'] }, { train: ['a', 'b'], val: ['c'] }]);
 * const cv = foldsFromJSON(text, { ids: ['a', 'b', 'c'] });
 * for (const { id, train, test } of cv.split(3)) console.log(id, [...train], [...test]);
 */
export function foldsFromJSON(json: string | object, input: FoldsFromJSONOptions = {}): PredefinedSplit {
  const { ids } = foldsFromJSONOptions.resolve(input);
  const value = typeof json === 'string' ? parsed(json) : json;
  if (isListOf(isCaseFold, value)) return ofCases(value, ids);
  const own = isOwnFile(value) ? value : undefined;
  const folds = own ? own.folds : value;
  if (!isListOf(isWrittenFold, folds)) throw noFolds(value);
  if (ids !== undefined) rejectUnusedOption('foldsFromJSON', 'ids', 'the file has row numbers');
  if (own) checkFingerprint(own);
  return new PredefinedSplit({ folds, n: own?.n });
}

const isListOf = <T>(isFold: (fold: unknown) => fold is T, value: unknown): value is readonly T[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFold);
const areLists = (...sides: readonly unknown[]) => sides.every(Array.isArray);

interface CaseFold {
  readonly train: readonly string[];
  readonly val: readonly string[];
}
const isCaseFold = (fold: unknown): fold is CaseFold =>
  isPlainObject(fold) && [fold.train, fold.val].every((side) => Array.isArray(side) && side.every(isName));
const isName = (name: unknown) => typeof name === 'string';

type NamedFold = Extract<GivenFold, { train: unknown }>;

const isNamedFold = (fold: unknown): fold is NamedFold => isPlainObject(fold) && areLists(fold.train, fold.test);
const isWrittenFold = (fold: unknown): fold is GivenFold =>
  isNamedFold(fold) || (Array.isArray(fold) && fold.length === 2 && areLists(...fold));

interface OwnFile {
  readonly n?: number;
  readonly fingerprint: unknown;
  readonly folds: readonly NamedFold[];
}

const isOwnFile = (value: unknown): value is OwnFile =>
  isPlainObject(value) &&
  value.format === OWN_FORMAT &&
  (value.n === undefined || Number.isSafeInteger(value.n)) &&
  isListOf(isNamedFold, value.folds);

function parsed(text: string): unknown {
  try {
    // Windows editors put a byte order mark before the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The cause is left out: it quotes the text, which may hold ids.
    throw new InvalidDataError(sentence('The text for foldsFromJSON', 'be JSON', kindOf(text)));
  }
}

function noFolds(value: unknown): InvalidDataError {
  const must = 'be folds of cvkit, [train, test] pairs, or { train, val } lists of nnU-Net';
  return new InvalidDataError(sentence('The value for foldsFromJSON', must, kindOf(value)));
}

function checkFingerprint({ folds, fingerprint: written }: OwnFile): void {
  const found = fingerprint(folds);
  if (found === written) return;
  const must = `have the fingerprint that they were written with, ${show(written)}`;
  throw new InvalidDataError(sentence('The folds for foldsFromJSON', must, phrase(`${found}; the file was changed`)));
}

function ofCases(caseFolds: readonly CaseFold[], ids: ArrayLike<Label> | undefined): PredefinedSplit {
  if (ids === undefined) {
    const must = 'be given `ids` (the case of each row) for files that name cases';
    throw new InvalidDataError(sentence('foldsFromJSON', must, phrase('nothing')));
  }
  const rowsOf = groupBy(Array.from(ids).keys(), (row) => String(ids[row]));
  const find = (names: readonly string[], where: string) =>
    names.flatMap((name, at) => {
      const rows = rowsOf.get(name);
      if (rows) return rows;
      const subject = `ids, for ${where},`;
      throw new InvalidDataError(sentence(subject, 'hold every case', phrase(`none for case number ${at}`)));
    });
  const folds = caseFolds.map(({ train, val }, at) => ({
    train: find(train, `train of fold ${at}`),
    test: find(val, `val of fold ${at}`),
  }));
  return new PredefinedSplit({ folds, n: ids.length });
}
