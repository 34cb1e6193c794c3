import { describe, expect, it } from 'vitest';
import { riskGroups } from '../../src/survival/riskGroups.js';
import { close, outcomesOf, repeated, tables, versions } from '../helpers/survivalTables.js';

const predictedOf = ({ risks }: (typeof tables)[number]) => Float64Array.from(risks, (each) => each[1]);

describe.each(tables)(`groups of the table $name, against survival ${versions.survival} of R`, (table) => {
  it('observed risks by groups', () => {
    const { horizon, cause, groups } = table.calibration[0];
    const found = riskGroups(table.outcomes, predictedOf(table), null, {
      horizon,
      cause: cause ?? 1,
      level: 0.95,
      groups: 4,
    });
    close(
      found.map((each) => each.predicted),
      Object.values(groups).map((each) => each.predicted),
    );
    close(
      found.map((each) => each.observed),
      Object.values(groups).map((each) => each.observed),
    );
    if (cause !== null) return; // R has other limits there
    close(
      found.map((each) => each.lower),
      Object.values(groups).map((each) => each.lower),
    );
    close(
      found.map((each) => each.upper),
      Object.values(groups).map((each) => each.upper),
    );
  });
});

describe('riskGroups', () => {
  it('count weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes, times } = tables[1];
    const predicted = predictedOf(tables[1]);
    const copies = outcomes.time.map((_, row) => row % 3);
    const { rows, outcomes: long } = repeated(outcomes, copies);
    const options = { horizon: times[1], cause: 1, level: 0.9, groups: 3 };
    const ofLong = riskGroups(
      long,
      Float64Array.from(rows, (row) => predicted[row]),
      null,
      options,
    );
    const found = riskGroups(outcomes, predicted, copies, options);
    for (const part of ['predicted', 'observed', 'lower', 'upper'] as const) {
      close(
        found.map((each) => each[part]),
        ofLong.map((each) => each[part]),
      );
    }
  });

  it('have, without censoring, the shares of events (by definition)', () => {
    const outcomes = outcomesOf([3, 1, 2, 4], [1, 1, 2, 1]);
    const options = { horizon: 2, cause: 1, level: 0.95, groups: 2 };
    const groups = riskGroups(outcomes, Float64Array.of(0.1, 0.8, 0.8, 0.2), null, options);
    expect(groups.map(({ rows, observed }) => [...rows, observed])).toEqual([
      [0, 3, 0],
      [1, 2, 0.5],
    ]);
    expect([groups[0].lower, groups[0].upper]).toEqual([null, null]);
    const [all] = riskGroups(outcomesOf([1, 2, 3], [1, 1, 1]), new Float64Array(3), null, { ...options, horizon: 3 });
    expect([all.observed, all.lower]).toEqual([1, null]);
  });

  it('merges groups of equal risks, and has none without rows', () => {
    const options = { horizon: 2, cause: 1, level: 0.95, groups: 4 };
    const of = (weight: Float64Array | null) =>
      riskGroups(outcomesOf([1, 2, 3], [1, 0, 1]), new Float64Array(3).fill(0.3), weight, options);
    expect(of(null).map(({ rows }) => rows.length)).toEqual([3]);
    expect(of(new Float64Array(3))).toEqual([]);
  });

  it('have no observed risk where nobody was followed up to the horizon', () => {
    const options = { horizon: 3, cause: 1, level: 0.95, groups: 1 };
    const [group] = riskGroups(outcomesOf([1, 2], [1, 0]), Float64Array.of(0.2, 0.4), null, options);
    expect(group).toMatchObject({ predicted: expect.closeTo(0.3, 12), observed: null, lower: null, upper: null });
  });
});
