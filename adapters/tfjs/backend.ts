import { withCleanup } from '../../src/core/cleanup.js';
import { AdapterError, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { BACKEND_NAMES } from '../../src/core/knownNames.js';
import { custom, isPlainObject, oneOf, optionTable, string } from '../../src/core/options.js';
import type { AdapterSession } from '../../src/runner/frameworkAdapter.js';
import { graphOps, isGraphModel } from './graphModel.js';
import { completeGradients } from './kernels/completeGradients.js';
import { completeWasm } from './kernels/completeWasm.js';
import { correctCpu } from './kernels/correctCpu.js';
import { refusals } from './layers.js';
import type { TrainStep } from './ownTrainStep.js';
import { type Imports, importPackage, restoreNodeUtil, tryPackage } from './packages.js';
import { isLayersModel, type Layer, layersWithin, type Tf } from './structures.js';

type Backend = (typeof BACKEND_NAMES)[number];

/** What `adapterOptions` may hold for tfjs models. */
export const tfjsOptions = optionTable('tfjsAdapter', {
  backend: oneOf('auto', ...BACKEND_NAMES)
    .default('auto')
    .describe(
      'Engine: wasm (embedded), tensorflow (needs @tensorflow/tfjs-node), cpu (slow), webgl or webgpu (browsers). auto ' +
        'takes tensorflow or webgl for convolutions and large layers where they start, and wasm otherwise; it avoids ' +
        'engines that cannot train a layer of the model.',
    ),
  output: string().optional().describe('Name of the output that predicts y, of a model with several.'),
  trainStep: custom<TrainStep>(
    '(step) => loss | { loss, ... }',
    'be a function',
    (value) => typeof value === 'function',
  )
    .optional()
    .describe('Training step in place of loss and optimizer.minimize: ({ tf, model, optimizer, x, y, ... }) => loss.'),
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
  const { backend, reason, warnings } =
    wanted === 'auto' ? (sharedChoice(tf) ?? (await choose(tf, imports, model))) : await named(tf, imports, wanted);
  const close = await activate(tf, backend, before);
  const info = { backend, tfjs: tf.version['tfjs-core'], ...(reason && { backendReason: reason }) };
  return { info, warnings, close, elsewhere: elsewhere(backend, options) };
}

const elsewhere = (backend: Backend, options: Readonly<Record<string, unknown>>): AdapterSession['elsewhere'] =>
  backend === 'tensorflow'
    ? { refused: "tfjs-node, which may end the process there. Use adapterOptions: { backend: 'wasm' }" }
    : { options: { ...options, backend } };

function sharedChoice(tf: Tf): Chosen | undefined {
  const shared = inUse.get(tf.engine());
  return shared && { backend: shared.backend, reason: 'another run is using it', warnings: [] };
}

const ORDER: Readonly<Record<Workload, readonly Backend[]>> = {
  convolutions: ['tensorflow', 'webgl', 'wasm', 'cpu'],
  'large layers': ['tensorflow', 'wasm', 'webgl', 'cpu'],
  'small layers': ['wasm', 'tensorflow', 'webgl', 'cpu'],
};

async function choose(tf: Tf, imports: Imports, model: unknown): Promise<Chosen> {
  const work = workloadOf(model);
  const order = ORDER[work];
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

/** Of cpu against wasm, measured: two convolutions on images of 64x64; layers of 20,000 to 400,000 weights; of 500. */
const SLOWER: Readonly<Record<Workload, string>> = {
  convolutions: 'about 100 times',
  'large layers': '2 to 10 times',
  'small layers': 'up to 2 times',
};

function slow(tf: Tf, work: Workload): string {
  const why = tf.findBackendFactory('wasm')
    ? 'the wasm backend did not start. The console has what tfjs said about it.'
    : `the package ${PACKAGES.wasm} could not be loaded. Run: npm install ${PACKAGES.wasm}`;
  return `tfjs runs on its cpu backend, ${SLOWER[work]} slower for ${work}, because ${why}`;
}

async function named(tf: Tf, imports: Imports, backend: Backend): Promise<Chosen> {
  refuseOther(tf, backend); // before the import, which may switch
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

function refuseOther(tf: Tf, backend: Backend): void {
  const use = inUse.get(tf.engine());
  if (!use || use.backend === backend) return;
  const must = `be '${use.backend}', which another run is using`;
  throw new AdapterError(sentence('The tfjs backend', must, backend, 'Wait for that run.'), { code: 'backend_in_use' });
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
  if (backend === 'wasm') completeWasm(tf);
  if (backend === 'cpu') correctCpu(tf);
  let open = true;
  return async () => {
    if (open) await leave();
    open = false;
  };
}

type Workload = 'convolutions' | 'large layers' | 'small layers';

/** Measured, batches of 32: how many times tfjs-node is faster than wasm. Dense layers of 8,000 weights 0.7, of 33,000 1.3, of 393,000 6.8. */
const LARGE = 30_000;

function workloadOf(model: unknown): Workload {
  const kinds = isLayersModel(model)
    ? [...layersWithin(model)].map((layer) => layer.getClassName())
    : isGraphModel(model)
      ? graphOps(model)
      : [];
  if (kinds.some((kind) => kind.includes('Conv'))) return 'convolutions';
  return weightsOf(model) >= LARGE ? 'large layers' : 'small layers';
}

function weightsOf(model: unknown): number {
  if (isLayersModel(model)) return sum([...layersWithin(model)].map(ownWeights));
  return isGraphModel(model)
    ? sum(Object.values(model.weights).flatMap((tensors) => tensors.map(({ size }) => size)))
    : 0;
}

function ownWeights(
  layer: Layer & { readonly weights?: readonly { readonly val: { readonly size: number } }[] },
): number {
  if (layer.layers || layer.layer || layer.getClassName() === 'Embedding') return 0;
  return sum((layer.weights ?? []).map(({ val }) => val.size));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

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
