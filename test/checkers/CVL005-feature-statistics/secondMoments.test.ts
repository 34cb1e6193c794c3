import { describe, expect, it } from 'vitest';
import { featureStatistics } from '../../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import { normalQuantile } from '../../../src/core/normalQuantile.js';
import { randomSource } from '../../../src/core/random.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import { judged } from '../judged.js';

const random = randomSource(8);
const N = 300;
const testFold = Array.from({ length: N }, (_, row) => row % 5);
const splitter = new PredefinedSplit({ testFold });
const draw = () => normalQuantile(Math.max(1e-9, random.random()));
const noise = testFold.map(() => [draw(), draw(), draw()]);

type Example = { variable: string; differenceInSd?: number; correlationDifference?: number };
const of = async (X: unknown[][], rest: object = {}) => {
  const result = await judged(featureStatistics, { X, splitter, ...rest });
  return { ...result, examples: (result.evidence.examples ?? []) as Example[] };
};

/** The size of normal scores (Blom), in the fold less outside of it, in SDs; without ties. */
function spreadInSd(values: number[], fold: number): number {
  const sizes = values.map((value) => {
    const rank = values.filter((other) => other <= value).length;
    return Math.abs(normalQuantile((rank - 0.375) / (values.length + 0.25)));
  });
  const mean = (list: number[]) => list.reduce((sum, size) => sum + size, 0) / list.length;
  const side = (inside: boolean) => mean(sizes.filter((_, row) => (testFold[row] === fold) === inside));
  const squares = sizes.reduce((sum, size) => sum + (size - mean(sizes)) ** 2, 0);
  return (side(true) - side(false)) / Math.sqrt(squares / (sizes.length - 1));
}

describe('spread and correlations', () => {
  it('passes noise, and says what was compared and what could have been found', async () => {
    const { status, message, evidence } = await of(noise);
    expect(status).toBe('passed');
    expect(evidence).toMatchObject({ spreads: 3, correlations: 3 });
    const [spread, correlation] = [evidence.detectableSpreadInSd, evidence.detectableCorrelation] as number[];
    expect(message).toMatch(/3 features, 3 pairs, 5 folds, 300 rows\); below /);
    expect(message).toContain(
      ` SD a difference of means may not be detectable at this n, below ${spread.toFixed(2)} SD one of spread, below ${correlation.toFixed(2)} one of correlations.`,
    );
    // 15 tests: quantiles of 1 - .001/30 and .95, by sqrt(1/60 + 1/240); the largest sd of a product is about 1.
    expect(spread).toBeCloseTo((3.9878 + 1.6449) / Math.sqrt(48), 3);
    expect(correlation / spread).toBeGreaterThan(0.9);
    expect(correlation / spread).toBeLessThan(1.3);
  });

  it.each([2.5, 0.3])('finds a feature that is %s times as wide in one fold', async (times) => {
    const X = noise.map(([a, b, c], row) => [a, testFold[row] === 3 ? times * b : b, c]);
    const { status, fold, message, examples } = await of(X);
    expect([status, fold]).toEqual(['needs_review', 'fold-3']);
    const sd = spreadInSd(
      X.map(([, b]) => b),
      3,
    );
    expect(Math.sign(sd)).toBe(Math.sign(times - 1));
    expect(message).toContain(
      `: spread of feature 1 by ${sd > 0 ? '+' : ''}${sd.toFixed(2)} SD in fold-3 (p = 0.001; 3 features, 3 pairs, 5 folds, 300 rows).`,
    );
    expect(examples[0]).toMatchObject({ variable: 'spread of feature 1', differenceInSd: expect.closeTo(sd, 9) });
  });

  it('finds a correlation that is turned round in one fold', async () => {
    const X = noise.map(([a, b, c], row) => [a, b, (testFold[row] === 2 ? -0.8 : 0.8) * a + 0.6 * c]);
    const { status, fold, message, examples } = await of(X);
    expect([status, fold]).toEqual(['needs_review', 'fold-2']);
    expect(message).toMatch(/: correlation of feature 0 with feature 2 by -1\.\d\d in fold-2 \(p = 0\.001; /);
    expect(examples).toHaveLength(1);
    expect(examples[0].correlationDifference).toBeGreaterThan(-2);
    expect(examples[0].correlationDifference).toBeLessThan(-1.2);
  });

  it('lists what a shifted mean or another spread explains once', async () => {
    const shifted = noise.map(([a, b, c], row) => [
      a + (testFold[row] === 3 ? 4 : 0),
      b + (testFold[row] === 3 ? 4 : 0),
      c,
    ]);
    const means = await of(shifted);
    expect(new Set(means.examples.map(({ variable }) => variable))).toEqual(new Set(['feature 0', 'feature 1']));
    expect(means.message).toContain('1 further feature differs, too.');
    // The wider feature goes with another: so does their product.
    const wide = await of(noise.map(([a, b, c], row) => [a, (testFold[row] === 3 ? 4 : 1) * (a + 0.2 * b), c]));
    expect(new Set(wide.examples.map(({ variable }) => variable))).toEqual(new Set(['spread of feature 1']));
  });

  it('compares the spread of numbers of three values or more, and the pairs that go together most', async () => {
    const binary = await of(noise.map((row) => row.map((z) => Number(z > 0))));
    expect(binary.evidence).not.toHaveProperty('spreads');
    expect(binary.evidence.correlations).toBe(3);
    const alone = await of(noise.map(([a]) => [a]));
    expect(alone.evidence).not.toHaveProperty('correlations');
    // Of 1,770 pairs those that go together most: the last two do, in all folds but one.
    const many = testFold.map((fold) => {
      const row = Array.from({ length: 58 }, draw);
      const [a, b] = [draw(), draw()];
      return [...row, a, (fold === 1 ? -0.9 : 0.9) * a + 0.4 * b];
    });
    const found = await of(many);
    expect(found.evidence.correlations).toBe(333);
    expect(found.examples[0].variable).toBe('correlation of feature 58 with feature 59');
  });

  it('says that rows and folds were drawn from more', async () => {
    const rows = Array.from({ length: 25_000 }, () => [random.random()]);
    const cv = new RepeatedKFold({ nSplits: 5, nRepeats: 11, randomState: 1 });
    const { message } = await judged(featureStatistics, { X: rows, splitter: cv });
    expect(message).toContain('; 1 feature, 50 of 55 folds, 20,000 of 25,000 rows, drawn at random)');
  });

  it('takes what is missing, what is constant and what is infinite', async () => {
    const odd = noise.map(([a, b], row) => [row % 3 ? a : null, 1, row % 11 ? b : Infinity, row % 2 ? null : a]);
    const { status, message, evidence } = await of(odd);
    expect(status).toBe('passed');
    expect(`${message} ${JSON.stringify(evidence)}`).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it('fires in about one of a hundred clean calls', { tags: 'slow' }, async () => {
    let fired = 0;
    for (let seed = 0; seed < 150; seed++) {
      const X = testFold.slice(0, 100).map(() => Array.from({ length: 5 }, () => Math.exp(2 * draw())));
      const { status } = await of(X, {
        splitter: new PredefinedSplit({ testFold: testFold.slice(0, 100) }),
        randomState: seed,
      });
      fired += Number(status !== 'passed');
    }
    // Of 150 at .01: more than 6 in 1 of 1,000 cases.
    expect(fired).toBeLessThanOrEqual(6);
  });
});
