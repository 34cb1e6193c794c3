import { describe, expect, it } from 'vitest';
import { survivalScores } from '../../src/stats/index.js';
import { ofCause } from '../../src/survival/outcomes.js';
import {
  censoringOf,
  close,
  concordanceByCurve,
  defined,
  sumOfSquares,
  tables,
  versions,
} from '../helpers/survivalTables.js';

type Table = (typeof tables)[number];

/** What a user passes of a reference table; the risks by each time as the risk of a row, where `at` says so. */
function inputOf({ data, times, risks, incidence, risk }: Table, at?: number) {
  return {
    ...{ time: data.time, event: data.event, times, method: 'analytic' as const },
    risk: at === undefined ? risk : risks.map((row) => row[at]),
    survival: risks.map((row) => row.map((each) => 1 - each)),
    competing: incidence !== null,
  };
}

describe.each(tables)(`survivalScores of the table $name, against R (survival ${versions.survival})`, (table) => {
  const { competing: _, ...input } = inputOf(table);
  const scores = survivalScores(input);

  it('concordance, with events of other causes as censored', () => {
    const { value, dfbeta } = table.concordance[0].find(({ timewt, tau }) => timewt === 'n' && tau === null)!;
    close([scores.concordance.estimate], [value]);
    const n = dfbeta.length;
    const variance = (dfbeta.reduce((sum, each) => sum + each * each, 0) * n) / (n - 1);
    close([scores.concordance.standardError!], [Math.sqrt(variance)], 1e-6);
  });

  it("Uno's concordance, whose curve is that of censoring alone (its influence: test/survival/concordance.test.ts)", () => {
    const { outcomes, risk, times } = table;
    const options = { censoring: censoringOf(outcomes), tau: times.at(-1) };
    const found = defined(concordanceByCurve(ofCause(outcomes, 1), risk, null, options));
    const n = risk.length;
    const variance = (sumOfSquares(found.influence({ ownCensoring: outcomes })) * n) / (n - 1);
    close([scores.concordance_uno.estimate, scores.concordance_uno.standardError!], [found.value, Math.sqrt(variance)]);
  });

  it('Brier scores and areas at the times, the integrated score', () => {
    const { brier, ibs, auc } = table.scores;
    close(
      table.times.map((time) => scores[`brier_at_${time}`].estimate),
      brier,
    );
    close([scores.integrated_brier.estimate], [ibs.at(-1)!]);
    table.times.forEach((time, at) => {
      const { competing: __, ...own } = inputOf(table, at);
      close([survivalScores(own)[`roc_auc_at_${time}`].estimate], [auc[at]]);
    });
  });

  it('says that weights are of these rows; with training rows that are these, gives the same', () => {
    const { time, event } = table.data;
    const known = survivalScores({ ...input, training: { time, event } });
    for (const name of ['concordance_uno', 'integrated_brier']) {
      close([known[name].estimate], [scores[name].estimate]);
      expect(scores[name].note).toContain('these rows');
      expect(known[name].note ?? '').not.toContain('these rows');
    }
    expect(scores.concordance.note ?? '').not.toContain('these rows');
  });
});

describe('survivalScores', () => {
  const { competing: _, ...input } = inputOf(tables[0]);
  const { time, event } = input;

  it('counts patients, whose rows are summed', () => {
    const groups = time.map((_, row) => (row % 2) ^ (row >> 1));
    const { nUnits, independentUnit } = survivalScores({ ...input, groups }).concordance;
    expect({ nUnits, independentUnit }).toEqual({ nUnits: new Set(groups).size, independentUnit: 'patient' });
  });

  it('does not count rows of weight 0, nor their patients', () => {
    const sampleWeight = time.map((_, row) => Number(row < 60));
    const first = <T>(values: readonly T[]) => values.slice(0, 60);
    const found = survivalScores({ ...input, times: [1, 2, 3, 4], sampleWeight });
    const { survival, risk } = input;
    const alone = survivalScores({
      ...{ ...input, time: first(time), event: first(event), risk: first(Array.from(risk)), survival: first(survival) },
      times: [1, 2, 3, 4],
    });
    for (const [name, { nUnits, estimate, standardError }] of Object.entries(found)) {
      expect(nUnits, name).toBe(60);
      close([estimate, standardError ?? null], [alone[name].estimate, alone[name].standardError ?? null]);
    }
    const groups = time.map((_, row) => row >> 1);
    expect(survivalScores({ ...input, sampleWeight, groups }).concordance.nUnits).toBe(30);
  });

  it('says that an integrated score of late times is too small', () => {
    const [late, early] = [
      [4, 5],
      [0.1, 5],
    ].map((times) => survivalScores({ ...input, times, survival: input.survival.map((row) => row.slice(0, 2)) }));
    expect(late.integrated_brier.note).toContain('before the first of `times`, 4, and so is too small');
    expect(early.integrated_brier.note).not.toContain('too small');
    expect(late.brier_at_4.note).not.toContain('too small');
  });

  it('gives what `risk` and `survival` allow', () => {
    const { risk: __, ...curves } = input;
    expect(survivalScores(curves)).not.toHaveProperty('concordance');
    const { survival: ___, ...ranks } = input;
    expect(Object.keys(survivalScores(ranks)).some((name) => name.includes('brier'))).toBe(false);
    const flat = { data: Float64Array.from(input.survival.flat()), shape: [time.length, input.times.length] };
    expect(survivalScores({ ...input, survival: flat })).toEqual(survivalScores(input));
  });

  it('refuses what cannot be read', () => {
    const sentences = (
      [
        { time: time.with(1, 0) },
        { time: time.with(1, -2) },
        { event: event.with(2, 0.5) },
        { event: event.map(() => 0) },
        { event: event.slice(1) },
        { risk: input.risk.with(0, Number.NaN) },
        { risk: input.risk.slice(1) },
        { times: [1e9] },
        { times: [] },
        { times: [...input.times].reverse() },
        { times: [2, 2], survival: undefined },
        { survival: input.survival.map((row) => row.slice(1)) },
        { survival: input.survival.map((row) => row.map((each) => 1 - each)) },
        { survival: input.survival.map((row) => row.map((each) => each + 1)) },
        { survival: input.survival.slice(1) },
        { survival: { data: input.survival.flat(), shape: [time.length, 3] } },
        { survival: 0.5 },
        { risk: undefined, survival: undefined },
      ] as object[]
    ).map((change) => {
      try {
        survivalScores({ ...input, ...change } as never);
        return 'nothing';
      } catch (error) {
        return String(error);
      }
    });
    expect(sentences).toMatchSnapshot();
  });
});
