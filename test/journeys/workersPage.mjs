/** Runs with `nJobs` in a page; workersPage.test.ts calls this in Chromium. */
import { EarlyStopping, KFold, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { StandardScaler } from 'cvkit/preprocessing';

const X = Array.from({ length: 720 }, (_, row) => [((row * 7) % 24) / 8, (row % 5) / 4]);
const y = X.map(([a, b], row) => (a + b > 2 !== (row % 11 === 0) ? 1 : 0));
const words = X.map(([a, b], row) => ({ a, b, word: row % 3 === 0 ? 'yes' : 'no' }));

const run = (options, nJobs = 2, more = {}) =>
  new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 4, shuffle: true }),
    verbose: 0,
    nJobs,
    ...more,
  }).run({ data: [X, y], ...options });

const TIMES = ['seconds', 'secondsOf', 'startedAt', 'finishedAt', 'date', 'nJobs', 'executor'];
const numbersOf = (results) =>
  JSON.stringify(results.toJSON({ ids: 'raw' }), (key, value) => (TIMES.includes(key) ? undefined : value));

/** How a run ended: its error, or 'done'. */
const endOf = async (work) => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return `${error.name} (${error.cause?.code ?? error.code}): ${error.message}`;
  }
};

/** Whether models in workers sent messages while `work` went on, and whether any came when it was over. */
async function beatsOf(work) {
  const channel = new BroadcastChannel('beats');
  let count = 0;
  const first = new Promise((resolve) => {
    channel.onmessage = () => {
      count++;
      resolve();
    };
  });
  const end = await endOf(() => work(first));
  const during = count > 0;
  // Browsers let a worker that is ended go on for two seconds before they stop its loop.
  let before = -1;
  for (let tries = 0; tries < 20 && count > before; tries++) {
    before = count;
    await new Promise((done) => setTimeout(done, 300));
  }
  channel.close();
  return { end, during, after: count > before };
}

async function numbers() {
  const network = {
    ...{ model: '/network.js', epochs: 4, optimizer: 'adam', lossFn: 'binaryCrossentropy', validation: 0.25 },
    preprocessing: new StandardScaler(),
    callbacks: () => [new EarlyStopping({ monitor: 'val_loss', patience: 1 })],
  };
  const runs = {
    logistic: { model: new URL('./logistic.js', document.baseURI), preprocessing: new StandardScaler() },
    network,
    records: { model: './waits.js', data: [words, y] },
    dense: { model: '/logistic.js', data: [{ data: Float64Array.from(X.flat()), shape: [X.length, 2] }, y] },
    lists: { model: './logistic.js' },
  };
  const found = {};
  for (const [name, { callbacks, ...options }] of Object.entries(runs)) {
    const adapterOptions = name === 'network' ? { adapterOptions: { backend: 'cpu' } } : {};
    const [here, apart] = [1, 2].map(
      (nJobs) => () => run({ ...options, ...(callbacks ? { callbacks: callbacks() } : {}) }, nJobs, adapterOptions),
    );
    const [inline, workers] = [numbersOf(await here()), numbersOf(await apart())];
    found[name] = { length: inline.length, equal: inline === workers };
  }
  return found;
}

async function ends() {
  const endless = (options) => run({ model: './endless.js', ...options });
  const abort = new AbortController();
  return {
    run: await beatsOf(() => run({ model: './waits.js' })),
    foldTimeout: await beatsOf(() => endless({ foldTimeout: 1 })),
    signal: await beatsOf((first) => {
      void first.then(() => abort.abort());
      return endless({ signal: abort.signal });
    }),
  };
}

async function uncaught() {
  const { folds } = await run({ model: './uncaught.js', metrics: ['accuracy'], onFoldError: 'record' });
  return folds.map(({ status, error }) => error?.message ?? status);
}

async function refused() {
  const others = {
    function: () => ({ fit: () => undefined, predict: (rows) => rows.map(() => 0) }),
    otherOrigin: 'http://127.0.0.2:9/model.js',
    otherMachine: '//127.0.0.2/model.js',
    data: 'data:text/javascript,export default () => ({})',
    bare: 'model.js',
    missing: './nothing.js',
  };
  const found = {};
  for (const [name, model] of Object.entries(others)) found[name] = await endOf(() => run({ model }));
  return found;
}

/** What the page tells: all of it, or only how a run ends where workers cannot start. */
export async function outcome() {
  const isolated = globalThis.crossOriginIsolated;
  const started = await endOf(() =>
    run({ model: './logistic.js', onFoldError: 'record' }, 2, { cvSplitter: new KFold({ nSplits: 3 }) }),
  );
  if (started !== 'done') return { isolated, started };
  const found = { isolated, started, numbers: await numbers() };
  // Whether memory is shared makes no difference to these.
  return isolated ? found : { ...found, ends: await ends(), uncaught: await uncaught(), refused: await refused() };
}
