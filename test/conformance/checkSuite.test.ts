import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import { hierarchyOverlap } from '../../src/checkers/CVL008-hierarchical/hierarchyOverlap.js';
import type { Check } from '../../src/checkers/check.js';
import { type CheckScenes, checkSuite } from './checkSuite.js';
import { failures } from './failures.js';

const checks = [...leakageChecks, ...balanceChecks];

/** The planted leak and the clean twin of each check, by code: what the file `*.scenes.ts` of its folder exports. */
const SCENES: Record<string, CheckScenes> = {};
const rooms = new URL('../checkers/', import.meta.url);
for (const path of readdirSync(rooms, { recursive: true, encoding: 'utf8' })) {
  const code = /^(\w+)-[\w-]+[/\\]\w+\.scenes\.ts$/.exec(path)?.[1];
  if (code) [SCENES[code]] = Object.values<CheckScenes>(await import(new URL(path, rooms).href));
}

it('every check has its scenes', () => {
  expect(checks.map(({ code }) => code).sort()).toEqual(Object.keys(SCENES).sort());
});

describe.each(checks)('$code $type', (check) => {
  for (const { name, run } of checkSuite({ check, ...SCENES[check.code] })) it(name, run);
});

describe('the check suite finds', () => {
  const [real] = checks;
  const broken = (judge: Check['assess'], needs = real.needs) =>
    failures(checkSuite({ check: { ...real, assess: judge, needs }, ...SCENES.CVL001 }));

  it('a check that never fires', async () => {
    const judge: Check['assess'] = () => ({
      status: 'passed',
      severity: 'none',
      message: 'fine',
      evidence: {},
      fix: '',
    });
    expect(await broken(judge)).toEqual(['CVL001: fires on its planted leak']);
  });

  it('a check that accuses everybody', async () => {
    const judge: Check['assess'] = () => ({
      status: 'failed',
      severity: 'high',
      message: 'leak',
      evidence: {},
      fix: 'mend',
    });
    expect(await broken(judge)).toEqual(['CVL001: is silent on the clean twin']);
  });

  it('a check that crashes: an error is no pass', async () => {
    const judge: Check['assess'] = () => {
      throw new Error('boom');
    };
    expect(await broken(judge)).toEqual(['CVL001: fires on its planted leak', 'CVL001: is silent on the clean twin']);
  });

  it('a check that prints ids', async () => {
    const judge: Check['assess'] = async (input) => ({
      ...(await real.assess(input)),
      evidence: { ids: Array.from(input.data.groups as string[]) },
    });
    expect(await broken(judge)).toEqual(['CVL001: prints no id as it is']);
    const ofLevels: Check['assess'] = async (input) => ({
      ...(await hierarchyOverlap.assess(input)),
      evidence: { ids: input.data.hierarchy?.site },
    });
    expect(await failures(checkSuite({ check: { ...hierarchyOverlap, assess: ofLevels }, ...SCENES.CVL008 }))).toEqual([
      'CVL008: prints no id as it is',
    ]);
    const ofFeatures: Check['assess'] = async (input) => ({
      ...(await real.assess(input)),
      evidence: { levels: (await input.features()).columns.flatMap(({ levels = [] }) => levels) },
    });
    expect(await broken(ofFeatures)).toEqual(['CVL001: prints no id as it is']);
  });

  it('a check that depends on the order of rows', async () => {
    const judge: Check['assess'] = async (input) => {
      const found = await real.assess(input);
      return input.data.groups?.[0] === 'patient-0' ? found : { ...found, status: 'passed' };
    };
    expect(await broken(judge)).toEqual(['CVL001: does not depend on the order of the rows']);
  });
});
