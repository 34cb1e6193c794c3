import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/checkers/check.js';
import { checks } from '../../src/checkers/judgeFolds.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { type CheckScene, checkSuite } from './checkSuite.js';
import { failures } from './failures.js';

const n = 60;
const X = Array.from({ length: n }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const y = X.map((_, i) => i % 2);
const groups = X.map((_, i) => `patient-${i % 20}`);

/** The planted leak and the clean twin of each check, by code. */
const SCENES: Record<string, { leaking: CheckScene; clean: CheckScene }> = {
  CVL001: {
    leaking: { X, y, data: { groups }, splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }) },
    clean: { X, y, data: { groups }, splitter: new GroupKFold({ nSplits: 5, randomState: 1 }) },
  },
};

it('every check has its scenes', () => {
  expect(checks.map(({ code }) => code)).toEqual(Object.keys(SCENES));
});

describe.each([...checks])('$code $type', (check) => {
  for (const { name, run } of checkSuite({ check, ...SCENES[check.code] })) it(name, run);
});

describe('the check suite finds', () => {
  const [real] = checks;
  const broken = (judge: Check['judge'], needs = real.needs) =>
    failures(checkSuite({ check: { ...real, judge, needs }, ...SCENES.CVL001 }));

  it('a check that never fires', async () => {
    const judge: Check['judge'] = () => ({
      status: 'passed',
      severity: 'none',
      message: 'fine',
      evidence: {},
      fix: '',
    });
    expect(await broken(judge)).toEqual(['CVL001: fires on its planted leak']);
  });

  it('a check that accuses everybody', async () => {
    const judge: Check['judge'] = () => ({
      status: 'failed',
      severity: 'high',
      message: 'leak',
      evidence: {},
      fix: 'mend',
    });
    expect(await broken(judge)).toEqual(['CVL001: is silent on the clean twin']);
  });

  it('a check that crashes: an error is no pass', async () => {
    const judge: Check['judge'] = () => {
      throw new Error('boom');
    };
    expect(await broken(judge)).toEqual(['CVL001: fires on its planted leak', 'CVL001: is silent on the clean twin']);
  });

  it('a check that prints ids', async () => {
    const judge: Check['judge'] = async (input) => ({
      ...(await real.judge(input)),
      evidence: { ids: Array.from(input.data.groups as string[]) },
    });
    expect(await broken(judge)).toEqual(['CVL001: prints no id as it is']);
  });

  it('a check that depends on the order of rows', async () => {
    const judge: Check['judge'] = async (input) => {
      const found = await real.judge(input);
      return input.data.groups?.[0] === 'patient-0' ? found : { ...found, status: 'passed' };
    };
    expect(await broken(judge)).toEqual(['CVL001: does not depend on the order of the rows']);
  });
});
