/** A user's program under every strict flag that the compiler has; strictConsumer.test.ts compiles it against dist/types. */
import {
  type CVCallback,
  CVKitValidator,
  EarlyStopping,
  evaluate,
  type Fold,
  foldsOf,
  type IterableFold,
  KFold,
  ModelCheckpoint,
  NestedCV,
  type Splitter,
  UniversalCVRunner,
  type ValidationResult,
} from 'cvkit';
import * as estimator from 'cvkit/adapters/estimator';
import * as tfjs from 'cvkit/adapters/tfjs';
import * as plot from 'cvkit/plot';
import * as stats from 'cvkit/stats';
import * as testing from 'cvkit/testing';

export const entries = [estimator, tfjs, plot, stats, testing];
const X = Array.from({ length: 12 }, (_, row) => [row]);
const y = X.map((_, row) => row % 2);

export const sides: Int32Array[] = [];
for (const [train, test] of new KFold({ nSplits: 3 }).split(X, y)) sides.push(train, test);
for (const [train, test] of foldsOf(new KFold(), X, y)) sides.push(train, test);
for (const { id, train, inner } of new NestedCV().split(X, y)) {
  sides.push(train.slice(id.length));
  for (const [innerTrain, innerTest] of inner?.split() ?? []) sides.push(innerTrain, innerTest);
}
export const plain = (fold: IterableFold): Fold => ({ ...fold });

class Patience implements CVCallback {
  readonly monitor = undefined;
  onEpochEnd(): 'stop' {
    return 'stop';
  }
}
const own: Splitter = {
  *split() {
    yield { id: 'a', train: Int32Array.of(0), test: Int32Array.of(1) };
  },
  getNSplits: () => 1,
};

export async function validated(groups?: string[]): Promise<ValidationResult> {
  const model = { fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 0) };
  const callbacks = [new Patience(), new EarlyStopping(), new ModelCheckpoint({ path: 'models/{fold}' })];
  await new UniversalCVRunner({ cvSplitter: own, framework: undefined }).run({
    model,
    data: { X, y, groups },
    callbacks,
  });
  const result = await new CVKitValidator({ cv: own }).validate({ model, X, y, patientIds: groups, metrics: null });
  const { roc_auc: area } = result.estimates;
  const { accuracy } = result.scores;
  return evaluate({ yTrue: y, yProba: y.map(() => area ?? accuracy?.[0]?.value ?? 0.5), groups });
}
