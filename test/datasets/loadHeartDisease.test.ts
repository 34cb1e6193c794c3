import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Dataset } from '../../src/datasets/dataset.js';
import { loadHeartDisease } from '../../src/datasets/loadHeartDisease.js';
import { readHeartDisease } from '../../src/datasets/numericCsv.js';
import { LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, KFold, UniversalCVRunner } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';
import { rejection } from '../helpers/failure.js';
import { fileServer, honest } from '../helpers/fileServer.js';
import { loaderSuite } from '../helpers/loaderSuite.js';
import { published } from '../helpers/published.js';
import { sharedFile } from '../helpers/sharedData.js';
import { tempFolder } from '../helpers/tempFolder.js';
import reference from '../reference/loaders.json' with { type: 'json' };

/** Invented patients. */
const LINES = [
  '50.0,1.0,4.0,120.0,200.0,0.0,2.0,150.0,0.0,1.5,2.0,0.0,3.0,0',
  '61.0,0.0,3.0,131.0,?,1.0,0.0,141.0,1.0,0.0,1.0,?,7.0,2',
  '44.0,1.0,2.0,118.0,219.0,0.0,0.0,170.0,0.0,0.0,1.0,0.0,?,4',
];
const NAMES = 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal'.split(' ');

/** heart-disease.names of UCI, section 7. */
const CODES: Record<string, number[]> = {
  ...{ sex: [0, 1], cp: [1, 2, 3, 4], fbs: [0, 1], restecg: [0, 1, 2], exang: [0, 1] },
  ...{ slope: [1, 2, 3], ca: [0, 1, 2, 3], thal: [3, 6, 7] },
};

const { folder, write } = tempFolder();
const server = fileServer();

describe('`path`', () => {
  it('is read as 13 features with NaN where `?` stands, and y = 1 where num > 0', async () => {
    const data = await loadHeartDisease({ path: write('heart.data', LINES.join('\n')) });
    expect(data.X[0]).toEqual([50, 1, 4, 120, 200, 0, 2, 150, 0, 1.5, 2, 0, 3]);
    expect(data.X.map((row) => row.map(Number.isNaN).flatMap((is, at) => (is ? [at] : [])))).toEqual([
      [],
      [4, 11],
      [12],
    ]);
    expect(data.y).toEqual([0, 1, 1]);
    expect(data.featureNames).toEqual(NAMES);
    expect(data.groups).toBeUndefined();
    expect(data.source).toContain('https://doi.org/10.24432/C52P4X');
    expect(data.description).toContain('y is 1 where num > 0');
    expectTypeOf(loadHeartDisease).returns.toEqualTypeOf<Promise<Dataset>>();
  });

  it('gives back every row that was written', async () => {
    const cells = NAMES.map((name) => {
      const measured = fc.integer({ min: name === 'oldpeak' ? -999 : 1, max: 9999 }).map((value) => value / 10);
      return fc.option(name in CODES ? fc.constantFrom(...CODES[name]) : measured, { nil: Number.NaN });
    });
    const row = fc.tuple(fc.tuple(...cells), fc.integer({ min: 0, max: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const written = rows.map(([cells, num]) =>
          [...cells.map((c) => (Number.isNaN(c) ? '?' : c + 0)), num].join(','),
        );
        const { X, y } = await loadHeartDisease({ path: write('heart.data', written.join('\n')) });
        expect(X).toEqual(rows.map(([cells]) => cells.map((c) => c + 0)));
        expect(y).toEqual(rows.map(([, num]) => Number(num > 0)));
      }),
      { numRuns: 30 },
    );
  });
});

describe('cells', () => {
  const said = (column: string, cell: string | number) => {
    const cells = LINES[0].split(',');
    cells[NAMES.indexOf(column)] = String(cell);
    return rejection(loadHeartDisease({ path: write('cells.data', `${LINES[1]}\n${cells}`) }));
  };

  it.each(Object.entries(CODES))('%s: no number but its codes', async (column, codes) => {
    const others = Array.from({ length: 11 }, (_, at) => at - 1).filter((code) => !codes.includes(code));
    for (const cell of [...others, codes[0] + 0.5]) {
      expect(await said(column, cell)).toMatch(
        new RegExp(
          `^invalid_data: Line 2 of .*, column '${column}' must be one of ${codes.join(', ')} or '\\?'\\. Got `,
        ),
      );
    }
  });

  it.each(['age', 'trestbps', 'chol', 'thalach'])('%s: no number that is not above 0', async (column) => {
    for (const cell of [0, -1]) {
      expect(await said(column, cell)).toMatch(
        new RegExp(`^invalid_data: Line 2 of .*, column '${column}' must be a number above 0 or '\\?'\\. Got `),
      );
    }
    expect(await said(column, '0x3F')).toMatch(/^not_numeric: Line 2 of /);
  });
});

it('the download is read as a file is, once; a cached file that was broken is said in the warnings, and by a run', async () => {
  const bytes = new TextEncoder().encode([...LINES, ...LINES, ...LINES, ...LINES].join('\n'));
  const from = published(`${server.address}/processed.cleveland.data`, bytes);
  const options = { cacheDir: join(folder, 'cache') };
  server.answer = honest(bytes);
  const data = await readHeartDisease(options, from);
  expect([data.y.length, data.sha256, 'warnings' in data]).toEqual([12, from.sha256, false]);
  expect(data.description).toMatch(/0 otherwise\.$/);
  expect(await readHeartDisease(options, from)).toEqual(data);
  expect(server.asked.length).toBe(1);
  await writeFile(join(folder, 'cache/processed.cleveland.data'), 'broken');
  const again = await readHeartDisease(options, from);
  expect(again).toEqual({
    ...data,
    warnings: [expect.stringMatching(/ in the cache .*, and was downloaded again\.$/)],
  });
  expect(await readFile(join(folder, 'cache/processed.cleveland.data'))).toEqual(Buffer.from(bytes));
  const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) });
  const cvSplitter = new KFold({ nSplits: 3 });
  const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: again });
  expect(results.metadata.warnings).toContain(again.warnings?.[0]);
  const cv = new KFold({ nSplits: 3 });
  const result = await new CVKitValidator({
    checkLeakage: false,
    checkBalance: false,
    metrics: ['accuracy'],
  }).validate({
    ...again,
    ...{ model, cv, verbose: 0 },
  });
  expect(result.manifest.warnings).toContain(again.warnings?.[0]);
});

loaderSuite({
  name: 'loadHeartDisease',
  load: loadHeartDisease,
  text: `${LINES.join('\n')}\n`,
  rows: 3,
  content: 'processed.cleveland.data',
  remote: {
    file: 'processed.cleveland.data',
    url: 'https://archive.ics.uci.edu/ml/machine-learning-databases/heart-disease/processed.cleveland.data',
  },
});

const real = sharedFile('processed.cleveland.data');
describe.skipIf(!real)('the published file, where it is (CVKIT_SHARED_DATA)', () => {
  const load = () => loadHeartDisease({ path: real as string });

  // Expected numbers: pandas, written by test/reference/loaders.py.
  it('has the rows, means and missing values that pandas finds', async () => {
    const { X, y, featureNames, sha256, description } = await load();
    const { heart } = reference;
    expect([X.length, y.filter(Boolean).length, sha256]).toEqual([heart.rows, heart.positive, heart.sha256]);
    expect(featureNames).toEqual(Object.keys(heart.columns));
    Object.values(heart.columns).forEach(({ missing, mean }, at) => {
      const cells = X.map((row) => row[at]).filter((cell) => !Number.isNaN(cell));
      expect(X.length - cells.length).toBe(missing);
      expect(cells.reduce((sum, cell) => sum + cell, 0) / cells.length).toBeCloseTo(mean, 9);
    });
    expect(description).toMatch(/0 otherwise\.$/);
  });

  it('is the file that the download accepts', async () => {
    const options = { cacheDir: join(folder, 'published') };
    server.asked.splice(0);
    server.answer = honest(await readFile(real as string));
    const { sha256 } = reference.heart;
    const from = published(`${server.address}/processed.cleveland.data`, new Uint8Array(0), { sha256, size: 18_461 });
    expect((await readHeartDisease(options, from)).X.length).toBe(303);
    // The loader itself finds it in the cache: its hash is the one that it knows.
    expect((await loadHeartDisease(options)).X.length).toBe(303);
    expect(server.asked.length).toBe(1);
  });

  it('is the data of a run', async () => {
    const cvSplitter = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });
    const run = { model: () => new LogisticRegression(), data: await load(), preprocessing: tabular() };
    const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run(run);
    expect(results.estimates.roc_auc).toBeGreaterThan(0.85);
  });
});
