import { beforeAll, describe, expect, it } from 'vitest';
import { mae } from '../../src/metrics/definitions/regression.js';
import { defineMetric } from '../../src/metrics/registry.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { acrossSites } from '../../src/stats/acrossSites.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';
import reference from '../reference/sites.json' with { type: 'json' };
import { asTrained, givenResults } from './given.js';

const { site, y, p, auc, variance, fit } = reference.across;
let results: CVResults;
beforeAll(async () => {
  results = await givenResults({ p, y, groups: site, fold: new LeaveOneGroupOut() });
});
const logistic = (u: number) => 1 / (1 + Math.exp(-u));

describe('acrossSites', () => {
  it("has the sites' AUC with DeLong's variance as pROC, put together as metafor does on the logit scale", () => {
    const found = acrossSites(results, { sites: site });
    found.sites.forEach(({ interval, weight }, at) => {
      expect(interval.estimate).toBeCloseTo(auc[at], 12);
      expect(weight).toBeCloseTo(fit.weights[at], 6);
    });
    expect(found).toMatchObject({ metric: 'roc_auc', scale: 'logit', df: 5 });
    expect(found.mean).toMatchObject({ unit: 'site', nUnits: 6, method: 'random_effects', estimand: 'procedure' });
    expect(found.mean.estimate).toBeCloseTo(logistic(fit.estimate), 6);
    expect(found.mean.lower).toBeCloseTo(logistic(fit.lower), 6);
    expect(found.mean.upper).toBeCloseTo(logistic(fit.upper), 6);
    expect(found.prediction?.lower).toBeCloseTo(logistic(fit.piLower), 6);
    expect(found.prediction?.upper).toBeCloseTo(logistic(fit.piUpper), 6);
    expect(found.tau2).toBeCloseTo(fit.tau2, 6);
    expect(found.i2).toBeCloseTo(fit.i2, 6);
    // Q needs the variances themselves: a wrong one would show.
    expect(found.q).toBeCloseTo(fit.q, 8);
    expect(variance.length).toBe(6);
  });

  it('sums a patient whose rows repeat: every row twice with `patients` changes nothing but n', async () => {
    const twice = <T>(values: readonly T[]) => values.flatMap((value) => [value, value]);
    const doubled = await givenResults({ p: twice(p), y: twice(y), groups: twice(site), fold: new LeaveOneGroupOut() });
    const patients = twice(p.map((_, row) => row));
    const whole = acrossSites(doubled, { sites: twice(site), patients });
    const single = acrossSites(results, { sites: site });
    expect(whole.mean.lower).toBeCloseTo(single.mean.lower as number, 10);
    expect(whole.sites[0]).toMatchObject({ n: 80, nUnits: 40 });
    expect(whole.notes.join()).not.toContain('rows count as patients');
    const rows = acrossSites(doubled, { sites: twice(site) });
    expect(rows.sites[0].interval.lower as number).toBeGreaterThan(whole.sites[0].interval.lower as number);
    expect(rows.notes.join()).toContain('rows count as patients');
  });

  it('leaves out sites without a value, with few patients or at the bound, and says which', async () => {
    const more = [...site, ...Array<number>(12).fill(7), ...Array<number>(12).fill(8), ...Array<number>(6).fill(9)];
    const truth = [...y, ...Array<number>(12).fill(0), ...Array.from({ length: 18 }, (_, i) => i % 2)];
    const scores = [...p, ...Array<number>(12).fill(0.3), ...truth.slice(-18).map((label) => 0.2 + 0.6 * label)];
    const odd = await givenResults({ p: scores, y: truth, groups: more, fold: new LeaveOneGroupOut() });
    const found = acrossSites(odd, { sites: more });
    expect(
      found.sites.slice(6).map(({ weight, interval: { estimate, reason } }) => [weight, estimate, reason]),
    ).toEqual([
      [0, null, 'no positive rows'],
      [0, 1, undefined],
      [0, 1, 'only 6 rows, fewer than 10'],
    ]);
    expect(found.mean.estimate).toBeCloseTo(logistic(fit.estimate), 6);
    expect(found.notes.find((note) => note.startsWith('Not in the mean'))).toBe(
      'Not in the mean: 7 (no positive rows), 8 (at the bound of its range, or without spread), 9 (only 6 rows, fewer than 10).',
    );
    expect(found.notes.join()).toContain('Leaving out sites at the bound');
  });

  it('takes all rows of a site where one model scored them, and blames no bound and no training', async () => {
    const few = p.map((_, row) => row % 20);
    const found = acrossSites(
      await givenResults({ p, y, fold: new KFold({ nSplits: 3, shuffle: true, randomState: 2 }) }),
      {
        sites: site,
        patients: few,
      },
    );
    found.sites.forEach(({ interval: { estimate } }, at) => {
      expect(estimate).toBeCloseTo(auc[at], 12);
    });
    expect(found.notes.join()).not.toMatch(/bound|training/);
    const trained = asTrained(await givenResults({ p, y, fold: new LeaveOneGroupOut(), groups: site }));
    expect(acrossSites(trained, { sites: site }).notes.join()).toContain('share training data');
  });

  it('says which sites have no prediction', async () => {
    const fold = site.map((id) => (id === site[0] ? -1 : id));
    const found = acrossSites(await givenResults({ p, y, fold }), { sites: site });
    expect(found.sites).toHaveLength(5);
    expect(found.notes).toContain(`Without a prediction: ${site[0]}.`);
  });

  it('counts, as subgroups and comparisons do, only patients of folds that have a value', async () => {
    // Each site has 5 patients of either class in folds 0 and 1, and 40 of one class in fold 2, all ranked rightly.
    const part = (site: string, last: number) => [
      ...Array.from({ length: 20 }, (_, row) => ({ site, fold: Math.floor(row / 10), y: row % 2 })),
      ...Array.from({ length: 40 }, () => ({ site, fold: 2, y: last })),
    ];
    const rows = [...part('A', 1), ...part('B', 1)];
    const given = { y: rows.map((row) => row.y), fold: rows.map(({ fold }) => fold) };
    const perfect = asTrained(
      await givenResults({ ...given, p: rows.map(({ y }, at) => 0.1 + 0.6 * y + 0.01 * (at % 7)) }),
    );
    const worse = await givenResults({ ...given, p: rows.map((_, at) => 0.1 + ((at * 7) % 10) / 20) });
    const site = rows.map((row) => row.site);
    const wilsonOf10 = 0.7225; // 1 / (1 + 1.96^2 / 10)
    for (const { interval } of acrossSites(perfect, { sites: site }).sites) {
      expect(interval).toMatchObject({ estimate: 1, nUnits: 20 });
      expect(interval.lower).toBeCloseTo(wilsonOf10, 4);
    }
    for (const row of subgroupTable(perfect, { by: { site } }).rows) {
      expect(row.metrics.roc_auc).toMatchObject({ estimate: 1, nUnits: 20 });
      expect(row.metrics.roc_auc.lower).toBeCloseTo(wilsonOf10, 4);
      expect(row.differences?.roc_auc.nUnits).toBe(40);
    }
    const { paired, signFlip } = compareModels(perfect, worse);
    expect([paired.nUnits, signFlip.nUnits]).toEqual([40, 40]);
    expect(bbcCV([perfect, worse]).nUnits).toBe(40);
  });

  it('takes the log for a metric without an upper bound, and resamples where there is no influence function', async () => {
    const { influence: _influence, aliases: _aliases, ...blind } = mae;
    defineMetric({ ...blind, name: 'mae_blind' });
    const numbers = await givenResults({ p, y, groups: site, fold: new LeaveOneGroupOut(), task: 'regression' });
    const found = acrossSites(numbers, { sites: site, metric: 'mae_blind', nBootstrap: 2000 });
    expect(found.scale).toBe('log');
    // The standard error of a mean of |p - y| in a site is their standard deviation / sqrt(n); on the log scale / mean.
    const errors = p.flatMap((each, row) => (site[row] === 1 ? [Math.abs(each - y[row])] : []));
    const mean = errors.reduce((s, v) => s + v, 0) / errors.length;
    expect(found.sites[0].interval.estimate).toBeCloseTo(mean, 12);
    expect(found.mean.lower as number).toBeGreaterThan(0);
    expect(found.mean.upper as number).toBeGreaterThan(found.mean.estimate as number);
  });
});
