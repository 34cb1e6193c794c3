import { describe, expect, it } from 'vitest';
import { balanceChecks } from '../../src/checkers/balance/balanceChecks.js';
import type { Check } from '../../src/checkers/check.js';
import { hierarchyOverlap } from '../../src/checkers/leakage/hierarchyOverlap.js';
import { leakageChecks } from '../../src/checkers/leakageChecks.js';
import { classBalanceScenes } from '../checkers/balance/classBalance.scenes.js';
import { duplicateRowsScenes } from '../checkers/leakage/duplicateRows.scenes.js';
import { featureStatisticsScenes } from '../checkers/leakage/featureStatistics.scenes.js';
import { featureTargetScenes } from '../checkers/leakage/featureTarget.scenes.js';
import { hierarchyOverlapScenes } from '../checkers/leakage/hierarchyOverlap.scenes.js';
import { identifierColumnsScenes } from '../checkers/leakage/identifierColumns.scenes.js';
import { labelDistributionScenes } from '../checkers/leakage/labelDistribution.scenes.js';
import { nearDuplicatesScenes } from '../checkers/leakage/nearDuplicates.scenes.js';
import { patientOverlapScenes } from '../checkers/leakage/patientOverlap.scenes.js';
import { preprocessingScenes } from '../checkers/leakage/preprocessing.scenes.js';
import { siteConfoundingScenes } from '../checkers/leakage/siteConfounding.scenes.js';
import { spatialProximityScenes } from '../checkers/leakage/spatialProximity.scenes.js';
import { temporalOrderScenes } from '../checkers/leakage/temporalOrder.scenes.js';
import { type CheckScenes, checkSuite } from './checkSuite.js';
import { failures } from './failures.js';

const checks = [...leakageChecks, ...balanceChecks];

/** The planted leak and the clean twin of each check, by code. */
const SCENES: Record<string, CheckScenes> = {
  CVL001: patientOverlapScenes,
  CVL002: duplicateRowsScenes,
  CVL003: nearDuplicatesScenes,
  CVL004: temporalOrderScenes,
  CVL005: featureStatisticsScenes,
  CVL006: spatialProximityScenes,
  CVL007: labelDistributionScenes,
  CVL008: hierarchyOverlapScenes,
  CVL009: featureTargetScenes,
  CVL010: preprocessingScenes,
  CVL011: identifierColumnsScenes,
  CVL012: siteConfoundingScenes,
  CVB001: classBalanceScenes,
};

it('every check has its scenes', () => {
  expect(checks.map(({ code }) => code)).toEqual(Object.keys(SCENES));
});

describe.each(checks)('$code $type', (check) => {
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
    const ofLevels: Check['judge'] = async (input) => ({
      ...(await hierarchyOverlap.judge(input)),
      evidence: { ids: input.data.hierarchy?.site },
    });
    expect(await failures(checkSuite({ check: { ...hierarchyOverlap, judge: ofLevels }, ...SCENES.CVL008 }))).toEqual([
      'CVL008: prints no id as it is',
    ]);
    const ofFeatures: Check['judge'] = async (input) => ({
      ...(await real.judge(input)),
      evidence: { levels: (await input.features()).columns.flatMap(({ levels = [] }) => levels) },
    });
    expect(await broken(ofFeatures)).toEqual(['CVL001: prints no id as it is']);
  });

  it('a check that depends on the order of rows', async () => {
    const judge: Check['judge'] = async (input) => {
      const found = await real.judge(input);
      return input.data.groups?.[0] === 'patient-0' ? found : { ...found, status: 'passed' };
    };
    expect(await broken(judge)).toEqual(['CVL001: does not depend on the order of the rows']);
  });
});
