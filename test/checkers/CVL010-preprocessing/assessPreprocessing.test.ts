import { describe, expect, it } from 'vitest';
import { assessPreprocessing } from '../../../src/checkers/CVL010-preprocessing/assessPreprocessing.js';
import { DataLeakageChecker } from '../../../src/checkers/dataLeakageChecker.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { refusal } from '../../helpers/messages.js';
import reference from '../../reference/preprocessing.json' with { type: 'json' };

const { splits, cases } = reference;
const dataOf = (name: string) => reference[name as 'X' | 'missing' | 'positive'];
const labelsOf = (name: string | null) => (name ? { y: reference[name as 'y' | 'numbers'] } : {});
const stepsOf = (name: string) => (name.split(' ')[0] === 'pca' ? ['pca'] : name.split(', '));
const hard = (name: string) => /pca|select/.test(name);

type Cells = (number | null)[][];

describe('assessPreprocessing', () => {
  it.each(cases.map((each) => [each.name, each] as const))(
    'tells both fits of scikit-learn apart: %s',
    async (name, each) => {
      const X = dataOf(each.data);
      const differ = JSON.stringify(each.train) !== JSON.stringify(each.all);
      for (const options of [labelsOf(each.labels), { ...labelsOf(each.labels), steps: stepsOf(name) }]) {
        const clean = await assessPreprocessing(X, each.train, splits, options);
        expect(clean, clean.message).toMatchObject({ status: 'passed', severity: 'none' });
        expect(clean.evidence.toTrain).toBeLessThan(1e-9);
        const leaking = await assessPreprocessing(X, each.all, splits, options);
        expect(leaking.status, leaking.message).toBe(differ ? 'failed' : 'passed');
        if (!differ) continue;
        expect(leaking.severity).toBe(hard(name) ? 'high' : 'medium');
        expect(leaking.evidence.toAll).toBeLessThan(1e-9);
        expect(leaking.evidence.steps).toEqual(stepsOf(name));
        expect(leaking.evidence.fittedToAllRows).toEqual(stepsOf(name));
      }
    },
  );

  it('is tried on cases most of which differ', () => {
    expect(cases.filter(({ train, all }) => JSON.stringify(train) !== JSON.stringify(all)).length).toBeGreaterThan(14);
  });

  const caseOf = (name: string) => cases.find((each) => each.name === name) as (typeof cases)[number];
  const scaled = caseOf('standardize');
  const { X } = reference;

  it.each(['standardize', 'minmax', 'robust', 'maxabs', 'impute:mean, standardize'])(
    'tells both fits of values that were rounded as a file has them: %s',
    { tags: 'slow' },
    async (name) => {
      const each = cases.find((one) => one.name === name) as (typeof cases)[number];
      for (const decimals of [3, 4]) {
        const step = Number(`1e-${decimals}`);
        const rounded = (X: unknown) =>
          (X as number[][]).map((row) => row.map((value) => Number(value.toFixed(decimals))));
        const [clean, leaking] = await Promise.all(
          [each.train, each.all].map((X) => assessPreprocessing(dataOf(each.data), rounded(X), splits)),
        );
        expect(clean, clean.message).toMatchObject({ status: 'passed', evidence: { roundedTo: step } });
        expect(clean.message).toContain(`${name} (rounded to ${step}), fitted to the training rows alone`);
        expect(leaking, leaking.message).toMatchObject({
          status: 'failed',
          evidence: { steps: name.split(', '), roundedTo: step },
        });
      }
    },
  );

  it('takes coarse values for no rounded ones, and exact ones for what they are', async () => {
    const coarse = (cases[0].all as number[][]).map((row) => row.map((value) => Number(value.toFixed(1))));
    expect((await assessPreprocessing(reference.X, coarse, splits)).status).toBe('not_evaluated');
    const same = await assessPreprocessing(reference.X, reference.X, splits);
    expect(same.evidence).not.toHaveProperty('roundedTo');
  });

  it('says what it found, in every form', async () => {
    const anova = caseOf('select:anova');
    const cubed = X.map((row) => row.map((v) => (v as number) ** 3));
    const doubled = X.map((row) => [...row, ...row]);
    const texts = [
      await assessPreprocessing(X, scaled.train, splits),
      await assessPreprocessing(X, scaled.all, splits),
      await assessPreprocessing(X, caseOf('pca').all, splits),
      await assessPreprocessing(X, anova.all, splits, { y: reference.y }),
      await assessPreprocessing(X, X, splits),
      await assessPreprocessing(X, cubed, splits),
      await assessPreprocessing(X, anova.all, splits),
      await assessPreprocessing(X, doubled, splits),
    ].map(({ status, message, fix }) => `${status}: ${message} ${fix}`);
    // Largest difference of the other fit of scikit-learn in a column, or of the column left as it was if that is
    // nearer, by the largest value there.
    const apart = (given: Cells, other: Cells) => {
      const compared = [...splits.train, ...splits.test];
      const at = (X: Cells, column: number) => compared.map((row) => X[row][column] as number);
      const by = (column: number, version: Cells) => {
        const [found, made] = [at(given, column), at(version, column)];
        return Math.max(...found.map((value, i) => Math.abs(value - made[i]))) / Math.max(...made.map(Math.abs));
      };
      return Math.max(...given[0].map((_, column) => Math.min(by(column, other), by(column, X as Cells)))).toFixed(3);
    };
    const fix =
      'Fit every step to the training rows of each fold: put them into the model that is trained, as a pipeline.';
    const name = 'Name the `steps`, and pass `y` if features were selected.';
    expect(texts).toEqual([
      `passed: XProcessed is XOriginal after standardize, fitted to the training rows alone (all rows would differ by ${apart(scaled.train, scaled.all)} of the largest value). `,
      `failed: XProcessed is XOriginal after standardize, fitted to all rows, test rows included (the training rows alone would differ by ${apart(scaled.all, scaled.train)} of the largest value). ${fix}`,
      `failed: XProcessed is XOriginal after pca, fitted to all rows, test rows included (the training rows alone would not give it). ${fix}`,
      'passed: XProcessed is 3 columns of the 6 of XOriginal, as they were. Whoever chose them, by hand or by y, test rows need not have been seen: `select:anova` keeps the same columns by the training rows alone as by all rows. ',
      'passed: XProcessed is XOriginal: nothing was fitted between the two. ',
      // 9 ways to scale, alone, before components, after 3 fixed curves and 1 power; 5 fixed curves, 1 power, 2 quantiles;
      // unchanged; components.
      `not_evaluated: XProcessed is none of the 64 preparations that were tried, neither fitted to the training rows nor to all. ${name}`,
      // With fewer columns: components, alone and after 9 ways to scale; without y no selection.
      `not_evaluated: XProcessed is none of the 10 preparations that were tried, neither fitted to the training rows nor to all. ${name}`,
      `not_evaluated: No preparation that is known turns the columns of XOriginal into as many as XProcessed has. ${name}`,
    ]);
  });

  it('says what else to pass where steps were named', async () => {
    const texts = [
      await assessPreprocessing(X, scaled.all, splits, { steps: ['minmax'] }),
      await assessPreprocessing(X, scaled.all, splits, { steps: ['impute'], y: reference.y }),
    ].map(({ status, message, fix }) => `${status}: ${message} ${fix}`);
    expect(texts).toEqual([
      'not_evaluated: XProcessed is not minmax, neither fitted to the training rows nor to all. Leave `steps` out, so that the usual ones are tried, and pass `y` if features were selected.',
      'not_evaluated: XProcessed is none of the 4 preparations that were tried, neither fitted to the training rows nor to all. Leave `steps` out, so that the usual ones are tried, or check another way that each was fitted to the training rows alone.',
    ]);
  });

  it.each([0, 7.1, 1, null])('takes no notice of a constant column that became %s', async (made) => {
    const original = X.map((row) => [7.1, ...row]);
    for (const name of ['standardize', 'minmax', 'robust']) {
      const { train, all } = caseOf(name);
      for (const [version, status] of [
        [train, 'passed'],
        [all, 'failed'],
      ] as const) {
        const after = (version as Cells).map((row) => [made, ...row]);
        const found = await assessPreprocessing(original, after, splits);
        expect(found, found.message).toMatchObject({ status, evidence: { steps: [name] } });
      }
    }
    // What was no constant before, or is none after, still counts.
    const counted = scaled.all.map((row, at) => [at, ...(row as number[])]);
    const odd = await assessPreprocessing(original, counted, splits);
    expect(odd.status).toBe('not_evaluated');
  });

  it('learns the exact value of a column that is constant in the training rows', async () => {
    // 9.3 in all training rows: the z-score is the value less 9.3, with the divisor 1 of scikit-learn. The sum of 800 times
    // 9.3 / 800 would be off by more than the rounding of one value.
    const column = Array.from({ length: 1000 }, (_, row) => Math.sin(row * row));
    const trained = column.slice(0, 800);
    const mean = trained.reduce((sum, value) => sum + value, 0) / 800;
    const sd = Math.sqrt(trained.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 800);
    const original = column.map((value, row) => [value, row === 900 ? 10.3 : 9.3]);
    const after = column.map((value, row) => [(value - mean) / sd, row === 900 ? 1 : 0]);
    const rows = column.map((_, row) => row);
    const found = await assessPreprocessing(original, after, { train: rows.slice(0, 800), test: rows.slice(800) });
    expect(found, found.message).toMatchObject({ status: 'passed', evidence: { steps: ['standardize'] } });
  });

  it('finds the one step of several that saw all rows', async () => {
    // Means of all rows, then a z-score of the training rows: by hand from the case in which both saw them alone.
    const { missing } = reference;
    const means = missing[0].map((_, at) => {
      const known = missing.flatMap((row) => (row[at] === null ? [] : [row[at] as number]));
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    });
    const filled = missing.map((row) => row.map((value, at) => value ?? means[at]));
    const trained = splits.train.map((row) => filled[row]);
    const centre = means.map((_, at) => trained.reduce((sum, row) => sum + row[at], 0) / trained.length);
    const sd = centre.map((c, at) =>
      Math.sqrt(trained.reduce((sum, row) => sum + (row[at] - c) ** 2, 0) / trained.length),
    );
    const after = filled.map((row) => row.map((value, at) => (value - centre[at]) / sd[at]));
    const found = await assessPreprocessing(missing, after, splits);
    expect(found).toMatchObject({ status: 'failed', severity: 'medium' });
    expect(found.evidence.fittedToAllRows).toEqual(['impute:mean']);
    expect(found.message).toContain('with impute:mean fitted to all rows');
  });

  it('takes components with other signs, and rotated', async () => {
    const pca = caseOf('pca');
    const [c, s] = [Math.cos(1), Math.sin(1)];
    for (const [version, status] of [
      [pca.train, 'passed'],
      [pca.all, 'failed'],
    ] as const) {
      const signs = (version as number[][]).map(([a, b, d]) => [-a, b, -d]);
      const rotated = (version as number[][]).map(([a, b, d]) => [c * a - s * b, s * a + c * b, d]);
      expect((await assessPreprocessing(X, signs, splits)).status).toBe(status);
      expect((await assessPreprocessing(X, rotated, splits)).status).toBe(status);
    }
  });

  it('leaves columns that were not touched aside, and reads single precision', async () => {
    const mixed = (version: (number | null)[][]) =>
      version.map((row, at) => row.map((value, column) => (column === 1 ? X[at][1] : Math.fround(value as number))));
    expect((await assessPreprocessing(X, mixed(scaled.train), splits)).status).toBe('passed');
    expect((await assessPreprocessing(X, mixed(scaled.all), splits)).status).toBe('failed');
    const single = { data: Float32Array.from(scaled.all.flat() as number[]), shape: [40, 6] };
    expect((await assessPreprocessing(X, single, splits)).status).toBe('failed');
  });

  it('fills text with its commonest value', async () => {
    const text = ['a', 'a', 'b', 'b', 'b', null, 'a'].map((value) => ({ text: value, one: 1 }));
    const filled = (value: string) => text.map((row) => ({ ...row, text: row.text ?? value }));
    const split = [
      [0, 1, 2, 6],
      [3, 4, 5],
    ] as const; // a, a, b, a | b, b: a of 4, and of all 3 a and 3 b: the first, a
    expect((await assessPreprocessing(text, filled('a'), split)).message).toContain('indistinguishable');
    const other = [
      [2, 3, 4],
      [0, 1, 5, 6],
    ] as const; // b of the training rows, a of all
    expect((await assessPreprocessing(text, filled('b'), other)).status).toBe('passed');
    expect((await assessPreprocessing(text, filled('a'), other)).status).toBe('failed');
  });

  it('takes a fold, and refuses what is no split', async () => {
    const fold = { id: 'fold-0', train: Int32Array.from(splits.train), test: Int32Array.from(splits.test) };
    expect((await assessPreprocessing(X, scaled.all, fold)).status).toBe('failed');
    await expect(assessPreprocessing(X, scaled.all, { train: [0], test: [40] })).rejects.toThrow(
      refusal('invalid_data', 'splitIndices.test', 40),
    );
    await expect(assessPreprocessing(X, scaled.all, [[], [1]])).rejects.toThrow(
      refusal('invalid_data', 'splitIndices.train'),
    );
    await expect(assessPreprocessing(X, scaled.all, [[0, 1, 2], [2]])).rejects.toThrow(
      refusal('invalid_data', 'splitIndices', 'row 2'),
    );
    await expect(assessPreprocessing(X, X.slice(1), splits)).rejects.toThrow(refusal('length_mismatch', 40, 39));
    await expect(assessPreprocessing(X, X, splits, { steps: ['knn'] })).rejects.toThrow(
      refusal('invalid_option', 'steps'),
    );
  });

  it("takes cvkit's folds: one, a plan, what a splitter yields, pairs", async () => {
    const splitter = new KFold({ nSplits: 4, shuffle: true, randomState: 2 });
    const plan = foldsOf(splitter, X);
    const pairs = Array.from(plan, ({ train, test }) => [train, test] as const);
    const lists = pairs.map(([train, test]) => [Array.from(train), Array.from(test)] as const);
    for (const given of [plan, splitter.split(X), pairs, lists, lists.slice(0, 2), new Set(pairs)]) {
      const finding = await assessPreprocessing(X, scaled.all, given);
      const folds = given === lists || !Array.isArray(given) ? 4 : given.length;
      expect(finding).toMatchObject({ status: 'failed', fold: 'fold-0', evidence: { steps: ['standardize'] } });
      expect(finding.message).toMatch(
        new RegExp(`^fold-0: XProcessed is .* The same holds in ${folds} of ${folds} folds\\.$`),
      );
    }
    expect((await assessPreprocessing(X, X, plan)).status).toBe('passed');
    const [first] = plan;
    expect(await assessPreprocessing(X, scaled.all, first)).toEqual(
      await assessPreprocessing(X, scaled.all, { train: first.train, test: first.test }),
    );
    // Fitted to the training rows of one fold, which are no others' alone.
    const one = await assessPreprocessing(X, scaled.train, [splits as never, ...pairs]);
    expect(one).toMatchObject({ status: 'not_evaluated', fold: 'fold-1' });
    const checker = new DataLeakageChecker();
    expect(await checker.checkPreprocessingLeakage(X, scaled.all, splitter.split(X))).toBe(true);
    expect(await checker.checkPreprocessingLeakage(X, X, plan)).toBe(false);
  });

  it('takes folds of a bootstrap, whose training rows count as often as they are there', async () => {
    const [fold] = new BootstrapValidation({ nIterations: 5, randomState: 1 }).split(X);
    const rows = Array.from(fold.train);
    expect(new Set(rows).size).toBeLessThan(rows.length);
    // The z-score over the rows of a list, each as often as it is there.
    const scaledBy = (list: readonly number[]) => {
      const moments = X[0].map((_, at) => {
        const values = list.map((row) => X[row][at] as number);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return [mean, Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)];
      });
      return X.map((row) => row.map((value, at) => ((value as number) - moments[at][0]) / moments[at][1]));
    };
    const judged = async (list: readonly number[]) =>
      (await assessPreprocessing(X, scaledBy(list), fold, { steps: ['standardize'] })).status;
    expect(await judged(rows)).toBe('passed');
    expect(await judged([...X.keys()])).toBe('failed');
    expect(await judged([...new Set(rows)])).toBe('not_evaluated');
  });

  it('takes no columns for selected ones where their scores are not defined', async () => {
    // Normal values: no chi-squared. The last column goes with y, and is the one that was left out.
    const table = X.map((row) => [...row.slice(1), 10 * (row[0] as number)]);
    const y = table.map((row) => ((row[5] as number) > 0 ? 1 : 0));
    const less = (count: number) => table.map((row) => row.slice(0, count));
    for (const kept of [5, 4]) {
      expect((await assessPreprocessing(table, less(kept), splits, { y })).status).toBe('not_evaluated');
    }
    // Values below 0 in one test row alone: fitted to all rows, there is no chi-squared.
    const positive = table.map((row, at) =>
      row.map((value) => (at === splits.test[0] ? -1 : Math.abs(value as number) + 0.1)),
    );
    const first = positive.map((row) => row.slice(0, 5));
    expect((await assessPreprocessing(positive, first, splits, { y })).status).toBe('not_evaluated');
    // One class alone among the training rows: no F.
    const one = X.map((_, row) => (splits.test.includes(row) ? 1 : 0));
    const { status, message } = await assessPreprocessing(table, less(3), splits, { y: one, steps: ['select:anova'] });
    expect(message).not.toContain('fitted to the training rows alone');
    expect(status).not.toBe('passed');
  });

  it('gives no NaN for odd cells', async () => {
    const odd = X.map((row, at) => [
      at,
      7,
      at % 2 ? 1e300 : 1e-300,
      at === 3 ? Infinity : row[0],
      at % 3 ? null : 1,
      'ab'[at % 2],
    ]);
    for (const after of [
      odd,
      odd.map((row) => row.slice(0, 3)),
      odd.map((row) => row.map((v) => (typeof v === 'number' ? v / 2 : v))),
    ]) {
      const found = await assessPreprocessing(odd, after, splits, { y: reference.y });
      expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/);
    }
  });
});
