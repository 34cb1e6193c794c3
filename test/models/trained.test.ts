/** The files of models/trained load, and say what the JSON beside each says. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadNetwork } from '../../adapters/tfjs/index.js';
import { shapes } from '../../models/scripts/shapes.mjs';
import { randomSource } from '../../src/core/random.js';
import { rowsOf } from '../../src/data/rows.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { BACKENDS } from '../helpers/modelRuns.js';
import { gap, onBackend, tf } from '../helpers/tfjsModels.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'models/trained');
const MAX_BYTES = 60_000;

interface About {
  script: string;
  versions: Record<string, string>;
  rows: number[];
  predictions: (number | number[])[];
}

const about = (name: string): About => JSON.parse(readFileSync(join(FOLDER, name, 'about.json'), 'utf8'));

const wdbc = async () => (await loadCancerImaging()).X;
/** What each file is to predict rows of. */
const DATA: Record<string, () => unknown> = {
  'wdbc-tabular': wdbc,
  'wdbc-graph': wdbc,
  'shapes-conv2d': () => shapes(randomSource(42), { n: 900 }).X,
};
const names = Object.keys(DATA);
/** Looked at by trainedOnnx.test.ts. */
const ONNX = ['chest-drawings-onnx'];

/** What a file says of the rows that its JSON names. */
async function predictions(name: string, backend: string): Promise<Float32Array> {
  const { data, shape } = await rowsOf(await DATA[name]())
    .take(Int32Array.from(about(name).rows))
    .toDense();
  return onBackend(backend, async () => {
    const model = await loadNetwork(join(FOLDER, name));
    const values = tf.tidy(() => model.predict(tf.tensor(Float32Array.from(data), [...shape])).dataSync());
    model.dispose();
    return values;
  });
}

let tensorsBefore = 0;
beforeEach(async () => {
  await tf.ready();
  tensorsBefore = tf.memory().numTensors;
});
afterEach(() => expect(tf.memory().numTensors).toBe(tensorsBefore));

describe('the trained files', () => {
  it('are all looked at', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...names, ...ONNX].sort());
  });

  it.each(names)('%s is small, and names the script that made it and the versions that it used', (name) => {
    const files = readdirSync(join(FOLDER, name)).sort();
    expect(files).toEqual(['about.json', 'model.json', 'weights.bin']);
    for (const file of files) expect(statSync(join(FOLDER, name, file)).size).toBeLessThan(MAX_BYTES);
    expect(existsSync(join(ROOT, about(name).script))).toBe(true);
    expect(about(name).versions).toMatchObject({ cvkit: expect.any(String), tfjs: expect.any(String) });
    expect(about(name).rows.length).toBeGreaterThan(3);
    expect(about(name).predictions).toHaveLength(about(name).rows.length);
  });

  // They were written on wasm; the other backends round otherwise.
  it.each(names.flatMap((name) => BACKENDS.map((backend) => [name, backend])))(
    '%s gives on %s what its JSON says',
    async (name, backend) => {
      expect(gap(await predictions(name, backend), about(name).predictions.flat())).toBeLessThan(1e-5);
    },
  );

  it('the graph gives what the network gives that it was made from', async () => {
    const [graph, network] = [await predictions('wdbc-graph', 'cpu'), await predictions('wdbc-tabular', 'cpu')];
    expect(gap(graph, network)).toBeLessThan(1e-5);
  });
});
