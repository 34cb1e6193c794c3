import { expect, it } from 'vitest';
import type { Label } from '../../../src/data/labels.js';
import { groupsOf } from '../../../src/data/sideData.js';
import type { Influential } from '../../../src/intervals/unitBlocks.js';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';
import type { CVResults } from '../../../src/runner/cvResults.js';
import { identitySignal } from '../../../src/stats/identityConfounding.js';
import reference from '../../reference/leakageInflation.json' with { type: 'json' };

const { patients, fold, runs, permutedMean, chance, pValue, detectable } = reference.recognition;

const resultsOf = ({ y, p }: { y: number[]; p: number[] }) => {
  const folds = [0, 1].map((k) => {
    const test = Int32Array.from(y.keys()).filter((row) => fold[row] === k);
    const take = <T>(values: readonly T[]) => Array.from(test, (row) => values[row]);
    const yProba = take(p);
    const yPred = take(p).map((each) => Number(each > 0.5));
    const table = scoreTable({ yTrue: take(y), yPred, yProba, task: 'binary', classes: [0, 1], positiveLabel: 1 });
    return { status: 'completed', fold: { repeat: 0, test }, table };
  });
  return { folds } as unknown as CVResults;
};

it('tests the mean over moves between patients, with the Monte Carlo error added, as numpy', () => {
  for (const ids of [patients, patients.map((who) => `p${99 - who}`)] as Label[][]) {
    const groups = groupsOf(ids, ids.length);
    const seen = identitySignal(brier as Influential, groups, new Set(groups.codes));
    for (const run of runs) seen.look(resultsOf(run));
    const found = seen.result();
    expect(found.used).toBe(4);
    expect(found.permutedMean).toBeCloseTo(permutedMean, 12);
    expect(found.chance).toBeCloseTo(chance, 12);
    expect(Math.abs(found.pValue / pValue - 1)).toBeLessThan(1e-9);
    expect(found.detectable).toBeCloseTo(detectable, 9);
  }
});
