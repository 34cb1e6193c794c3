import { describe, expect, it } from 'vitest';
import { hierarchyOverlap } from '../../../src/checkers/CVL008-hierarchical/hierarchyOverlap.js';
import type { Design } from '../../../src/checkers/checkOptions.js';
import type { SideData } from '../../../src/data/sideData.js';
import { HierarchicalGroupKFold } from '../../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { MultilevelCV } from '../../../src/splitters/grouped/multilevelCV.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { inWords, judged } from '../judged.js';

const by = (splitter: Splitter, n: number, data: SideData, design?: Design) =>
  judged(hierarchyOverlap, { X: Array.from({ length: n }, (_, i) => [i]), data, splitter, design });
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

  it('holds a splitter to the level that it says it keeps', async () => {
    const data = { hierarchy: { site, patient } };
    const bySite = new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'site', randomState: 1 });
    expect(await by(bySite, 8, data)).toMatchObject({
      status: 'passed',
      message: 'No site or patient is on both sides of a fold (2 sites, 4 patients, 2 folds).',
    });
    const multilevel = new MultilevelCV({ nSplits: 2, level: 'site', randomState: 1 });
    expect((await by(multilevel, 8, data)).message).toContain('No site or patient');
    // Whole patients, but a foreign wrapper calls them whole sites.
    class Torn extends HierarchicalGroupKFold {
      protected override plan() {
        const folds = new PredefinedSplit({ testFold: WHOLE }).split(8);
        return { ...folds, [Symbol.iterator]: () => folds[Symbol.iterator]() };
      }
    }
    const torn = await by(new Torn({ nSplits: 2, hierarchyLevel: 'site' }), 8, data);
    expect(inWords(torn)).toMatch(/^failed: 2 of 2 sites are on both sides/);
  });

  it("takes each row for its own patient on the author's word", async () => {
    const site = Array.from({ length: 8 }, (_, row) => row % 2);
    const [X, splitter] = [site.map((_, row) => [row]), new KFold({ nSplits: 2 })];
    const scene = { X, data: { hierarchy: { site } }, splitter };
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

  it('judges a level that says by its name that it is the patient', async () => {
    for (const name of ['patient', 'Patient', 'subject_id']) {
      const result = await judge([0, 1, 1, 1, 0, 0, 1, 1], { hierarchy: { [name]: patient } });
      expect(result).toMatchObject({ status: 'failed', severity: 'critical' });
    }
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
    expect((await judge(WHOLE, { hierarchy: { site } }, 'deployment')).severity).toBe('high');
  });

  it('does not know whether a level is whole where one patient of each id is known, nor under iid', async () => {
    const bySite = [0, 0, 0, 0, 1, 1, 1, 1];
    const known = (rows: number[]) => site.map((id, row) => (rows.includes(row) ? id : null)) as string[];
    const deployed = (rows: number[], name = 'site') =>
      judge(bySite, { groups: patient, hierarchy: { [name]: known(rows) } }, 'deployment');
    // One patient of each site is known: one id for each patient, so far.
    for (const name of ['site', 'household']) expect((await deployed([0, 4], name)).status).toBe('not_evaluated');
    // Patients alone are bound by iid, and they are known.
    expect(await judge(WHOLE, { groups: patient, hierarchy: { site: known([]) } })).toMatchObject({
      status: 'passed',
      message: 'No patient is on both sides of a fold (4 patients, 2 folds). 8 of 8 rows have no site.',
    });
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
