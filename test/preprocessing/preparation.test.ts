import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { OrdinalEncoder } from '../../src/preprocessing/ordinalEncoder.js';
import type { PreprocessingOption } from '../../src/preprocessing/preparation.js';
import { RandomOverSampler } from '../../src/preprocessing/randomOverSampler.js';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

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
    expect(await thrown(() => run([new ByDose(), new StandardScaler()]))).toContain(`: ${text('ByDose')}`);
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
        return this.calls++ === 0 ? rows : rows.map((row) => ({ ...row, dose: Number.NaN }));
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

describe('images', () => {
  it('are looked at, too', async () => {
    const images = rowsOf({ data: Float32Array.from({ length: 24 * 4 }, (_, at) => (at % 17) - 3), shape: [24, 2, 2] });
    const root = (X: number[][][]) => X.map((image) => image.map((line) => line.map(Math.sqrt)));
    const flat = () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => 0) });
    expect(await thrown(() => run(new FunctionTransformer(root), images, flat))).toMatchInlineSnapshot(
      `"FoldError (made_missing): Fold fold-0 failed: What FunctionTransformer(root) gives must have no missing cell in a row that had none. Got NaN, null or undefined, in row 0 of the 12 that it was given. Mend the step, or let a SimpleImputer after it fill such cells."`,
    );
  });
});
