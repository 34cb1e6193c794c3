import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { csv, csvSha256 } from '../../src/datasets/data/wdbc.js';
import type { Dataset } from '../../src/datasets/dataset.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { loaderSuite } from '../helpers/loaderSuite.js';
import { tempFolder } from '../helpers/tempFolder.js';
import reference from '../reference/wdbc.json' with { type: 'json' };

const { folder, write } = tempFolder();

describe('the bundled data', () => {
  it('are the file of 569 rows, 212 of them malignant, byte for byte', async () => {
    const data = await loadCancerImaging();
    expect([data.X.length, data.y.length, data.y.filter((label) => label === 1).length]).toEqual([569, 569, 212]);
    expect(data.sha256).toBe('98e149ecba38a16afd3b5bf16bdcf258436a5766f9d9b42bdd1dba9733d038f0');
    expect(createHash('sha256').update(csv).digest('hex')).toBe(data.sha256);
    expect(csvSha256).toBe(data.sha256);
    expect(data.featureNames).toEqual(csv.slice(0, csv.indexOf('\r\n')).split(',').slice(0, 30));
    expect(data.X.every((row) => row.length === 30 && row.every(Number.isFinite))).toBe(true);
    expect(data.source).toContain('https://doi.org/10.24432/C5DW2B');
    expect(data.groups).toBeUndefined();
    expectTypeOf(loadCancerImaging).returns.toEqualTypeOf<Promise<Dataset>>();
  });

  // Expected numbers: scikit-learn's copy of the same data, written by test/reference/wdbc.py.
  it('have the column means of scikit-learn', async () => {
    const { X, y } = await loadCancerImaging();
    expect([X.length, y.filter(Boolean).length]).toEqual([reference.rows, reference.malignant]);
    reference.means.forEach((expected, at) => {
      expect(X.reduce((sum, row) => sum + row[at], 0) / X.length / expected).toBeCloseTo(1, 12);
    });
  });

  it('are a fresh copy each time', async () => {
    const first = await loadCancerImaging();
    first.X[0][0] = -1;
    first.y[0] = -1;
    first.featureNames[0] = 'changed';
    const second = await loadCancerImaging();
    expect([second.X[0][0], second.y[0], second.featureNames[0]]).toEqual([17.99, 1, 'mean_radius']);
  });
});

describe('`path`', () => {
  it('reads a file of the same columns', async () => {
    const { X, y } = await loadCancerImaging({ path: write('other.csv', csv.split('\r\n').slice(0, 11).join('\n')) });
    const whole = await loadCancerImaging();
    expect([X, y]).toEqual([whole.X.slice(0, 10), whole.y.slice(0, 10)]);
  });

  it('is known by its hash: the bundled text in a file is the published data set', async () => {
    expect(await loadCancerImaging({ path: write('other.csv', csv) })).toEqual(await loadCancerImaging());
  });
});

it('`cacheDir` is taken, and no folder is made', async () => {
  const cacheDir = join(folder, 'cache');
  expect((await loadCancerImaging({ cacheDir })).X.length).toBe(569);
  await expect(readdir(cacheDir)).rejects.toThrow('ENOENT');
});

loaderSuite({
  name: 'loadCancerImaging',
  load: loadCancerImaging,
  text: `${csv.split('\r\n').slice(0, 11).join('\n')}\n`,
  rows: 10,
  header: csv.slice(0, csv.indexOf('\r\n')),
  content: 'data set',
  refused: [
    [
      { timeout: 5 },
      'unknown_option: loadCancerImaging has no option `timeout`. Its options are: path, cacheDir, signal.',
    ],
  ],
});
