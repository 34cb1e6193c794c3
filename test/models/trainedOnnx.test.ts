/** The ONNX file of models/trained gives in the runtimes what the network that it was written from gave in TensorFlow.js. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OnnxEmbedding, onnxModel } from '../../adapters/onnx/index.js';
import { chestDrawings } from '../../models/scripts/chestDrawings.mjs';
import { randomSource } from '../../src/core/random.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { gap } from '../helpers/tfjsModels.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'models/trained/chest-drawings-onnx');
const FILE = join(FOLDER, 'model.onnx');
const PIXELS = 28 ** 2;

interface About {
  script: string;
  versions: Record<string, string>;
  rows: number[];
  predictions: number[];
  features: number[][];
}

const about: About = JSON.parse(readFileSync(join(FOLDER, 'about.json'), 'utf8'));

/** The rows that the JSON names, as the script drew them. */
function namedRows() {
  const drawn = chestDrawings(randomSource(2026), { n: Math.max(...about.rows) + 1 });
  const data = new Float32Array(about.rows.length * PIXELS);
  about.rows.forEach((row, at) => {
    data.set(drawn.X.data.subarray(row * PIXELS, (row + 1) * PIXELS), at * PIXELS);
  });
  return { X: { data, shape: [about.rows.length, 28, 28, 1] }, y: about.rows.map((row) => drawn.y[row]) };
}

describe('chest-drawings-onnx', () => {
  it('is small, and names the script that made it and the versions that it used', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(['about.json', 'model.onnx']);
    expect(statSync(FILE).size).toBeLessThan(60_000);
    expect(existsSync(join(ROOT, about.script))).toBe(true);
    expect(about.versions).toMatchObject({ cvkit: expect.any(String), tfjs: expect.any(String) });
    expect(about.predictions).toHaveLength(about.rows.length);
    expect(about.features).toHaveLength(about.rows.length);
  });

  it.each(['node', 'web'] as const)('gives with onnxruntime-%s what TensorFlow.js gave', async (runtime) => {
    const { X, y } = namedRows();
    const { outOfFold } = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
      model: onnxModel(FILE, { gives: 'logits', runtime }),
      data: [X, y],
      metrics: ['brier'],
    });
    expect(gap(Float32Array.from(outOfFold.yProba as number[]), about.predictions)).toBeLessThan(1e-5);
    const features: number[][] = await new OnnxEmbedding(FILE, { output: 'features', runtime }).transform(X);
    expect(gap(Float32Array.from(features.flat()), about.features.flat())).toBeLessThan(1e-5);
  });
});
