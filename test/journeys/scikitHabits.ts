/** Someone who knows scikit-learn, in TypeScript: splits in a loop, a plain instance, `cv: 5`, null for what is not there. */
import { CVKitValidator, evaluate, KFold, type SplitterClaims, StratifiedKFold } from 'cvkit';

const n = 90;
const X: number[][] = Array.from({ length: n }, (_, i) => [
  Math.sin(i * 12.9898),
  Math.cos(i * 78.233),
  (i * 7919) % 13,
]);
const y: number[] = X.map(([a, b]) => (a + b > 0 ? 1 : 0));

class NearestMean {
  means: number[][] = [];
  fit(rows: number[][], labels: number[]): this {
    this.means = [0, 1].map((label) => {
      const own = rows.filter((_, row) => labels[row] === label);
      return own[0].map((_, j) => own.reduce((sum, row) => sum + row[j], 0) / own.length);
    });
    return this;
  }
  predict_proba(rows: number[][]): number[][] {
    return rows.map((row) => {
      const [zero, one] = this.means.map((mean) => Math.hypot(...mean.map((value, j) => value - row[j])));
      return [one / (zero + one), zero / (zero + one)];
    });
  }
  predict(rows: number[][]): number[] {
    return this.predict_proba(rows).map(([, p]) => (p > 0.5 ? 1 : 0));
  }
}

// cross_val_score by hand
const byHand: number[] = [];
const risks = new Array<number>(n);
for (const [train, test] of new KFold({ nSplits: 5, shuffle: true, randomState: 0 }).split(X, y)) {
  const model = new NearestMean().fit(
    Array.from(train, (row) => X[row]),
    Array.from(train, (row) => y[row]),
  );
  const proba = model.predict_proba(Array.from(test, (row) => X[row]));
  test.forEach((row, at) => {
    risks[row] = proba[at][1];
  });
  byHand.push(Array.from(test).filter((row, at) => (proba[at][1] > 0.5 ? 1 : 0) === y[row]).length / test.length);
}

const result = await new CVKitValidator({
  cv: new KFold({ nSplits: 5, shuffle: true, randomState: 0 }),
  metrics: null,
}).validate({
  model: new NearestMean(),
  X,
  y,
  groups: null,
  sampleWeight: null,
  verbose: 0,
});
const integer = await new CVKitValidator().validate({ model: new NearestMean(), X, y, cv: 3, verbose: 0 });
const existing = await evaluate({ yTrue: y, yProba: risks });
const claims: SplitterClaims | undefined = new StratifiedKFold().claims;

console.log(existing.summary());
console.log(
  JSON.stringify({
    byHand,
    folds: result.scores.accuracy.map(({ value }) => value),
    three: integer.foldDetails.length,
    accuracy: existing.estimates.accuracy,
    byHandMean: byHand.reduce((sum, value) => sum + value, 0) / byHand.length,
    claims: claims?.stratified ?? null,
  }),
);
