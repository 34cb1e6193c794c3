import { describe, expect, it } from 'vitest';
import { survivalScores } from '../../src/stats/index.js';
import { close, tables, versions } from '../helpers/survivalTables.js';

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
        { survival: input.survival.map((row) => row.slice(1)) },
        { survival: input.survival.map((row) => row.map((each) => 1 - each)) },
        { survival: input.survival.map((row) => row.map((each) => each + 1)) },
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
