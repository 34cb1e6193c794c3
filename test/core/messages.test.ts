import { expect, it } from 'vitest';
import { MissingPackageError } from '../../src/core/errors.js';
import { arrayLike, integer, oneOf, optionTable, rejectUnusedOption } from '../../src/core/options.js';
import { texts } from '../helpers/messages.js';

it('option tables', async () => {
  const table = optionTable('Trainer', {
    nSplits: integer({ min: 2 }).default(5),
    XTrain: arrayLike<number>('number[]'),
    ciMethod: oneOf('wilson', 'delong').default('wilson'),
    maxSize: integer({ min: 1 }).nullable().default(null),
  });
  const XTrain = [1, 2];
  const rows = {
    'a value that is missing': () => table.resolve(),
    'null where a value is needed': () => table.resolve({ XTrain: null }),
    'no option of an empty table': () => optionTable('LOOCV', {}).resolve({ nSplits: 5 }),
    'no option, and a name near it': () => table.resolve({ XTrain, nSplit: 3 }),
    'no option, and no name near it': () => table.resolve({ XTrain, colour: 3 }),
    'one option under two names': () => table.resolve({ XTrain, nSplits: 3, n_splits: 3 }),
    'a number that is too small': () => table.resolve({ XTrain, nSplits: 1 }),
    'a number that is too small, where null is allowed': () => table.resolve({ XTrain, maxSize: 0 }),
    'no word of the list': () => table.resolve({ XTrain, ciMethod: 'wald' }),
    'an option without effect': () => rejectUnusedOption('KFold', 'randomState', '`shuffle` is false'),
  };
  expect(await texts(rows)).toMatchSnapshot();
});

it('errors', async () => {
  const error = new MissingPackageError('@tensorflow/tfjs', 'The tfjs adapter', 'npm i @tensorflow/tfjs');
  expect(await texts({ 'a package that is missing': () => Promise.reject(error) })).toMatchSnapshot();
});
