import { expect, it } from 'vitest';
import { type Check, runChecks } from '../../src/checkers/check.js';
import { checkInput } from '../../src/checkers/checkInput.js';
import { labelsOf } from '../../src/data/labels.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

const y = labelsOf([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
const input = checkInput({ y, data: {}, folds: foldsOf(new KFold(), 10, y, {}), weight: [0, ...Array(9).fill(1)] });

it('gives results in the order of the checks, made on the rows that count', async () => {
  const calls: string[] = [];
  const named = (code: string, needs: Check['needs'] = []): Check => ({
    code,
    type: code,
    kind: 'leakage',
    cost: 'fast',
    description: code,
    needs,
    assess({ folds }) {
      calls.push(`${code} ${folds.n}`);
      return { status: 'passed', severity: 'none', message: code, evidence: {}, fix: '' };
    },
  });
  const results = await runChecks([named('A'), named('B', ['X']), named('C')], input);
  expect(results.map(({ code, status }) => `${code} ${status}`)).toEqual(['A passed', 'B not_evaluated', 'C passed']);
  expect(calls).toEqual(['A 9', 'C 9']);
});
