/** Chooses the engine that computes, switches to it, and switches back. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import { oneOf, optionTable } from '../../src/core/options.js';
import type { AdapterSession } from '../../src/runner/frameworkAdapter.js';
import { type Imports, importPackage, tryPackage } from './packages.js';
import { convolves, refusals } from './refusals.js';
import type { LayersModel, Tf } from './structures.js';
import { registerConv2dBackpropFilter } from './wasm/conv2dBackpropFilter.js';
import { replaceMaxPoolGrad } from './wasm/maxPoolGrad.js';

type Backend = 'wasm' | 'tensorflow' | 'cpu';

/** What `adapterOptions` may hold for tfjs models. */
export const tfjsOptions = optionTable('tfjsAdapter', {
  backend: oneOf('auto', 'wasm', 'tensorflow', 'cpu')
    .default('auto')
    .describe(
      'Engine: wasm (embedded), tensorflow (needs @tensorflow/tfjs-node), cpu (slow). auto takes tensorflow for ' +
        'convolutions where it loads, and wasm otherwise.',
    ),
});

interface Chosen {
  readonly backend: Backend;
  readonly warnings: readonly string[];
}

interface Use {
  readonly backend: Backend;
  readonly before: string;
  readonly switched: Promise<boolean>;
  sessions: number;
}

// The backend is one for the whole process, so sessions that overlap must agree on it.
const inUse = new WeakMap<object, Use>();

/** Switches to the backend that `options` asks for, or that fits `model`. `close` puts the earlier one back. */
export async function openBackend(
  tf: Tf,
  imports: Imports,
  options: Readonly<Record<string, unknown>>,
  model?: LayersModel,
): Promise<AdapterSession> {
  const { backend: wanted } = tfjsOptions.resolve(options);
  await tf.ready();
  const before = tf.getBackend(); // asked first, because the import of tfjs-node changes it
  const chosen = wanted === 'auto' ? await choose(tf, imports, model) : await named(tf, imports, wanted);
  const close = await activate(tf, chosen.backend, before);
  return { info: { backend: chosen.backend, tfjs: tf.version['tfjs-core'] }, warnings: chosen.warnings, close };
}

async function choose(tf: Tf, imports: Imports, model: LayersModel | undefined): Promise<Chosen> {
  const shared = inUse.get(tf.engine());
  if (shared) return { backend: shared.backend, warnings: [] };
  const wrongOnWasm = model ? refusals(model, 'wasm') : [];
  if (model && (convolves(model) || wrongOnWasm.length > 0) && (await hasTensorflow(tf, imports))) {
    return { backend: 'tensorflow', warnings: [] };
  }
  if (model && wrongOnWasm.length > 0 && refusals(model, 'cpu').length === 0) {
    return slow(`wasm cannot train ${wrongOnWasm[0]}`, '@tensorflow/tfjs-node');
  }
  if (await hasWasm(tf, imports)) return { backend: 'wasm', warnings: [] };
  return slow('the package @tensorflow/tfjs-backend-wasm could not be loaded', '@tensorflow/tfjs-backend-wasm');
}

function slow(why: string, install: string): Chosen {
  const warning = `tfjs runs on its cpu backend, about 100 times slower for convolutions, because ${why}.`;
  return { backend: 'cpu', warnings: [`${warning} Run: npm install ${install}`] };
}

async function named(tf: Tf, imports: Imports, backend: Backend): Promise<Chosen> {
  const packageName = PACKAGES[backend];
  if (packageName && !tf.findBackendFactory(backend)) {
    await importPackage(imports, packageName, `The tfjs backend '${backend}'`);
  }
  return { backend, warnings: [] };
}

const PACKAGES = {
  wasm: '@tensorflow/tfjs-backend-wasm',
  tensorflow: '@tensorflow/tfjs-node',
  cpu: undefined,
} as const;

const hasWasm = async (tf: Tf, imports: Imports) =>
  Boolean(tf.findBackendFactory('wasm')) || tryPackage(imports, PACKAGES.wasm);
const hasTensorflow = async (tf: Tf, imports: Imports) =>
  Boolean(tf.findBackendFactory('tensorflow')) || tryPackage(imports, PACKAGES.tensorflow);

async function activate(tf: Tf, backend: Backend, before: string): Promise<() => Promise<void>> {
  const engine = tf.engine();
  const use = inUse.get(engine) ?? { backend, before, switched: tf.setBackend(backend), sessions: 0 };
  if (use.backend !== backend) {
    throw new AdapterError(
      sentence('The tfjs backend', `be '${use.backend}', which another run is using`, backend, 'Wait for that run.'),
      { code: 'backend_in_use' },
    );
  }
  use.sessions++;
  inUse.set(engine, use);
  const leave = async () => {
    if (--use.sessions > 0) return;
    inUse.delete(engine);
    await tf.setBackend(use.before);
  };
  if (!(await use.switched)) {
    await leave();
    throw new AdapterError(`The tfjs backend '${backend}' could not be started. Use another one in adapterOptions.`, {
      code: 'backend_failed',
    });
  }
  if (backend === 'wasm') {
    registerConv2dBackpropFilter(tf);
    replaceMaxPoolGrad(tf);
  }
  let open = true;
  return async () => {
    if (open) await leave();
    open = false;
  };
}
