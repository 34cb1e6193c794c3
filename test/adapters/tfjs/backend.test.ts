import { describe, expect, it } from 'vitest';
import { openBackend, tfjsOptions } from '../../../adapters/tfjs/backend.js';
import { defaultImports, type Imports } from '../../../adapters/tfjs/packages.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const fails = () => Promise.reject(new Error('not installed'));
const noNode: Imports = { ...defaultImports, '@tensorflow/tfjs-node': fails };
const onlyCpu: Imports = { ...noNode, '@tensorflow/tfjs-backend-wasm': fails };
/** tfjs as it is before a backend package has been imported. */
const bare = {
  ...tf,
  findBackendFactory: (name: string) => (name === 'cpu' ? tf.findBackendFactory(name) : undefined),
} as typeof tf;

const cnn = viewOf(tf.sequential({ layers: [tf.layers.conv2d({ filters: 1, kernelSize: 2, inputShape: [4, 4, 1] })] }));
const words = viewOf(
  tf.sequential({ layers: [tf.layers.embedding({ name: 'words', inputDim: 3, outputDim: 2, inputShape: [2] })] }),
);

async function opened(...args: Parameters<typeof openBackend>) {
  const before = tf.getBackend();
  const session = await openBackend(...args);
  const during = tf.getBackend();
  await session.close();
  expect(tf.getBackend()).toBe(before);
  return { backend: session.info.backend, tfjs: session.info.tfjs, during, warnings: session.warnings };
}

describe('openBackend', () => {
  it('takes wasm, says so, and puts the earlier backend back', async () => {
    await tf.setBackend('cpu');
    expect(await opened(tf, noNode, {}, viewOf(network()))).toEqual({
      backend: 'wasm',
      during: 'wasm',
      tfjs: tf.version['tfjs-core'],
      warnings: [],
    });
    expect((await opened(tf, noNode, {})).backend).toBe('wasm');
    expect((await opened(tf, noNode, { backend: 'cpu' }, cnn)).backend).toBe('cpu');
  });

  it('takes tfjs-node for convolutions where it loads', async () => {
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
      ...bare,
      findBackendFactory: (name: string) => (name === 'tensorflow' ? undefined : tf.findBackendFactory(name)),
    } as typeof tf;
    expect((await opened(withWasm, counting, {}, cnn)).backend).toBe('tensorflow');
    expect((await opened(withWasm, counting, {}, words)).backend).toBe('tensorflow');
    expect((await opened(withWasm, counting, {}, viewOf(network()))).backend).toBe('wasm');
    expect(imported).toBe(2);
    tf.removeBackend('tensorflow');
  });

  it('takes wasm for convolutions where tfjs-node does not load', async () => {
    expect(await opened(tf, noNode, {}, cnn)).toMatchObject({ backend: 'wasm', warnings: [] });
  });

  it('takes cpu with a warning for what wasm cannot train, and where wasm is missing', async () => {
    expect(await opened(tf, noNode, {}, words)).toMatchObject({ backend: 'cpu' });
    expect((await opened(tf, noNode, {}, words)).warnings).toMatchInlineSnapshot(`
      [
        "tfjs runs on its cpu backend, about 100 times slower for convolutions, because wasm cannot train the Embedding layer 'words', since it has no gradient of embeddings. Run: npm install @tensorflow/tfjs-node",
      ]
    `);
    expect((await opened(bare, onlyCpu, {}, cnn)).warnings).toMatchInlineSnapshot(`
      [
        "tfjs runs on its cpu backend, about 100 times slower for convolutions, because the package @tensorflow/tfjs-backend-wasm could not be loaded. Run: npm install @tensorflow/tfjs-backend-wasm",
      ]
    `);
  });

  it('asks for the package of a backend that is named', async () => {
    expect(await thrown(() => opened(bare, onlyCpu, { backend: 'wasm' }))).toMatchInlineSnapshot(
      `"MissingPackageError (missing_package): The tfjs backend 'wasm' needs the package '@tensorflow/tfjs-backend-wasm', which could not be loaded. Run: npm install @tensorflow/tfjs-backend-wasm"`,
    );
    expect(await thrown(() => opened(bare, onlyCpu, { backend: 'tensorflow' }))).toMatchInlineSnapshot(
      `"MissingPackageError (missing_package): The tfjs backend 'tensorflow' needs the package '@tensorflow/tfjs-node', which could not be loaded. Run: npm install @tensorflow/tfjs-node"`,
    );
  });

  it('refuses unknown options', async () => {
    expect(await thrown(() => opened(tf, noNode, { backend: 'webgl' }))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The \`backend\` option of tfjsAdapter must be one of 'auto', 'wasm', 'tensorflow', 'cpu'. Got 'webgl'."`,
    );
    expect(await thrown(() => opened(tf, noNode, { backends: 'cpu' }))).toMatchInlineSnapshot(
      `"InvalidOptionError (unknown_option): tfjsAdapter has no option \`backends\`. Did you mean \`backend\`?"`,
    );
  });

  it('lets sessions that overlap share a backend, and no two differ', async () => {
    await tf.setBackend('cpu');
    const [first, second] = await Promise.all([openBackend(tf, noNode, {}), openBackend(tf, noNode, {})]);
    expect(await thrown(() => openBackend(tf, noNode, { backend: 'cpu' }))).toMatchInlineSnapshot(
      `"AdapterError (backend_in_use): The tfjs backend must be 'wasm', which another run is using. Got 'cpu'. Wait for that run."`,
    );
    await first.close();
    await first.close();
    expect(tf.getBackend()).toBe('wasm');
    await second.close();
    expect(tf.getBackend()).toBe('cpu');
  });

  it('says so when a backend cannot start', async () => {
    tf.registerBackend('tensorflow', () => Promise.reject(new Error('broken')) as never);
    const warned = console.warn;
    const warnings: unknown[] = [];
    console.warn = (...all) => warnings.push(all);
    expect(await thrown(() => opened(tf, noNode, { backend: 'tensorflow' }))).toMatchInlineSnapshot(
      `"AdapterError (backend_failed): The tfjs backend 'tensorflow' could not be started. Use another one in adapterOptions."`,
    );
    console.warn = warned;
    expect(warnings.length).toBeGreaterThan(0);
    tf.removeBackend('tensorflow');
    expect(tf.getBackend()).toBe('cpu');
  });
});

describe('tfjsOptions', () => {
  it('has one option, auto by default', () => {
    expect(tfjsOptions.rows().map(({ name, default: value }) => [name, value])).toEqual([['backend', 'auto']]);
  });
});
