/**
 * What BBC-CV says of noise, where the true AUC is .5: of scores without training, and of logistic regressions on one to
 * four of twenty columns that were trained on the noise, 40 of each on 100 rows in five folds. Beside it the value of the best
 * one as it was picked.
 *
 * node bench/bbcCv.mjs [REPETITIONS]
 */
import { randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { bbcCV } from 'cvkit/stats';
import { noise } from './tuning/repetition.mjs';

const REPETITIONS = Number(process.argv[2] ?? 100);
const CONFIGURATIONS = 40;

const chosen = randomSource(19);
const COLUMNS = Array.from({ length: CONFIGURATIONS }, (_, at) => [
  ...new Set(Array.from({ length: 1 + (at % 4) }, () => Math.floor(chosen.random() * 20))),
]);

/** Logistic regression of some of the columns. */
const trained = (at) => () => {
  const model = new LogisticRegression({ C: at % 2 ? 0.1 : 10 });
  const of = (X) => X.map((row) => COLUMNS[at].map((column) => row[column]));
  return {
    fit: (X, y) => void model.fit(of(X), y),
    predict: (X) => model.predict(of(X)),
    predictProba: (X) => model.predictProba(of(X)),
  };
};

/** A number without a pattern, made of the row and the configuration alone. */
const untrained = (at) => () => {
  const score = ([first, second]) => Math.abs(43758.5453 * Math.sin(1e4 * first + 1e3 * second + 12.9898 * at)) % 1;
  return {
    fit: () => undefined,
    predict: (X) => X.map((row) => Number(score(row) > 0.5)),
    predictProba: (X) => X.map((row) => [1 - score(row), score(row)]),
  };
};

for (const [name, kind] of Object.entries({
  'scores without training': untrained,
  'trained on the noise': trained,
})) {
  const found = [];
  for (let number = 0; number < REPETITIONS; number++) {
    const data = noise(number);
    const cvSplitter = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: number });
    const results = [];
    for (let at = 0; at < CONFIGURATIONS; at++) {
      results.push(
        await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model: kind(at), data, metrics: ['roc_auc'] }),
      );
    }
    const { naive, estimate, lower, upper } = bbcCV(results, {
      metric: 'roc_auc',
      nBootstrap: 200,
      randomState: number,
    });
    found.push({ naive, estimate, covered: Number(lower <= 0.5 && 0.5 <= upper) });
  }
  const mean = (key) => found.reduce((sum, each) => sum + each[key], 0) / found.length;
  const spread = Math.sqrt(
    found.reduce((sum, { estimate }) => sum + (estimate - mean('estimate')) ** 2, 0) / (found.length - 1),
  );
  const [naive, estimate, covered, error] = [
    mean('naive'),
    mean('estimate'),
    mean('covered'),
    spread / Math.sqrt(found.length),
  ];
  console.log(
    `${name}: picked ${naive.toFixed(3)}, BBC-CV ${estimate.toFixed(3)} (standard error ${error.toFixed(3)}), interval holds .5 in ${(100 * covered).toFixed(0)} % of ${REPETITIONS} runs`,
  );
}
