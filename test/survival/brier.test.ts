import { describe, expect, it } from 'vitest';
import { integratedBrier, integrationShares } from '../../src/survival/brier.js';
import {
  brierByCurve,
  censoringOf,
  close,
  defined,
  outcomesOf,
  repeated,
  sumOfSquares,
  tables,
  versions,
} from '../helpers/survivalTables.js';

/** Predictions of a reference table: of no event where there is one cause, incidences of cause 1 else. */
function predictionsOf({ outcomes, weights, times, risks, incidence }: (typeof tables)[number], weighted: number) {
  const cause = incidence ? 1 : null;
  const predicted = Float64Array.from(risks.flat(), (risk) => (cause === null ? 1 - risk : risk));
  const censoring = censoringOf(outcomes, weights[weighted]);
  return { outcomes, weight: weights[weighted], times: Float64Array.from(times), predicted, cause, censoring };
}

/** `sd(IF) / sqrt(N)` of influences that are per row, not per row and n. */
const errorOf = (influence: Float64Array) =>
  Math.sqrt((sumOfSquares(influence) * influence.length) / (influence.length - 1));

describe.each(tables)(
  `Brier scores of the table $name, against riskRegression ${versions.riskRegression} of R`,
  (table) => {
    const only = (at: number) => table.times.map((_, each) => Number(each === at));

    it('values, standard errors with known and with own censoring, integrated scores', () => {
      const { times, ...predictions } = predictionsOf(table, 0);
      const scores = brierByCurve({ times, ...predictions });
      const { brier, ibs, brierError, brierErrorOwn } = table.scores;
      close(scores.values, brier);
      close(
        table.times.map((_, at) => errorOf(scores.influence(only(at)))),
        brierError,
      );
      // Score's term of the censoring curve is no exact derivative, least of all with many ties; ours is: see below.
      const own = table.times.map((_, at) => errorOf(scores.influence(only(at), { ownCensoring: true })));
      if (table.name !== 'tied') close(own, brierErrorOwn, 1e-4);
      const integrated = table.times.slice(1).map((_, at) => {
        const values = scores.values.slice(0, at + 2);
        return defined(integratedBrier({ ...scores, values }, times.slice(0, at + 2))).value;
      });
      close(integrated, ibs.slice(1));
    });

    it('with weights: values and influence (central differences of the formula)', () => {
      const scores = brierByCurve(predictionsOf(table, 1));
      close([scores.values[1]], [table.weightedScores.brier]);
      close(scores.influence(only(1)), table.influences.fixed.brier, 1e-8);
      close(scores.influence(only(1), { ownCensoring: true }), table.influences.own.brier, 1e-8);
    });

    it('the influence on an integrated score is the mean of those of its times', () => {
      const predictions = predictionsOf(table, 1);
      const scores = brierByCurve(predictions);
      const { shares } = defined(integratedBrier(scores, predictions.times));
      const each = table.times.map((_, at) => scores.influence(only(at), { ownCensoring: true }));
      const mean = table.outcomes.time.map((_, row) => each.reduce((sum, of, at) => sum + shares[at] * of[row], 0));
      close(scores.influence(shares, { ownCensoring: true }), Array.from(mean), 1e-12);
    });
  },
);

describe('brierScores', () => {
  it('counts weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes, times, predicted, cause } = predictionsOf(tables[1], 0);
    const copies = outcomes.time.map((_, row) => row % 3);
    const { rows, outcomes: long } = repeated(outcomes, copies);
    const width = times.length;
    const longPredicted = Float64Array.from(
      rows.flatMap((row) => [...predicted.slice(row * width, (row + 1) * width)]),
    );
    const facts = { times, cause, censoring: censoringOf(outcomes, copies) };
    const expected = brierByCurve({ ...facts, outcomes: long, predicted: longPredicted, weight: null });
    close(brierByCurve({ ...facts, outcomes, predicted, weight: copies }).values, Array.from(expected.values));
  });

  it('has no value where rows live beyond the end of the curve of being censored', () => {
    const outcomes = outcomesOf([1, 2, 5], [1, 0, 1]);
    const times = Float64Array.of(1, 3, 4);
    const facts = { outcomes, weight: null, times, predicted: new Float64Array(9).fill(0.5), cause: null };
    const scores = brierByCurve({ ...facts, censoring: censoringOf(outcomesOf([2], [0])) });
    expect(Array.from(scores.values)).toEqual([0.25, Number.NaN, Number.NaN]);
    expect(integratedBrier(scores, times)).toHaveProperty('reason');
    // The value at the last time has no share.
    const of = (count: number) =>
      integratedBrier({ ...scores, values: scores.values.slice(0, count) }, times.slice(0, count));
    expect(of(2)).toHaveProperty('value', (0.25 * 2) / 3);
    expect(of(1)).toHaveProperty('reason');
  });

  it('of certain and right predictions is 0, without censoring the mean square (by definition)', () => {
    const outcomes = outcomesOf([1, 2, 3], [1, 1, 1]);
    const [times, censoring] = [Float64Array.of(1.5), censoringOf(outcomes)];
    const of = (...predicted: number[]) =>
      brierByCurve({ outcomes, weight: null, times, predicted: Float64Array.from(predicted), cause: null, censoring });
    expect([of(0, 1, 1).values[0], of(1, 1, 0.5).values[0]]).toEqual([0, (1 + 0.25) / 3]);
  });
});

it('integrationShares counts each value up to the next time (hand calculation)', () => {
  expect(Array.from(integrationShares(Float64Array.of(1, 2, 4)))).toEqual([1 / 4, 2 / 4, 0]);
});
