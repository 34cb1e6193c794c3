import { describe, expect, it } from 'vitest';
import { addColumns, columnsOf, inParts, rowsOf } from '../../../../adapters/tfjs/wasm/columns.js';
import { type Composer, installWasmKernel } from '../../../../adapters/tfjs/wasm/compose.js';
import type { Windows } from '../../../../adapters/tfjs/windows.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';
import { windowsOf } from '../../../helpers/windows.js';

/** Two rows of 3 pixels, windows of 1 by 2 padded at the end. */
const ROWS = windowsOf({ input: [1, 2, 3], output: [1, 2, 3] });

async function compose<T>(work: (composer: Composer, x: tf.TensorInfo) => T): Promise<T | undefined> {
  let result: T | undefined;
  await onBackend('wasm', () => {
    installWasmKernel(tf, 'TestColumns', (composer, { inputs }) => {
      result = work(composer, inputs.x);
      return composer.zeros([1]);
    });
    tf.tidy(() => tf.engine().runKernel('TestColumns', { x: tf.tensor1d([1, 2, 3, 4, 5, 6]) }));
    tf.unregisterKernel('TestColumns', 'wasm');
  });
  return result;
}

describe('columnsOf', () => {
  it('lays out what the windows see, zeros for the padding', async () => {
    const seen = await compose((composer, x) =>
      [
        [0, 2],
        [1, 2],
      ].map(([from, end]) => Array.from(composer.values(columnsOf(composer, ROWS, x, from, end)))),
    );
    expect(seen).toEqual([
      [1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 0],
      [4, 5, 5, 6, 6, 0],
    ]);
  });
});

describe('addColumns', () => {
  it('adds each number to the pixel it was seen at', () => {
    const image = new Float32Array(6);
    addColumns(ROWS, Float32Array.of(1, 2, 3, 4, 5, 99), image, 1, 2);
    expect(Array.from(image)).toEqual([0, 0, 0, 1, 2 + 3, 4 + 5]); // 99 lies in the padding
  });
});

describe('rowsOf', () => {
  it('gives the rows of the positions', async () => {
    expect(await compose((composer, x) => Array.from(composer.values(rowsOf(composer, ROWS, x, 1, 2))))).toEqual([
      4, 5, 6,
    ]);
  });
});

describe('inParts', () => {
  it('covers all output rows once, a row at least at a time', async () => {
    const parts = await compose((composer) => {
      const found: number[][] = [];
      inParts(composer, ROWS, (_, from, end) => found.push([from, end]));
      // 2 ** 18 positions of two numbers are as many as one part holds
      const wide: Windows = { ...ROWS, output: [1, 3, 2 ** 18] };
      inParts(composer, wide, (_, from, end) => found.push([from, end]));
      return found;
    });
    expect(parts).toEqual([
      [0, 2],
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });
});
