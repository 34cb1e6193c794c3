import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { openBackend } from '../../../adapters/tfjs/backend.js';
import { defaultImports, type Imports, importPackage } from '../../../adapters/tfjs/packages.js';
import { bareTf, network, stack, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const fails = () => Promise.reject(new Error('not installed'));
const noNode: Imports = { ...defaultImports, '@tensorflow/tfjs-node': fails };
/** As the import of tfjs-node: registers its backend and switches to it. */
const importedNode = async () => {
  tf.registerBackend('tensorflow', () => tf.findBackendFactory('cpu')() as never);
  await tf.setBackend('tensorflow');
};

const { layers: l } = tf;
const cnn = viewOf(stack(l.conv2d({ filters: 1, kernelSize: 2, inputShape: [4, 4, 1] })));
const large = viewOf(stack(l.dense({ units: 300, inputShape: [100] })));
/** Not trained by tensorflow: see layers.ts. */
const dilated = viewOf(
  stack(l.conv3d({ name: 'holes', filters: 1, kernelSize: 2, dilationRate: 2, inputShape: [4, 4, 4, 1] } as never)),
);
/** Trained nowhere. */
const nowhere = viewOf(stack(l.softmax({ axis: 1, inputShape: [4, 4] })));

async function opened(...args: Parameters<typeof openBackend>) {
  const before = tf.getBackend();
  const session = await openBackend(...args);
  const during = tf.getBackend();
  await session.close();
  expect(tf.getBackend()).toBe(before);
  const { backend, tfjs, backendReason: reason } = session.info;
  return { backend, tfjs, reason, during, warnings: session.warnings };
}

/** Without what tfjs prints about a backend that does not start. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, error } = console;
  console.warn = console.error = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, error });
  }
}

describe('openBackend', () => {
  it('takes wasm, says so, and puts the earlier backend back', async () => {
    await tf.setBackend('cpu');
    expect(await opened(tf, noNode, {}, viewOf(network()))).toEqual({
      backend: 'wasm',
      during: 'wasm',
      tfjs: tf.version['tfjs-core'],
      reason: 'the fastest that starts here for small layers',
      warnings: [],
    });
    expect((await opened(tf, noNode, {})).backend).toBe('wasm');
    expect(await opened(tf, noNode, { backend: 'cpu' }, cnn)).toMatchObject({ backend: 'cpu', reason: undefined });
  });

  it('takes tfjs-node for convolutions and large layers where it loads', async () => {
    let imported = 0;
    tf.registerBackend('tensorflow', () => tf.findBackendFactory('cpu')() as never);
    const counting: Imports = {
      ...noNode,
      '@tensorflow/tfjs-node': async () => {
        imported++;
        await tf.setBackend('tensorflow'); // as tfjs-node does
      },
    };
    const withWasm = {
      ...bareTf,
      findBackendFactory: (name: string) => (name === 'tensorflow' ? undefined : tf.findBackendFactory(name)),
    } as typeof tf;
    expect(await opened(withWasm, counting, {}, cnn)).toMatchObject({
      backend: 'tensorflow',
      reason: 'the fastest that starts here for convolutions',
    });
    expect(await opened(withWasm, counting, {}, large)).toMatchObject({
      backend: 'tensorflow',
      reason: 'the fastest that starts here for large layers',
    });
    expect(imported).toBe(2);
    expect((await opened(withWasm, counting, {}, viewOf(network()))).backend).toBe('wasm');
    expect(await opened(withWasm, counting, {}, dilated)).toMatchObject({ backend: 'wasm' });
    expect(imported).toBe(2);
    expect((await opened(withWasm, counting, {}, nowhere)).backend).toBe('wasm');
    tf.removeBackend('tensorflow');
  });

  it('takes webgl for convolutions where it starts', async () => {
    const starting = tf.findBackendFactory('cpu');
    tf.registerBackend('webgl', () => starting() as never);
    expect(await opened(tf, noNode, {}, cnn)).toMatchObject({ backend: 'webgl', during: 'webgl' });
    expect(await opened(tf, noNode, { backend: 'webgl' })).toMatchObject({ backend: 'webgl', during: 'webgl' });
    expect((await opened(tf, noNode, {}, viewOf(network()))).backend).toBe('wasm');
    tf.removeBackend('webgl');
    tf.registerBackend('webgl', () => {
      throw new Error('no graphics card');
    });
    expect((await quietly(() => opened(tf, noNode, {}, cnn))).backend).toBe('wasm');
    tf.removeBackend('webgl');
  });

  it('passes over what loads and does not start, and says so where only cpu is left', async () => {
    await tf.setBackend('cpu');
    const wasm = tf.findBackendFactory('wasm');
    tf.removeBackend('wasm');
    for (const broken of ['tensorflow', 'wasm']) {
      tf.registerBackend(broken, () => Promise.reject(new Error('no SIMD')) as never);
    }
    const { backend, during, warnings } = await quietly(() => opened(tf, noNode, {}, cnn));
    expect([backend, during]).toEqual(['cpu', 'cpu']);
    expect(warnings).toEqual([expect.stringMatching(/ cpu .* convolutions.* wasm backend/)]);
    tf.removeBackend('wasm');
    tf.registerBackend('wasm', wasm, 2);
    // Loads, and registers nothing.
    const empty: Imports = { ...noNode, '@tensorflow/tfjs-node': async () => undefined };
    expect((await quietly(() => opened(tf, empty, {}, cnn))).backend).toBe('wasm');
    tf.removeBackend('tensorflow');
    expect((await opened(tf, empty, {}, cnn)).backend).toBe('wasm');
  });

  it('refuses a backend whose package registers nothing', async () => {
    const importing = { ...noNode, '@tensorflow/tfjs-backend-webgpu': async () => undefined }; // without a graphics card
    expect(await thrown(() => opened(tf, importing, { backend: 'webgpu' }))).toMatch(
      /\(backend_missing\): .*`backend`.*'cpu'.*'webgpu'/,
    );
  });

  it('lets sessions that overlap share a backend, and no two differ', async () => {
    await tf.setBackend('cpu');
    const [first, second] = await Promise.all([openBackend(tf, noNode, {}), openBackend(tf, noNode, {})]);
    expect(await thrown(() => openBackend(tf, noNode, { backend: 'cpu' }))).toMatch(
      /\(backend_in_use\): .*'wasm'.*'cpu'/,
    );
    await first.close();
    await first.close();
    expect(tf.getBackend()).toBe('wasm');
    await second.close();
    expect(tf.getBackend()).toBe('cpu');
  });

  it('lets auto join the backend of a run that goes on', async () => {
    const cpu = await openBackend(tf, noNode, { backend: 'cpu' });
    const joined = await openBackend(tf, noNode, {}, cnn);
    expect(joined.info).toMatchObject({ backend: 'cpu', backendReason: 'another run is using it' });
    await joined.close();
    await cpu.close();
    // The second begins while the first still imports what suits it better.
    const slowly: Imports = {
      ...noNode,
      '@tensorflow/tfjs-node': async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await importedNode();
      },
    };
    const both = await Promise.all([openBackend(tf, slowly, {}, cnn), openBackend(tf, slowly, {}, viewOf(network()))]);
    expect(both.map(({ info }) => info.backend)).toEqual(['tensorflow', 'tensorflow']);
    expect(both[1].info.backendReason).toBe('another run is using it');
    for (const session of both) await session.close();
    tf.removeBackend('tensorflow');
    expect(tf.getBackend()).toBe('cpu');
  });

  it('leaves a run where it is when another asks for a backend whose import switches to it', async () => {
    const importing: Imports = { ...noNode, '@tensorflow/tfjs-node': importedNode };
    const wasm = await openBackend(tf, importing, { backend: 'wasm' });
    expect(await thrown(() => openBackend(tf, importing, { backend: 'tensorflow' }))).toContain('backend_in_use');
    expect(tf.getBackend()).toBe('wasm');
    await tf.setBackend('cpu'); // as a caller may do who does not know better
    const joined = await openBackend(tf, importing, {}, cnn);
    expect([joined.info.backend, tf.getBackend()]).toEqual(['wasm', 'wasm']);
    for (const session of [wasm, joined]) await session.close();
    // Both begin at once: the one that asked first has its way, and stays where it is.
    const [first, second] = await Promise.allSettled([
      openBackend(tf, importing, { backend: 'wasm' }),
      openBackend(tf, importing, { backend: 'tensorflow' }),
    ]);
    expect([first.status, second.status, tf.getBackend()]).toEqual(['fulfilled', 'rejected', 'wasm']);
    if (first.status === 'fulfilled') await first.value.close();
    expect(tf.findBackendFactory('tensorflow')).toBeNull(); // not even imported
  });
});

/** A graph model by the members that tell it apart: see graphModel.ts. */
const graph = (ops: string[], weights: number) => ({
  inputs: [{ shape: [-1, 2] }],
  outputs: [{}],
  inputNodes: ['x'],
  outputNodes: ['y'],
  modelSignature: {},
  weights: { w: [{ size: weights }] },
  executor: { graph: { nodes: Object.fromEntries(ops.map((op, at) => [`node${at}`, { op }])) } },
  execute: () => undefined,
  executeAsync: () => undefined,
  predict: () => undefined,
  dispose: () => undefined,
});

const workloadOf = async (model: unknown) =>
  (await opened(tf, noNode, {}, model)).reason?.replace('the fastest that starts here for ', '');

describe('workloadOf', () => {
  it('finds convolutions, also inside wrappers and models', async () => {
    const conv = () => l.conv1d({ filters: 1, kernelSize: 2, inputShape: [4, 1] });
    expect(await workloadOf(stack(conv()))).toBe('convolutions');
    expect(await workloadOf(stack(stack(conv())))).toBe('convolutions');
    expect(await workloadOf(stack(l.timeDistributed({ layer: conv(), inputShape: [2, 4, 1] })))).toBe('convolutions');
    expect(await workloadOf(stack(l.convLstm2d({ filters: 1, kernelSize: 2, inputShape: [2, 3, 3, 1] })))).toBe(
      'convolutions',
    );
  });

  it('counts weights, those of embeddings left aside', { tags: 'slow' }, async () => {
    const dense = (units: number) => stack(l.dense({ units, inputShape: [299] }));
    expect(await workloadOf(network())).toBe('small layers');
    expect(await workloadOf(dense(99))).toBe('small layers'); // 99 * 300 = 29,700
    expect(await workloadOf(dense(100))).toBe('large layers'); // 30,000
    expect(await workloadOf(stack(l.lstm({ units: 80, inputShape: [3, 20] })))).toBe('large layers'); // 4 * 80 * (80 + 20 + 1)
    expect(await workloadOf(stack(l.embedding({ inputDim: 5000, outputDim: 32, inputLength: 4 })))).toBe(
      'small layers',
    );
  });

  it('reads the operations and weights of graph models', async () => {
    expect(await workloadOf(graph(['Placeholder', '_FusedConv2D'], 9))).toBe('convolutions');
    expect(await workloadOf(graph(['Placeholder', 'DepthwiseConv2dNative'], 9))).toBe('convolutions');
    expect(await workloadOf(graph(['Placeholder', 'MatMul'], 30_000))).toBe('large layers');
    expect(await workloadOf(graph(['Placeholder', 'MatMul'], 9))).toBe('small layers');
  });

  it('takes what it does not know for small layers', async () => {
    expect(await workloadOf(undefined)).toBe('small layers');
    expect(await workloadOf({ predict: () => [] })).toBe('small layers');
  });
});

it.each<[string, () => Promise<unknown>]>([
  ['adapter imports it', () => thrown(() => importPackage(defaultImports, '@tensorflow/tfjs-node', 'A test'))],
  [
    'caller has imported it',
    async () => {
      tf.registerBackend('tensorflow', () => tf.findBackendFactory('cpu')() as never);
      await opened(tf, noNode, { backend: 'tensorflow' });
      tf.removeBackend('tensorflow');
    },
  ],
])('what newer versions of Node have removed and tfjs-node needs is put back where the %s', async (_, work) => {
  const module = util as unknown as Record<string, unknown>;
  const had = module.isNullOrUndefined;
  delete module.isNullOrUndefined;
  await work();
  const restored = module.isNullOrUndefined as (value: unknown) => boolean;
  expect([undefined, null, 0].map(restored)).toEqual([true, true, false]);
  if (had) module.isNullOrUndefined = had;
});

describe('the start of a backend', () => {
  it('takes away what throws again, and leaves the listeners of the host', async () => {
    const [host, meanwhile] = [() => undefined, () => console.log('host')];
    const [rethrowing, ofBackend] = [0, 1].map(() => (ex: unknown) => {
      throw ex;
    });
    process.on('uncaughtException', host);
    process.on('uncaughtException', rethrowing); // the host's, too: it was there before
    try {
      let isFirst = true;
      const setBackend = (name: string) => {
        if (isFirst) {
          process.on('uncaughtException', ofBackend);
          process.on('uncaughtException', meanwhile);
        }
        isFirst = false;
        return tf.setBackend(name);
      };
      await (await openBackend({ ...tf, setBackend } as typeof tf, noNode, { backend: 'cpu' })).close();
      // Others of the process, such as an engine that starts late, may add their own at any time.
      const remaining = process.rawListeners('uncaughtException');
      const ours = [host, rethrowing, ofBackend, meanwhile];
      expect(ours.filter((each) => remaining.includes(each))).toEqual([host, rethrowing, meanwhile]);
    } finally {
      for (const each of [host, rethrowing, ofBackend, meanwhile]) process.removeListener('uncaughtException', each);
    }
  });

  it('leaves no line of tfjs above an error that nobody catches, and the exit code of Node', {
    tags: 'slow',
  }, async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    // Inside the project, so that packages are found.
    const folder = mkdtempSync(join(root, 'node_modules', '.uncaught-'));
    try {
      const build = await rolldown({
        input: join(root, 'test/helpers/uncaught.ts'),
        external: ['#node', /^@tensorflow\//, 'eventemitter3', /^node:/],
        platform: 'node',
        tsconfig: false,
        resolve: { alias: { '#io': join(root, 'src/core/io.node.ts') }, extensionAlias: { '.js': ['.ts', '.js'] } },
        logLevel: 'silent',
      });
      const file = join(folder, 'uncaught.mjs');
      await build.write({ file, format: 'esm', codeSplitting: false });
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
      expect(stdout.trim().split('\n').at(-1)).toBe('[0,0]');
      const lines = stderr.split('\n').filter((line) => line.trim() !== '');
      // Node shows the line that made the error, which is ours, and then the sentence.
      expect(lines[0]).toContain('uncaught.mjs:');
      expect(stderr).not.toMatch(/throw ex|backend-wasm/);
      expect(lines.find((line) => /^\w*Error: /.test(line))).toBe(
        "InvalidOptionError: The `optimizer` option has no optimizer 'adem' in tfjs. Did you mean 'adam'?",
      );
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
