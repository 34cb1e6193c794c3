/** A user of other libraries: a forest of mljs in a wrapper, and a library that needs an adapter. */
import { KFold, randomSource, registerAdapter, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { RandomForestClassifier } from 'ml-random-forest';

const random = randomSource(21);
const X = Array.from({ length: 120 }, () => Array.from({ length: 4 }, () => random.random()));
const y = X.map(([a, b]) => (a + b > 1 ? 'case' : 'control'));

/** mljs forests want class numbers; the wrapper keeps the names. */
class Forest {
  fit(rows, labels) {
    this.classes = [...new Set(labels)];
    this.forest = new RandomForestClassifier({ nEstimators: 15, seed: 1 });
    this.forest.train(
      rows,
      labels.map((label) => this.classes.indexOf(label)),
    );
  }
  predict(rows) {
    return this.forest.predict(rows).map((code) => this.classes[code]);
  }
}

const forest = await new UniversalCVRunner({ cvSplitter: new StratifiedKFold(), verbose: 0 }).run({
  model: () => new Forest(),
  data: [X, y],
  metrics: ['accuracy', 'sensitivity'],
});

/** A model of some library: nearest class mean, with methods of its own. */
class Centroids {
  constructor(power) {
    this.power = power;
  }
  learn(rows, labels) {
    this.means = ['case', 'control'].map((name) => {
      const own = rows.filter((_, row) => labels[row] === name);
      return own[0].map((_, j) => own.reduce((sum, row) => sum + row[j], 0) / own.length);
    });
  }
  risk(row) {
    const [sick, well] = this.means.map((mean) => Math.hypot(...mean.map((value, j) => value - row[j])) ** this.power);
    return well / (sick + well);
  }
}

registerAdapter({
  name: 'centroids',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
  matches: (model) => model instanceof Centroids,
  build: async (source, ctx) => source(ctx),
  async fit(model, train) {
    model.learn(await train.X.toArrays(), train.y.toArray());
    return { epochs: [] };
  },
  async predict(model, rows) {
    const risks = (await rows.toArrays()).map((row) => model.risk(row));
    return { probabilities: { data: Float64Array.from(risks), shape: [risks.length, 1] } }; // one column: P(positive)
  },
});
const adapted = await new UniversalCVRunner({ cvSplitter: new KFold({ shuffle: true }), verbose: 0 }).run({
  model: () => new Centroids(2),
  data: [X, y],
});
console.log(adapted.summary());
console.log(
  JSON.stringify({
    forest: forest.estimates.accuracy,
    adapter: adapted.metadata.adapter,
    auc: adapted.estimates.roc_auc,
    accuracy: adapted.estimates.accuracy,
    positive: adapted.metadata.positiveLabel,
  }),
);
