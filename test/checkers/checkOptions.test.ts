import { describe, expect, it } from 'vitest';
import { leakageChecks } from '../../src/checkers/builtInChecks.js';
import { INPUT_OF } from '../../src/checkers/checkOptions.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const validate = async (constructed: object, called: object) =>
  new CVKitValidator({ nBootstrap: 100, metrics: ['accuracy'], ...constructed }).validate({
    model: () => new NearestMean(),
    X,
    y,
    adapter: spyAdapter().adapter,
    verbose: 0,
    ...called,
  });

describe('what the author declares', () => {
  it('can call those checks not applicable whose question arises with their input', () => {
    const asking = leakageChecks.filter(({ whenMissing, type }) => whenMissing && type !== 'patient');
    expect(Object.keys(INPUT_OF)).toEqual(asking.map(({ type }) => type));
    for (const { type, needs } of asking) expect(needs).toContain(INPUT_OF[type as keyof typeof INPUT_OF]);
  });

  it('is not refused where the data agree', async () => {
    const own = X.map((_, row) => `p${row}`);
    const report = await new DataLeakageChecker().check(X, y, { groups: own, independentRows: true });
    expect(report.checks[0]).toMatchObject({ code: 'CVL001', status: 'passed', evidence: { patients: 60 } });
  });

  it('is recorded in the manifest and printed as the word of the author, the call before the constructor', async () => {
    const result = await validate(
      { independentRows: true, preparedInside: true, notApplicable: ['temporal'] },
      { notApplicable: ['spatial_proximity'] },
    );
    expect(result.manifest).toMatchObject({
      independentRows: true,
      preparedInside: true,
      notApplicable: ['spatial_proximity'],
      overridden: ["the constructor's `notApplicable` by the call's"],
    });
    const told = result.checks.filter(({ message }) => message.includes("On the author's word"));
    expect(told.map(({ type, status }) => [type, status])).toEqual([
      ['patient', 'not_applicable'],
      ['spatial_proximity', 'not_applicable'],
      ['preprocessing', 'passed'],
    ]);
    for (const name of ['`independentRows`', '`preparedInside`', "`notApplicable: ['spatial_proximity']`"])
      expect(told.some(({ message }) => message.includes(name))).toBe(true);
    const silent = await validate({}, {});
    expect(silent.manifest).toMatchObject({ independentRows: false, preparedInside: false, notApplicable: [] });
  });

  it('does not hide a patient id among the features', async () => {
    const withId = X.map((row, at) => ({ a: row[0], b: row[1], patient_id: `p${Math.floor(at / 3)}` }));
    const report = await new DataLeakageChecker().check(withId, y, { independentRows: true });
    expect(report.checks.find(({ type }) => type === 'identifier')).toMatchObject({ status: 'needs_review' });
  });
});
