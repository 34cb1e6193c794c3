import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { loadRefitted } from '../../src/runner/loadRefitted.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs } from '../helpers/nearestMean.js';
import { tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const network = () =>
  tf.sequential({ layers: [tf.layers.dense({ inputShape: [2], units: 1, activation: 'sigmoid' })] });

describe('loadRefitted', () => {
  it('gives the network with its preparation and its threshold, which predicts what it did', async () => {
    const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
      model: network,
      data: [X, y],
      preprocessing: new StandardScaler(),
      epochs: 5,
      threshold: 'youden',
      optimizer: 'adam',
      lossFn: 'binaryCrossentropy',
      refit: true,
    });
    const saved = results.refitted;
    const path = join(folder, 'final');
    await saved?.save(path);
    expect((await readdir(folder)).sort()).toEqual(['final', 'final.preprocessing.json', 'final.refitted.json']);
    const loaded = await loadRefitted(path);
    expect(await loaded.predict(X)).toEqual(await saved?.predict(X));
    expect(loaded.adjustment).toEqual(saved?.adjustment);
    expect(loaded.note).toBe(saved?.note);
    await loaded.dispose();
    await saved?.dispose();
  });

  it('refuses files that are none of these', async () => {
    expect(await thrown(() => loadRefitted(join(folder, 'nothing')))).toContain('unreadable_file');
    await writeFile(join(folder, 'odd.refitted.json'), '{}');
    expect(await thrown(() => loadRefitted(join(folder, 'odd')))).toMatchInlineSnapshot(
      `"InvalidDataError (invalid_data): The file refitted.json must be one that \`save\` of a refitted model wrote. Got another one."`,
    );
    expect(await thrown(() => loadRefitted('indexeddb://final'))).toMatchInlineSnapshot(
      `"InvalidOptionError (unable): The place of a model with its preparation must be a path, so that both can be saved. Got an address of another kind. Save \`model\` and JSON.stringify(preprocessing) by yourself."`,
    );
    expect(await thrown(() => loadRefitted('x', { adapters: 1 } as never))).toMatchInlineSnapshot(
      `"InvalidOptionError (unknown_option): loadRefitted has no option \`adapters\`. Did you mean \`adapter\`?"`,
    );
  });
});
