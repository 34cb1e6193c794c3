import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readImages } from '../../src/node/images/readImages.js';
import { TensorBoardLogger } from '../../src/node/tensorBoardLogger.js';
import { threads } from '../../src/node/threads.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { readTable } from '../../src/table/readTable.js';
import { IMAGES } from '../helpers/imageFolders.js';
import { texts } from '../helpers/messages.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';

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
    'ids as the target': read('mrn,a\np1,1\np1,2\np2,3\n', { target: 'mrn' }),
    'a sheet of a CSV file': read('a,y\n1,0\n', { sheet: 'visits' }),
  };
  const found = await texts(rows);
  expect(found).toMatchSnapshot();
  // Neither a cell nor a folder, which may name a patient.
  for (const secret of ['Smith', folder]) expect(JSON.stringify(found)).not.toContain(secret);
});

// A process for each row.
it('cvkit worker', { timeout: 180_000 }, async () => {
  needDist();
  const { folder } = temp;
  const place = join(folder, 'worker-run');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const text = (rows: number[][]) =>
    `export const load = () => (${JSON.stringify({ X: rows, y: rows.map(([first]) => first % 2) })});`;
  const X = Array.from({ length: 12 }, (_, row) => [row]);
  const model = temp.write(
    'worker-model.mjs',
    `export { default } from '${new URL('./models/centroid.mjs', import.meta.url)}';`,
  );
  const source = readFileSync(model, 'utf8');
  const data = { module: temp.write('worker-data.mjs', text(X)), export: 'load' };
  const dry = (more: object = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), randomState: 1, verbose: 0 }).run({
      ...{ model: pathToFileURL(model), data, runDirectory: place, dryRun: true },
      ...more,
    });
  const worker = (...words: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [join(DIST, 'node', 'cli.js'), 'worker', ...words], {
      encoding: 'utf8',
    });
    return `${status}: ${stderr.trim().replaceAll(folder, '<folder>').replaceAll(root, '<root>/')}`;
  };
  const one = (task = '0', roots = [folder]) =>
    worker(place, '--task', task, ...roots.flatMap((each) => ['--root', each]));
  const tasks = join(place, 'tasks', 'folds');
  /** What a worker says once a file holds something else; it holds what it did afterwards. */
  const changed = (path: string, to: string | Uint8Array | undefined) => {
    const before = readFileSync(path);
    if (to === undefined) rmSync(path);
    else writeFileSync(path, to);
    const answer = one();
    writeFileSync(path, before);
    return answer;
  };
  await dry();
  const description = readFileSync(join(tasks, 'run.json'), 'utf8');
  const rows = {
    'no module of the model': () => changed(model, undefined),
    'another version of it': () => changed(model, `${source} // newer`),
    'no module of the data': () => changed(data.module, undefined),
    'a module outside of the roots': () => one('0', [root]),
    'another version of cvkit': () =>
      changed(join(tasks, 'run.json'), description.replace(/"cvkit":"[^"]*"/, '"cvkit":"9.9.9"')),
    'a task that is none': () => one('3'),
    'a number that is none': () => one('x'),
    'no number': () => worker(place),
    'no tasks': () => worker(folder, '--task', '0'),
    'tasks of another batch': () => worker(place, '--task', '0', '--batch', 'other'),
    'a description written by hand': () => changed(join(tasks, 'run.json'), '{'),
    'a task written by hand': () => changed(join(tasks, '0.task'), 'fold-0'),
    'outcomes that cannot be written': () => {
      rmSync(join(place, 'folds'), { recursive: true });
      writeFileSync(join(place, 'folds'), '');
      const answer = one();
      rmSync(join(place, 'folds'));
      mkdirSync(join(place, 'folds'));
      return answer;
    },
    'a full disk': () => {
      const full = temp.write(
        'full.mjs',
        `import fs from 'node:fs/promises';
        const probe = await fs.open(${JSON.stringify(model)});
        Object.getPrototypeOf(probe).appendFile = async () => {
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        };
        await probe.close();`,
      );
      process.env.NODE_OPTIONS = `--import=${pathToFileURL(full)}`;
      const answer = one();
      delete process.env.NODE_OPTIONS;
      return answer.replace(/\.[\da-f]{8}\.outcome/, '.<name>.outcome');
    },
    'rows that were copied, and are gone': async () => {
      rmSync(place, { recursive: true });
      await dry({ data: [X, X.map(([first]) => first % 2)], copyData: true });
      rmSync(join(place, 'data'), { recursive: true });
      return one().replace(/[\da-f]{64}/, '<hash>');
    },
  };
  const found = await texts(rows);
  expect(
    JSON.parse(JSON.stringify(found).replaceAll(/be that of the run, [\d.]+/g, 'be that of the run, <version>')),
  ).toMatchSnapshot();
});
