import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { readBy } from '../../src/runner/readBy.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs();

/** A run whose adapter hands the rows to a library as it got them. */
const run = (replace: Partial<FrameworkAdapter<NearestMean>>, preprocessing?: StandardScaler) =>
  new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits: 2 }),
    verbose: 0,
    adapter: spyAdapter(replace).adapter,
  }).run({ model: () => new NearestMean(), data: [X, y], metrics: ['accuracy'], preprocessing });

/** What a library may do with rows. */
// biome-ignore lint/suspicious/noExplicitAny: it expects lists
const libraries: [string, (rows: any) => unknown][] = [
  ['takes the first row', (rows) => rows[0].length],
  ['takes any row', (rows) => rows[rows.length - 1][0]],
  ['maps', (rows) => rows.map((row: number[]) => row[0])],
  ['loops', (rows) => [...rows]],
  ['copies', (rows) => Array.from(rows)],
];

describe('rows that an adapter does not read', () => {
  it.each(libraries)('are named where fit %s', async (_, use) => {
    const fit = async (_model: unknown, train: { X: unknown }) => void use(train.X) as never;
    const text = await thrown(() => run({ fit }));
    expect(text).toMatch(
      /^FoldError \(rows_not_read\): Fold fold-0 failed: `fit` of the adapter 'spy' must read `X`, which is a view, by `await X\.toArrays\(\)`/,
    );
    expect(await thrown(() => run({ fit }, new StandardScaler()))).toBe(text);
    const predict = async (_model: unknown, rows: unknown) => void use(rows) as never;
    expect(await thrown(() => run({ predict }))).toMatch(/rows_not_read.*`predict` of the adapter 'spy'/);
  });

  it('are named where a library fails that wants something else', async () => {
    const fit = async (_model: unknown, train: { X: object }) => new Matrix(train.X as never) as never;
    const text = 'First argument must be a positive number or an array';
    expect(() => new Matrix({} as never)).toThrow(new TypeError(text));
    expect(await thrown(() => run({ fit }))).toBe(
      `FoldError (rows_not_read): Fold fold-0 failed: \`fit\` of the adapter 'spy' threw before it read \`X\`: ${text}. \`X\` is a view, which is read by \`await X.toArrays()\` (or X.toDense(): one block of numbers).`,
    );
    const predict = async (_model: unknown, rows: object) => new Matrix(rows as never) as never;
    expect(await thrown(() => run({ predict }, new StandardScaler()))).toContain('rows_not_read');
  });

  it('are left alone where they were read, and by a model that needs none', async () => {
    const broken = async (_model: unknown, train: { X: { toDense(): Promise<unknown> } }) => {
      await train.X.toDense();
      throw new Error('out of memory');
    };
    const text = await thrown(() => run({ fit: broken as never }));
    expect(text).toContain('out of memory');
    expect(text).not.toContain('toArrays');
    const constant = await run({
      predict: async (_, rows) => ({ values: Array.from({ length: rows.length }, () => 1) }),
    });
    expect(constant.meanScores.accuracy).toBe(0.5);
  });

  it('are views like others in all else', async () => {
    const rows = rowsOf({ a: [1, 2, 3], b: [4, 5, 6] });
    await readBy('A library', rows, async (view) => {
      const facts = (of: object) => Object.entries(of).filter(([, part]) => typeof part !== 'function');
      expect(facts(view)).toEqual(facts(rows));
      expect(Object.keys(view)).toEqual(Object.keys(rows));
      expect(await view.take(Int32Array.of(2, 0)).toArrays()).toEqual([
        [3, 6],
        [1, 4],
      ]);
      expect(String(view)).toBe('[object Object]');
      expect(Object.isFrozen(view)).toBe(true);
    });
    const parts = rowsOf({ image: [[1], [2]], age: { data: Float64Array.of(3, 4), shape: [2, 1] } });
    await readBy('A library', parts, async ({ parts: inputs }) =>
      expect(Object.keys(inputs ?? {})).toEqual(['image', 'age']),
    );
    const part = readBy('A library', rows, async (view) => (view.take(Int32Array.of(1)) as unknown as number[][])[0]);
    expect(await thrown(() => part)).toContain('rows_not_read');
  });
});
