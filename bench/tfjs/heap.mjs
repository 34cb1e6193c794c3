/**
 * Heap after 200 folds of a small network against that after 20. The results themselves (predictions, histories and
 * folds of every fold that ran) are part of it, and are measured apart.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { RepeatedKFold, UniversalCVRunner } from 'cvkit';
import { verdicts } from './verdicts.mjs';

const [ROWS, COLUMNS, FOLDS, REPEATS] = [200, 8, 5, 40];
const [WARM_UP, EARLY, LATE] = [50, 20, FOLDS * REPEATS];
const data = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(i * 12.9898));
const y = Array.from({ length: ROWS }, (_, i) => (data[i * COLUMNS] > 0 ? 1 : 0));

await tf.setBackend('wasm');

/** Bytes in use after everything that nobody holds is gone. */
function held() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

const run = (nRepeats, callbacks = []) =>
  new UniversalCVRunner({ cvSplitter: new RepeatedKFold({ nSplits: FOLDS, nRepeats }), verbose: 0 }).run({
    model: () =>
      tf.sequential({
        layers: [
          tf.layers.dense({ inputShape: [COLUMNS], units: 16, activation: 'relu' }),
          tf.layers.dropout({ rate: 0.2 }),
          tf.layers.dense({ units: 1, activation: 'sigmoid' }),
        ],
      }),
    data: [{ data, shape: [ROWS, COLUMNS] }, y],
    epochs: 5,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    callbacks,
  });

// What the engine compiles on the way is no leak; after this many folds little is left to compile.
await run(WARM_UP / FOLDS);
const at = {};
let done = 0;
const watch = {
  onFoldEnd: () => {
    done++;
    if (done === EARLY || done === LATE) at[done] = held();
  },
};
/** In a function of its own, so that nothing here holds the results when it has returned. */
async function measured() {
  const { outOfFold } = await run(REPEATS, [watch]);
  at.end = held();
  return outOfFold.row.length;
}
const rows = await measured();
await new Promise((resolve) => setTimeout(resolve, 0));
const without = held();

const growth = (later, earlier) => later.heap + later.buffers - earlier.heap - earlier.buffers;
const MB = 1e6;
verdicts(`Heap of ${LATE} folds of a small network on wasm (${rows.toLocaleString('en')} tested rows)`, [
  {
    measure: `heap after fold ${LATE} / after fold ${EARLY}`,
    value: at[LATE].heap / at[EARLY].heap,
    digits: 3,
    atMost: 1.05,
  },
  { measure: `heap after fold ${EARLY}, MB`, value: at[EARLY].heap / MB },
  { measure: `heap after fold ${LATE}, MB`, value: at[LATE].heap / MB },
  { measure: 'typed arrays that grew between, MB', value: (at[LATE].buffers - at[EARLY].buffers) / MB },
  { measure: `growth per fold, kB`, value: growth(at[LATE], at[EARLY]) / (LATE - EARLY) / 1e3 },
  { measure: 'of that given back with the results, kB per fold', value: growth(at.end, without) / LATE / 1e3 },
]);
