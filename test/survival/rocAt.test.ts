import { describe, expect, it } from 'vitest';
import {
  censoringOf,
  close,
  defined,
  outcomesOf,
  repeated,
  rocByCurve,
  sumOfSquares,
  tables,
  versions,
} from '../helpers/survivalTables.js';

const riskAt = ({ risks }: (typeof tables)[number], at: number) => Float64Array.from(risks, (each) => each[at]);
const errorOf = (influence: Float64Array) =>
  Math.sqrt((sumOfSquares(influence) * influence.length) / (influence.length - 1));

describe.each(tables)(
  `areas at times of the table $name, against riskRegression ${versions.riskRegression} of R`,
  (table) => {
    const { outcomes, weights, times, scores } = table;

    it.each([...times.keys()])('value and standard errors at time %i', (at) => {
      const censoring = censoringOf(outcomes);
      const found = defined(rocByCurve(outcomes, riskAt(table, at), null, { horizon: times[at], cause: 1, censoring }));
      close([found.value, errorOf(found.influence())], [scores.auc[at], scores.aucError[at]]);
      // Score's term of the censoring curve is no exact derivative; ours is: see below.
      close([errorOf(found.influence({ ownCensoring: true }))], [scores.aucErrorOwn[at]], 2e-4);
    });

    it('with weights: value and influence (central differences of the formula)', () => {
      const options = { horizon: times[1], cause: 1, censoring: censoringOf(outcomes, weights[1]) };
      const found = defined(rocByCurve(outcomes, riskAt(table, 1), weights[1], options));
      close([found.value], [table.weightedScores.auc]);
      close(found.influence(), table.influences.fixed.auc, 1e-8);
      close(found.influence({ ownCensoring: true }), table.influences.own.auc, 1e-8);
    });
  },
);

describe('timedRoc', () => {
  it('counts weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes, times } = tables[1];
    const risk = riskAt(tables[1], 1);
    const copies = outcomes.time.map((_, row) => row % 3);
    const { rows, outcomes: long } = repeated(outcomes, copies);
    const options = { horizon: times[1], cause: 1, censoring: censoringOf(outcomes, copies) };
    const expected = defined(
      rocByCurve(
        long,
        Float64Array.from(rows, (row) => risk[row]),
        null,
        options,
      ),
    );
    const found = defined(rocByCurve(outcomes, risk, copies, options));
    close([found.value, found.cases, found.controls], [expected.value, expected.cases, expected.controls]);
  });

  it('is 1, 0 and 1/2 for perfect, reversed and equal risks (by definition)', () => {
    const outcomes = outcomesOf([1, 2, 3, 4], [1, 1, 0, 1]);
    const options = { horizon: 2, cause: 1, censoring: censoringOf(outcomes) };
    const of = (...risk: number[]) => defined(rocByCurve(outcomes, Float64Array.from(risk), null, options)).value;
    expect([of(4, 3, 2, 1), of(1, 2, 3, 4), of(0, 0, 0, 0)]).toEqual([1, 0, 0.5]);
  });

  it('says why there is no value', () => {
    const outcomes = outcomesOf([1, 2, 3], [0, 2, 1]);
    const reason = (horizon: number, cause: number, of = outcomes) =>
      rocByCurve(outcomes, Float64Array.of(1, 2, 3), null, { horizon, cause, censoring: censoringOf(of) });
    expect(reason(2, 1)).toEqual({ reason: 'no row has the event by the horizon' });
    expect(reason(3, 1)).toHaveProperty('value', 1); // against the event of another cause
    expect(reason(1, 2, outcomesOf([1], [0]))).toEqual({ reason: 'the curve of being censored is 0 by the horizon' });
    const all = outcomesOf([1, 1, 1], [1, 1, 1]);
    const options = { horizon: 1, cause: 1, censoring: censoringOf(all) };
    expect(rocByCurve(all, Float64Array.of(1, 2, 3), null, options)).toEqual({
      reason: 'no row is without the event at the horizon',
    });
  });
});
