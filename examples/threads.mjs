/**
 * Folds in threads: two networks on the same rows, five folds each, all cores at work. The model is in a file of its own,
 * since a function cannot leave its thread; the numbers are those of one fold after the other.
 */
import { loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { threads } from 'cvkit/node';

const { X, y } = await loadCancerImaging();
const executor = threads();
const run = (epochs) =>
  new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
    executor,
    adapterOptions: { backend: 'wasm' },
    verbose: 0,
  }).run({
    model: new URL('./support/network.mjs', import.meta.url),
    data: [X, y],
    epochs,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    metrics: ['accuracy', 'roc_auc'],
  });

for (const epochs of [3, 10]) {
  const { estimates } = await run(epochs);
  console.log(`${epochs} epochs: accuracy ${estimates.accuracy.toFixed(3)}, roc_auc ${estimates.roc_auc.toFixed(3)}`);
}
await executor.close();
