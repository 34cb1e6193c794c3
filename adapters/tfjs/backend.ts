import type { Rank, Tensor4D } from '@tensorflow/tfjs';
import { cleanupOnError, withCleanup } from '../../src/core/cleanup.js';
import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { BACKEND_NAMES } from '../../src/core/knownNames.js';
import { isModuleFunction, type ModuleFunction } from '../../src/core/moduleFunction.js';
import { sum } from '../../src/core/numbers.js';
import { custom, isPlainObject, oneOf, optionTable, string } from '../../src/core/options.js';
import type { AdapterSession, TrainStep } from '../../src/runner/frameworkAdapter.js';
import { graphOps, isGraphModel } from './graphModel.js';
import { completeGradients } from './kernels/completeGradients.js';
import { completeWasm } from './kernels/completeWasm.js';
import { correctCpu } from './kernels/correctCpu.js';
import { refusals } from './layers.js';
import { type Imports, importPackage, restoreNodeUtil, tryPackage } from './packages.js';
import { isLayersModel, type Layer, layersWithin, type Tf } from './structures.js';

type Backend = (typeof BACKEND_NAMES)[number];

export const tfjsOptions = optionTable('tfjsAdapter', {
  backend: oneOf('auto', ...BACKEND_NAMES)
    .default('auto')
    .describe(
      'Engine: wasm (embedded), tensorflow (needs @tensorflow/tfjs-node), cpu (slow), webgl or webgpu (browsers). auto ' +
        'takes tensorflow or webgl for convolutions and large layers where they start, and wasm otherwise; it avoids ' +
        'engines that cannot train a layer of the model.',
    ),
  output: string().optional().describe('Name of the output that predicts y, of a model with several.'),
  trainStep: custom<TrainStep | ModuleFunction>(
    '(step) => loss | { loss, ... } | { module, export }',
    'be a function, or { module, export } that names one',
    (value) => typeof value === 'function' || isModuleFunction(value),
  )
    .optional()
    .describe(
      'Training step in place of loss and optimizer.minimize: ({ tf, model, optimizer, x, y, ... }) => loss. By its module, `{ module, export, kwArgs }`, it runs on any executor.',
    ),
  lossWeights: custom<Readonly<Record<string, number>>>(
    'record of output name -> number',
    'be a record of numbers >= 0',
    (value) =>
      isPlainObject(value) && Object.values(value).every((weight) => Number.isFinite(weight) && Number(weight) >= 0),
  )
    .optional()
    .describe('Weights of the losses of several outputs; 1 for those left out.'),
});

interface Chosen {
  readonly backend: Backend;
  readonly reason?: string;
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

// One opening at a time, so that nothing is imported or tried out while a run goes on: the import of tfjs-node switches
// the whole process to it.
const openings = new WeakMap<object, Promise<unknown>>();

/** Switches to the backend that `options` asks for, or that fits `model`. `close` puts the earlier one back. */
export function openBackend(
  tf: Tf,
  imports: Imports,
  options: Readonly<Record<string, unknown>>,
  model?: unknown,
): Promise<AdapterSession> {
  const engine = tf.engine();
  const opened = Promise.resolve(openings.get(engine)).then(() => open(tf, imports, options, model));
  openings.set(engine, Promise.allSettled([opened])); // the next one begins, however this one ends
  return opened;
}

async function open(
  tf: Tf,
  imports: Imports,
  options: Readonly<Record<string, unknown>>,
  model: unknown,
): Promise<AdapterSession> {
  const { backend: wanted } = tfjsOptions.resolve(options);
  await tf.ready();
  const before = tf.getBackend(); // asked first, because the import of tfjs-node changes it
  const { backend, reason, warnings } = await (wanted === 'auto'
    ? choose(tf, imports, model)
    : named(tf, imports, wanted));
  const close = await activate(tf, backend, before);
  const info = { backend, tfjs: tf.version['tfjs-core'], ...(reason && { backendReason: reason }) };
  return { info, warnings, close, elsewhere: elsewhere(backend, options) };
}

const elsewhere = (backend: Backend, options: Readonly<Record<string, unknown>>): AdapterSession['elsewhere'] => ({
  options: { ...options, backend },
  ...(backend === 'tensorflow' && {
    refused:
      "tfjs-node, which may end the process there. Use `processes` of cvkit/node, or adapterOptions: { backend: 'wasm' }",
  }),
});

/** `slower`: cpu against wasm, measured: two convolutions on images of 64x64; layers of 20,000 to 400,000 weights; of 500. */
const WORK = {
  convolutions: { order: ['tensorflow', 'webgl', 'wasm', 'cpu'], slower: 'about 100 times' },
  'large layers': { order: ['tensorflow', 'wasm', 'webgl', 'cpu'], slower: '2 to 10 times' },
  'small layers': { order: ['wasm', 'tensorflow', 'webgl', 'cpu'], slower: 'up to 2 times' },
} as const satisfies Record<string, { order: readonly Backend[]; slower: string }>;
type Workload = keyof typeof WORK;

async function choose(tf: Tf, imports: Imports, model: unknown): Promise<Chosen> {
  const shared = inUse.get(tf.engine());
  if (shared) return { backend: shared.backend, reason: 'another run is using it', warnings: [] };
  const work = workloadOf(model);
  const order: readonly Backend[] = WORK[work].order;
  const faultOf = (backend: Backend) => (isLayersModel(model) ? refusals(model, backend)[0] : undefined);
  const able = order.filter((backend) => !faultOf(backend));
  let chosen: Backend = 'cpu'; // always there
  // Where every backend refuses a layer, the fastest is taken, and training says which layer that is.
  for (const backend of able.length > 0 ? able : order) {
    if (!(await starts(tf, imports, backend))) continue;
    chosen = backend;
    break;
  }
  const passedOver = able.length > 0 ? order.slice(0, order.indexOf(chosen)).find(faultOf) : undefined;
  const reason = passedOver
    ? `${passedOver} cannot train ${faultOf(passedOver)}`
    : `the fastest that starts here for ${work}`;
  return { backend: chosen, reason, warnings: chosen === 'cpu' ? [slow(tf, work)] : [] };
}

function slow(tf: Tf, work: Workload): string {
  const why = tf.findBackendFactory('wasm')
    ? 'the wasm backend did not start. The console has what tfjs said about it.'
    : `the package ${PACKAGES.wasm} could not be loaded. Run: npm install ${PACKAGES.wasm}`;
  return `tfjs runs on its cpu backend, ${WORK[work].slower} slower for ${work}, because ${why}`;
}

async function named(tf: Tf, imports: Imports, backend: Backend): Promise<Chosen> {
  const use = inUse.get(tf.engine());
  // Before the import, which may switch.
  if (use && use.backend !== backend) {
    const must = `be '${use.backend}', which another run is using`;
    const message = sentence('The tfjs backend', must, backend, 'Wait for that run.');
    throw new AdapterError(message, { code: 'backend_in_use' });
  }
  const packageName = PACKAGES[backend];
  if (packageName && !tf.findBackendFactory(backend)) {
    await importPackage(imports, packageName, `The tfjs backend '${nameText(backend)}'`);
  }
  if (tf.findBackendFactory(backend)) return { backend, warnings: [] };
  await tryPackage(imports, PACKAGES.wasm);
  const there = BACKEND_NAMES.filter((each) => tf.findBackendFactory(each)).map((each) => `'${each}'`);
  const must = `be a backend that is there: ${there.join(', ')}`;
  throw new AdapterError(sentence('The `backend` option of tfjsAdapter', must, backend), { code: 'backend_missing' });
}

const PACKAGES = {
  wasm: '@tensorflow/tfjs-backend-wasm',
  tensorflow: '@tensorflow/tfjs-node',
  webgpu: '@tensorflow/tfjs-backend-webgpu',
  webgl: undefined, // comes with tfjs, in browsers
  cpu: undefined,
} as const;

async function starts(tf: Tf, imports: Imports, backend: Backend): Promise<boolean> {
  const packageName = PACKAGES[backend];
  if (packageName && !tf.findBackendFactory(backend) && !(await tryPackage(imports, packageName))) return false;
  try {
    return await withoutRethrowing(() => tf.setBackend(backend));
  } catch {
    return false; // a package may load and register nothing
  }
}

async function activate(tf: Tf, backend: Backend, before: string): Promise<() => Promise<void>> {
  if (backend === 'tensorflow') restoreNodeUtil(); // also where the caller has imported tfjs-node
  const engine = tf.engine();
  const use = inUse.get(engine) ?? {
    backend,
    before,
    switched: withoutRethrowing(() => tf.setBackend(backend)),
    sessions: 0,
  };
  use.sessions++;
  inUse.set(engine, use);
  const leave = async () => {
    if (--use.sessions > 0) return;
    inUse.delete(engine);
    await tf.setBackend(use.before);
  };
  if (!(await use.switched)) {
    await leave();
    throw new AdapterError(
      `The tfjs backend '${nameText(backend)}' could not be started. Use another one in adapterOptions.`,
      { code: 'backend_failed' },
    );
  }
  if (tf.getBackend() !== backend) await tf.setBackend(backend); // the caller may have switched meanwhile
  completeGradients(tf);
  if (backend === 'tensorflow') await cleanupOnError(async () => checkConvolution(tf), leave);
  if (backend === 'wasm') completeWasm(tf);
  if (backend === 'cpu') correctCpu(tf);
  let open = true;
  return async () => {
    if (open) await leave();
    open = false;
  };
}

/** Refuses the kernels of oneDNN where they are wrong: the caller has loaded tfjs-node before it could be told to do without. */
function checkConvolution(tf: Tf): void {
  const filter = tf.ones<Rank.R4>([2, 2, 1, 1]);
  const image = tf.zeros<Rank.R4>([1, 6, 6, 1]);
  const towardsImage = tf.grad((x) => tf.conv2d(x as Tensor4D, filter, 1, 'valid').sum())(image);
  // How many windows hold each pixel.
  const [edge, inside] = [1, 2];
  const counts = Array.from({ length: 6 }, (_, at) => (at === 0 || at === 5 ? edge : inside));
  const expected = counts.flatMap((row) => counts.map((column) => row * column));
  const found = towardsImage.dataSync();
  tf.dispose([filter, image, towardsImage]);
  if (expected.every((count, at) => found[at] === count)) return;
  const way = 'Start Node with TF_ENABLE_ONEDNN_OPTS=0, or let the adapter import tfjs-node.';
  const got = phrase('others, by kernels of oneDNN on this processor');
  const message = sentence('The gradients of convolutions in tfjs-node', 'be those of the convolution', got, way);
  throw new AdapterError(message, { code: 'wrong_engine' });
}

/** Measured, batches of 32: how many times tfjs-node is faster than wasm. Dense layers of 8,000 weights 0.7, of 33,000 1.3, of 393,000 6.8. */
const LARGE = 30_000;

function workloadOf(model: unknown): Workload {
  const graph = isGraphModel(model) ? model : undefined;
  const layers = isLayersModel(model) ? [...layersWithin(model)] : [];
  const kinds = graph ? graphOps(graph) : layers.map((layer) => layer.getClassName());
  if (kinds.some((kind) => kind.includes('Conv'))) return 'convolutions';
  const tensors = Object.values(graph?.weights ?? {}).flat();
  const weights = sum([...layers.map(ownWeights), ...tensors.map(({ size }) => size)]);
  return weights >= LARGE ? 'large layers' : 'small layers';
}

function ownWeights(
  layer: Layer & { readonly weights?: readonly { readonly val: { readonly size: number } }[] },
): number {
  if (layer.layers || layer.layer || layer.getClassName() === 'Embedding') return 0;
  return sum((layer.weights ?? []).map(({ val }) => val.size));
}

const UNCAUGHT = ['uncaughtException', 'unhandledRejection'];

/** The listeners of emscripten, which compiled the wasm backend, do nothing but throw again what they catch. */
const throwsAgain = (listener: unknown) => /\bthrow (ex|reason)\b/.test(String(listener));

/** Removes the listeners that the wasm backend adds in Node: they throw uncaught errors again, with another exit code. Those of the host stay. */
async function withoutRethrowing<T>(start: () => Promise<T>): Promise<T> {
  const { process } = globalThis;
  if (typeof process?.rawListeners !== 'function') return start();
  const before = UNCAUGHT.map((event) => new Set(process.rawListeners(event)));
  return withCleanup(start, () => {
    for (const [at, event] of UNCAUGHT.entries()) {
      for (const listener of process.rawListeners(event)) {
        if (!before[at].has(listener) && throwsAgain(listener)) process.removeListener(event, listener as () => void);
      }
    }
  });
}
