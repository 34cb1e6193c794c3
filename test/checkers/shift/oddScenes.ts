/** Rows and folds of the kinds that break checks: whatever a check says of them, it neither crashes nor says NaN. */
import { expect } from 'vitest';
import type { Check, CheckResult } from '../../../src/checkers/check.js';
import { randomSource } from '../../../src/core/random.js';
import type { LabelsInput } from '../../../src/data/labels.js';
import type { SideData } from '../../../src/data/sideData.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { judged } from '../judged.js';

const random = randomSource(17);
const rows = (n: number, cell: (row: number) => unknown) =>
  Array.from({ length: n }, (_, row) => [cell(row), random.random()]);
const kFold = new KFold({ nSplits: 5, shuffle: true, randomState: 2 });
const labels = (n: number) => Array.from({ length: n }, (_, row) => ((row * 7) % 3 === 0 ? 1 : 0));

interface Odd {
  readonly X: unknown[];
  readonly y?: LabelsInput;
  readonly data?: SideData;
  readonly splitter?: Splitter;
}

/** Scenes without any leak or shift, by what is odd about them. */
export const ODD: Record<string, Odd> = {
  categories: { X: rows(60, () => 'abc'[Math.floor(3 * random.random())]) },
  'missing values': { X: rows(60, (row) => (row % 4 ? random.random() : null)) },
  'all missing': { X: rows(60, () => null) },
  constant: { X: Array.from({ length: 60 }, () => [1, 1]) },
  huge: { X: rows(60, () => 1e300 * (random.random() - 0.5)) },
  tiny: { X: rows(60, () => 1e-300 * random.random()) },
  infinite: { X: rows(60, (row) => (row % 10 ? random.random() : Number.POSITIVE_INFINITY)) },
  'one row per patient': {
    X: rows(60, () => random.random()),
    data: { groups: Array.from({ length: 60 }, (_, row) => `p${row}`) },
    splitter: new GroupKFold({ nSplits: 5, randomState: 1 }),
  },
  'two patients': {
    X: rows(40, () => random.random()),
    data: { groups: Array.from({ length: 40 }, (_, row) => row % 2) },
    splitter: new GroupKFold({ nSplits: 2, randomState: 1 }),
  },
  'leave one out': { X: rows(30, () => random.random()), splitter: new LOOCV() },
  bootstrap: {
    X: rows(60, () => random.random()),
    splitter: new BootstrapValidation({ nIterations: 10, randomState: 1 }),
  },
  'ten rows': { X: rows(10, () => random.random()), splitter: new KFold({ nSplits: 2 }) },
  'no y': { X: rows(60, () => random.random()), y: undefined },
};

/** What a check says of an odd scene, held to what every check owes: a status, no NaN, no accusation. */
export async function judgedOdd(check: Check, name: string): Promise<CheckResult> {
  const { X, data, splitter = kFold, ...rest } = ODD[name];
  const y = 'y' in rest ? rest.y : labels(X.length);
  const result = await judged(check, { X, ...(y === undefined ? {} : { y }), data, splitter });
  expect(['passed', 'not_evaluated', 'not_applicable'], `${name}: ${result.message}`).toContain(result.status);
  const said = `${result.message} ${JSON.stringify(result.evidence)}`;
  expect(said, name).not.toMatch(/NaN|Infinity|undefined/);
  return result;
}
