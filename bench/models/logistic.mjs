/** Five folds of a scaler and a logistic regression: the runner beside `cross_validate`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCancerImaging, randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { Pipeline, StandardScaler } from 'cvkit/preprocessing';
import { timed } from './clock.mjs';
import { inTurns, meansOf } from './turns.mjs';

const METRICS = ['accuracy', 'roc_auc', 'log_loss'];

export async function logistic(peer, folder) {
  const { X, y } = await loadCancerImaging();
  const cancer = { data: Float64Array.from(X.flatMap((row) => Array.from(row))), shape: [X.length, X[0].length] };
  await measure('WDBC, 569 x 30', { name: 'wdbc', X: cancer, y, rounds: 15, atMost: 1 });
  await measure('50,000 x 50', { name: 'large', ...drawn(50_000, 50), rounds: 5, atMost: 2 });

  async function measure(title, { name, X, y, rounds, atMost }) {
    writeFileSync(join(folder, `${name}.X`), X.data);
    writeFileSync(join(folder, `${name}.y`), Float64Array.from(y));
    await inTurns({
      title: `Pipeline and LogisticRegression, 5 folds, ${title}`,
      rounds,
      atMost,
      agree: 1e-3,
      ours: () => folds(X, y),
      theirs: peer && (() => peer.run('logistic', { name, width: X.shape[1], metrics: METRICS })),
    });
  }
}

async function folds(X, y) {
  const runner = new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 5 }),
    verbose: 0,
  });
  const options = {
    model: () => new LogisticRegression(),
    data: [X, y],
    preprocessing: new Pipeline([new StandardScaler()]),
    metrics: METRICS,
  };
  const { result, ...times } = await timed(() => runner.run(options));
  return { ...times, ...meansOf(result, METRICS) };
}

/** Two classes whose log-odds are linear in columns that go together in part. */
function drawn(n, width) {
  const random = randomSource(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const weights = Array.from({ length: width }, () => 0.4 * normal());
  const data = new Float64Array(n * width);
  const y = [];
  for (let row = 0; row < n; row++) {
    const common = normal();
    let odds = 0;
    for (let column = 0; column < width; column++) {
      const value = normal() + (column % 3 === 0 ? common : 0);
      data[row * width + column] = 10 * column + (1 + column) * value;
      odds += weights[column] * value;
    }
    y.push(Number(random.random() < 1 / (1 + Math.exp(-odds))));
  }
  return { X: { data, shape: [n, width] }, y };
}
