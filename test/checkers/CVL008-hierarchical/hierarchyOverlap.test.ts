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
import { judged } from '../judged.js';

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
    expect(result.message).toMatchInlineSnapshot(
      `"No patient or visit is on both sides of a fold (4 patients, 8 visits, 2 folds). All 2 sites are on both sides: the score is about new patients of these sites; pass \`design: 'deployment'\` to ask that each site be whole."`,
    );
    expect(result.evidence).toMatchObject({ levels: [{ level: 'site', ids: 2, onBothSides: 2, crossing: 0 }, {}, {}] });
  });

  it('asks for whole sites under deployment', async () => {
    const shared = await judge(WHOLE, { hierarchy: { site, patient } }, 'deployment');
    expect(shared).toMatchObject({ status: 'failed', severity: 'high' });
    expect(shared.message).toMatchInlineSnapshot(`"2 of 2 sites are on both sides of a fold, in 2 of 2 folds."`);
    expect(shared.fix).toMatchInlineSnapshot(
      `"Keep each site whole: HierarchicalGroupKFold({ hierarchyLevel: 'site' })."`,
    );
    const bySite = await judge([0, 0, 0, 0, 1, 1, 1, 1], { hierarchy: { site, patient } }, 'deployment');
    expect(bySite).toMatchObject({ status: 'passed' });
  });

  it('fails for torn patients, ids hashed', async () => {
    const result = await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: { site, patient, visit } });
    expect(result).toMatchObject({ status: 'failed', severity: 'critical', fold: 'fold-0' });
    expect(result.message).toMatchInlineSnapshot(
      `"1 of 4 patients is on both sides of a fold, in 2 of 2 folds. All 2 sites are on both sides: the score is about new patients of these sites; pass \`design: 'deployment'\` to ask that each site be whole."`,
    );
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
    expect([named.message, named.fix]).toMatchInlineSnapshot(`
      [
        "1 of 4 Patients is on both sides of a fold, in 2 of 2 folds.",
        "Keep each Patient whole: HierarchicalGroupKFold({ hierarchyLevel: 'Patient' }).",
      ]
    `);
    const coded = await judge(torn, { groups: patient, hierarchy: { code: patient } });
    expect(coded.message).toMatchInlineSnapshot(`"1 of 4 patients is on both sides of a fold, in 2 of 2 folds."`);
    expect(coded.evidence.levels).toMatchObject([{ level: 'code', onBothSides: 1 }, { level: 'patient' }]);
    expect((await judge(WHOLE, { hierarchy: { patient, code: patient } })).message).toMatchInlineSnapshot(
      `"No patient is on both sides of a fold (4 patients, 2 folds)."`,
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
    expect([alone.status, alone.message]).toMatchInlineSnapshot(`
      [
        "not_evaluated",
        "It is not known which rows belong to the same patient, and several patients may share an id of a or b.",
      ]
    `);
    const deployed = await judge(WHOLE, { hierarchy }, 'deployment');
    expect([deployed.status, deployed.severity, deployed.message]).toMatchInlineSnapshot(`
      [
        "failed",
        "high",
        "2 of 2 as are on both sides of a fold, in 2 of 2 folds. Whether patients are whole is not known: pass \`patientIds\`.",
      ]
    `);
    const grouped = await judge(WHOLE, { groups: visit, hierarchy });
    expect([grouped.status, grouped.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No patient is on both sides of a fold (8 patients, 2 folds). All 2 as are on both sides: the score is about new patients of these as; pass \`design: 'deployment'\` to ask that each a be whole.",
      ]
    `);
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
    expect([result.status, result.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No scan is on both sides of a fold (4 scans, 2 folds). All 2 sites are on both sides: the score is about new patients of these sites; pass \`design: 'deployment'\` to ask that each site be whole. Whether patients are whole is not known: pass \`patientIds\`.",
      ]
    `);
  });

  it('names a patient at two sites', async () => {
    const moved = ['N', 'S', ...site.slice(2)];
    const bySite = await by(
      new LeaveOneGroupOut(),
      8,
      { groups: moved, hierarchy: { site: moved, patient } },
      'deployment',
    );
    expect(bySite.status).toBe('failed');
    expect(bySite.message).toMatchInlineSnapshot(
      `"1 of 4 patients is on both sides of a fold, in 2 of 2 folds. 1 patient has several ids of site."`,
    );
  });

  it('reads visit numbers that start anew within their patient', async () => {
    const result = await judge(WHOLE, { hierarchy: { patient, visit: [1, 2, 1, 2, 1, 2, 1, 2] } }, 'deployment');
    expect(result.status).toBe('passed');
    expect(result.message).toMatchInlineSnapshot(
      `"No patient or visit is on both sides of a fold (4 patients, 8 visits, 2 folds). Patients share the ids of visit, which were read within each patient."`,
    );
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
    expect(result.status).toBe('passed');
    expect(result.message).toMatchInlineSnapshot(
      `"No visit or patient is on both sides of a fold (8 visits, 4 patients, 2 folds). All 2 sites are on both sides: the score is about new patients of these sites; pass \`design: 'deployment'\` to ask that each site be whole. Patients share the ids of visit, which were read within each patient. List the outermost level of \`hierarchy\` first: site before patient before visit."`,
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
    expect(result.status).toBe('failed');
    expect(result.message).toMatchInlineSnapshot(
      `"1 of 7 slices is on both sides of a fold, in 2 of 2 folds. 1 slice has several patients."`,
    );
  });

  it('reads visit numbers of groups that start anew, and no level as a patient that is called a site', async () => {
    const numbers = [1, 2, 1, 2, 1, 2, 1, 2];
    const whole = await judge(WHOLE, { groups: patient, hierarchy: { site, visit: numbers } }, 'deployment');
    expect(whole).toMatchObject({ status: 'failed', severity: 'high', fix: expect.stringContaining("'site'") });
    expect(whole.message).not.toContain('visit is');
    const alone = await judge(WHOLE, { hierarchy: { site } });
    expect(alone).toMatchObject({ status: 'not_evaluated', evidence: { levels: [{ level: 'site', onBothSides: 2 }] } });
    expect(`${alone.message} ${alone.fix}`).toMatchInlineSnapshot(
      `"It is not known which rows belong to the same patient, and several patients may share an id of site. Pass \`patientIds\`, the patient of each row, or call the level of the patients \`patient\`, or say \`independentRows: true\`. To ask that every level be whole, pass \`design: 'deployment'\`."`,
    );
    expect(await judge(WHOLE, { hierarchy: { site } }, 'deployment')).toMatchObject({
      status: 'failed',
      severity: 'high',
    });
  });

  it('speaks of one scanner as of one', async () => {
    const scanner = site.map(() => 'A');
    const iid = await judge(WHOLE, { hierarchy: { scanner, patient } });
    expect([iid.status, iid.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No patient is on both sides of a fold (4 patients, 2 folds). All rows are from one scanner: the score is about new patients of this scanner alone.",
      ]
    `);
    const deployed = await judge(WHOLE, { hierarchy: { scanner, patient } }, 'deployment');
    expect([deployed.status, deployed.message, deployed.fix]).toMatchInlineSnapshot(`
      [
        "failed",
        "The only scanner is on both sides of a fold, in 2 of 2 folds.",
        "Add rows of another scanner to test on: with one, no fold can leave it out.",
      ]
    `);
  });

  it('says which level to list first', async () => {
    const result = await judge(WHOLE, { hierarchy: { patient, ward: site } });
    expect(result.status).toBe('passed');
    expect(result.message).toMatchInlineSnapshot(
      `"No patient is on both sides of a fold (4 patients, 2 folds). All 2 wards are on both sides: the score is about new patients of these wards; pass \`design: 'deployment'\` to ask that each ward be whole. List the outermost level of \`hierarchy\` first: ward before patient."`,
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
    expect([(await sets(4)).message, (await sets(3)).message]).toMatchInlineSnapshot(`
      [
        "No patient is in both sets (4 patients).",
        "1 of 4 patients is in both sets. 1 of 2 sites is on both sides: the score is about new patients of these sites; pass \`design: 'deployment'\` to ask that each site be whole.",
      ]
    `);
  });

  it('knows nothing of a level without ids', async () => {
    const none = site.map(() => null) as unknown as string[];
    const whole = await judge(WHOLE, { groups: patient, hierarchy: { site: none } }, 'deployment');
    expect([whole.status, whole.message, whole.fix]).toMatchInlineSnapshot(`
      [
        "not_evaluated",
        "Whether each site is whole is not known. No patient is on both sides of a fold (4 patients, 2 folds). 8 of 8 rows have no site.",
        "Pass the site of each row.",
      ]
    `);
    const torn = await judge([0, 1, 1, 1, 0, 0, 1, 1], { groups: patient, hierarchy: { site: none } }, 'deployment');
    expect([torn.status, torn.message]).toMatchInlineSnapshot(`
      [
        "failed",
        "1 of 4 patients is on both sides of a fold, in 2 of 2 folds. 8 of 8 rows have no site.",
      ]
    `);
    // Not even who the patients are: every level is unknown.
    const nobody = await judge(WHOLE, { hierarchy: { site: none } }, 'deployment');
    expect([nobody.status, nobody.message]).toMatchInlineSnapshot(`
      [
        "not_evaluated",
        "Whether each site is whole is not known. 8 of 8 rows have no site. Whether patients are whole is not known: pass \`patientIds\`.",
      ]
    `);
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
    expect([half.status, half.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No site or patient is on both sides of a fold (2 sites, 4 patients, 2 folds). 4 of 8 rows have no site.",
      ]
    `);
    const few = await deployed([0, 2, 4]);
    expect([few.status, few.message, few.fix]).toMatchInlineSnapshot(`
      [
        "not_evaluated",
        "Whether each site is whole is not known. No patient is on both sides of a fold (4 patients, 2 folds). 5 of 8 rows have no site.",
        "Pass the site of each row.",
      ]
    `);
    // One patient of each site is known: one id for each patient, so far.
    for (const name of ['site', 'household']) expect((await deployed([0, 4], name)).status).toBe('not_evaluated');
    // A leak among the rows that are known is one.
    const torn = await judge(WHOLE, { groups: patient, hierarchy: { site: known([0, 2]) } }, 'deployment');
    expect([torn.status, torn.message]).toMatchInlineSnapshot(`
      [
        "failed",
        "The only site is on both sides of a fold, in 2 of 2 folds. 6 of 8 rows have no site.",
      ]
    `);
    // Under iid a shared site is described, by the rows that have one.
    const one = await judge(WHOLE, { groups: patient, hierarchy: { site: known([0, 2]) } });
    expect([one.status, one.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No patient is on both sides of a fold (4 patients, 2 folds). All rows with a site are from one site: the score is about new patients of this site alone. 6 of 8 rows have no site.",
      ]
    `);
  });

  it('takes what lies within whole patients for whole, whatever ids are missing', async () => {
    const lesion = ['x', 'y', null, null, null, null, null, null] as string[];
    const once = ['x', null, 'y', null, null, null, null, null] as string[];
    expect(await judge(WHOLE, { hierarchy: { patient, lesion: once } })).toMatchObject({
      status: 'passed',
      message: 'No patient is on both sides of a fold (4 patients, 2 folds). 6 of 8 rows have no lesion.',
    });
    const result = await judge(WHOLE, { hierarchy: { patient, lesion } });
    expect([result.status, result.message]).toMatchInlineSnapshot(`
      [
        "passed",
        "No patient or lesion is on both sides of a fold (4 patients, 2 lesions, 2 folds). 6 of 8 rows have no lesion.",
      ]
    `);
  });

  it('judges a site although nobody is known by id', async () => {
    const nobody = site.map(() => null) as unknown as string[];
    const result = await judge([0, 0, 0, 1, 1, 1, 1, 1], { hierarchy: { site, subject_id: nobody } }, 'deployment');
    expect([result.status, result.message]).toMatchInlineSnapshot(`
      [
        "failed",
        "1 of 2 sites is on both sides of a fold, in 2 of 2 folds. 8 of 8 rows have no subject_id.",
      ]
    `);
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
