/** A small program of a user: installed.test.ts runs it in Node, and in Chromium as three bundlers make it. */
import { KFold, loadCancerImaging, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';

export async function outcome() {
  const { X, y } = await loadCancerImaging();
  const cvSplitter = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });
  const { scores, meanScores } = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    model: () => new LogisticRegression(),
    preprocessing: [new StandardScaler()],
    data: [X, y],
    metrics: ['roc_auc', 'accuracy', 'log_loss'],
  });
  return { scores, meanScores };
}
