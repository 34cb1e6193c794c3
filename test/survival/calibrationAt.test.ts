import { describe, expect, it } from 'vitest';
import { complementaryLogLog, observedOverExpected, timedSlope } from '../../src/survival/calibrationAt.js';
import { ofCause } from '../../src/survival/outcomes.js';
import { close, defined, outcomesOf, repeated, tables, versions } from '../helpers/survivalTables.js';

const predictedOf = ({ risks }: (typeof tables)[number]) => Float64Array.from(risks, (each) => each[1]);
const NOT_FOLLOWED = { reason: 'no row was followed up to the horizon' };

describe.each(tables)(`calibration of the table $name, against survival ${versions.survival} of R`, (table) => {
  const { outcomes, weights } = table;
  const predicted = predictedOf(table);

  it.each([0, 1])('observed over expected, with influence (weights %i)', (weighted) => {
    const { horizon, cause, observed, expected, ratio, influence } = table.calibration[weighted];
    const found = defined(observedOverExpected(outcomes, predicted, weights[weighted], { horizon, cause: cause ?? 1 }));
    close([found.observed, found.expected, found.ratio], [observed, expected, ratio]);
    close(found.influence, influence);
  });

  it('the slope', () => {
    const linearPredictor = Float64Array.from(table.linearPredictor);
    const found = timedSlope(ofCause(outcomes, 1), linearPredictor, weights[1], table.times[1]);
    close([found.slope], [table.slope.slope], 1e-6);
    close(found.influence, table.slope.influence, 1e-6);
  });
});

describe('calibration at a horizon', () => {
  it('counts weight 2 as the row twice, and weight 0 as no row', () => {
    const { outcomes, times } = tables[1];
    const predicted = predictedOf(tables[1]);
    const copies = outcomes.time.map((_, row) => row % 3);
    const { rows, outcomes: long } = repeated(outcomes, copies);
    const options = { horizon: times[1], cause: 1 };
    const expected = defined(
      observedOverExpected(
        long,
        Float64Array.from(rows, (row) => predicted[row]),
        null,
        options,
      ),
    );
    const found = defined(observedOverExpected(outcomes, predicted, copies, options));
    close([found.observed, found.expected], [expected.observed, expected.expected]);
  });

  it('says where nobody was followed up to the horizon, or a side is 0', () => {
    const outcomes = outcomesOf([1, 2], [1, 0]);
    const options = { horizon: 3, cause: 1 };
    const predicted = Float64Array.of(0.2, 0.4);
    expect(observedOverExpected(outcomes, predicted, null, options)).toEqual(NOT_FOLLOWED);
    const early = { ...options, horizon: 0.5 };
    expect(observedOverExpected(outcomes, predicted, null, early)).toEqual({ reason: 'no event by the horizon' });
    const at2 = { ...options, horizon: 2 };
    expect(observedOverExpected(outcomes, new Float64Array(2), null, at2)).toHaveProperty('reason');
    expect(observedOverExpected(outcomes, predicted, new Float64Array(2), at2)).toEqual(NOT_FOLLOWED);
  });

  it('has no slope of a predictor that is constant among the rows at risk at the events', () => {
    const outcomes = outcomesOf([1, 2, 3], [0, 1, 1]);
    const refused = expect.objectContaining({ code: 'constant_column' });
    expect(() => timedSlope(outcomes, Float64Array.of(5, 1, 1), null)).toThrow(refused);
  });

  it('complementaryLogLog is log(-log(1 - risk)), finite at 0 and 1 (by definition)', () => {
    expect(complementaryLogLog(1 - Math.exp(-1))).toBeCloseTo(0, 12);
    expect([0, 1].map(complementaryLogLog).every(Number.isFinite)).toBe(true);
  });
});
