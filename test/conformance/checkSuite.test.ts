import { describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import { hierarchyOverlap } from '../../src/checkers/CVL008-hierarchical/hierarchyOverlap.js';
import type { Check } from '../../src/checkers/check.js';
import { classBalanceScenes } from '../checkers/CVB001-class-balance/classBalance.scenes.js';
import { patientOverlapScenes } from '../checkers/CVL001-patient/patientOverlap.scenes.js';
import { duplicateRowsScenes } from '../checkers/CVL002-duplicate/duplicateRows.scenes.js';
import { nearDuplicatesScenes } from '../checkers/CVL003-near-duplicate/nearDuplicates.scenes.js';
import { temporalOrderScenes } from '../checkers/CVL004-temporal/temporalOrder.scenes.js';
import { featureStatisticsScenes } from '../checkers/CVL005-feature-statistics/featureStatistics.scenes.js';
import { spatialProximityScenes } from '../checkers/CVL006-spatial-proximity/spatialProximity.scenes.js';
import { labelDistributionScenes } from '../checkers/CVL007-label-distribution/labelDistribution.scenes.js';
import { hierarchyOverlapScenes } from '../checkers/CVL008-hierarchical/hierarchyOverlap.scenes.js';
import { featureTargetScenes } from '../checkers/CVL009-feature-target/featureTarget.scenes.js';
import { preprocessingScenes } from '../checkers/CVL010-preprocessing/preprocessing.scenes.js';
import { identifierColumnsScenes } from '../checkers/CVL011-identifier/identifierColumns.scenes.js';
import { siteConfoundingScenes } from '../checkers/CVL012-site-confounding/siteConfounding.scenes.js';
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
