import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { tabular } from '../../src/preprocessing/tabular.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { matrix } from '../helpers/matrix.js';
import { blobs } from '../helpers/nearestMean.js';

describe('weights', () => {
  const rows = matrix('1 8 | 2 NaN | 6 5 | 4 3');
  const weight = [2, 1, 3, 0];
  const repeated = rows.flatMap((row, at) => Array.from({ length: weight[at] }, () => row));

  it('of whole numbers are rows that often', async () => {
    const [weighted, often] = [new StandardScaler(), new StandardScaler()];
    await weighted.fit(rows, null, weight);
    await often.fit(repeated);
    for (const part of ['mean', 'variance', 'scale'] as const) {
      expect(Array.from(weighted[part])).toEqual(Array.from(often[part], (value) => expect.closeTo(value, 12)));
    }
  });

  it('go through pipelines and tables to the scaler, and to steps of the caller with a third parameter', async () => {
    const seen: unknown[] = [];
    const own = {
      fit(X: number[][], _y: unknown, sampleWeight: number[]) {
        seen.push(X.length, sampleWeight);
      },
      transform: (X: number[][]) => X,
    };
    const plain = { fit: (...all: unknown[]) => void seen.push(all.length), transform: (X: number[][]) => X };
    const scaler = new StandardScaler();
    const table = new ColumnTransformer([['all', new Pipeline([plain, own, scaler]), [0]]]);
    await table.fit(rows, null, weight);
    expect(scaler.mean[0]).toBeCloseTo((2 * 1 + 2 + 3 * 6) / 6, 12);
    expect(seen).toEqual([2, 4, weight]);
  });

  it.each([
    ['LogisticRegression', () => new LogisticRegression()],
    ['LogisticRegression with weights of classes', () => new LogisticRegression({ classWeight: { 1: 2 } })],
    ['LogisticRegression, balanced', () => new LogisticRegression({ classWeight: 'balanced' })],
  ])('count as often in a run of %s as the rows written twice', async (_, model) => {
    const { X, y } = blobs(30);
    const units = X.map(([a, b], row) => [a, 100 * b + (row % 7)]);
    const sampleWeight = y.map((_, row) => 1 + (row % 2 === 0 && row % 3 === 0 ? 1 : 0) + (row === 7 ? 2 : 0));
    const often = sampleWeight.flatMap((count, row) => Array.from({ length: count }, () => row));
    const run = (rows: number[], weights?: number[]) =>
      new UniversalCVRunner({ cvSplitter: new LeaveOneGroupOut(), verbose: 0 }).run({
        model,
        data: { X: rows.map((row) => units[row]), y: rows.map((row) => y[row]), groups: rows.map((row) => row % 5) },
        ...(weights ? { sampleWeight: weights } : {}),
        preprocessing: tabular(),
        metrics: ['log_loss', 'accuracy'],
      });
    const weighted = await run(
      y.map((_, row) => row),
      sampleWeight,
    );
    const twice = await run(often);
    expect(weighted.estimates.log_loss).toBeCloseTo(twice.estimates.log_loss as number, 6);
    expect(weighted.estimates.accuracy).toBeCloseTo(twice.estimates.accuracy as number, 12);
    const proba = (results: typeof twice, row: number) =>
      results.outOfFold.yProba?.[results.outOfFold.row.indexOf(row)] as number;
    for (const [at, row] of often.entries()) expect(proba(weighted, row)).toBeCloseTo(proba(twice, at), 6);
    const unweighted = await run(y.map((_, row) => row));
    expect(Math.abs(proba(unweighted, 1) - proba(weighted, 1))).toBeGreaterThan(1e-3);
  });
});

describe('rows in one block', () => {
  // One more than a multiple of four.
  const lists = Array.from({ length: 21 }, (_, row) => [row ** 1.5, 7, 1e3 + ((row * 7) % 11), -row / 3]);
  const block = () => ({ data: Float64Array.from(lists.flat()), shape: [lists.length, 4] });
  const weights = lists.map((_, row) => row % 3);

  it('are scaled to the same digits as lists, and stay as they are', async () => {
    for (const weight of [null, weights]) {
      const X = block();
      const scalers = [new StandardScaler(), new StandardScaler()];
      const pipelines = scalers.map((scaler) => new Pipeline([scaler]));
      const results = [
        await pipelines[0].fitTransform(lists, null, weight),
        await pipelines[1].fitTransform(X, null, weight),
      ];
      expect(results[1]).toEqual(results[0]);
      expect(scalers[1].toJSON()).toEqual(scalers[0].toJSON());
      expect(await pipelines[1].transform(X)).toEqual(results[0]);
      expect(X).toEqual(block());
    }
  });

  it('may have missing cells, and numbers of 32 bits', async () => {
    const X = block();
    X.data[5] = Number.NaN;
    const rows = lists.map((row, at) => (at === 1 ? [row[0], Number.NaN, row[2], row[3]] : row));
    expect(await new Pipeline([new StandardScaler()]).fitTransform(X)).toEqual(
      await new Pipeline([new StandardScaler()]).fitTransform(rows),
    );
    const small = { data: Float32Array.from([0.1, 0.2, 0.4]), shape: [3, 1] };
    expect(await new Pipeline([new StandardScaler()]).fitTransform(small)).toEqual(
      await new Pipeline([new StandardScaler()]).fitTransform(Array.from(small.data, (cell) => [cell])),
    );
  });

  it('are prepared again for who reads on after the block was handed over', async () => {
    const prepared = await preparationOf(new StandardScaler()).fit(
      rowsOf(block()),
      labelsOf(lists.map((_, row) => row % 2)),
      {
        seed: 1,
        weight: undefined,
      },
    );
    const first = await prepared.X.toDense();
    const copy = first.data.slice();
    first.data.fill(0);
    expect((await prepared.X.toDense()).data).toEqual(copy);
    expect((await prepared.X.take(Int32Array.of(2)).toDense()).data).toEqual(copy.slice(8, 12));
    expect((await prepared.X.toArrays())[2]).toEqual(Array.from(copy.slice(8, 12)));
  });
});
