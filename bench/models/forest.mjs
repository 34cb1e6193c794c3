/** Five folds of a random forest of mljs in the runner, stated beside scikit-learn's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { RandomForestClassifier } from 'ml-random-forest';
import { timed } from './clock.mjs';
import { inTurns, meansOf } from './turns.mjs';

const METRICS = ['accuracy', 'roc_auc'];
const TREES = 30;

export async function forest(peer, folder) {
  const { X, y } = await loadCancerImaging();
  writeFileSync(join(folder, 'forest.X'), Float64Array.from(X.flatMap((row) => Array.from(row))));
  writeFileSync(join(folder, 'forest.y'), Float64Array.from(y));
  await inTurns({
    // The forests are not the same: that of mljs draws the features of a tree once, scikit-learn's at every split.
    title: `Random forest of ${TREES} trees, 5 folds, WDBC: for information, the algorithms differ`,
    rounds: 3,
    agree: 0.05,
    ours: () => folds(X, y),
    theirs: peer && (() => peer.run('forest', { name: 'forest', width: X[0].length, metrics: METRICS, trees: TREES })),
  });
}

async function folds(X, y) {
  const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 5 }), verbose: 0 });
  const model = ({ seed }) =>
    new RandomForestClassifier({ nEstimators: TREES, maxFeatures: 0.5, replacement: true, seed });
  const { result, ...times } = await timed(() => runner.run({ model, data: [X, y], metrics: METRICS }));
  return { ...times, ...meansOf(result, METRICS) };
}
