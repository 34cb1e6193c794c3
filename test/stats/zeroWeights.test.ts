/** Rows of weight 0 are as if they were not there, in whatever is made of results. */
import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';

/** Sixty patients of two rows; every third one has weight 0 throughout. */
const patients = Array.from({ length: 120 }, (_, row) => row >> 1);
const kept = patients.map((patient) => patient % 3 !== 0);
const y = patients.map((patient) => (patient * 7) % 2);
const noise = (row: number, seed: number) => Math.sin(row * 12.9898 + seed) * 0.5;

/** Results of a fixed score, with weights on all rows or on the rows that count alone. */
async function resultsOf(seed: number, weighted: boolean) {
  const rows = patients.map((_, row) => row).filter((row) => weighted || kept[row]);
  return new UniversalCVRunner({
    cvSplitter: new PredefinedSplit({ testFold: rows.map((row) => patients[row] % 4) }),
    verbose: 0,
  }).run({
    model: () => ({
      fit: (_X: number[][], _y: number[], _weight?: number[]) => undefined,
      predictProba: (X: number[][]) => X.map(([p]) => p),
      predict: (X: number[][]) => X.map(([p]) => (p > 0.5 ? 1 : 0)),
    }),
    data: {
      X: rows.map((row) => [Math.min(0.99, Math.max(0.01, 0.5 + 0.2 * (y[row] - 0.5) + noise(row, seed)))]),
      y: rows.map((row) => y[row]),
      groups: rows.map((row) => patients[row]),
      ...(weighted ? { sampleWeight: rows.map((row) => (kept[row] ? 1 : 0)) } : {}),
    },
    metrics: ['accuracy'],
  });
}

describe('rows of weight 0', () => {
  it('are no units of a comparison', async () => {
    const [a, b, a0, b0] = await Promise.all([
      resultsOf(1, true),
      resultsOf(2, true),
      resultsOf(1, false),
      resultsOf(2, false),
    ]);
    const options = { metric: 'accuracy', randomState: 3 } as const;
    expect(compareModels(a, b, options).summary()).toBe(compareModels(a0, b0, options).summary());
  });

  it('are in no cell of a table of subgroups', async () => {
    const [all, those] = await Promise.all([resultsOf(1, true), resultsOf(1, false)]);
    const sex = patients.map((patient) => (patient % 2 ? 'F' : 'M'));
    const tables = [
      subgroupTable(all, { by: { sex } }),
      subgroupTable(those, { by: { sex: sex.filter((_, row) => kept[row]) } }),
    ];
    expect(tables[0].summary()).toBe(tables[1].summary());
  });
});
