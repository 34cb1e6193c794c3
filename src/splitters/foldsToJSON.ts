import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { arrayLike, type InputOf, isList, oneOf, optionTable, rejectUnusedOption } from '../core/options.js';
import type { Label } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { isId } from '../data/sideData.js';
import { offenderText } from './foldChecks.js';
import type { Fold } from './splitter.js';

export const foldsToJSONOptions = optionTable('foldsToJSON', {
  format: oneOf('cvkit', 'sklearn', 'nnunet')
    .default('cvkit')
    .describe(
      "'cvkit' keeps ids, repeats, the number of rows and a fingerprint; 'sklearn' is a list of [train, test]; 'nnunet' is `splits_final.json`.",
    ),
  ids: arrayLike<Label>('id[]').optional().describe("Case of each row, for 'nnunet'."),
});

export type FoldsToJSONOptions = InputOf<typeof foldsToJSONOptions>;

export const OWN_FORMAT = 'cvkit folds 1';

/**
 * Folds as JSON text, to keep beside a result or to hand to another tool. {@link foldsFromJSON} reads all three forms.
 * The folds of `foldsOf` know the number of their rows, and 'cvkit' keeps it, so that the file is refused on other data.
 * Inner folds of nested designs are not written.
 *
 * 'sklearn' is what `cv=` takes in scikit-learn after `json.load`. 'nnunet' is byte for byte what nnU-Net v2 writes to
 * `splits_final.json` when rows are in the order of their case names; a case with several rows is named once.
 *
 * Throws `InvalidDataError` when 'nnunet' lacks `ids`, or when a case has rows on both sides of a fold;
 * `InvalidOptionError` for `ids` with another format.
 *
 * @example
 * const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
 * console.log(foldsToJSON(foldsOf(new KFold({ nSplits: 3 }), 6), { format: 'nnunet', ids }));
 */
export function foldsToJSON(folds: Iterable<Fold> & { readonly n?: number }, input: FoldsToJSONOptions = {}): string {
  const { format, ids } = foldsToJSONOptions.resolve(input);
  const all = listOfFolds(folds);
  if (format === 'nnunet') return python(all.map((fold) => caseLists(fold, ids)));
  if (ids !== undefined) rejectUnusedOption('foldsToJSON', 'ids', `'${format}' writes row numbers`);
  const rows = all.map(({ train, test }) => [Array.from(train), Array.from(test)]);
  if (format === 'sklearn') return JSON.stringify(rows);
  const named = all.map(({ id, repeat, excluded }, at) => ({
    id,
    ...(repeat === undefined ? {} : { repeat }),
    train: rows[at][0],
    test: rows[at][1],
    ...(excluded ? { excluded: Object.fromEntries(Object.entries(excluded).map(([k, v]) => [k, Array.from(v)])) } : {}),
  }));
  return JSON.stringify({ format: OWN_FORMAT, n: folds.n, fingerprint: fingerprint(all), folds: named });
}

function listOfFolds(folds: Iterable<Fold>): Fold[] {
  const value: unknown = folds;
  const all = typeof value === 'object' && value !== null && Symbol.iterator in value ? [...folds] : [];
  if (all.length > 0 && all.every((fold) => isList(fold?.train) && isList(fold?.test))) return all;
  const way = 'Use foldsOf(splitter, X, y), which checks them, too.';
  throw new InvalidDataError(sentence('The folds for foldsToJSON', 'be folds', folds, way));
}

function caseLists({ id, train, test }: Fold, ids: ArrayLike<Label> | undefined): { train: string[]; val: string[] } {
  if (ids === undefined) {
    const must = "be given `ids` (the case of each row) for 'nnunet'";
    throw new InvalidDataError(sentence('foldsToJSON', must, phrase('nothing')));
  }
  const casesOf = (rows: Int32Array) => [...new Set(Array.from(rows, (row) => caseOf(ids, row)))];
  const lists = { train: casesOf(train), val: casesOf(test) };
  const trained = new Set(lists.train);
  const split = lists.val.filter((name) => trained.has(name));
  if (split.length > 0) {
    const got = phrase(`${offenderText('case', split.slice(0, 5).map(pseudonyms()))} on both`);
    throw new InvalidDataError(sentence(`Fold ${id}`, 'keep every case on one side', got));
  }
  return lists;
}

function caseOf(ids: ArrayLike<Label>, row: number): string {
  if (row < ids.length && isId(ids[row])) return String(ids[row]);
  const got = row < ids.length ? kindOf(ids[row]) : phrase(`${ids.length} ids`);
  throw new InvalidDataError(sentence('ids', `name the case of row ${row}`, got));
}

/** As Python's `json.dump(..., sort_keys=True, indent=4)`: four spaces, and every character beyond ASCII escaped. */
const python = (value: object): string =>
  JSON.stringify(value, null, 4).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
