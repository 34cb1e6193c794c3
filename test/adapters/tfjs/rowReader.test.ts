import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { inputsInOrder, rowReader } from '../../../adapters/tfjs/rowReader.js';
import type { Network } from '../../../adapters/tfjs/structures.js';
import { rowsOf } from '../../../src/data/rows.js';
import { network, rowSource, stack, tf, viewOf } from '../../helpers/tfjsModels.js';

const model = viewOf(network());
const any = viewOf(stack(tf.layers.globalAveragePooling1d({ inputShape: [null as never, 2] })));
const source = (rows: unknown[], window?: number) => {
  const made = rowSource(rows, window);
  return { asked: made.asked, rows: rowsOf(made.source) };
};
/** Two inputs, `a` of 3 numbers and `b` of 1. */
function twoInputs() {
  const inputs = [tf.input({ shape: [3], name: 'a' }), tf.input({ shape: [1], name: 'b' })];
  return viewOf(tf.model({ inputs, outputs: tf.layers.concatenate().apply(inputs) as tf.SymbolicTensor }));
}

const [first, second] = [Array.of(1, 2, 3), Array.of(4, 5, 6)];

describe('rowReader', () => {
  it('reads rows in the order that is asked for', async () => {
    const reader = await rowReader(model, rowsOf([first, second]));
    expect(await reader.read(Int32Array.of(1, 0, 1))).toEqual([
      { data: Float32Array.of(4, 5, 6, 1, 2, 3, 4, 5, 6), shape: [3, 3] },
    ]);
  });

  it('reads every input of a record, in the order of the model', async () => {
    const reader = await rowReader(twoInputs(), rowsOf({ b: [[7], [8]], a: [first, second] }));
    expect(await reader.read(Int32Array.of(1))).toEqual([
      { data: Float32Array.of(4, 5, 6), shape: [1, 3] },
      { data: Float32Array.of(8), shape: [1, 1] },
    ]);
    const parts = await rowReader(twoInputs(), rowsOf({ b: [[7], [8]], a: source([first, second]).rows }));
    expect(await parts.read(Int32Array.of(1))).toEqual(await reader.read(Int32Array.of(1)));
  });

  it('reads row sources as they are needed', async () => {
    const image = [first.slice(1), second.slice(1)];
    const { asked, rows } = source([image.toReversed(), image]);
    const reader = await rowReader(any, rows);
    expect(asked).toEqual([]);
    expect(await reader.read(Int32Array.of(1))).toEqual([{ data: Float32Array.of(2, 3, 5, 6), shape: [1, 2, 2] }]);
    expect(asked).toEqual([[1]]);
  });

  it('reads a source with a window in ascending blocks, each once', async () => {
    const all = Array.from({ length: 10 }, (_, row) => [row, row + 0.5, -row]);
    const { asked, rows } = source(all, 4);
    const reader = await rowReader(model, rows.take(Int32Array.of(0, 1, 2, 4, 5, 6, 7, 8, 9)));
    const read = async (...places: number[]) => Array.from((await reader.read(Int32Array.from(places)))[0].data);
    const values = (...picked: number[]) => picked.flatMap((row) => all[row]);
    expect(await read(2, 0, 3)).toEqual(values(2, 0, 4));
    expect(await read(1, 7, 4)).toEqual(values(1, 8, 5));
    expect(await read(5, 6, 8)).toEqual(values(6, 7, 9));
    expect(asked).toEqual([[0, 1, 2, 4], [5, 6, 7, 8], [9]]);
    expect(await read(0)).toEqual(values(0));
    expect(asked.length).toBe(4); // one block is held
  });
});

it('100,000 images that are made when they are asked for train and predict in three folds with a heap of 96 MB', {
  tags: 'slow',
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-'));
  try {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const build = await rolldown({
      input: join(root, 'test/helpers/lazyImages.ts'),
      cwd: root,
      platform: 'node',
      external: [/^node:/, /^@tensorflow\/tfjs-(?:node|backend-wasm)$/],
      tsconfig: false,
      resolve: { alias: { '#io': join(root, 'src/core/io.node.ts') }, extensionAlias: { '.js': ['.ts', '.js'] } },
      logLevel: 'silent',
    });
    const file = join(folder, 'lazyImages.mjs');
    await build.write({ file, format: 'esm', codeSplitting: false });
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=96', file]);
    const { rows, most, tensors, accuracy, buffers } = JSON.parse(stdout.trim().split('\n').at(-1) as string);
    expect({ rows, most, tensors }).toEqual({ rows: 100_000, most: 256, tensors: 0 });
    expect(accuracy).toBeGreaterThan(0.9);
    expect(buffers).toBeLessThan(128 * 2 ** 20); // all images at once are 299 MB
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const withInputs = (...inputNames: string[]): Network => ({
  inputs: inputNames.map(() => ({ shape: [null, 1] })),
  inputNames,
  outputs: [],
  outputNames: [],
  layers: [],
});
const record = (...names: string[]) => names.map((name) => ({ name, data: Float32Array.of(1), shape: [1, 1] }));
const one = [{ data: Float32Array.of(1), shape: [1, 1] }];
const names = (model: Network, ...given: string[]) => inputsInOrder(model, record(...given)).map(({ name }) => name);

describe('inputsInOrder', () => {
  it('is the order of the model, by name', () => {
    expect(names(withInputs('image', 'age'), 'age', 'image')).toEqual(['image', 'age']);
    expect(names(withInputs('image'), 'image')).toEqual(['image']);
    expect(inputsInOrder(withInputs('any'), one)).toEqual(one);
  });

  it('is the order of the record where tfjs made up all names', () => {
    expect(names(withInputs('input4', 'input5'), 'image', 'age')).toEqual(['image', 'age']);
    expect(names(withInputs('input4', 'dense_Dense5_input'), 'image', 'age')).toEqual(['image', 'age']);
    expect(names(withInputs('input1', 'input2'), 'input2', 'input1')).toEqual(['input1', 'input2']);
  });
});
