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
    ).toMatchInlineSnapshot(`
      [
        "InvalidOptionError (invalid_option): The argument of FunctionTransformer must be a function of rows, or { module, export, kwArgs } that names one. Got an empty object.",
        "InvalidOptionError (invalid_option): The argument of FunctionTransformer must be a function of rows, or { module, export, kwArgs } that names one. Got an object with the keys module, name.",
        "InvalidOptionError (invalid_option): The \`module\` of FunctionTransformer must be the absolute path or file: URL of a module. Got './steps.mjs'. Use new URL('./step.js', import.meta.url).",
        "InvalidOptionError (invalid_option): The \`module\` of FunctionTransformer must be the absolute path or file: URL of a module. Got 'https://example.org/steps.mjs'. Use new URL('./step.js', import.meta.url).",
        "InvalidOptionError (invalid_option): The \`export\` of FunctionTransformer must be the name of an export. Got ''.",
        "InvalidOptionError (invalid_option): The \`kwArgs\` of FunctionTransformer must be an object of plain data, which JSON can hold. Got an object with the keys by.",
        "InvalidOptionError (invalid_module): The module file:///x/steps.mjs of FunctionTransformer must have the function 'notOne' as an export. Got 3.",
        "InvalidOptionError (invalid_module): The module file:///x/steps.mjs of FunctionTransformer must have the function 'none' as an export. Got undefined.",
        "AdapterError (invalid_module): The module file:///x/none.mjs of FunctionTransformer must load. It threw",
      ]
    `);
  });

  it('is known by its name, and as global where it says so', () => {
    const made = new FunctionTransformer(half, { scope: 'global' });
    expect([made.describe(), made.globalSteps()]).toEqual(['FunctionTransformer(half)', ['half']]);
    expect(new FunctionTransformer(half).globalSteps()).toEqual([]);
  });

  it('says what it cannot do', async () => {
    expect(await thrown(() => new FunctionTransformer('log' as never))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The argument of FunctionTransformer must be a function of rows, or { module, export, kwArgs } that names one. Got 'log'."`,
    );
    expect(await thrown(() => JSON.stringify(new FunctionTransformer(half)))).toMatchInlineSnapshot(
      `"InvalidOptionError (not_plain): A step to be written as JSON must be told by plain data, as a function is that is named by its \`module\`. Got the function half."`,
    );
    const broken = new FunctionTransformer(() => {
      throw new Error('no rows');
    });
    expect(await thrown(() => broken.transform([[1]]))).toMatchInlineSnapshot(
      `"AdapterError (transform_failed): The function without a name must prepare the rows. It threw: no rows"`,
    );
  });
});
