import { InvalidDataError, sentence, show } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import type { Label } from '../core/labels.js';
import { arrayLike, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import { OWN_FORMAT } from './foldsToJSON.js';
import { type GivenFold, PredefinedSplit } from './iid/predefinedSplit.js';

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
 * have the fingerprint that it was written with.
 *
 * @example
 * const cv = foldsFromJSON(await readFile('splits_final.json', 'utf8'), { ids: caseNames });
 * const results = await new UniversalCVRunner({ cvSplitter: cv }).run({ model, data: [X, y] });
 */
export function foldsFromJSON(json: string | object, input: FoldsFromJSONOptions = {}): PredefinedSplit {
  const { ids } = foldsFromJSONOptions.resolve(input);
  const value = typeof json === 'string' ? parsed(json) : json;
  if (Array.isArray(value) && value.length > 0 && value.every(isCaseFold)) {
    return new PredefinedSplit({ folds: inRows(value, ids) });
  }
  if (ids !== undefined) {
    throw new InvalidDataError(
      'The `ids` option of foldsFromJSON has no effect: the file has row numbers. Leave it out.',
    );
  }
  if (!isPlainObject(value)) return new PredefinedSplit({ folds: listOfFolds(value) });
  if (value.format !== OWN_FORMAT) throw noFolds(value);
  const splitter = new PredefinedSplit({ folds: listOfFolds(value.folds) });
  checkFingerprint(value.folds as OwnFold[], value.fingerprint);
  return splitter;
}

/** nnU-Net's `{ train, val }` of case names. */
interface CaseFold {
  readonly train: readonly string[];
  readonly val: readonly string[];
}
type OwnFold = Extract<GivenFold, { train: unknown }>;

const isCaseFold = (fold: unknown): fold is CaseFold =>
  isPlainObject(fold) && [fold.train, fold.val].every((side) => Array.isArray(side) && side.every(isName));
const isName = (name: unknown) => typeof name === 'string';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidDataError(sentence('The text for foldsFromJSON', 'be JSON', text), { cause });
  }
}

const noFolds = (value: unknown) =>
  new InvalidDataError(
    sentence(
      'The value for foldsFromJSON',
      'be folds of cvkit, [train, test] pairs, or { train, val } lists of nnU-Net',
      value,
    ),
  );

function listOfFolds(value: unknown): GivenFold[] {
  const sides = (fold: unknown) => (Array.isArray(fold) ? fold : isPlainObject(fold) ? [fold.train, fold.test] : []);
  const isFold = (fold: unknown) => sides(fold).length === 2 && sides(fold).every(Array.isArray);
  if (Array.isArray(value) && value.length > 0 && value.every(isFold)) return value;
  throw noFolds(value);
}

function checkFingerprint(folds: readonly OwnFold[], written: unknown): void {
  const found = fingerprint(folds);
  if (found === written) return;
  throw new InvalidDataError(
    sentence('The folds for foldsFromJSON', `have the fingerprint that they were written with, ${show(written)}`, {
      text: `${found}; the file was changed`,
    }),
  );
}

/** Case names as rows; a case is all of its rows. */
function inRows(folds: readonly CaseFold[], ids: ArrayLike<Label> | undefined): GivenFold[] {
  if (ids === undefined) {
    throw new InvalidDataError(
      sentence('foldsFromJSON', 'be given `ids` (the case of each row) for files that name cases', { text: 'nothing' }),
    );
  }
  const rowsOf = new Map<string, number[]>();
  for (let row = 0; row < ids.length; row++) {
    const name = String(ids[row]);
    const rows = rowsOf.get(name);
    if (rows) rows.push(row);
    else rowsOf.set(name, [row]);
  }
  const find = (names: readonly string[], where: string) =>
    names.flatMap((name) => {
      const rows = rowsOf.get(name);
      if (rows) return rows;
      throw new InvalidDataError(sentence(`ids, for ${where},`, `hold the case ${show(name)}`, { text: 'no such id' }));
    });
  return folds.map(({ train, val }, at) => ({
    train: find(train, `train of fold ${at}`),
    test: find(val, `val of fold ${at}`),
  }));
}
