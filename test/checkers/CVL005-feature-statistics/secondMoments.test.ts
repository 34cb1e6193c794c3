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

type Moment = {
  tested: number;
  of?: number;
  detectable?: number;
  pValue?: number;
  examples?: Record<string, unknown>[];
};
const of = async (X: unknown[][], rest: object = {}) => {
  const result = await judged(featureStatistics, { X, splitter, ...rest });
  const { spread, correlations } = result.evidence as { spread: Moment; correlations: Moment };
  return { ...result, spread, correlations };
};

/** The size of normal scores (Blom) in the fold and outside it, without ties. */
function sizes(values: number[], fold: number): [number, number] {
  const scores = values.map((value) => {
    const rank = values.filter((other) => other <= value).length;
    return Math.abs(normalQuantile((rank - 0.375) / (values.length + 0.25)));
  });
  const meanOf = (inside: boolean) => {
    const some = scores.filter((_, row) => (testFold[row] === fold) === inside);
    return some.reduce((sum, score) => sum + score, 0) / some.length;
  };
  return [meanOf(true), meanOf(false)];
}

describe('secondMoments', () => {
  it('passes noise, and says what was tested and what could have been found', async () => {
    const { status, message, spread, correlations } = await of(noise);
    expect(status).toBe('passed');
    expect([spread.tested, correlations.tested]).toEqual([3, 3]);
    expect(message).toContain(
      `The spread of no feature differs beyond chance (3 features); less than ${spread.detectable?.toFixed(1)} times that of the others may not be detectable. The correlation of no pair differs beyond chance (3 pairs); differences below ${correlations.detectable?.toFixed(2)} may not be detectable.`,
    );
    // 15 tests: quantiles of 1 - .001/30 and .95, by sqrt(1/60 + 1/240) and the largest sd of a product, about 1.
    expect(correlations.detectable).toBeGreaterThan(((3.99 + 1.64) * 0.9) / Math.sqrt(48));
    expect(correlations.detectable).toBeLessThan(((3.99 + 1.64) * 1.3) / Math.sqrt(48));
  });

  it.each([
    [2.5, '2\\.\\d|3\\.\\d'],
    [0.3, '0\\.\\d'],
  ])('finds a feature that is %s times as wide in one fold', async (times, text) => {
    const X = noise.map(([a, b, c], row) => [a, testFold[row] === 3 ? times * b : b, c]);
    const { status, fold, message, spread, correlations } = await of(X);
    expect([status, fold]).toEqual(['needs_review', 'fold-3']);
    expect(message).toMatch(
      new RegExp(
        `^Test rows differ from the others beyond chance: spread of feature 1 (${text}) times that of the others in fold-3 \\(p < 0\\.001; 3 features, 5 folds, 300 rows\\)\\. No feature differs in its mean \\(p = `,
      ),
    );
    const [example] = spread.examples as { difference: number }[];
    const [inside, outside] = sizes(
      X.map(([, b]) => b),
      3,
    );
    expect(example.difference > 1).toBe(inside > outside);
    expect(Math.abs(Math.log(example.difference / times))).toBeLessThan(0.35);
    expect(correlations.examples).toBeUndefined();
  });

  it('finds a correlation that is turned round in one fold', async () => {
    const X = noise.map(([a, b, c], row) => [a, b, (testFold[row] === 2 ? -0.8 : 0.8) * a + 0.6 * c]);
    const { status, fold, message, spread, correlations } = await of(X);
    expect([status, fold]).toEqual(['needs_review', 'fold-2']);
    expect(message).toMatch(/: correlation of feature 0 with feature 2 by -1\.\d\d in fold-2 \(p < 0\.001; /);
    expect(message).toContain('The spread of no feature differs beyond chance (3 features)');
    expect(spread.examples).toBeUndefined();
    const [{ difference }] = correlations.examples as { difference: number }[];
    expect(difference).toBeGreaterThan(-2);
    expect(difference).toBeLessThan(-1.2);
  });

  it('does not tell again what a shifted mean or another spread explains', async () => {
    const shifted = noise.map(([a, b, c], row) => [
      a + (testFold[row] === 3 ? 4 : 0),
      b + (testFold[row] === 3 ? 4 : 0),
      c,
    ]);
    const means = await of(shifted);
    expect(means.message).toContain(
      'The spread differs only where the above explains it. The correlation differs only where',
    );
    // The wider feature goes with another: so does their product.
    const wide = noise.map(([a, b, c], row) => [a, (testFold[row] === 3 ? 4 : 1) * (a + 0.2 * b), c]);
    const spread = await of(wide);
    expect(spread.spread.examples).toHaveLength(1);
    expect(spread.correlations.examples).toBeUndefined();
  });

  it('says what was not tested', async () => {
    const flags = noise.map((row) => row.map((z) => Number(z > 0)));
    const binary = await of(flags);
    expect(binary.message).toContain(
      'Spread was not tested: no feature has numbers of three values or more that vary enough. The correlation of no pair',
    );
    const alone = await of(noise.map(([a]) => [a]));
    expect(alone.message).toContain('Correlations were not tested: fewer than two features are numbers.');
    const few = await of(
      noise.slice(0, 40).map((row) => [...row, ...row.map((z) => z ** 2 - z)]),
      {
        splitter: new PredefinedSplit({ testFold: testFold.slice(0, 40) }),
      },
    );
    expect(few.message).toMatch(
      /Spread was not tested: a fold must have more test rows to show it\. Correlations were not tested: a fold must have/,
    );
    const many = await of(testFold.map(() => Array.from({ length: 60 }, draw)));
    expect(many.message).toContain('(the 1,000 of 1,770 pairs that go together most)');
    expect(many.correlations).toMatchObject({ tested: 1000, of: 1770 });
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

  it('fires in about one of five hundred clean calls', { tags: 'slow' }, async () => {
    let fired = 0;
    for (let seed = 0; seed < 150; seed++) {
      const X = testFold.slice(0, 100).map(() => Array.from({ length: 5 }, () => Math.exp(2 * draw())));
      const { spread, correlations } = await of(X, {
        splitter: new PredefinedSplit({ testFold: testFold.slice(0, 100) }),
        randomState: seed,
      });
      fired += Number(Boolean(spread.examples ?? correlations.examples));
    }
    // Of 150 at .002: more than 3 in 1 of 3,000 cases.
    expect(fired).toBeLessThanOrEqual(3);
  });
});
