import { expect, it } from 'vitest';
import { readImages } from '../../src/node/images/readImages.js';
import { readTable } from '../../src/node/table/readTable.js';
import { TensorBoardLogger } from '../../src/node/tensorBoardLogger.js';
import { threads } from '../../src/node/threads.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { IMAGES } from '../helpers/imageFolders.js';
import { texts } from '../helpers/messages.js';
import { tempFolder } from '../helpers/tempFolder.js';

const temp = tempFolder();

it('threads', async () => {
  const executor = threads({ workers: 1 });
  const X = [[1], [2], [3], [4]];
  const y = [0, 1, 0, 1];
  const run = (options: object, runner: object = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), executor, verbose: 0, ...runner }).run({
      ...{ model: new URL('./models/centroid.mjs', import.meta.url), data: [X, y] },
      ...options,
    });
  const source = { length: 4, take: (rows: Int32Array) => Array.from(rows, (row) => X[row]) };
  const model = new URL('./models/network.mjs', import.meta.url);
  const rows = {
    'steps that have no module': () => run({ preprocessing: new FunctionTransformer((X) => X) }),
    'a factory': () => run({ model: () => ({}) }),
    'an instance': () => run({ model: { fit: () => undefined, predict: () => [] } }),
    'an adapter': () => run({}, { adapter: { name: 'own' } }),
    'a loss': () => run({ model, lossFn: () => 0 }),
    'a score of the model': () => run({ scoring: { own: (_model: unknown, _X: unknown) => 1 } }),
    'models in memory': () => run({ keepModels: 'memory' }),
    'a row source': () => run({ data: [source, y] }),
    'a step of training': () => run({}, { adapterOptions: { trainStep: () => 0 } }),
  };
  expect(await texts(rows)).toMatchSnapshot();
  await executor.close();
});

it('TensorBoardLogger', async () => {
  const run = (options: object) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
      ...{
        model: () => ({ fit: () => undefined, predict: () => [0, 0] }),
        data: [
          [[1], [2], [3], [4]],
          [0, 1, 0, 1],
        ],
      },
      callbacks: new TensorBoardLogger(options as { directory: string }),
    });
  const board = temp.write('board', '');
  const rows = {
    'no directory': () => run({}),
    'a file in its place': () => run({ directory: board }),
    'a folder in a file': () => run({ directory: `${board}/folds` }),
  };
  const found = JSON.stringify(await texts(rows)).replaceAll(temp.folder, '<folder>');
  expect(JSON.parse(found)).toMatchSnapshot();
});

it('readImages', async () => {
  const { folder, write } = temp;
  const csv = write('LIST.csv', 'file\nSMITH.png\n');
  const read =
    (where: string, options: object = {}) =>
    () =>
      readImages(where, options);
  const rows = {
    'no such folder': read('nowhere'),
    'no such root': read(csv, { root: 'nowhere' }),
    'no such file': read(csv, { root: folder }),
    'labels in a file of their own': read(folder, { labelsFrom: 'labels.csv' }),
    'no window in the file': read(`${IMAGES}/explicit.dcm`, { window: 'file' }),
    'a volume size for slices': read(`${IMAGES}/explicit.dcm`, { resize: [1, 8, 8] }),
  };
  const found = await texts(rows);
  expect(found).toMatchSnapshot();
  for (const secret of ['SMITH', folder]) expect(JSON.stringify(found)).not.toContain(secret);
});

it('readTable', async () => {
  const { folder, write } = temp;
  const read =
    (text: string, options: object = {}) =>
    () =>
      readTable(write('FILE.csv', text), { target: 'y', ...options });
  const times = { timestamps: 't' };
  const rows = {
    'an empty file': read(''),
    'a header alone': read('a,y\n'),
    'a name twice': read('a,y,a\n1,2,3\n'),
    'no header': read('1.5,2\n3,4\n'),
    'no such target': read('a,outcom\n1,0\n', { target: 'outcome' }),
    'rows without a target': read('a,y\n1,0\n2,\n3,NA\n'),
    'an open quote': read('a,y\n1,0\n"2,1\n3,0\n'),
    'a quote within a cell': read('a,y\n1"2,0\n'),
    'letters after a quote': read('a,y\n"Smith"x,0\n'),
    'a row without a patient': read('p,a,y\n1,1,0\n,2,1\n', { groups: 'p' }),
    'dates of two readings': read('t,a,y\n03/04/2024,1,0\n', times),
    'dates of two orders': read('t,a,y\n13/04/2024,1,0\n04/13/2024,1,0\n', times),
    'a day that is none': read('t,a,y\n2024-02-30,1,0\n', times),
    'a date that is known but not read': read('t,a,y\n3-Feb-2019,1,0\n', times),
    'commas that may part thousands': read('a;y\n1,234;0\n'),
    'points that may part thousands': read('a;y\n1.234;0\n25.500;1\n'),
    'points and commas': read('a;b;y\n1.5;0,5;0\n'),
    'thousands and points': read('a\tb\ty\n1.234,5\t0.5\t0\n'),
    'a column of X twice': read('a,y\n1,0\n', { columns: ['a', 'a'] }),
    'two delimiters': read('a;b,y\n1;2,3\n'),
    'the target in X': read('a,y\n1,0\n', { columns: ['a', 'y'] }),
    'two roles': read('a,y\n1,0\n', { groups: 'y' }),
    'a positive class that is none': read('a,y\n1,yes\n2,no\n', { positiveLabel: 'Yes' }),
    'columns and drop': read('a,y\n1,0\n', { columns: ['a'], drop: ['a'] }),
    'nothing for X': read('id,y\n1,0\n'),
    'an unknown option': read('a,y\n1,0\n', { grups: 'a' }),
    'a part of an alias': read('a,y\n1,0\n', { patientId: 'a' }),
    'a title as the header': read('Title;2024\na;b;c;y\n1;x;2;0\n', { target: undefined, skip: 0 }),
    'lines to skip': read('a,y\n1,0\n', { skip: -1 }),
    'a limit of detection': read('a,y\n1,0\n<0.5,1\n', { types: { a: 'numeric' } }),
    'another way with limits': read('a,y\n1,0\n', { detectionLimit: 'zero' }),
    'marks that are none': read('a,y\n1,0\n', { alsoMissing: { a: true as never } }),
    'marks of a column that is none': read('age,y\n1,0\n', { alsoMissing: { ages: [9] } }),
    'rows without a target alone': read('a,y\n1,\n2,NA\n', { missingTarget: 'drop' }),
    'a sheet of a CSV file': read('a,y\n1,0\n', { sheet: 'visits' }),
  };
  const found = await texts(rows);
  expect(found).toMatchSnapshot();
  // Neither a cell nor a folder, which may name a patient.
  for (const secret of ['Smith', folder]) expect(JSON.stringify(found)).not.toContain(secret);
});
