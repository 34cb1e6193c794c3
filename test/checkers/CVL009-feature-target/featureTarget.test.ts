import { describe, expect, it } from 'vitest';
import { assessFeatureTarget, featureTarget } from '../../../src/checkers/CVL009-feature-target/featureTarget.js';
import { checkInput } from '../../../src/checkers/checkInput.js';
import { randomSource } from '../../../src/core/random.js';
import { labelsOf } from '../../../src/data/labels.js';
import { rowsOf } from '../../../src/data/rows.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { inWords, judged } from '../judged.js';

const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 3 });
const n = 150;
/** Different numbers without order. */
const noise = (seed: number, rows = n) => Array.from({ length: rows }, (_, row) => Math.sin(seed * (row + 1) ** 2));
const y = noise(1).map((value) => Number(value > 0));
const rows = (...columns: unknown[][]) => columns[0].map((_, row) => columns.map((column) => column[row]));

/** Spearman's correlation of different numbers. */
function spearman(a: number[], b: number[]): number {
  const ranks = [a, b].map((list) => list.map((value) => list.filter((other) => other < value).length));
  const squares = ranks[0].reduce((sum, rank, row) => sum + (rank - ranks[1][row]) ** 2, 0);
  return 1 - (6 * squares) / (a.length ** 3 - a.length);
}

describe('featureTarget', () => {
  it('passes the strong predictors of WDBC and names the strongest', async () => {
    const { X, y, featureNames } = await loadCancerImaging();
    const named = X.map((row) => Object.fromEntries(featureNames.map((name, at) => [name, row[at]])));
    const { status, message, evidence } = await judged(featureTarget, { X: named, y, splitter });
    expect(status).toBe('passed');
    expect(message).toBe(
      'No feature reveals y (strongest: `worst_perimeter`, AUC 0.975; 569 rows). A value that implies a class without an exception is detectable from 21 % of y = 0 (72 rows) or 21 % of y = 1 (43 rows).',
    );
    // scikit-learn 1.9.1: roc_auc_score(y, worst perimeter) = 0.9754505575815
    expect(evidence.strongest).toMatchObject([
      { feature: 'worst_perimeter', auc: expect.closeTo(0.9754505575815, 12) },
      ...Array(9).fill({}),
    ]);
  });

  it('does not pass a feature without an error where luck could have made it', async () => {
    const judge = (rowsOf: number) =>
      judged(featureTarget, {
        X: rows(
          noise(2, rowsOf),
          noise(6, rowsOf).map((value, row) => (row % 2 ? 1 : -1) * (Math.abs(value) + 0.01)),
        ),
        y: noise(6, rowsOf).map((_, row) => row % 2),
        splitter,
      });
    const [few, enough] = [await judge(118), await judge(119)];
    // Kappa .85 of halves is an error of .15 x 2 / 4 = .075. scipy 1.17.1: stats.binom.cdf(1, 118, .075) = .00107, of 119 .00099
    expect(inWords(few)).toMatch(/^not_evaluated: `feature 1` separates y without an error.*118 rows.*119 rows/);
    expect(enough.status).toBe('failed');
  });

  it('sees a copy among numbers with limits, units, decimal commas, and a few words', async () => {
    const level = noise(2, 400).map((value, row) => 30 * (row % 2) + 25 * Math.abs(value) + 0.01);
    const ways: Record<string, (value: number, row: number) => unknown> = {
      limit: (value) => (value < 3 ? '<3' : value),
      comma: (value) => value.toFixed(2).replace('.', ','),
      unit: (value) => `${value.toFixed(2)} ng/ml`,
      word: (value, row) => (row % 50 === 0 ? 'haemolysed' : value),
      mark: (value, row) => (row % 50 === 0 ? 'n/a' : value),
    };
    for (const [way, write] of Object.entries(ways)) {
      const X = level.map((value, row) => ({ psa: write(value, row), other: noise(5, 400)[row] }));
      const { status, message } = await judged(featureTarget, { X, y: level.map((_, row) => row % 2), splitter });
      expect(`${way} ${status} ${message}`).toMatch(/failed 1 of 2 features gives y away: `psa`/);
    }
  });

  it('sees a word among numbers that implies a class', async () => {
    const labels = noise(3, 1200).map((_, row) => Number(row % 5 === 0));
    const X = noise(4, 1200).map((value, row) => ({ lab: labels[row] && row % 25 === 0 ? 'after death' : value }));
    const { status, message } = await judged(featureTarget, { X, y: labels, splitter, independentRows: true });
    expect(status).toBe('needs_review');
    expect(message).toContain(
      '(its level 2 of 2 in order of frequency (4 % of rows) goes with y = 1 in 48 of 48 rows, 20 % of that class)',
    );
  });

  it('names a category among the strongest, and holds it against a threshold', async () => {
    const labels = noise(1, 300).map((value) => Number(value > 0));
    const X = labels.map((label, row) => ({
      ward: noise(7, 300)[row] > 0.8 ? (label ? 'A' : 'B') : label ? 'B' : 'A',
      marker: noise(5, 300)[row],
    }));
    const input = { X, y: labels, splitter };
    const passed = await judged(featureTarget, { ...input, featureThreshold: 0.9 });
    expect(passed.status).toBe('passed');
    expect(passed.evidence).toMatchObject({ strongest: [{ feature: 'ward', pAdjusted: null }, { feature: 'marker' }] });
    expect(passed.message).toMatch(
      /strongest: `ward`, AUC 0\.\d{3}; 300 rows\)\. No correlation with y is above 0\.9; the largest is 0\.\d{3} \(`ward`\)\./,
    );
    const failed = await judged(featureTarget, { ...input, featureThreshold: 0.5 });
    expect(inWords(failed)).toMatch(
      /^failed: 1 of 2 features gives y away: `ward` \(correlation ratio 0\.\d{4}, above 0\.5\)\./,
    );
  });

  it('names columns of 0 and 1 that were one category together, as strong as the category', async () => {
    const labels = noise(1, 300).map((value) => Number(value > 0));
    // Of four wards two have more of either class.
    const [flip, side] = [noise(7, 300), noise(3, 300)];
    const wards = labels.map((label, row) => (flip[row] > 0.6 ? 1 - label : label) + (side[row] > 0 ? 2 : 0));
    const judge = (X: Record<string, unknown>[]) => judged(featureTarget, { X, y: labels, splitter });
    const whole = await judge(wards.map((ward, row) => ({ ward: `w${ward}`, marker: noise(5, 300)[row] })));
    const dummies = (ward: number) => Object.fromEntries([0, 1, 2, 3].map((at) => [`ward_${at}`, Number(ward === at)]));
    const split = await judge(wards.map((ward, row) => ({ ...dummies(ward), marker: noise(5, 300)[row] })));
    const [{ auc }] = whole.evidence.strongest as { auc: number }[];
    expect(split.evidence.strongest).toMatchObject([{ feature: 'ward_0', siblings: 4, auc }, { feature: 'marker' }]);
    expect(split.message).toContain(`strongest: \`ward_0\` and its 3 sibling columns, AUC ${auc.toFixed(3)};`);
  });

  it('asks about a number y that was cut into classes, as text, numbers or columns of 0 and 1', async () => {
    const measured = noise(8, 500).map((value) => 70 + 20 * value);
    const bin = (value: number) => Math.floor((value - 50) / 4);
    const ways: Record<string, (value: number) => Record<string, unknown>> = {
      text: (value) => ({ stage: `stage ${bin(value)}` }),
      numbers: (value) => ({ stage: bin(value) }),
      dummies: (value) =>
        Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`stage_${at}`, Number(bin(value) === at)])),
    };
    for (const [way, made] of Object.entries(ways)) {
      const X = measured.map((value, row) => ({ ...made(value), age: noise(9, 500)[row] }));
      const { status, message } = await judged(featureTarget, { X, y: measured, task: 'regression', splitter });
      expect(`${way} ${status} ${message}`).toMatch(
        /needs_review 1 of \d+ features gives y almost away: `stage(_0)?` \(correlation/,
      );
    }
    const coarse = measured.map((value, row) => ({ stage: value > 70 ? 'high' : 'low', age: noise(9, 500)[row] }));
    expect((await judged(featureTarget, { X: coarse, y: measured, task: 'regression', splitter })).status).toBe(
      'passed',
    );
  });

  it('fails on a copy, with the feature, the rows, and nothing but the feature', async () => {
    const code = y.map((label) => (label ? 'dead' : 'alive'));
    const X = rows(noise(2), code);
    const result = await judged(featureTarget, { X, y, splitter });
    expect(result).toMatchObject({ status: 'failed', severity: 'critical' });
    expect(result.message).toMatch(/^1 of 2 features.*`feature 1`.*150 of 150 rows/);
    expect(result.fix).toMatch(/^Leave out what is recorded with or after the outcome/);
    expect(result.evidence.examples).toEqual([
      { feature: 'feature 1', kind: 'monotone', score: 1, rows: n, errors: 0 },
    ]);
  });

  it('fails on what is measured in one class only', async () => {
    const measured = noise(3).map((value, row) => (y[row] ? value : null));
    const X = rows(noise(2), measured);
    const result = await judged(featureTarget, { X, y, splitter });
    expect(result.message).toMatch(/^1 of 2 features.*`feature 1`.*150 of 150 rows/);
    expect(result.evidence.examples).toMatchObject([{ feature: 'feature 1', kind: 'missingness' }]);
  });

  it('asks for a look at a copy that is known in few of the rows, and says in how many', async () => {
    const known = (share: number) => y.map((label, row) => (row < share * n ? label : null));
    const judge = (copy: unknown[]) => judged(featureTarget, { X: rows(noise(2), copy), y, splitter });
    const few = await judge(known(0.4));
    expect(few).toMatchObject({ status: 'needs_review', severity: 'medium' });
    // .4 of 150 rows.
    expect(few.message).toContain('`feature 1` (y follows from it in 60 of 60 rows with a value, 40 % of all rows)');
    expect(few.evidence.examples).toMatchObject([{ feature: 'feature 1', kind: 'monotone', rows: 60, known: 0.4 }]);
    const most = await judge(known(0.6));
    expect(most).toMatchObject({ status: 'failed', severity: 'critical' });
    expect(most.message).toContain('in 90 of 90 rows with a value, 60 % of all rows)');
    // The fault comes first, whatever else is to be looked at.
    const both = await judged(featureTarget, { X: rows(known(0.4), known(0.6)), y, splitter });
    expect(both.message).toMatch(/^1 of 2 features gives y away: `feature 1`/);
  });

  it('does not call a noisy copy that rises on the whole not monotone', async () => {
    const many = noise(5, 2000);
    const jitter = noise(7, 2000).map((value) => 0.002 * value);
    const judge = (copy: (value: number) => number) =>
      judged(featureTarget, { X: rows(many.map((value, row) => copy(value) + jitter[row])), y: many, splitter });
    const rising = await judge((value) => 3 * value);
    expect(rising).toMatchObject({ status: 'failed', evidence: { examples: [{ kind: 'monotone' }] } });
    expect(rising.message).toContain('(y follows from it closely in 2,000 of 2,000 rows)');
    const curve = await judged(featureTarget, {
      X: rows(many),
      y: many.map((value, row) => value * value + jitter[row]),
      splitter,
    });
    expect(curve).toMatchObject({ status: 'failed', evidence: { examples: [{ kind: 'non_monotone' }] } });
    expect(curve.message).toContain('rows, not monotone)');
  });

  it('asks for a look at numbers in another unit, above the threshold alone', async () => {
    const numbers = noise(4);
    const fahrenheit = numbers.map((value, row) => 32 + 1.8 * (value + 0.1 * noise(5)[row]));
    const X = rows(noise(2), fahrenheit);
    const result = await judged(featureTarget, { X, y: numbers, splitter });
    expect(result).toMatchObject({ status: 'needs_review', severity: 'medium' });
    const [, size] = /`feature 1` \(correlation (.+), lower 99 % bound above 0.95\)/.exec(result.message) as string[];
    expect(Number(size)).toBeCloseTo(
      spearman(
        X.map(([, value]) => value as number),
        numbers,
      ),
      4,
    );
    expect(result.fix).toBe('Find out whether it is known before the outcome is; leave it out if not.');
    const lenient = await judged(featureTarget, { X, y: numbers, splitter, featureThreshold: 0.999 });
    expect(lenient.status).toBe('passed');
  });

  it('names the class that a feature tells, of three and of several labels', async () => {
    const three = noise(1).map((value) => (value > 0.5 ? 'c' : value < -0.5 ? 'a' : 'b'));
    const isB = three.map((label) => Number(label === 'b'));
    const X = rows(noise(2), isB);
    const { message } = await judged(featureTarget, { X, y: three, splitter });
    expect(message).toMatch(/^1 of 2 features.*`feature 1`.*150 of 150 rows/);
    const labels = three.map((label, row) => [Number(label === 'b'), Number(noise(6)[row] > 0)]);
    const result = await judged(featureTarget, { X, y: labels, task: 'multilabel', splitter });
    expect(result.evidence.examples).toMatchObject([{ feature: 'feature 1', class: '0' }]);
  });

  it('says what it could not have found', async () => {
    const few = await judged(featureTarget, { X: rows(noise(2, 60)), y: y.slice(0, 60), splitter });
    expect(inWords(few)).toMatch(
      /^passed: No feature reveals y \(.*60 rows\)\. Continuous copies of y are detectable from \d+ rows\./,
    );
    // The area by counting pairs.
    const x = noise(2, 60);
    const [ill, well] = [1, 0].map((label) => x.filter((_, row) => y[row] === label));
    const area =
      ill.flatMap((one) => well.map((other) => Number(one > other))).reduce((a, b) => a + b) /
      (ill.length * well.length);
    expect(few.message).toContain(`strongest: \`feature 0\`, AUC ${Math.max(area, 1 - area).toFixed(3)};`);
    const ten = await judged(featureTarget, { X: rows(noise(2, 10)), y: y.slice(0, 10), splitter });
    expect(inWords(ten)).toMatch(/^not_evaluated: .*1 feature.*not detectable.*10 rows/);
    const one = await judged(featureTarget, { X: rows(noise(2)), y: y.map(() => 1), splitter });
    expect([one.status, one.message]).toEqual(['not_evaluated', expect.stringContaining('nothing to compare')]);
  });

  it('has nothing to say of masks', async () => {
    const masks = y.map((label) => [
      [label, 1],
      [0, 1],
    ]);
    expect((await judged(featureTarget, { X: rows(noise(2)), y: masks, splitter })).status).toBe('not_applicable');
  });

  const odd: Record<string, unknown[][]> = {
    categorical: rows(
      noise(2).map((value) => `level ${Math.round(3 * value)}`),
      noise(3),
    ),
    missing: rows(
      noise(2).map((value) => (value > 0.6 ? null : value)),
      noise(3).map(() => null),
    ),
    constant: rows(noise(2).map(() => 7)),
    'huge and tiny': rows(
      noise(2).map((v) => v * 1e300),
      noise(3).map((v) => v * 1e-300),
    ),
    infinite: rows(
      noise(2).map((v) => (v > 0.9 ? Infinity : v < -0.9 ? -Infinity : v)),
      noise(4),
    ),
  };
  it.each(Object.keys(odd))('takes %s cells', async (name) => {
    const designs = [splitter, new LOOCV(), new BootstrapValidation({ nIterations: 3, randomState: 1 })];
    const targets = [y, noise(7), y.map((_, row) => 'abc'[row % 3])];
    const patients = [undefined, y.map((_, row) => row), y.map((_, row) => `p${row % 50}`), y.map((_, row) => row % 2)];
    for (const design of designs) {
      for (const target of targets) {
        for (const groups of patients) {
          const result = await judged(featureTarget, {
            X: odd[name],
            y: target,
            splitter: design,
            data: groups ? { groups } : {},
          });
          expect(['passed', 'not_evaluated']).toContain(result.status);
          expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity|"auc":null/);
        }
      }
    }
  });
});

describe('assessFeatureTarget', () => {
  it('gives every feature concerned, copies first', async () => {
    const jittered = noise(3).map((value, row) => y[row] + 0.02 * value);
    const X = rowsOf(rows(noise(2), y, jittered));
    const labels = labelsOf(y);
    const input = checkInput({ X, y: labels, data: {}, folds: foldsOf(splitter, n, labels) });
    const { features } = await assessFeatureTarget(input);
    expect(features).toEqual([
      { name: 'feature 1', score: 1, kind: 'monotone' },
      { name: 'feature 2', score: 1, kind: 'monotone' },
    ]);
  });
});

describe('many classes', () => {
  it('cost by their rows: 4,000 of two rows hardly more than 20 of 400', async () => {
    const n = 8000;
    const random = randomSource(5);
    const seconds = async (k: number) => {
      const y = Array.from({ length: n }, (_, row) => `c${row % k}`);
      const X = y.map((_, row) =>
        Array.from({ length: 5 }, (__, j) => (j === 4 ? row % 2 : (row % k) + random.random())),
      );
      const input = checkInput({ X: rowsOf(X), y: labelsOf(y), data: {}, folds: foldsOf(splitter, n), randomState: 1 });
      await input.features();
      const started = performance.now();
      await assessFeatureTarget(input);
      return (performance.now() - started) / 1000;
    };
    await seconds(20);
    // It took 36 s when every class looked at every row.
    expect(await seconds(4000)).toBeLessThan(4);
  });
});
