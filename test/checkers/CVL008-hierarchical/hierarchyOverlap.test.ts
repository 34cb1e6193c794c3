import { describe, expect, it } from 'vitest';
import { hierarchyOverlap } from '../../../src/checkers/CVL008-hierarchical/hierarchyOverlap.js';
import type { Design } from '../../../src/checkers/checkOptions.js';
import type { SideData } from '../../../src/data/sideData.js';
import { TwoSets } from '../../../src/runner/twoSets.js';
import { HierarchicalGroupKFold } from '../../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from '../../../src/splitters/grouped/leaveOneGroupOut.js';
import { MultilevelCV } from '../../../src/splitters/grouped/multilevelCV.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { inWords, judged } from '../judged.js';

const by = (splitter: Splitter, n: number, data: SideData, design?: Design) =>
  judged(hierarchyOverlap, {
    X: Array.from({ length: n }, (_, i) => [i]),
    data,
    splitter,
    ...(design ? { design } : {}),
  });
/** Folds by hand: the fold that tests each row. */
const judge = (testFold: number[], data: SideData, design?: Design) =>
  by(new PredefinedSplit({ testFold }), testFold.length, data, design);

// Two sites of two patients each, one row per visit.
const site = ['N', 'N', 'N', 'N', 'S', 'S', 'S', 'S'];
const patient = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'];
const visit = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'];
const WHOLE = [0, 0, 1, 1, 0, 0, 1, 1];

describe('hierarchyOverlap', () => {
  it('passes whole patients, and says which levels above are shared', async () => {
    const result = await judge(WHOLE, { hierarchy: { site, patient, visit } });
    expect(result).toMatchObject({ code: 'CVL008', status: 'passed' });
    expect(result.message).toMatch(
      /^No patient or visit.*4 patients.*8 visits.*2 folds.*2 sites.*`design: 'deployment'`/,
    );
    expect(result.evidence).toMatchObject({ levels: [{ level: 'site', ids: 2, onBothSides: 2, crossing: 0 }, {}, {}] });
  });

  it('asks for whole sites under deployment', async () => {
    const shared = await judge(WHOLE, { hierarchy: { site, patient } }, 'deployment');
    expect(shared).toMatchObject({ status: 'failed', severity: 'high' });
    expect(shared.message).toMatch(/^2 of 2 sites.*2 of 2 folds/);
    expect(shared.fix).toMatch(/HierarchicalGroupKFold.*'site'/);
    const bySite = await judge([0, 0, 0, 0, 1, 1, 1, 1], { hierarchy: { site, patient } }, 'deployment');
    expect(bySite).toMatchObject({ status: 'passed' });
  });

  it('fails for torn patients, ids hashed', async () => {
    const result = await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: { site, patient, visit } });
    expect(result).toMatchObject({ status: 'failed', severity: 'critical', fold: 'fold-0' });
    expect(result.message).toMatch(/^1 of 4 patients.*2 of 2 folds.*2 sites.*`design: 'deployment'`/);
    const example = { patient: expect.stringMatching(/^#[0-9a-f]{8}$/), fold: 'fold-0', train: 1, test: 0 };
    expect(result.evidence.examples).toEqual([example]);
  });

  it('takes groups for the patients', async () => {
    expect(await judge(WHOLE, { groups: patient, hierarchy: { site } })).toMatchObject({ status: 'passed' });
    const torn = await judge([0, 1, 1, 1, 0, 0, 1, 1], { groups: patient, hierarchy: { site } });
    // There is no level `patient` that a splitter of levels could keep.
    const fix = 'Use a splitter that keeps patients whole: StratifiedGroupKFold, or GroupKFold for regression.';
    expect(torn).toMatchObject({ status: 'failed', fix });
  });

  it('says once what it says of one and the same ids', async () => {
    const torn = [0, 1, 1, 1, 0, 0, 1, 1];
    const named = await judge(torn, { groups: patient, hierarchy: { Patient: patient } });
    expect([named.message, named.fix]).toEqual([
      expect.stringMatching(/^1 of 4 Patients.*2 of 2 folds/),
      expect.stringMatching(/HierarchicalGroupKFold.*'Patient'/),
    ]);
    const coded = await judge(torn, { groups: patient, hierarchy: { code: patient } });
    expect(coded.message).toMatch(/^1 of 4 patients.*2 of 2 folds/);
    expect(coded.evidence.levels).toMatchObject([{ level: 'code', onBothSides: 1 }, { level: 'patient' }]);
    expect((await judge(WHOLE, { hierarchy: { patient, code: patient } })).message).toMatch(
      /^No patient.*4 patients.*2 folds/,
    );
  });

  it('holds a splitter to the level that it says it keeps', async () => {
    // Whole patients, but a foreign wrapper calls them whole sites.
    const claims = (name: string) => {
      const folds = new PredefinedSplit({ testFold: WHOLE });
      return name === 'HierarchicalGroupKFold'
        ? new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'site', randomState: 1 })
        : folds;
    };
    const data = { hierarchy: { site, patient } };
    expect(await by(claims('HierarchicalGroupKFold'), 8, data)).toMatchObject({
      status: 'passed',
      message: 'No site or patient is on both sides of a fold (2 sites, 4 patients, 2 folds).',
    });
    const multilevel = new MultilevelCV({ nSplits: 2, level: 'site', randomState: 1 });
    expect((await by(multilevel, 8, data)).message).toContain('No site or patient');
    class Torn extends HierarchicalGroupKFold {
      protected override plan() {
        return {
          ...new PredefinedSplit({ testFold: WHOLE }).split(8),
          [Symbol.iterator]: () => new PredefinedSplit({ testFold: WHOLE }).split(8)[Symbol.iterator](),
        };
      }
    }
    const torn = await by(new Torn({ nSplits: 2, hierarchyLevel: 'site' }), 8, data);
    expect(torn).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('2 of 2 sites are on both sides'),
    });
  });

  it("takes each row for its own patient on the author's word", async () => {
    const site = Array.from({ length: 8 }, (_, row) => row % 2);
    const scene = {
      X: site.map((_, row) => [row]),
      data: { hierarchy: { site } },
      splitter: new KFold({ nSplits: 2 }),
    };
    expect((await judged(hierarchyOverlap, scene)).status).toBe('not_evaluated');
    const told = await judged(hierarchyOverlap, { ...scene, independentRows: true });
    expect(told).toMatchObject({ status: 'passed' });
    expect(told.message).toMatch(/^No patient is on both sides of a fold \(8 patients, 2 folds\)\. All 2 sites are/);
  });

  it.each(['eye', 'visit', 'slice', 'sex', 'vendor', 'year', 'age band', 'scan'])(
    'asks who the patients are beside %s',
    async (name) => {
      for (const ids of [visit, patient, site]) {
        for (const data of [{ [name]: ids }, { site, [name]: ids }]) {
          const result = await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: data });
          expect(result).toMatchObject({ status: 'not_evaluated', severity: 'none' });
          expect(result.fix).toContain('Pass `patientIds`');
        }
      }
    },
  );

  it('speaks soberly of levels that say nothing by their name', async () => {
    const hierarchy = { a: site, b: patient };
    const alone = await judge(WHOLE, { hierarchy });
    expect(inWords(alone)).toMatch(/^not_evaluated: .*not known.* a or b/);
    const deployed = await judge(WHOLE, { hierarchy }, 'deployment');
    expect([deployed.status, deployed.severity, deployed.message]).toEqual([
      'failed',
      'high',
      expect.stringMatching(/^2 of 2 as.*2 of 2 folds.*not known.*`patientIds`/),
    ]);
    const grouped = await judge(WHOLE, { groups: visit, hierarchy });
    expect(inWords(grouped)).toMatch(/^passed: No patient.*8 patients.*2 folds.*2 as.*`design: 'deployment'`/);
  });

  it('judges a level that says by its name that it is the patient', async () => {
    for (const name of ['patient', 'Patient', 'subject_id']) {
      const result = await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: { [name]: patient } });
      expect(result).toMatchObject({ status: 'failed', severity: 'critical' });
    }
  });

  it('says without patients whether the splitter kept its promise, and what is not known', async () => {
    const scan = new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'scan', randomState: 1 });
    const result = await by(scan, 8, { hierarchy: { site, scan: patient } });
    expect(inWords(result)).toMatch(/^passed: No scan.*4 scans.*2 folds.*2 sites.*`design: 'deployment'`.*not known/);
  });

  it('names a patient at two sites', async () => {
    const moved = ['N', 'S', ...site.slice(2)];
    const bySite = await by(
      new LeaveOneGroupOut(),
      8,
      { groups: moved, hierarchy: { site: moved, patient } },
      'deployment',
    );
    expect(inWords(bySite)).toMatch(/^failed: 1 of 4 patients.*2 of 2 folds.*1 patient/);
  });

  it('reads visit numbers that start anew within their patient', async () => {
    const result = await judge(WHOLE, { hierarchy: { patient, visit: [1, 2, 1, 2, 1, 2, 1, 2] } }, 'deployment');
    expect(inWords(result)).toMatch(/^passed: No patient or visit.*4 patients.*8 visits.*2 folds/);
  });

  it('lets the order speak for the parts of a patient, and the ids against the order', async () => {
    const parts = ['liver', 'lung', 'liver', 'lung', 'liver', 'lung', 'liver', 'lung'];
    for (const name of ['region', 'plate', 'device']) {
      const within = await judge(WHOLE, { hierarchy: { patient, [name]: parts } }, 'deployment');
      expect([within.status, within.message]).toEqual(['passed', expect.stringContaining(`No patient or ${name} is`)]);
    }
    const against = await judge(WHOLE, { hierarchy: { patient, region: site } });
    expect(against.message).toContain('List the outermost level of `hierarchy` first: region before patient.');
  });

  it('says how levels in the reversed order belong', async () => {
    const result = await judge(WHOLE, {
      groups: patient,
      hierarchy: { visit: [1, 2, 1, 2, 1, 2, 1, 2], patient, site },
    });
    expect(inWords(result)).toMatch(
      /^passed: No visit or patient.*8 visits.*4 patients.*2 folds.*2 sites.*`design: 'deployment'`/,
    );
  });

  it('asks about a study that is named for two patients, and takes studies that start anew as they are', async () => {
    // Patients a and c are tested together; b and d, too. Each has one study.
    for (const name of ['study', 'StudyInstanceUID', 'series']) {
      const shared = { patient, [name]: ['1', '1', '2', '2', '1', '1', '3', '3'] };
      const result = await judge(WHOLE, { hierarchy: shared });
      expect(result).toMatchObject({ status: 'needs_review', evidence: { levels: [{}, { crossing: 1 }] } });
      const apart = { patient, [name]: ['1', '1', '1', '1', '2', '2', '3', '3'] };
      expect((await judge(WHOLE, { hierarchy: apart })).status).toBe('failed');
    }
    const anew = { patient, study: [1, 1, 1, 1, 1, 1, 1, 1] };
    expect((await judge(WHOLE, { hierarchy: anew })).status).toBe('passed');
  });

  it('judges a slice that two patients share by its own id', async () => {
    const slice = ['a1', 'a2', 'a1', 'b2', 'c1', 'c2', 'd1', 'd2'];
    const result = await judge(WHOLE, { hierarchy: { patient, slice } });
    expect(inWords(result)).toMatch(/^failed: 1 of 7 slices.*2 of 2 folds.*1 slice/);
  });

  it('reads visit numbers of groups that start anew, and no level as a patient that is called a site', async () => {
    const numbers = [1, 2, 1, 2, 1, 2, 1, 2];
    const whole = await judge(WHOLE, { groups: patient, hierarchy: { site, visit: numbers } }, 'deployment');
    expect(whole).toMatchObject({ status: 'failed', severity: 'high', fix: expect.stringContaining("'site'") });
    expect(whole.message).not.toContain('visit is');
    const alone = await judge(WHOLE, { hierarchy: { site } });
    expect(alone).toMatchObject({ status: 'not_evaluated', evidence: { levels: [{ level: 'site', onBothSides: 2 }] } });
    expect(`${alone.message} ${alone.fix}`).toMatch(
      /not known.*`patientIds`.*`patient`.*`independentRows: true`.*`design: 'deployment'`/,
    );
    expect(await judge(WHOLE, { hierarchy: { site } }, 'deployment')).toMatchObject({
      status: 'failed',
      severity: 'high',
    });
  });

  it('speaks of one scanner as of one', async () => {
    const scanner = site.map(() => 'A');
    const iid = await judge(WHOLE, { hierarchy: { scanner, patient } });
    expect(inWords(iid)).toMatch(/^passed: .*4 patients, 2 folds.*one scanner/);
    const deployed = await judge(WHOLE, { hierarchy: { scanner, patient } }, 'deployment');
    expect(deployed).toMatchObject({ status: 'failed', message: expect.stringMatching(/only scanner.*2 of 2 folds/) });
    expect(deployed.fix).toContain('another scanner');
  });

  it('says which level to list first', async () => {
    const result = await judge(WHOLE, { hierarchy: { patient, ward: site } });
    expect(inWords(result)).toMatch(
      /^passed: No patient.*4 patients.*2 folds.*2 wards.*`design: 'deployment'`.*`hierarchy`/,
    );
  });

  it('speaks of two sets as of sets', async () => {
    const sets = (from: number) =>
      judged(hierarchyOverlap, {
        X: WHOLE.map((_, i) => [i]),
        data: { hierarchy: { site, patient } },
        splitter: new TwoSets({ train: from, test: 8 - from }),
        trainRows: from,
      });
    expect([(await sets(4)).message, (await sets(3)).message]).toEqual([
      expect.stringMatching(/^No patient.*4 patients/),
      expect.stringMatching(/^1 of 4 patients.*1 of 2 sites.*`design: 'deployment'`/),
    ]);
  });

  it('knows nothing of a level without ids', async () => {
    const none = site.map(() => null) as unknown as string[];
    const whole = await judge(WHOLE, { groups: patient, hierarchy: { site: none } }, 'deployment');
    expect(whole).toMatchObject({
      status: 'not_evaluated',
      message: expect.stringMatching(/not known.*4 patients, 2 folds.*8 of 8 rows/),
      fix: expect.stringContaining('site of each row'),
    });
    const torn = await judge([0, 1, 1, 1, 0, 0, 1, 1], { groups: patient, hierarchy: { site: none } }, 'deployment');
    expect(inWords(torn)).toMatch(/^failed: 1 of 4 patients.*2 of 2 folds.*8 of 8 rows/);
    // Not even who the patients are: every level is unknown.
    const nobody = await judge(WHOLE, { hierarchy: { site: none } }, 'deployment');
    expect(inWords(nobody)).toMatch(/^not_evaluated: .*not known.*8 of 8 rows.*not known.*`patientIds`/);
    // Patients alone are bound, and they are known.
    const iid = await judge(WHOLE, { groups: patient, hierarchy: { site: none } });
    expect(iid).toMatchObject({
      status: 'passed',
      message: 'No patient is on both sides of a fold (4 patients, 2 folds). 8 of 8 rows have no site.',
    });
  });

  it('passes a level that must be whole where most rows have an id, and says how many have none', async () => {
    const bySite = [0, 0, 0, 0, 1, 1, 1, 1];
    const known = (rows: number[]) => site.map((id, row) => (rows.includes(row) ? id : null)) as string[];
    const deployed = (rows: number[], name = 'site') =>
      judge(bySite, { groups: patient, hierarchy: { [name]: known(rows) } }, 'deployment');
    const half = await deployed([0, 2, 4, 6]);
    expect(inWords(half)).toMatch(/^passed: No site or patient.*2 sites.*4 patients.*2 folds.*4 of 8 rows/);
    const few = await deployed([0, 2, 4]);
    expect(few).toMatchObject({
      status: 'not_evaluated',
      message: expect.stringMatching(/not known.*4 patients, 2 folds.*5 of 8 rows/),
      fix: expect.stringContaining('site of each row'),
    });
    // One patient of each site is known: one id for each patient, so far.
    for (const name of ['site', 'household']) expect((await deployed([0, 4], name)).status).toBe('not_evaluated');
    // A leak among the rows that are known is one.
    const torn = await judge(WHOLE, { groups: patient, hierarchy: { site: known([0, 2]) } }, 'deployment');
    expect(inWords(torn)).toMatch(/^failed: .*2 of 2 folds.*6 of 8 rows/);
    // Under iid a shared site is described, by the rows that have one.
    const one = await judge(WHOLE, { groups: patient, hierarchy: { site: known([0, 2]) } });
    expect(inWords(one)).toMatch(/^passed: No patient.*4 patients.*2 folds.*6 of 8 rows/);
  });

  it('takes what lies within whole patients for whole, whatever ids are missing', async () => {
    const lesion = ['x', 'y', null, null, null, null, null, null] as string[];
    const once = ['x', null, 'y', null, null, null, null, null] as string[];
    expect(await judge(WHOLE, { hierarchy: { patient, lesion: once } })).toMatchObject({
      status: 'passed',
      message: 'No patient is on both sides of a fold (4 patients, 2 folds). 6 of 8 rows have no lesion.',
    });
    const result = await judge(WHOLE, { hierarchy: { patient, lesion } });
    expect(inWords(result)).toMatch(/^passed: No patient or lesion.*4 patients.*2 lesions.*2 folds.*6 of 8 rows/);
  });

  it('judges a site although nobody is known by id', async () => {
    const nobody = site.map(() => null) as unknown as string[];
    const result = await judge([0, 0, 0, 1, 1, 1, 1, 1], { hierarchy: { site, subject_id: nobody } }, 'deployment');
    expect(inWords(result)).toMatch(/^failed: 1 of 2 sites.*2 of 2 folds.*8 of 8 rows/);
  });

  it('passes over rows without an id, and takes leave-one-out and one level alone', async () => {
    const holes = ['a', null, 'b', 'b', 'c', 'c', Number.NaN, 'd'] as string[];
    expect(await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: { patient: holes } })).toMatchObject({
      status: 'passed',
      message: 'No patient is on both sides of a fold (4 patients, 2 folds). 2 of 8 rows have no patient.',
    });
    expect(await by(new LOOCV(), 8, { hierarchy: { visit } })).toMatchObject({ status: 'not_evaluated' });
    expect(await by(new LOOCV(), 8, { hierarchy: { patient: visit } })).toMatchObject({ status: 'passed' });
    expect(await by(new LOOCV(), 8, { hierarchy: { patient } })).toMatchObject({ status: 'failed' });
  });
});
