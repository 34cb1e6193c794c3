import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { matrix } from '../helpers/matrix.js';

const half = (X: number[][]) => X.map((row) => row.map((value) => value / 2));

describe('FunctionTransformer', () => {
  it('prepares rows by a function, images too', async () => {
    expect(await new FunctionTransformer(half).transform([[2, 4]])).toEqual([[1, 2]]);
    const byPixel = new FunctionTransformer((X: number[][][]) => X.map((image) => half(image)));
    expect(await byPixel.transform([matrix('2 4 | 6 8')])).toEqual([matrix('1 2 | 3 4')]);
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

  it('is known by its name, and as global where it says so', () => {
    const made = new FunctionTransformer(half, { scope: 'global' });
    expect([made.describe(), made.globalSteps()]).toEqual(['FunctionTransformer(half)', ['half']]);
    expect(new FunctionTransformer(half).globalSteps()).toEqual([]);
  });
});
