/** What every check must do: fire on its planted leak, stay silent on the clean twin, and say so without its input. */
import { type Check, runCheck } from '../../src/checkers/check.js';
import { type CheckInput, type CheckParts, checkInput } from '../../src/checkers/checkInput.js';
import type { Design } from '../../src/checkers/checkOptions.js';
import { labelsOf, rowNumbers } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { type SideData, takeSideData } from '../../src/data/sideData.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { type ConformanceCase, ensure, requireParts } from './suite.js';

/** Data and folds that a check judges. */
export interface CheckScene {
  readonly X: readonly unknown[];
  readonly y?: readonly (number | string)[] | undefined;
  readonly data: SideData;
  readonly splitter: Splitter;
  /** What the folds are declared to stand for. */
  readonly design?: Design;
}

/** A scene with the leak, and the same scene without it. */
export interface CheckScenes {
  readonly leaking: CheckScene;
  readonly clean: CheckScene;
  /** What silence is called; `not_evaluated` for a check whose silence proves nothing. */
  readonly silence?: 'passed' | 'not_evaluated';
}

export interface CheckUnderTest extends CheckScenes {
  readonly check: Check;
}

/**
 * Cases for one check.
 *
 * @example
 * const check = registerCheck({
 *   code: 'LAB009', type: 'one_room', kind: 'leakage', cost: 'fast', needs: ['hierarchy'],
 *   description: 'All rows come from one room.',
 *   assess: ({ data }) =>
 *     new Set(data.hierarchy?.room).size > 1
 *       ? { status: 'passed', severity: 'none', message: 'There are several rooms.', evidence: {}, fix: '' }
 *       : { status: 'needs_review', severity: 'low', message: 'There is one room.', evidence: {}, fix: 'Add another.' },
 * });
 * const rows = Array.from({ length: 20 }, (_, row) => [row]);
 * const scene = (room) => ({ X: rows, data: { hierarchy: { room: rows.map(room) } }, splitter: new KFold() });
 * const cases = checkSuite({ check, leaking: scene(() => 'a'), clean: scene((_, row) => 'ab'[row % 2]) });
 * for (const { name } of cases) console.log(name); // in a test file: test(name, run)
 */
export function checkSuite(entry: CheckUnderTest): ConformanceCase[] {
  requireParts('checkSuite', entry, { check: 'object', leaking: 'object', clean: 'object' });
  const { check, leaking, clean, silence = 'passed' } = entry;
  const named = (name: string, run: () => Promise<void>): ConformanceCase => ({ name: `${check.code}: ${name}`, run });
  return [
    named('fires on its planted leak', async () => {
      const result = await runCheck(check, inputOf(leaking));
      ensure(
        result.status === 'failed' || result.status === 'needs_review',
        `${check.code} must find the planted leak. Got ${result.status}: ${result.message}`,
      );
      ensure(result.fix !== '' && result.message !== '', `${check.code} must say what it found and what to do.`);
      ensure(result.severity !== 'none', `${check.code} must give a finding a severity.`);
    }),
    named('is silent on the clean twin', async () => {
      const result = await runCheck(check, inputOf(clean));
      ensure(
        result.status === silence,
        `${check.code} must pass the clean twin. Got ${result.status}: ${result.message}`,
      );
    }),
    named('is never passed without its input', async () => {
      for (const need of check.needs) {
        const own = need === 'X' || need === 'y';
        const less = own ? { [need]: undefined } : { data: { ...leaking.data, [need]: undefined } };
        const result = await runCheck(check, checkInput({ ...partsOf(leaking), ...less }));
        ensure(
          result.status === 'not_evaluated' || result.status === 'not_applicable',
          `${check.code} must be not_evaluated, or have no question, without ${need}. Got ${result.status}.`,
        );
        ensure(`${result.message} ${result.fix}`.includes(need), `${check.code} must name the missing ${need}.`);
      }
    }),
    named('does not depend on the order of the rows', async () => {
      for (const scene of [leaking, clean]) {
        const here = await runCheck(check, inputOf(scene));
        const there = await runCheck(check, inputOf(reversed(scene)));
        ensure(here.status === there.status, `${check.code} must not depend on the order of rows.`);
      }
    }),
    named('changes nothing that it is given', async () => {
      const before = JSON.stringify([leaking.X, leaking.y, leaking.data]);
      await runCheck(check, inputOf(leaking));
      ensure(
        JSON.stringify([leaking.X, leaking.y, leaking.data]) === before,
        `${check.code} must not change its input.`,
      );
    }),
    named('prints no id as it is', async () => {
      for (const scene of [leaking, withIdColumn(leaking)]) {
        const { message, fix, evidence } = await runCheck(check, inputOf(scene));
        const printed = `${message} ${fix} ${JSON.stringify(evidence)}`;
        for (const id of idsOf(scene)) ensure(!printed.includes(id), `${check.code} must not print the id ${id}.`);
      }
    }),
  ];
}

/** Ids of patients and of all levels; shorter ones would be found in any number. */
function idsOf({ X, data: { groups = [], hierarchy = {} } }: CheckScene): string[] {
  const among = X.flatMap((row) => (Array.isArray(row) ? row.filter((cell) => typeof cell === 'string') : []));
  const all = [...[groups, ...Object.values(hierarchy)].flatMap((ids) => Array.from(ids, String)), ...among];
  return [...new Set(all)].filter((id) => id.length >= 4);
}

/** The scene with a name among the features of each row, five rows of one name after the other. */
const withIdColumn = (scene: CheckScene): CheckScene => ({
  ...scene,
  X: scene.X.map((row, at) => (Array.isArray(row) ? [...row, `Miller-${Math.floor(at / 5)}`] : row)),
});

const partsOf = ({ X, y, data, splitter, design }: CheckScene): CheckParts => ({
  X: rowsOf(X),
  y: y && labelsOf(y),
  data,
  folds: foldsOf(splitter, X, y, data),
  design,
});
const inputOf = (scene: CheckScene): CheckInput => checkInput(partsOf(scene));

/** The same rows in reverse, in the same folds. */
function reversed(scene: CheckScene): CheckScene {
  const n = scene.X.length;
  const back = <T>(values: ArrayLike<T>): T[] => Array.from(values).reverse();
  const folds = [...foldsOf(scene.splitter, scene.X, scene.y, scene.data)].map(({ id, train, test }) => ({
    id,
    train: train.map((row) => n - 1 - row).reverse(),
    test: test.map((row) => n - 1 - row).reverse(),
  }));
  return {
    ...scene,
    X: back(scene.X),
    y: scene.y && back(scene.y),
    data: takeSideData(scene.data, rowNumbers(n).reverse()),
    // The same promises: a check may judge by them.
    splitter: { split: () => folds, getNSplits: () => folds.length, claims: scene.splitter.claims ?? {} },
  };
}
