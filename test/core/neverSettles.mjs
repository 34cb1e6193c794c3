/** A whole program that waits for work which never settles, under a signal or a limit of time; prints how it ended. */
import { CVKitValidator, KFold, UniversalCVRunner } from '../../dist/node/index.js';
import { Study } from '../../dist/node/tuning.js';

const [what, limit] = process.argv.slice(2);
const never = () => new Promise(() => undefined);
const model = () => ({ fit: never, predict: (rows) => rows.map(() => 1) });
const X = Array.from({ length: 30 }, (_, row) => [row, (7 * row) % 11]);
const y = X.map(([value]) => value % 2);
const until = () => (limit === 'signal' ? { signal: AbortSignal.timeout(500) } : { foldTimeout: 0.2 });
const runner = (more = {}) => new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, ...more });
const validator = () => new CVKitValidator({ independentRows: true });
const executor = { name: 'own', concurrency: 1, run: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };

const calls = {
  model: () => runner().run({ model: never(), data: [X, y], ...until() }),
  factory: () => runner().run({ model: never, data: [X, y], ...until() }),
  fit: () => runner().run({ model, data: [X, y], ...until() }),
  hook: () => runner().run({ model, data: [X, y], callbacks: { onCvStart: never }, ...until() }),
  executor: () => runner({ executor }).run({ model, data: [X, y], ...until() }),
  validate: () => validator().validate({ model, X, y, verbose: 0, ...until() }),
  fitValidate: () =>
    validator().fitValidate({ model, XTrain: X, yTrain: y, XTest: X, yTest: y, verbose: 0, ...until() }),
  tuning: () =>
    runner().runWithHyperparameterTuning({ modelFn: model, paramGrid: { a: [1, 2] }, data: [X, y], ...until() }),
  study: () => new Study().optimize(never, { nTrials: 2, ...until() }),
};

try {
  await calls[what]();
  console.log('nothing thrown');
} catch (error) {
  console.log(error.name === 'TimeoutError' ? error.name : error.code);
}
