import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import * as steps from '../../src/preprocessing/index.js';
import { type PreprocessingOption, preparationOf } from '../../src/preprocessing/preparation.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

const { ColumnTransformer, FunctionTransformer, OrdinalEncoder, Pipeline, RandomOverSampler } = steps;
const { SimpleImputer, StandardScaler, tabular } = steps;

/** 24 patients; `dose` is 0 for one of them, and `age` is missing for another where that is asked for. */
const records = (age: number | null = 50) =>
  Array.from({ length: 24 }, (_, row) => ({
    age: row === 5 ? age : 40 + ((row * 7) % 11),
    dose: row % 24 === 13 ? 0 : 1 + (row % 4),
  }));
const y = Array.from({ length: 24 }, (_, row) => (row % 3 === 0 ? 1 : 0));

const run = (preprocessing: PreprocessingOption, X: unknown = records(), model: () => object = () => new Lenient()) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model,
    data: [X, y] as never,
    metrics: ['accuracy'],
    preprocessing,
  });

/** A model that takes whatever comes. */
class Lenient extends NearestMean {
  override fit(X: number[][], labels: unknown[]): this {
    const rows = X.map((row) => Object.values(row));
    return super.fit(rows, labels);
  }
  override predict(X: number[][]): unknown[] {
    return super.predict(X.map((row) => Object.values(row)));
  }
}

type Row = Record<string, number | null>;
const log = (rows: Row[]) => rows.map((row) => ({ ...row, dose: Math.log(row.dose as number) }));
const gapFor = (gap: unknown) => (rows: Row[]) =>
  rows.map((row) => ({ ...row, dose: row.dose === 0 ? gap : row.dose }));

const WAY = 'Mend the step, or let a SimpleImputer after it fill such cells.';

describe('a row without missing cells', () => {
  it.each([
    ['an infinite number', log, 'infinite number', 'an infinite number', 'Mend the step.'],
    ['NaN', gapFor(Number.NaN), 'missing cell', 'NaN, null or undefined', WAY],
    ['undefined', gapFor(undefined), 'missing cell', 'NaN, null or undefined', WAY],
  ])('stays without %s, or the step, the column and the row are named', async (_, make, cell, got, way) => {
    const text = (by: string) =>
      `What ${by} gives must have no ${cell} in a row that had none. Got ${got} in the column 'dose', in row 1 of the 12 that it was given. ${way}`;
    const named = new FunctionTransformer(make as never, { name: 'byDose' });
    expect(await thrown(() => run(named))).toContain(`: ${text('FunctionTransformer(byDose)')}`);
    class ByDose {
      fit(): void {
        // learns nothing
      }
      transform = make;
    }
    const refused = "(infinite_cells): Fold fold-0 failed: The column 'dose' for StandardScaler";
    const ofByDose = cell.startsWith('infinite') ? refused : `: ${text('ByDose')}`;
    expect(await thrown(() => run([new ByDose(), new StandardScaler()]))).toContain(ofByDose);
  });

  it('is looked at after resampling, and when it is predicted', async () => {
    const resampled = [new RandomOverSampler(), new FunctionTransformer(gapFor(Number.NaN) as never)];
    expect(await thrown(() => run(resampled))).toContain('in row 1 of the 12 ');
    const late = new (class Late {
      calls = 0;
      fit(): void {
        // learns nothing
      }
      transform(rows: Row[]) {
        // The first two: all training rows, and one of them alone.
        return this.calls++ < 2 ? rows : rows.map((row) => ({ ...row, dose: Number.NaN }));
      }
    })();
    expect(await thrown(() => run(late))).toContain("in the column 'dose', in row 0 of the 12 that it was given");
  });

  it('may have a hole on the way that a later step fills', async () => {
    const steps = [new FunctionTransformer(gapFor(Number.NaN) as never), new SimpleImputer()];
    expect((await run(steps)).meanScores.accuracy).toBeGreaterThan(0);
    const later = new FunctionTransformer((rows: number[][]) => rows.map((row) => row.map((v) => Math.log(v - v))), {
      name: 'later',
    });
    expect(await thrown(() => run([...steps, later]))).toContain('What FunctionTransformer(later) gives');
  });

  it('may get one that is meant', async () => {
    const asked = { makesMissing: true, name: 'codes' };
    await run(new FunctionTransformer(gapFor(Number.NaN) as never, asked));
    await run({ fit: () => undefined, transform: gapFor(Number.NaN), makesMissing: true } as never);
    expect(await thrown(() => run(new FunctionTransformer(log as never, asked)))).toContain('made_infinite');
    const unknown = new OrdinalEncoder({ handleUnknown: 'useEncodedValue', unknownValue: Number.NaN });
    await run(new ColumnTransformer([['codes', unknown, ['age', 'dose']]]));
  });
});

describe('a missing cell of X', () => {
  it('goes through steps that keep it, and the model says what it cannot take', async () => {
    await run(new StandardScaler(), records(null));
    expect(await thrown(() => run(new StandardScaler(), records(null), () => new LogisticRegression()))).toContain(
      'for LogisticRegression must be a finite number. Got a missing cell or text.',
    );
  });

  it('excuses its own row alone', async () => {
    expect(await thrown(() => run(new FunctionTransformer(log as never), records(null)))).toContain('row 1 of the 12 ');
  });
});

it('images are looked at, too', async () => {
  const images = rowsOf({ data: Float32Array.from({ length: 24 * 4 }, (_, at) => (at % 17) - 3), shape: [24, 2, 2] });
  const root = ({ data, shape }: { data: Float32Array; shape: number[] }) => ({ data: data.map(Math.sqrt), shape });
  const flat = () => ({ fit: () => undefined, predict: zeros });
  const text = await thrown(() => run(new FunctionTransformer(root), images, flat));
  expect(text).toMatch(/\(made_missing\): .*NaN.*row 0/);
});

// What is said of others stands in messages.test.ts.
it('rows without a column are refused at the end, and choices that matched nothing are named', async () => {
  const none = [
    new FunctionTransformer((rows: object[]) => rows),
    new ColumnTransformer([
      ['lab', new StandardScaler(), 'categorical'],
      ['other', new StandardScaler(), []],
      ['gone', 'drop', ['age']],
    ]),
    new StandardScaler(),
  ];
  expect(await thrown(() => run(none))).toMatch(/\(no_features\): .*'lab'.*'other'.*\[\]/);
  const rest = new ColumnTransformer([['s', new StandardScaler(), /^lab/]], { remainder: 'passthrough' });
  expect((await run(rest)).metadata.nSplits).toBe(2);
});

describe('an infinite number of X', () => {
  const X = records().map((row, at) => ({ ...row, dose: at === 19 ? Number.POSITIVE_INFINITY : row.dose }));

  it('is named as such, with its row in X, where it makes other rows worse', async () => {
    for (const given of [new StandardScaler(), [new RandomOverSampler(), new StandardScaler()]]) {
      expect(await thrown(() => run(given, X))).toMatch(/\(not_finite\): .*Row 19.*'dose'/);
    }
    const images = X.map(({ age, dose }) => [[age, dose]]);
    const same = new FunctionTransformer((rows) => rows);
    const centred = { fit: () => undefined, transform: (rows: number[][][]) => minusMean(rows) };
    expect(await thrown(() => run([same, centred], images))).toMatch(/\(not_finite\): .*Row 19 of X/);
    // It is left to a model that takes it.
    expect((await run(same, X)).metadata.nSplits).toBe(2);
  });
});

const minusMean = (rows: number[][][]) => {
  const mean = rows.reduce((sum, [[, dose]]) => sum + dose, 0) / rows.length;
  return rows.map(([[age, dose]]) => [[age, dose === Number.POSITIVE_INFINITY ? dose : dose - mean]]);
};

describe('a transform that looks at other rows', () => {
  const numbers = records().map(({ age, dose }) => [age as number, dose]);
  const centre = (rows: number[][]) => {
    const mean = rows.reduce((sum, [age]) => sum + age, 0) / rows.length;
    return rows.map(([age, dose]) => [age - mean, dose]);
  };
  const reverse = (rows: unknown[]) => [...rows].reverse();
  const own = (transform: (rows: never[]) => unknown) => ({ fit: () => undefined, transform }) as never;

  it('is refused, be it of the caller or a function, alone or within others', async () => {
    const refused = /\(not_rowwise\): Fold fold-0 failed: The transform of .*row 0.*12/;
    for (const transform of [centre, reverse]) {
      const named = new FunctionTransformer(transform as never, { name: 'mixing' });
      expect(await thrown(() => run(own(transform), numbers))).toMatch(refused);
      const columns = new ColumnTransformer([['a', named, [0, 1]]]);
      for (const within of [named, [new RandomOverSampler(), named, new StandardScaler()], columns]) {
        expect(await thrown(() => run(within, numbers))).toContain(
          '(not_rowwise): Fold fold-0 failed: The transform of',
        );
      }
    }
    const words = numbers.map(([age, dose]) => ({ dose, word: age > 45 ? 'old' : 'young' }));
    expect(await thrown(() => run(own(reverse), words))).toMatch(refused);
  });

  it('shows where the first rows and the last ones are alike', async () => {
    const alike = numbers.map((row, at) => (at % 12 === 0 || at % 12 === 11 ? [1, 1] : row));
    expect(await thrown(() => run(own(reverse), alike))).toContain('for row 1 alone');
  });

  it('is looked for in the first rows of a source alone', async () => {
    let read = 0;
    const source = {
      length: 24,
      take: (rows: Int32Array) => {
        read += rows.length;
        return Array.from(rows, (row) => numbers[row]);
      },
    };
    const asked = async (transform: (rows: never[]) => unknown) => {
      read = 0;
      return thrown(() => run(new FunctionTransformer(transform as never), source));
    };
    expect(await asked(reverse)).toContain('(not_rowwise)');
    expect(read).toBeLessThan(12);
  });

  it('may differ by rounding, and hold texts, gaps and dates', async () => {
    const noisy = (rows: number[][]) =>
      rows.map(([a, b]) => [a * (1 + rows.length * 1e-9), b - a * rows.length * 1e-12]);
    expect((await run(own(noisy), numbers)).metadata.nSplits).toBe(2);
    // The first row is nearly 0, beside others up to 10.
    const nearly = (rows: number[][]) => rows.map(([age, b]) => [age - 40 + rows.length * 1e-9, b]);
    expect((await run(own(nearly), numbers)).metadata.nSplits).toBe(2);
    const cells = records(null).map((row, at) => ({ ...row, word: at % 2 ? 'a' : null, at: new Date(at) }));
    const copy = (rows: object[]) => rows.map((row) => ({ ...row, at: new Date(0) }));
    expect((await run(own(copy), cells, () => ({ fit: () => undefined, predict: zeros }))).metadata.nSplits).toBe(2);
  });
});

const zeros = (rows: unknown[]) => rows.map(() => 0);

describe('the steps that fill missing cells', () => {
  const imputersOf = (given: Parameters<typeof preparationOf>[0]) => preparationOf(given).imputers;

  it('are known by their class, with the columns that they are given', () => {
    expect(imputersOf(new SimpleImputer())).toEqual(['SimpleImputer']);
    expect(imputersOf([['fill', new SimpleImputer({ strategy: 'median' })], new StandardScaler()])).toEqual([
      "SimpleImputer({ strategy: 'median' })",
    ]);
    const columns = new ColumnTransformer([
      ['a', new Pipeline([new SimpleImputer(), new StandardScaler()]), ['age', 'height']],
      ['b', new ColumnTransformer([['c', new SimpleImputer({ strategy: 'mostFrequent' }), [0]]]), 'categorical'],
      ['rest', 'passthrough', /^x/],
    ]);
    expect(imputersOf([columns, new SimpleImputer()])).toEqual([
      "SimpleImputer (columns ['age', 'height'])",
      "SimpleImputer({ strategy: 'mostFrequent' }) (columns [0]) (columns 'categorical')",
      'SimpleImputer',
    ]);
    expect(imputersOf(tabular())).toEqual([
      "SimpleImputer({ strategy: 'median', addIndicator: true }) (columns 'numeric')",
    ]);
  });

  it('are no others, whatever they are called', () => {
    class SimpleImputerLike {
      fit = () => undefined;
      transform = (rows: unknown[]) => rows;
    }
    const named = new ColumnTransformer([['no SimpleImputer', new StandardScaler(), [0]]]);
    expect(imputersOf([named, ['SimpleImputer', new StandardScaler()], new SimpleImputerLike()])).toEqual([]);
    expect(imputersOf(new ColumnTransformer([['SimpleImputer', 'passthrough', [0]]]))).toEqual([]);
  });
});

describe('the preparation that a function chooses', () => {
  const chosen = () =>
    preparationOf(({ k }) => [['scale', new StandardScaler({ withMean: k > 1 })]], { byParams: true });

  it('says nothing of its steps before it has parameters', async () => {
    const { described, learns, globalSteps, resamplers, imputers, stepNames } = chosen();
    expect(described).toBe('steps that a function of the parameters chooses');
    expect([learns, globalSteps, resamplers, imputers, stepNames]).toEqual([true, [], [], [], undefined]);
    expect(chosen().embedded(rowsOf([[1]]))).toBeUndefined();
    await (await chosen().hold())();
  });

  it('is that of its steps once it has them, which take no further ones by name', () => {
    const made = chosen().withParams({ k: 1, scale__withStd: false });
    expect(made.described).toBe('StandardScaler({ withMean: false })');
    expect(made.stepNames).toEqual(['scale']);
    expect(chosen().withParams({}).toJSON()).toMatchObject({ transformer: 'Pipeline', fitted: false });
  });
});

it('takes a step of the caller for one that learns if its fit names what it is given', () => {
  const transform = (X: unknown) => X;
  const learns = (fit: (...given: never[]) => unknown) =>
    preparationOf({ fit, transform } as unknown as PreprocessingOption)?.learns;
  expect([learns((X: never) => X), learns(() => undefined)]).toEqual([true, false]);
});

it('withParams of a preparation is the same one where no parameter is one of a step', () => {
  const preparation = preparationOf(new StandardScaler());
  expect(preparation.withParams({})).toBe(preparation);
  expect(preparation.withParams({ C: 1, withMean: false })).toBe(preparation);
  const other = preparation.withParams({ C: 1, standardscaler__withMean: false });
  expect(other.described).toBe('StandardScaler({ withMean: false })');
  expect(other.toJSON()).toEqual(new StandardScaler({ withMean: false }).toJSON());
  expect(preparation.described).toBe('StandardScaler');
});
