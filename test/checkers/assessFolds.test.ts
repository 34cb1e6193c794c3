import { expect, it } from 'vitest';
import { runChecks } from '../../src/checkers/assessFolds.js';
import type { Check } from '../../src/checkers/check.js';
import { checkInput } from '../../src/checkers/checkInput.js';
import { labelsOf } from '../../src/data/labels.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

const y = labelsOf([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
const input = checkInput({ y, data: {}, folds: foldsOf(new KFold(), 10, y, {}), weight: [0, ...Array(9).fill(1)] });

it('begins what goes on elsewhere before any check assesses, and gives results in the order of the checks', async () => {
  const calls: string[] = [];
  const named = (code: string, begin?: Check['begin'], needs: Check['needs'] = []): Check => ({
    code,
    type: code,
    kind: 'leakage',
    cost: 'fast',
    description: code,
    needs,
    ...(begin ? { begin } : {}),
    assess({ folds }) {
      calls.push(`${code} assesses ${folds.n}`);
      return { status: 'passed', severity: 'none', message: code, evidence: {}, fix: '' };
    },
  });
  const begins =
    (code: string): Check['begin'] =>
    async ({ folds }) => {
      calls.push(`${code} begins ${folds.n}`);
    };
  const fails = async () => {
    throw new Error('no thread');
  };
  const checks = [
    named('A', begins('A')),
    named('B', fails),
    named('C', begins('C'), ['X']),
    named('D'),
    named('E', begins('E')),
  ];
  const results = await runChecks(checks, input);
  expect(results.map(({ code, status }) => `${code} ${status}`)).toEqual([
    'A passed',
    'B passed',
    'C not_evaluated',
    'D passed',
    'E passed',
  ]);
  // Without the row of weight 0; a check alone has nobody to go on beside.
  expect(calls).toEqual([
    ...['A begins 9', 'E begins 9', 'D assesses 9'],
    ...['A assesses 9', 'B assesses 9', 'E assesses 9'],
  ]);
  calls.length = 0;
  await runChecks([named('A', begins('A'))], input);
  expect(calls).toEqual(['A assesses 9']);
});
