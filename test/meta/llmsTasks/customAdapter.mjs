// An adapter for a library whose models learn by `learn` and answer by `risk`.
import { loadCancerImaging, registerAdapter, StratifiedKFold, UniversalCVRunner } from 'cvkit';

class Centroids {
  learn(rows, labels) {
    const mean = (some) => some[0].map((_, column) => some.reduce((sum, row) => sum + row[column], 0) / some.length);
    this.centres = [0, 1].map((label) => mean(rows.filter((_, at) => labels[at] === label)));
  }
  risk(row) {
    const [far, near] = this.centres.map((centre) => Math.hypot(...row.map((value, at) => value - centre[at])));
    return far / (far + near);
  }
}

registerAdapter({
  name: 'centroids',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
  matches: (model) => model instanceof Centroids,
  build: async (source, ctx) => source(ctx),
  async fit(model, { X, y }) {
    model.learn(await X.toArrays(), y.toArray());
    return { epochs: [] };
  },
  async predict(model, X) {
    const rows = await X.toArrays();
    const data = Float64Array.from(rows.flatMap((row) => [1 - model.risk(row), model.risk(row)]));
    return { probabilities: { data, shape: [rows.length, 2] } };
  },
});

const { X, y } = await loadCancerImaging();
const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ shuffle: true, randomState: 1 }),
  verbose: 0,
});
const results = await runner.run({ model: () => new Centroids(), data: [X, y], metrics: ['roc_auc', 'accuracy'] });
console.log(results.meanScores.roc_auc, results.meanScores.accuracy);
