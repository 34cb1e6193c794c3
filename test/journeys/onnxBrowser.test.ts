/** ONNX models in a page: bundled with onnxruntime-web, whose WebAssembly lies beside the scripts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { bundled, chromium, LIMIT, NO_CHROMIUM, toldBy } from './chromium.js';

const MODEL = join(ROOT, 'models/trained/chest-drawings-onnx/model.onnx');
const WASM = 'ort-wasm-simd-threaded.jsep.wasm';

beforeAll(needDist);

it(
  'a frozen classifier and embeddings give in a page what they give in Node',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const files = await bundled(join(ROOT, 'test/journeys/onnxPage.mjs'));
    files.set('/model.onnx', readFileSync(MODEL));
    files.set(`/${WASM}`, readFileSync(join(ROOT, 'node_modules/onnxruntime-web/dist', WASM)));
    const found = await toldBy(chromium, files);
    expect(found.error).toBeUndefined();
    const { outcome } = await import('./onnxPage.mjs');
    const inNode = await outcome(MODEL);
    expect(found.backend).toMatch(/^onnxruntime-web /);
    expect(inNode.backend).toMatch(/^onnxruntime-node /);
    expect(found.computed).toBe(60);
    // The two runtimes round differently; a model that is trained on the features magnifies it.
    for (const [what, most] of [
      ['frozen', 1e-5],
      ['head', 1e-4],
    ] as const) {
      const expected = inNode[what] as number[];
      const values = found[what] as number[];
      expect(values).toHaveLength(60);
      expect(Math.max(...values.map((value, row) => Math.abs(value - expected[row])))).toBeLessThan(most);
    }
  },
  2 * LIMIT,
);
