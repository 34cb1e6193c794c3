import { describe, expect, it } from 'vitest';
import {
  cumulativeIncidence,
  incidenceAt,
  incidenceInfluence,
  kaplanMeier,
  probabilityLimits,
  survivalAt,
  survivalBefore,
} from '../../src/survival/kaplanMeier.js';
import { censoringOf, close, outcomesOf, repeated, tables, versions } from '../helpers/survivalTables.js';

describe.each(tables)(`curves of the table $name, against survival ${versions.survival} of R`, (table) => {
  const { outcomes, weights } = table;

  it.each([0, 1])('Kaplan-Meier and limits (weights %i)', (weighted) => {
    const expected = table.curves[weighted];
    const curve = kaplanMeier(outcomes, weights[weighted]);
    close(curve.times, expected.times);
    close(curve.survival, expected.survival);
    close(curve.atRisk, expected.atRisk);
    close(curve.events, expected.events);
    close(curve.logVariance.map(Math.sqrt), expected.error);
    const limits = Array.from(curve.survival, (each, at) =>
      probabilityLimits(each, Math.sqrt(curve.logVariance[at]), 0.95),
    );
    close(limits.flat(), expected.limits.flat());
  });

  it(`the curve of being censored (prodlim ${versions.prodlim})`, () => {
    const curve = censoringOf(outcomes);
    const { times, survival } = table.censoring;
    close(
      times.map((time) => survivalAt(curve, time)),
      survival,
    );
    const weightedCurve = censoringOf(outcomes, weights[1]);
    close(
      table.times.map((time) => survivalBefore(weightedCurve, time)),
      table.weightedCensoring,
    );
  });

  it('of one cause, the incidence is 1 - Kaplan-Meier with the variance of Greenwood', () => {
    const any = { ...outcomes, event: outcomes.event.map((each) => Math.min(each, 1)) };
    const { incidence, variance } = cumulativeIncidence(any, weights[1], 1);
    const { survival, logVariance } = kaplanMeier(any, weights[1]);
    close(
      incidence,
      Array.from(survival, (each) => 1 - each),
    );
    const greenwood = Array.from(survival, (each, at) => (each > 0 ? each ** 2 * logVariance[at] : null));
    close(
      variance.filter((_, at) => greenwood[at] !== null),
      greenwood.filter((each) => each !== null),
    );
  });
});

describe.each(tables.filter(({ incidence }) => incidence))('competing causes of the table $name', (table) => {
  const { outcomes, weights } = table;

  it.each([0, 1])('cumulative incidences and their influence (weights %i)', (weighted) => {
    for (const { cause, times, incidence, at, influence } of table.incidence![weighted]) {
      const curve = cumulativeIncidence(outcomes, weights[weighted], cause);
      close(curve.times, times);
      close(curve.incidence, incidence);
      close(incidenceInfluence(outcomes, weights[weighted], cause, at), influence);
    }
  });

  it(`the variance of a cumulative incidence (prodlim ${versions.prodlim})`, () => {
    const curve = cumulativeIncidence(outcomes, null, 1);
    const { times, error } = table.incidenceError!;
    // prodlim has none once nobody is left.
    const known = times.filter((_, at) => error[at] !== null);
    const found = known.map((time) => Math.sqrt(incidenceAt(curve, time).variance));
    close(
      found,
      error.filter((each) => each !== null),
    );
    expect(known.length).toBeGreaterThan(times.length - 3);
  });
});

describe('kaplanMeier', () => {
  it('counts weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes } = tables[1];
    const copies = outcomes.time.map((_, row) => row % 3);
    const twice = repeated(outcomes, copies);
    for (const of of ['event', 'censoring'] as const) {
      const [weighted, long] = [kaplanMeier(outcomes, copies, of), kaplanMeier(twice.outcomes, null, of)];
      const values = Array.from(outcomes.time, (time) => survivalAt(weighted, time));
      close(
        values,
        Array.from(outcomes.time, (time) => survivalAt(long, time)),
      );
    }
  });

  it('steps at its times, before which it has not fallen (hand calculation)', () => {
    const curve = kaplanMeier(outcomesOf([2, 1, 2, 3], [1, 0, 0, 1]), null);
    expect([0.5, 1, 1.9, 2, 2.5, 3, 9].map((time) => survivalAt(curve, time))).toEqual([1, 1, 1, 2 / 3, 2 / 3, 0, 0]);
    expect([1, 2, 3, 9].map((time) => survivalBefore(curve, time))).toEqual([1, 1, 2 / 3, 0]);
    // The event at 2 leaves before the censoring at 2, after which one row of two remains.
    expect(Array.from(censoringOf(outcomesOf([2, 1, 2, 3], [1, 0, 0, 1])).survival)).toEqual([3 / 4, 3 / 8, 3 / 8]);
  });

  it.each([
    ['all censored', [1, 2, 3], [0, 0, 0], 1],
    ['one row', [1], [1], 0],
    ['all tied', [2, 2, 2, 2], [1, 0, 1, 0], 0.5],
  ])('%s', (_, time, event, last) => {
    const outcomes = outcomesOf(time, event);
    expect(survivalAt(kaplanMeier(outcomes, null), 5)).toBe(last);
    expect(survivalAt(kaplanMeier(outcomes, new Float64Array(time.length)), 5)).toBe(1);
    expect(incidenceAt(cumulativeIncidence(outcomes, null, 1), 5).incidence).toBe(1 - last);
    expect(incidenceInfluence(outcomes, null, 1, 5).every(Number.isFinite)).toBe(true);
  });
});
