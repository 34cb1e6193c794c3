import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { thrown } from '../helpers/thrown.js';

const half = (X: number[][]) => X.map((row) => row.map((value) => value / 2));

describe('FunctionTransformer', () => {
  it('prepares rows by a function, images too', async () => {
    expect(await new FunctionTransformer(half).transform([[2, 4]])).toEqual([[1, 2]]);
    const images = [
      [
        [2, 4],
        [6, 8],
      ],
    ];
    const byPixel = new FunctionTransformer((X: number[][][]) => X.map((image) => half(image)));
    expect(await byPixel.transform(images)).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    const later = new FunctionTransformer(async (X) => half(X));
    expect(await later.transform([[2]])).toEqual([[1]]);
  });

  it('may name its function by a module, also through JSON', async () => {
    const module = new URL('../node/models/steps.mjs', import.meta.url);
    expect(await new FunctionTransformer({ module }).transform([[2, 4]])).toEqual([[1, 2]]);
    const path = { module: fileURLToPath(module), export: 'withRatio', kwArgs: { plus: 1 } };
    const made = new FunctionTransformer(path, { scope: 'global', makesMissing: true });
    expect(await made.transform([[2, -3]])).toEqual([[2, -3, 5]]);
    expect([made.describe(), made.module, made.globalSteps()]).toEqual([
      'FunctionTransformer(withRatio)',
      module.href,
      ['withRatio'],
    ]);
    const again = transformerFromJSON(JSON.parse(JSON.stringify(made)), { modules: 'allow' }) as FunctionTransformer;
    expect(again.getParams()).toEqual(made.getParams());
    expect(await again.transform([[2, -3]])).toEqual([[2, -3, 5]]);
    const steps = new Pipeline([new FunctionTransformer({ module }), new StandardScaler()]);
    await steps.fit([[1], [3]]);
    const read = transformerFromJSON(JSON.parse(JSON.stringify(steps)), { modules: 'allow' }) as Pipeline;
    expect(await read.transform([[5]])).toEqual([[3]]);
    expect(new FunctionTransformer({ module }).describe()).toBe('FunctionTransformer(steps.mjs)');
    path.kwArgs.plus = 5;
    expect(await made.transform([[2, -3]])).toEqual([[2, -3, 5]]);
  });

  it('says what is no name of a function', async () => {
    const module = new URL('../node/models/steps.mjs', import.meta.url);
    const refused: unknown[] = [
      {},
      { module, name: 'x' },
      { module: './steps.mjs' },
      { module: 'https://example.org/steps.mjs' },
      { module, export: '' },
      { module, kwArgs: { by: () => 1 } },
    ];
    const texts = [];
    for (const given of refused) texts.push(await thrown(() => new FunctionTransformer(given as never)));
    for (const given of [
      { module, export: 'notOne' },
      { module, export: 'none' },
    ]) {
      texts.push(await thrown(() => new FunctionTransformer(given).transform([[1]])));
    }
    texts.push(
      await thrown(() => new FunctionTransformer({ module: new URL('./none.mjs', import.meta.url) }).transform([[1]])),
    );
    expect(
      texts.map((text) => text.replaceAll(/file:\S*\//g, 'file:///x/').replace(/It threw: .*/, 'It threw')),
    ).toEqual([
      expect.stringMatching(/\(invalid_option\): .*Got an empty object/),
      expect.stringMatching(/\(invalid_option\): .*Got an object with/),
      expect.stringMatching(/\(invalid_option\): .*`module`/),
      expect.stringMatching(/\(invalid_option\): .*`module`/),
      expect.stringMatching(/\(invalid_option\): .*`export`.*''/),
      expect.stringMatching(/\(invalid_option\): .*`kwArgs`/),
      expect.stringMatching(/\(invalid_module\): .*'notOne'.*3/),
      expect.stringMatching(/\(invalid_module\): .*'none'.*undefined/),
      expect.stringMatching(/\(invalid_module\):/),
    ]);
  });

  it('is known by its name, and as global where it says so', () => {
    const made = new FunctionTransformer(half, { scope: 'global' });
    expect([made.describe(), made.globalSteps()]).toEqual(['FunctionTransformer(half)', ['half']]);
    expect(new FunctionTransformer(half).globalSteps()).toEqual([]);
  });

  it('says what it cannot do', async () => {
    expect(await thrown(() => JSON.stringify(new FunctionTransformer(half)))).toMatch(/\(not_plain\): .*`module`/);
    const broken = new FunctionTransformer(() => {
      throw new Error('no rows');
    });
    expect(await thrown(() => broken.transform([[1]]))).toMatch(/\(transform_failed\):/);
  });
});
