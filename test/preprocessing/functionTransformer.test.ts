import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { matrix } from '../helpers/matrix.js';
import { tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

const half = (X: number[][]) => X.map((row) => row.map((value) => value / 2));

describe('FunctionTransformer', () => {
  it('prepares rows by a function, images too', async () => {
    expect(await new FunctionTransformer(half).transform([[2, 4]])).toEqual([[1, 2]]);
    const byPixel = new FunctionTransformer((X: number[][][]) => X.map((image) => half(image)));
    expect(await byPixel.transform([matrix('2 4 | 6 8')])).toEqual([matrix('1 2 | 3 4')]);
    const later = new FunctionTransformer(async (X) => half(X));
    expect(await later.transform([[2]])).toEqual([[1]]);
  });

  it('takes and gives images in typed arrays as they are: no list is made for each line of them', async () => {
    const X = { data: Float32Array.of(0, 255, 51, 0), shape: [2, 1, 2] };
    const given: unknown[] = [];
    const unit = new FunctionTransformer((rows) => {
      given.push(rows);
      for (let at = 0; at < rows.data.length; at++) rows.data[at] /= 255;
      return rows;
    });
    const expected = { data: Float32Array.of(0, 1, 0.2, 0), shape: [2, 1, 2] };
    expect(await unit.transform(X)).toEqual(expected);
    expect([given, X.data[1]]).toEqual([[expected], 255]);
    const source = {
      length: 2,
      take: (rows: Int32Array) => ({ data: X.data.slice(0, 2 * rows.length), shape: [rows.length, 1, 2] }),
    };
    expect(await new Pipeline([unit]).fitTransform(source)).toEqual(expected);
    expect(await unit.transform(tf.tensor3d([[[255, 0]]]))).toEqual({ data: Float32Array.of(1, 0), shape: [1, 1, 2] });
    // Tables stay rows, and nested arrays stay such.
    expect(await new FunctionTransformer(half).transform({ data: Float32Array.of(2, 4), shape: [1, 2] })).toEqual([
      [1, 2],
    ]);
    const own = { fit: (rows: unknown) => given.push(rows), transform: (rows: unknown) => rows };
    expect(await new Pipeline([own]).fitTransform(X)).toEqual(X);
    expect(given.at(-1)).toEqual(X);
    const nested = new FunctionTransformer((rows: number[][][]) => rows.map((image) => half(image)));
    expect(await thrown(() => nested.transform(X))).toContain(
      'must prepare the rows, which are { data, shape }. It threw: rows.map is not',
    );
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
