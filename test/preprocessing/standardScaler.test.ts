import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
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
