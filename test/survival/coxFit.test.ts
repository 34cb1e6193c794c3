import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { hazardAt } from '../../src/survival/baselineHazard.js';
import { coxFit } from '../../src/survival/coxFit.js';
import { partialLikelihood } from '../../src/survival/coxRiskSets.js';
import { ofCause, type TimedOutcomes } from '../../src/survival/outcomes.js';
import { close, defined, outcomesOf, tables, versions } from '../helpers/survivalTables.js';

describe.each(tables)(`Cox regressions of the table $name, against coxph of survival ${versions.survival}`, (table) => {
  const outcomes = ofCause(table.outcomes, 1);
  const columns = (['x1', 'x2', 'x3'] as const).map((name) => Float64Array.from(table.data[name]));

  it.each(table.cox)('weighted: $weighted, strata: $stratified, ridge: $theta', (expected) => {
    const weight = expected.weighted ? table.weights[1] : null;
    const strata = expected.stratified ? Int32Array.from(table.data.stratum) : null;
    const fit = coxFit({ outcomes, columns, weight, strata, ridge: expected.theta });
    // The penalised fit of R ends its steps early.
    close(fit.coefficients, expected.coefficients, expected.theta > 0 ? 1e-6 : 1e-9);
    close(
      fit.standardErrors,
      expected.covariance.map((line, j) => Math.sqrt(line[j])),
      1e-6,
    );
    close(
      columns.flatMap((_, j) => [...fit.influence(j)]),
      columns.flatMap((_, j) => expected.dfbeta.map((row) => row[j])),
      1e-6,
    );
    const hazards = Object.values(expected.hazard);
    expect(fit.baseline.length).toBe(hazards.length);
    fit.baseline.forEach((found, at) => {
      close(
        hazards[at].times.map((time) => hazardAt(found, time)),
        hazards[at].hazard,
        1e-6,
      );
    });
    const likelihoodOf = (shift: number, factor: number) => {
      const predictor = outcomes.time.map((_, row) =>
        columns.reduce((sum, column, j) => sum + factor * fit.coefficients[j] * column[row], shift),
      );
      return defined(partialLikelihood(outcomes, predictor, weight, strata)).value;
    };
    close([likelihoodOf(0, 0), likelihoodOf(0, 1)], expected.logLikelihood);
    close([likelihoodOf(5000, 1)], [likelihoodOf(0, 1)]);
  });
});

/** The error of a fit. */
function errorOf(outcomes: TimedOutcomes, columns: number[][], more: object = {}): InvalidDataError {
  try {
    coxFit({ outcomes, columns: columns.map((each) => Float64Array.from(each)), ...more });
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDataError);
    return error as InvalidDataError;
  }
  throw new Error('no error was thrown');
}

describe.each(tables)('the partial likelihood of a predictor of the table $name', (table) => {
  it('is above that of none per event as in coxph, with influence (central differences in the weights)', () => {
    const logRisk = Float64Array.from(table.linearPredictor);
    const found = defined(partialLikelihood(ofCause(table.outcomes, 1), logRisk, table.weights[1]));
    close([found.gain], [table.gain.value]);
    close(found.influence(), table.gain.influence, 1e-8);
    expect(found.influence().reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 10);
  });
});

describe('coxFit', () => {
  const outcomes = outcomesOf([1, 2, 3, 4, 5, 6], [1, 1, 0, 1, 1, 0]);
  const x = [0.3, 1.2, -0.7, 0.9, 1.1, 0.2];

  it('leaves out rows of weight 0, and without ties counts weight 2 as the row twice', () => {
    const columns = [Float64Array.from(x)];
    const without = coxFit({
      outcomes: outcomesOf([1, 3, 4, 5, 6], [1, 0, 1, 1, 0]),
      columns: [Float64Array.of(0.3, -0.7, 0.9, 1.1, 0.2)],
    });
    const fit = coxFit({ outcomes, columns, weight: Float64Array.of(1, 0, 1, 1, 1, 1) });
    close(fit.coefficients, Array.from(without.coefficients));
    expect(fit.influence(0)[1]).toBe(0);
    const heavy = coxFit({ outcomes, columns, weight: Float64Array.of(1, 1, 2, 1, 1, 1) });
    const twice = coxFit({
      outcomes: outcomesOf([1, 2, 3, 3, 4, 5, 6], [1, 1, 0, 0, 1, 1, 0]),
      columns: [Float64Array.of(0.3, 1.2, -0.7, -0.7, 0.9, 1.1, 0.2)],
    });
    close(heavy.coefficients, Array.from(twice.coefficients));
  });

  it('of no column has the baseline hazard of Nelson and Aalen (hand calculation)', () => {
    const [{ times, hazard }] = coxFit({ outcomes, columns: [] }).baseline;
    expect([...times]).toEqual([1, 2, 4, 5]);
    close(hazard, [1 / 6, 1 / 6 + 1 / 5, 11 / 30 + 1 / 3, 11 / 30 + 5 / 6]);
  });

  it('refuses what has no finite best value, and names the column', () => {
    expect(errorOf(outcomesOf([1, 2], [0, 0]), [[1, 2]]).code).toBe('no_event');
    // Risks that fall with time.
    const away = errorOf(outcomes, [[6, 5, 4, 3, 2, 1]]);
    expect([away.code, /column 0/.test(away.message)]).toEqual(['infinite_coefficient', true]);
    const two = errorOf(outcomes, [x, [2, 0, 1, 0, 2, 1], x.map((each, row) => 6 - row - each)]);
    expect(two.message.match(/column \d/g)).toEqual(expect.arrayContaining(['column 0', 'column 2']));
    const one = errorOf(outcomes, [x, [1, 1, 0, 1, 1, 0]]);
    expect([one.code, one.message.match(/column \d/g)]).toEqual(['infinite_coefficient', ['column 1']]);
    // Names stay with their columns where one before them is left out.
    const named = errorOf(outcomes, [[2, 2, 2, 2, 2, 2], x, [1, 1, 0, 1, 1, 0]], { nameOf: (j: number) => 'abc'[j] });
    expect(named.message).toMatch(/end with c\./);
  });

  it('leaves out columns without information of their own, as coxph does', () => {
    const of = (columns: number[][], more: object = {}) =>
      coxFit({ outcomes, columns: columns.map((each) => Float64Array.from(each)), ...more });
    const alone = of([x]);
    const fit = of([[2, 2, 2, 2, 2, 2], x]);
    expect([fit.coefficients, fit.standardErrors]).toEqual([
      [Number.NaN, ...alone.coefficients],
      [Number.NaN, ...alone.standardErrors],
    ]);
    expect([fit.influence(1), fit.baseline]).toEqual([alone.influence(0), alone.baseline]);
    const noise = [0.3, 0.1, 0.5, 0.2, 0.9, 0.4];
    const sum = x.map((each, row) => each + noise[row]);
    expect(of([x, noise, sum]).coefficients).toEqual([...of([x, noise]).coefficients, Number.NaN]);
    // Constant among those at risk at the events, or within each stratum.
    const strata = Int32Array.of(0, 0, 0, 1, 1, 1);
    const late = outcomesOf([1, 2, 3], [0, 1, 1]);
    for (const ridge of [0, 0.1]) {
      expect(of([[0, 0, 0, 1, 1, 1]], { strata, ridge }).coefficients).toEqual([Number.NaN]);
      expect(of([[5, 1, 1]], { outcomes: late, ridge }).coefficients).toEqual([Number.NaN]);
    }
  });

  it('with a ridge penalty, columns that follow from others and those without a finite best value have a fit', () => {
    const of = (columns: number[][]) =>
      coxFit({ outcomes, columns: columns.map((each) => Float64Array.from(each)), ridge: 0.1 }).coefficients;
    const [a, b] = of([x, x]);
    expect(a).toBeCloseTo(b, 9);
    expect(of([[6, 5, 4, 3, 2, 1]])[0]).toBeGreaterThan(0);
  });

  it.each([
    ['one event', [1, 2, 3], [0, 1, 0], [0, 1, 2]],
    ['all tied', [2, 2, 2, 2], [1, 0, 1, 0], [1, 2, 4, 0]],
  ])('%s: the slope of the likelihood is 0 at the coefficient', (_, time, event, column) => {
    const small = outcomesOf(time, event);
    const { coefficients } = coxFit({ outcomes: small, columns: [Float64Array.from(column)], ridge: 1e-3 });
    const at = (shift: number) => {
      const beta = coefficients[0] + shift;
      const { value } = defined(
        partialLikelihood(
          small,
          Float64Array.from(column, (each) => each * beta),
          null,
        ),
      );
      return value - (1e-3 * beta ** 2) / 2;
    };
    expect((at(1e-4) - at(-1e-4)) / 2e-4).toBeCloseTo(0, 7);
  });
});

it('partialLikelihood is exact for log risks far apart, and says why there is none', () => {
  const outcomes = outcomesOf([1, 2, 3], [1, 1, 1]);
  // -log(1 + e^-1000 + e^-2000) - log(1 + e^-1000), and in reverse -2000 - 1000.
  const of = (...logRisk: number[]) => defined(partialLikelihood(outcomes, Float64Array.from(logRisk), null)).value;
  expect([of(2000, 1000, 0), of(0, 1000, 2000)]).toEqual([0, -3000]);
  expect(partialLikelihood(outcomesOf([1], [0]), Float64Array.of(1), null)).toEqual({ reason: 'no event' });
});

it('names the column that tells when the event comes, and fits it with a ridge penalty', () => {
  const time = Float64Array.from({ length: 60 }, (_, row) => 1 + row);
  const event = Int32Array.from(time, (_, row) => Number(row % 3 > 0));
  const noise = Float64Array.from(time, (_, row) => Math.sin(7 * row));
  const all = { outcomes: { time, event }, columns: [noise, time], nameOf: (j: number) => ['noise', 'time'][j] };
  expect(() => coxFit(all)).toThrow(/rises without end with time\. Columns that tell when/);
  const { coefficients } = coxFit({ ...all, ridge: 0.1 });
  expect(coefficients[1]).toBeLessThan(-0.1);
  // The maximum: the score is the slope of the penalty.
  const likelihood = (beta: number) => {
    const eta = time.map((each, row) => coefficients[0] * noise[row] + beta * each);
    let sum = -(0.1 * beta * beta) / 2;
    for (const [row, died] of event.entries()) {
      if (!died) continue;
      let risk = 0;
      for (let other = row; other < 60; other++) risk += Math.exp(eta[other] - eta[row]);
      sum -= Math.log(risk);
    }
    return sum;
  };
  const [low, best, high] = [0.99, 1, 1.01].map((factor) => likelihood(factor * coefficients[1]));
  expect(best).toBeGreaterThan(low);
  expect(best).toBeGreaterThan(high);
});
