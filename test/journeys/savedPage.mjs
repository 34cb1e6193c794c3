/** Models that a page saves and loads; savedPage.test.ts calls this in Chromium. */
import * as tf from '@tensorflow/tfjs';
import { ensemble, KFold, loadModel, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';

const X = Array.from({ length: 48 }, (_, row) => [((row * 7) % 24) / 8, (row % 5) / 4]);
const y = X.map(([a, b], row) => (a + b > 2 !== (row % 11 === 0) ? 1 : 0));
const network = () =>
  tf.sequential({ layers: [tf.layers.dense({ inputShape: [2], units: 1, activation: 'sigmoid' })] });

const run = (options) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2, shuffle: true }), verbose: 0 }).run({
    data: [X, y],
    preprocessing: new StandardScaler(),
    threshold: { sensitivity: 0.9 },
    refit: true,
    keepModels: 'save',
    ...options,
  });
const plain = ({ predictions, probabilities }) => [Array.from(predictions), Array.from(probabilities)];
const codeOf = (work) =>
  work().then(
    () => 'done',
    ({ code }) => code,
  );

/** What models predicted before and after, and one of them as a `Blob`, as JSON. */
export async function outcome() {
  const before = [];
  const after = [];
  const kinds = {
    logistic: { model: () => new LogisticRegression() },
    network: { model: network, epochs: 3, optimizer: 'adam', lossFn: 'binaryCrossentropy' },
  };
  for (const [name, options] of Object.entries(kinds)) {
    const results = await run({ ...options, modelPath: `indexeddb://${name}/{fold}` });
    const together = await ensemble(results);
    await results.refitted.save(`indexeddb://${name}`);
    await together.save(`indexeddb://${name}/all`);
    for (const model of [results.refitted, together, together]) before.push(plain(await model.predict(X)));
    const places = [`indexeddb://${name}`, `indexeddb://${name}/all`];
    for (const place of places) after.push(plain(await (await loadModel(place)).predict(X)));
    after.push(plain(await (await ensemble(results.models)).predict(X)));
  }
  const kept = await loadModel('indexeddb://logistic');
  const taken = await codeOf(() => kept.save('indexeddb://logistic'));
  const replaced = await codeOf(() => kept.save('indexeddb://logistic', { overwrite: true }));
  const missing = await codeOf(() => loadModel('indexeddb://nothing'));
  const folder = await codeOf(() => kept.save('models/final'));
  const blob = await kept.toBlob();
  return {
    ...{ X, before, after, codes: [taken, replaced, missing, folder] },
    blob: Array.from(new Uint8Array(await blob.arrayBuffer())),
  };
}
