import { describe, expect, it } from 'vitest';
import { ofCause } from '../../src/survival/outcomes.js';
import {
  censoringOf,
  close,
  concordanceByCurve,
  defined,
  outcomesOf,
  repeated,
  sumOfSquares,
  tables,
  versions,
} from '../helpers/survivalTables.js';

describe.each(tables)(`concordance of the table $name, against survival ${versions.survival} of R`, (table) => {
  const { weights, risk, data } = table;
  const outcomes = ofCause(table.outcomes, 1);

  it.each([0, 1])("Harrell's and Uno's, with counts, influence and clusters (weights %i)", (weighted) => {
    const weight = weights[weighted];
    for (const { timewt, tau, value, count, dfbeta, clusteredVariance } of table.concordance[weighted]) {
      const censoring = timewt === 'n' ? undefined : censoringOf(outcomes, weight);
      const found = defined(concordanceByCurve(outcomes, risk, weight, { censoring, tau: tau ?? undefined }));
      const { concordant, discordant, tiedRisk } = found;
      const order = ['concordant', 'discordant', 'tied.x'] as const;
      close([found.value, concordant, discordant, tiedRisk], [value, ...order.map((each) => count[each])]);
      const influence = found.influence();
      close(influence, dfbeta);
      const byCluster = new Float64Array(data.time.length + 1);
      influence.forEach((each, row) => {
        byCluster[data.cluster[row]] += each;
      });
      close([sumOfSquares(byCluster)], [clusteredVariance]);
    }
  });

  it('the influence through the curve of being censored (central differences in the weights)', () => {
    const { tau, value, influence } = table.unoOwn;
    const censoring = censoringOf(outcomes, weights[1]);
    const found = defined(concordanceByCurve(outcomes, risk, weights[1], { censoring, tau }));
    close([found.value], [value]);
    close(found.influence({ ownCensoring: outcomes }), influence, 1e-8);
  });
});

describe('timedConcordance', () => {
  it('adds the influence through a curve of true censoring alone where events compete (central differences in the weights)', () => {
    const { outcomes: both, risk } = tables.find(({ incidence }) => incidence)!;
    const first = ofCause(both, 1);
    const at = (weight: Float64Array) =>
      defined(concordanceByCurve(first, risk, weight, { censoring: censoringOf(both, weight), tau: 6 }));
    const weight = both.time.map((_, row) => 1 + (row % 3) / 2);
    const step = 1e-5;
    const moved = (row: number, by: number) => at(weight.with(row, weight[row] + by)).value;
    const slopes = Array.from(weight, (w, row) => (w * (moved(row, step) - moved(row, -step))) / (2 * step));
    close(at(weight).influence({ ownCensoring: both }), slopes, 1e-8);
  });

  it('counts weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes, risk } = tables[1];
    const copies = outcomes.time.map((_, row) => row % 3);
    const twice = repeated(outcomes, copies);
    const censoring = censoringOf(outcomes, copies);
    const [weighted, long] = [
      concordanceByCurve(outcomes, risk, copies, { censoring }),
      concordanceByCurve(
        twice.outcomes,
        Float64Array.from(twice.rows, (row) => risk[row]),
        null,
        { censoring },
      ),
    ].map(defined);
    close([weighted.value, weighted.concordant, weighted.discordant], [long.value, long.concordant, long.discordant]);
    expect(weighted.influence()[0]).toBe(0);
  });

  it('is 1, 0 and 1/2 for perfect, reversed and equal risks (by definition)', () => {
    const outcomes = outcomesOf([1, 2, 3, 4], [1, 1, 0, 1]);
    const of = (...risk: number[]) => defined(concordanceByCurve(outcomes, Float64Array.from(risk), null)).value;
    expect([of(4, 3, 2, 1), of(1, 2, 3, 4), of(0, -0, 0, 0)]).toEqual([1, 0, 0.5]);
  });

  it('says why there is no value', () => {
    const risk = Float64Array.of(1, 2, 3);
    const none = { reason: 'no two rows are comparable' };
    expect(concordanceByCurve(outcomesOf([1, 2, 3], [0, 0, 0]), risk, null)).toEqual(none);
    expect(concordanceByCurve(outcomesOf([2, 2, 2], [1, 1, 1]), risk, null)).toEqual(none);
    expect(concordanceByCurve(outcomesOf([1, 2, 3], [1, 1, 1]), risk, new Float64Array(3))).toEqual(none);
    expect(concordanceByCurve(outcomesOf([1], [1]), Float64Array.of(1), null)).toEqual(none);
    const censoring = censoringOf(outcomesOf([1], [0]));
    const outcomes = outcomesOf([1, 2, 3], [1, 1, 0]);
    expect(concordanceByCurve(outcomes, risk, null, { censoring })).toHaveProperty(
      'reason',
      expect.stringMatching('tau'),
    );
    expect(defined(concordanceByCurve(outcomes, risk, null, { censoring, tau: 1 })).value).toBe(0);
  });
});
