import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadNetwork, saveNetwork } from '../../../adapters/tfjs/index.js';
import { disposeModel } from '../../../adapters/tfjs/model.js';
import { logisticGraph } from '../../helpers/graphModels.js';
import { stopping } from '../../helpers/stoppingFiles.js';
import { network, stack, table, tf, viewOf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

let folder = '';
beforeAll(async () => {
  await tf.setBackend('cpu');
  folder = await mkdtemp(join(tmpdir(), 'cvkit-models-'));
});
afterAll(() => rm(folder, { recursive: true }));
const namesIn = async (where: string) => (await readdir(where)).map((name) => name.replace(/-[\da-f]{8}/, '-*'));
/** Messages without the folder, which is another in every run. */
const failing = async (work: () => unknown) => (await thrown(work)).replaceAll(folder, '<folder>');

const { X } = table(8);
const numbers = (model: { predict(x: tf.Tensor): unknown }, shape: number[]) =>
  tf.tidy(() => {
    const x = tf.reshape(tf.sin(tf.range(0, 2 * shape.reduce((a, b) => a * b))), [2, ...shape]);
    return [model.predict(x)].flat().map((output) => Array.from((output as tf.Tensor).dataSync()));
  });

const { layers: l } = tf;
const apply = (layer: tf.layers.Layer, ...to: tf.SymbolicTensor[]) =>
  layer.apply(to.length === 1 ? to[0] : to) as tf.SymbolicTensor;

function normalised() {
  const model = stack(l.dense({ units: 4, inputShape: [3] }), l.batchNormalization(), l.dense({ units: 1 }));
  tf.tidy(() => model.setWeights(model.getWeights().map((weight, at) => tf.add(tf.abs(weight), 0.1 * (at + 1)))));
  return model;
}
function recurrent() {
  const layer = l.lstm({ units: 3, returnSequences: true }) as never;
  const both = l.bidirectional({ layer, mergeMode: 'concat', inputShape: [4, 2] });
  return stack(both, l.timeDistributed({ layer: l.dense({ units: 2 }) }), l.gru({ units: 2 }));
}
function twice() {
  const x = tf.input({ shape: [3] });
  const shared = l.dense({ units: 3, activation: 'tanh' });
  return tf.model({ inputs: x, outputs: apply(shared, apply(shared, x)) });
}
function nested() {
  const x = tf.input({ shape: [3] });
  const first = apply(network({ units: 2 }) as never, x);
  return tf.model({ inputs: x, outputs: [first, apply(l.dense({ units: 1 }), apply(l.concatenate(), first, x))] });
}

const MODELS: Record<string, [shape: number[], make: () => tf.LayersModel]> = {
  'a sequential network': [[3], () => network({ dropout: 0.5 })],
  'one with moving statistics': [[3], normalised],
  'recurrent layers': [[4, 2], recurrent],
  'a layer used twice': [[3], twice],
  'a model inside, and two outputs': [[3], nested],
};

describe('saveNetwork and loadNetwork', () => {
  it.each(Object.entries(MODELS))('give back %s bit for bit', async (name, [shape, make]) => {
    const before = tf.memory().numTensors;
    const model = make();
    const expected = [weightsOf(model), numbers(model, shape)];
    const where = join(folder, name);
    await saveNetwork(model, where);
    disposeModel(viewOf(model));
    const loaded = await loadNetwork(where);
    expect([weightsOf(loaded), numbers(loaded, shape)]).toEqual(expected);
    disposeModel(loaded);
    expect(tf.memory().numTensors).toBe(before);
  });

  it('give back a graph model', async () => {
    const before = tf.memory().numTensors;
    const model = await logisticGraph();
    const expected = numbers(model, [3]);
    await saveNetwork(model, join(folder, 'graph'));
    model.dispose();
    const loaded = await loadNetwork(join(folder, 'graph'));
    expect(loaded).toBeInstanceOf(tf.GraphModel);
    expect(numbers(loaded, [3])).toEqual(expected);
    loaded.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  it('take a path, a file URL, model.json itself, and the short form of tfjs-node', async () => {
    const model = network();
    const where = join(folder, 'some where');
    const url = pathToFileURL(where);
    for (const place of [where, `${where}/`, url]) await saveNetwork(model, place, { overwrite: true });
    expect(await namesIn(where)).toEqual(['model.json', 'weights-*.bin']);
    expect(await failing(() => saveNetwork(model, where))).toContain('(place_taken)');
    for (const place of [where, `${where}/model.json`, url, `${url.href}/model.json`]) {
      const loaded = await loadNetwork(place);
      expect(weightsOf(loaded)).toEqual(weightsOf(model));
      loaded.dispose();
    }
    // Without a slash it is a path that starts at the working directory.
    expect(await failing(() => loadNetwork('file://no-such-folder'))).toMatch(/unreadable_model.*ENOENT/);
    model.dispose();
  });

  it('take a handler and whatever tfjs has a handler for', async () => {
    const model = network();
    let kept: tf.io.ModelArtifacts | undefined;
    const save = async (artifacts: tf.io.ModelArtifacts) => {
      kept = artifacts;
      return {} as tf.io.SaveResult;
    };
    const handler = { save, load: async () => kept as tf.io.ModelArtifacts };
    await saveNetwork(model, handler);
    const loaded = await loadNetwork(handler);
    expect(weightsOf(loaded)).toEqual(weightsOf(model));
    loaded.dispose();
    tf.io.registerSaveRouter((url) => (String(url).startsWith('memory://') ? handler : (null as never)));
    kept = undefined;
    await saveNetwork(model, 'memory://here');
    expect(kept).toBeDefined();
    model.dispose();
  });

  it('write what tfjs itself reads, and read what it writes, in several files too', async () => {
    const model = network();
    await saveNetwork(model, join(folder, 'ours'));
    const json = JSON.parse(await readFile(join(folder, 'ours/model.json'), 'utf8'));
    const bytes = await readFile(join(folder, 'ours', json.weightsManifest[0].paths[0]));
    const [{ weights: weightSpecs }] = json.weightsManifest;
    const weightData = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const artifacts = { modelTopology: json.modelTopology, weightSpecs, weightData };
    const read = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
    expect(weightsOf(read)).toEqual(weightsOf(model));
    read.dispose();

    // A layer with more units than there are weights is refused before it is made.
    const many = join(folder, 'many');
    await mkdir(many);
    const topology = JSON.stringify(json).replace(/"units":\d+/, '"units":1000000000');
    await writeFile(join(many, 'model.json'), topology);
    await writeFile(join(many, json.weightsManifest[0].paths[0]), bytes);
    expect(topology).toContain('1000000000');
    expect(await failing(() => loadNetwork(many))).toMatch(/\(unreadable_model\): .*units 1000000000/);

    const shards = join(folder, 'shards');
    await mkdir(shards);
    json.weightsManifest[0].paths = ['a.bin', 'b.bin'];
    await writeFile(join(shards, 'a.bin'), bytes.subarray(0, 21));
    await writeFile(join(shards, 'b.bin'), bytes.subarray(21));
    await writeFile(join(shards, 'model.json'), JSON.stringify(json));
    const loaded = await loadNetwork(shards);
    expect(weightsOf(loaded)).toEqual(weightsOf(model));
    loaded.dispose();
    model.dispose();

    const flat = stack(l.flatten({ inputShape: [2, 2] }));
    const weightless = { modelTopology: flat.toJSON(null, false), weightsManifest: [] };
    await writeFile(join(shards, 'model.json'), JSON.stringify(weightless));
    expect((await loadNetwork(shards)).outputs[0].shape).toEqual([null, 4]);
  });

  it('save the state of the optimizer when asked, and else none', async () => {
    const model = network();
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const count = () => tf.memory().numTensors;
    const [x, y] = [tf.tensor2d(X), tf.zeros([8, 1])];
    await model.fit(x, y, { verbose: 0 });
    tf.dispose([x, y]);
    const held = count();
    const [plain, whole] = [join(folder, 'plain'), join(folder, 'whole')];
    await saveNetwork(model, plain);
    await saveNetwork(model, whole, { includeOptimizer: true });
    expect(count()).toBe(held);
    expect((await loadNetwork(plain)).optimizer).toBeUndefined();
    const again = await loadNetwork(whole);
    const steps = async (optimizer: tf.Optimizer) =>
      (await optimizer.getWeights()).map(({ tensor }) => tensor.dataSync());
    expect(await steps(again.optimizer)).toEqual(await steps(model.optimizer));
  });

  it.each(['kill', 'full'] as const)('leave a whole model wherever writing stops: %s', async (how) => {
    const [old, next] = [network(), network()];
    const seen = new Set<string>();
    let steps = 0;
    for (let error: unknown = true; error !== undefined; steps++) {
      const where = join(folder, `${how}-${steps}`);
      await saveNetwork(old, where);
      await writeFile(join(where, 'notes.txt'), 'mine');
      error = await stopping(steps, how, () => saveNetwork(next, where, { overwrite: true }));
      const loaded = await loadNetwork(where);
      const is = JSON.stringify(weightsOf(loaded)) === JSON.stringify(weightsOf(old)) ? 'old' : 'next';
      expect(weightsOf(loaded)).toEqual(weightsOf(is === 'old' ? old : next));
      seen.add(is);
      if (how === 'full' || error === undefined) {
        expect(await namesIn(where)).toEqual(['model.json', 'notes.txt', 'weights-*.bin']);
      }
      loaded.dispose();
    }
    expect([[...seen], steps > 4]).toEqual([['old', 'next'], how === 'kill' || steps > 4]);
    for (const model of [old, next]) model.dispose();
  });

  it('are loaded from the folder of their model.json alone, also by links', async () => {
    const [where, other] = [join(folder, 'inside'), join(folder, 'inside-not')];
    await saveNetwork(network({}), where);
    await saveNetwork(network({}), other);
    const json = JSON.parse(await readFile(join(where, 'model.json'), 'utf8'));
    const weights = (await readdir(other)).find((name) => name.startsWith('weights')) as string;
    await symlink(join(other, weights), join(where, 'link.bin'));
    for (const path of [`../inside-not/${weights}`, join(other, weights), 'file:///etc/hostname', 'link.bin']) {
      json.weightsManifest[0].paths = [path];
      await writeFile(join(where, 'model.json'), JSON.stringify(json));
      expect(await failing(() => loadNetwork(where))).toContain('must be files in the folder of its model.json');
    }
  });
});

it('loadNetwork refuses JSON that is cut, and weights that are gone', async () => {
  const [broken, without] = [join(folder, 'broken'), join(folder, 'without')];
  await mkdir(broken);
  await writeFile(join(broken, 'model.json'), '{"modelTopology": ');
  expect(await failing(() => loadNetwork(broken))).toContain('other_json');
  const model = network();
  await saveNetwork(model, without);
  model.dispose();
  await rm(join(without, (await readdir(without)).find((name) => name.endsWith('.bin')) as string));
  expect(await failing(() => loadNetwork(without))).toContain('(unreadable_model)');
});
