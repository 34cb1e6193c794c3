/** The best single column of a fold with more test rows than a call can take arguments. */
import { expect, it } from 'vitest';
import { oneFeature } from '../../../src/validator/findings/oneFeature.js';

it('ranks a fold of 200,000 test rows', async () => {
  const n = 200_000;
  const codes = Int32Array.from({ length: n }, (_, row) => row % 2);
  const columns = [0, 1].map((at) => ({
    ...{ name: `column ${at}`, kind: 'number' as const },
    values: Float64Array.from(
      { length: n },
      (_, row) => (at === 0 ? codes[row] : 0) + (((row >> 1) * 7919) % 997) / 400,
    ),
  }));
  const rows = Int32Array.from({ length: n }, (_, row) => row);
  const yProba = columns[0].values;
  const cv = {
    ...{ metadata: { task: 'binary' }, outOfFold: { row: rows, yProba, group: null } },
    folds: [{ status: 'completed', fold: { index: 0, test: rows }, table: { yTrue: codes, yProba, positive: 1 } }],
    plan: { at: () => ({ train: rows, test: rows }) },
  };
  const features = async () => ({ n, columns });
  const found = await oneFeature({ cv, rows: { X: { rowShape: [2] }, y: { codes }, features } } as never);
  expect(found).toMatchObject({ status: 'needs_review', evidence: { feature: 'column 0', folds: 1 } });
  expect(found.evidence.single).toBe(found.evidence.model);
});
