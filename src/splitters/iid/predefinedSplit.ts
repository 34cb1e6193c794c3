import { InvalidOptionError, invalidData, kindOf, phrase, sentence } from '../../core/errors.js';
import {
  arrayLike,
  type InputOf,
  integer,
  isList,
  listOf,
  optionTable,
  rejectUnusedOption,
} from '../../core/options.js';
import { checkLength } from '../../data/sideData.js';
import { foldId, foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { checkedExcluded, checkedSides, checkFoldId } from '../foldChecks.js';
import { type Fold, type GivenFold, namedSides } from '../splitter.js';

const isFold = (value: unknown) => {
  const { train, test } = (value ?? {}) as { train?: unknown; test?: unknown };
  return Array.isArray(value) ? value.length === 2 && value.every(isList) : isList(train) && isList(test);
};

const options = optionTable('PredefinedSplit', {
  testFold: arrayLike<number>('integer[]')
    .optional()
    .describe('Fold that tests each row, an integer >= 0; -1 for rows that are only trained on.'),
  folds: listOf<GivenFold>('Fold', 'be a list of { train, test } or [train, test]', isFold)
    .optional()
    .describe('The folds themselves, as row numbers.'),
  n: integer({ min: 1 }).optional().describe('Number of rows of the data that `folds` are of; other data are refused.'),
});

export type PredefinedSplitOptions = InputOf<typeof options>;

/**
 * Folds that were fixed before: by a challenge, a colleague or another tool. `testFold` means what it means in
 * scikit-learn's `PredefinedSplit`; `folds` lists them, and may overlap or leave rows out. `foldsFromJSON` reads files.
 *
 * Throws `InvalidOptionError` unless exactly one of the two is given, and for a `testFold` without a fold or without a
 * row to train on; `InvalidDataError` for a `testFold` of another length than `X`, for an `n` that is not the number of
 * its rows, for folds that are not folds of `X` (row numbers out of range, a row on both sides), and for ids of folds
 * that have other than letters, digits, `-`, `_` and `.`.
 *
 * @example
 * new PredefinedSplit({ testFold: [0, 0, 1, 1, -1] }).split(5);
 * new PredefinedSplit({ folds: [{ train: [2, 3], test: [0, 1] }] }).split(4);
 */
export class PredefinedSplit extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'Folds that were made elsewhere: a test fold per row, or lists of row numbers.',
    needs: [],
    claims: { given: true },
  },
  prepare({ testFold, folds, n }) {
    if (!testFold === !folds) {
      const got = phrase(testFold ? 'both' : 'neither');
      throw new InvalidOptionError(sentence(options.owner, 'be given either `testFold` or `folds`', got));
    }
    if (testFold) checkTestFold(testFold);
    if (testFold && n !== undefined) rejectUnusedOption(options.owner, 'n', '`testFold` has a value for every row');
    folds?.forEach((fold, at) => {
      const { id } = namedSides(fold);
      if (id !== undefined) checkFoldId(id, `fold ${at} of ${options.owner}`);
    });
    const subject = `The \`folds\` option of ${options.owner}`;
    if (folds?.length === 0) throw new InvalidOptionError(sentence(subject, 'hold at least one', phrase('none')));
  },
  claims: ({ testFold = [-1] }, claims) => ({ ...claims, partition: !Array.from(testFold).includes(-1) }),
  nSplits: ({ testFold, folds = [] }) => (testFold ? numbersOf(testFold).length : folds.length),
  plan({ n }, { testFold, folds = [], n: expected = n }) {
    if (testFold) return foldsOfNumbers(testFold, n);
    if (expected === n) return folds.map((fold, at) => checked(fold, at, n));
    const must = `speak of as many rows as X has, ${n}`;
    throw invalidData('length_mismatch', `The folds of ${options.owner}`, must, String(expected));
  },
})<PredefinedSplitOptions> {}

const numbersOf = (testFold: ArrayLike<number>) =>
  [...new Set(Array.from(testFold))].filter((fold) => fold >= 0).sort((a, b) => a - b);

function foldsOfNumbers(testFold: ArrayLike<number>, n: number): Iterable<Fold> {
  checkLength(testFold, n, 'testFold');
  const numbers = numbersOf(testFold);
  const places = new Map(numbers.map((number, at) => [number, at]));
  // Rows of -1 get the place after the last fold, which is never tested.
  const foldOf = Int32Array.from(testFold, (number) => places.get(number) ?? numbers.length);
  return foldsFromAssignment(foldOf, numbers.length);
}

function checkTestFold(testFold: ArrayLike<number>): void {
  const row = Array.from(testFold).findIndex((fold) => !Number.isInteger(fold) || fold < -1);
  const subject = `The \`testFold\` option of ${options.owner}`;
  if (row >= 0) {
    const must = 'be an integer >= 0, or -1';
    throw new InvalidOptionError(sentence(`${subject}, row ${row},`, must, kindOf(testFold[row], [-1, Infinity])));
  }
  const values = [...new Set(Array.from(testFold))];
  if (values.length < 2) {
    const got = phrase(values.length === 0 ? 'no rows' : 'the same value in every row');
    throw new InvalidOptionError(sentence(subject, 'name a fold and leave rows to train on', got));
  }
}

function checked(fold: GivenFold, at: number, n: number): Fold {
  const { id = foldId(at), repeat, ...lists } = namedSides(fold);
  const where = `Fold ${id} of ${options.owner}`;
  const sides = checkedSides(lists, n, where);
  const excluded = checkedExcluded(lists.excluded, sides, n, where);
  return { id, ...sides, ...(repeat === undefined ? {} : { repeat }), ...(excluded ? { excluded } : {}) };
}
