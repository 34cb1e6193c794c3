/** The judging grid is the one that was frozen, and its seed comes from the commit that froze it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { frozen, frozenFaults, GRID_PATH, recordOf } from '../../../bench/coverageStudy/frozen.mjs';
import { JUDGING } from '../../../bench/coverageStudy/judgingGrid.mjs';
import { SCENARIOS } from '../../../bench/coverageStudy/scenarios.mjs';
import { TUNING } from '../../../bench/coverageStudy/tuningGrid.mjs';
import { ROOT } from '../../meta/program.js';

const text = readFileSync(join(ROOT, GRID_PATH), 'utf8');
const commit = '0123456789abcdef0123456789abcdef01234567';

it('the grid file is unchanged since it was frozen', () => {
  const faults = frozenFaults();
  if (frozen()) expect(faults).toEqual([]);
  else expect(faults).toEqual([expect.stringContaining('not frozen yet')]);
});

it('a changed grid, and a seed that does not come from the commit, are faults', () => {
  const record = recordOf(commit, text);
  expect(record.seed).toBe(0x01234567);
  expect(frozenFaults(record, text)).toEqual([]);
  expect(frozenFaults(record, text.replace('0.8', '0.9'))).toEqual([expect.stringContaining('not the file')]);
  expect(frozenFaults({ ...record, seed: 1 }, text)).toEqual([expect.stringContaining('does not come from')]);
});

it('the grids differ in sizes and signals of the same learner, and judging covers every dimension', () => {
  const essence = (line: (string | number)[]) => line.slice(1, 5).join(' ');
  const tuned = new Set(TUNING.map(essence));
  expect(JUDGING.filter((line) => tuned.has(essence(line)))).toEqual([]);

  const judging = SCENARIOS.filter(({ grid }) => grid === 'judging');
  const seen = (of: (scenario: (typeof judging)[number]) => unknown) => new Set(judging.map(of));
  expect(seen(({ kind }) => kind)).toEqual(new Set(['linear', 'tails', 'xor', 'shared']));
  expect(seen(({ sizes }) => sizes)).toEqual(new Set(['random', 'label', 'hard']));
  expect(seen(({ labels }) => labels)).toEqual(new Set(['patient', 'row']));
  expect(seen(({ folds }) => folds)).toEqual(new Set([5, 10]));
  expect(seen(({ repeats }) => repeats)).toEqual(new Set([1, 3]));
  const ends = (of: (scenario: (typeof judging)[number]) => number) => {
    const values = judging.map(of);
    return [Math.min(...values), Math.max(...values)];
  };
  expect(ends(({ n }) => n)).toEqual([40, 1000]);
  expect(ends(({ prevalence }) => prevalence)).toEqual([0.1, 0.5]);
  expect(judging.some(({ signal }) => signal === 0)).toBe(true);
  for (const learner of ['tree', 'stump', 'nearest5', 'bagging', 'boosting', 'network', 'select5of100', 'additive']) {
    expect(seen((scenario) => scenario.learner)).toContain(learner);
  }
});
