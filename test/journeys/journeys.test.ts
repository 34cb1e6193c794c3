/** Whole programs as users write them from the README, run on the built package: each in a process of its own. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const FOLDER = join(ROOT, 'test/journeys');
const MINUTE = 60_000;
const run = promisify(execFile);

beforeAll(needDist);

/** What a program printed, and the facts in its last line. */
async function outcome(args: string[]): Promise<{ text: string; facts: Record<string, never> }> {
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, timeout: 2 * MINUTE });
  const lines = stdout.trimEnd().split('\n');
  return { text: lines.slice(0, -1).join('\n'), facts: JSON.parse(lines[lines.length - 1]) };
}
const journey = (name: string) => outcome([join(FOLDER, name)]);

it(
  'a compiled CNN with early stopping on images of patients',
  async () => {
    const { text, facts } = await journey('compiledCnn.mjs');
    expect(facts).toMatchObject({ method: 'StratifiedGroupKFold', leftTensors: 0, json: false });
    expect(facts.status).not.toBe('failed');
    expect(facts.auc).toBeGreaterThan(0.9);
    for (const epochs of facts.epochs as number[]) expect(epochs).toBeLessThanOrEqual(30);
    expect(Math.max(...(facts.fitted as number[]))).toBeLessThan(120);
    expect(text).toMatch(/Data +180 rows of 60 patients, each 28 x 28 x 1/);
    expect(text).toMatch(/\d+ of 30 epochs, adam, learning rate 0\.05,\s+binaryCrossentropy, batches of 16/);
    expect(text).toMatch(/Training +\d+( to \d+)? rows in each fold; \d+( to \d+)?\s+more\s+were\s+watched/);
  },
  2 * MINUTE,
);

it('encounters of patients as records with text columns', async () => {
  const { text, facts } = await journey('groupedEncounters.mjs');
  expect(facts).toMatchObject({ splitter: 'StratifiedGroupKFold', rawIds: false, named: true });
  expect(facts.auc).toBeGreaterThan(0.6);
  expect(facts.interval).toMatchObject({ unit: 'patient', nUnits: 150, estimand: 'predictions' });
  expect(text).toContain('of 150 patients, 3 features');
  // clinical() repeats the estimates of the summary.
  const sensitivity = facts.sensitivity as number;
  expect(text).toMatch(new RegExp(`sensitivity +${sensitivity.toFixed(3)}`));
  expect(text).toMatch(new RegExp(`Sensitivity +${(100 * sensitivity).toFixed(1)} %`));
});

it('a forest of mljs in a wrapper, and an adapter for another library', async () => {
  const { facts } = await journey('forestAndAdapter.mjs');
  expect(facts).toMatchObject({ adapter: 'centroids', positive: 'case' });
  expect(facts.forest).toBeGreaterThan(0.8);
  expect(facts.auc).toBeGreaterThan(0.9);
  expect(facts.accuracy).toBeGreaterThan(0.8);
});

it('the habits of scikit-learn, under tsc --strict', async () => {
  const file = join(FOLDER, 'scikitHabits.ts');
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file: at }) => {
    return `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(problems).toEqual([]);
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const { text, facts } = await outcome(['--input-type=module', '-e', outputText]);
  expect(facts.folds).toEqual(facts.byHand);
  expect(facts.three).toBe(3);
  // Folds of equal size: the share over all rows is the mean of the folds.
  expect(facts.accuracy).toBeCloseTo(facts.byHandMean, 12);
  expect(text).toContain('90 rows');
});
