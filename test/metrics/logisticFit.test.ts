import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogisticFit, type LogisticModel, logisticFit } from '../../src/metrics/logisticFit.js';
import reference from '../reference/calibrationFits.json' with { type: 'json' };

const ones = (n: number) => new Array<number>(n).fill(1);
const fitOf = (model: LogisticModel) => logisticFit(model) as LogisticFit;

function close(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(expected[i])));
  });
}

describe(`logisticFit against glm of R ${reference.versions.R}`, () => {
  it.each(reference.fits.map((each, i) => [i, each] as const))('case %s', (_, { a, b, o, y, w, ...expected }) => {
    const models = {
      both: { columns: [ones(y.length), a, b], y, weight: w },
      offset: { columns: [ones(y.length), a, b], y, weight: w, offset: o },
      through0: { columns: [a], y, weight: w },
    };
    for (const name of ['both', 'offset', 'through0'] as const) {
      const { coefficients, covariance } = fitOf(models[name]);
      close(coefficients, [expected[name].coefficients].flat());
      close(
        covariance.flatMap((line) => [...line]),
        expected[name].covariance.flat(),
      );
    }
  });
});

describe('logisticFit', () => {
  it('of an intercept alone is the log-odds of the share, with variance 1/3 + 1/1 (hand calculation)', () => {
    const { coefficients, covariance } = fitOf({ columns: [ones(4)], y: [1, 1, 1, 0] });
    expect(coefficients[0]).toBeCloseTo(Math.log(3), 12);
    expect(covariance[0][0]).toBeCloseTo(4 / 3, 12);
  });

  it('finds its way back from an offset far off, where whole steps of Newton would leap over (hand calculation)', () => {
    for (const far of [-200, -30, -10, 5, 10, 30, 200]) {
      const fit = fitOf({ columns: [ones(4)], y: [1, 1, 1, 0], offset: new Array(4).fill(far) });
      expect(fit.coefficients[0]).toBeCloseTo(Math.log(3) - far, 10);
    }
  });

  it('has influences that sum to 0, and tell how the coefficients move with the weight of a row', () => {
    const [{ a, b, y, w }] = reference.fits;
    const columns = [ones(y.length), a, b];
    const influences = [0, 1, 2].map(fitOf({ columns, y, weight: w }).influence);
    for (const each of influences) expect(each.reduce((s, v) => s + v, 0)).toBeCloseTo(0, 8);
    const h = 1e-4;
    for (const row of [0, 7, 20]) {
      const [up, down] = [h, -h].map(
        (step) => fitOf({ columns, y, weight: w.map((each, i) => (i === row ? each + step : each)) }).coefficients,
      );
      influences.forEach((each, j) => {
        expect((up[j] - down[j]) / (2 * h)).toBeCloseTo(each[row], 5);
      });
    }
  });

  it('says that it did not converge exactly when some direction separates the classes', () => {
    const data = fc
      .array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 1 })), { minLength: 2, maxLength: 14 })
      .filter((rows) => new Set(rows.map(([x]) => x)).size > 1 && new Set(rows.map(([, y]) => y)).size > 1);
    fc.assert(
      fc.property(data, (rows) => {
        const of = (side: number) => rows.filter(([, y]) => y === side).map(([x]) => x);
        const [low, high] = [of(0), of(1)];
        const separated = Math.max(...low) <= Math.min(...high) || Math.max(...high) <= Math.min(...low);
        const fit = logisticFit({ columns: [ones(rows.length), rows.map(([x]) => x)], y: rows.map(([, y]) => y) });
        const reason = 'did not converge: the predictions separate the classes';
        if (separated) expect(fit).toEqual({ reason });
        else expect(fit).toHaveProperty('coefficients');
      }),
      { numRuns: 500 },
    );
  });

  it('is undefined for one class alone, also where the other has weight 0, and for columns that depend on each other', () => {
    const columns = [ones(3), [1, 2, 4]];
    expect(logisticFit({ columns, y: [1, 1, 1] })).toEqual({ reason: 'no negative rows' });
    expect(logisticFit({ columns, y: [1, 0, 0], weight: [0, 1, 1] })).toEqual({ reason: 'no positive rows' });
    const x = [0.1, 0.37, 0.2, 0.91, 0.55, 0.73];
    const y = [0, 1, 1, 0, 1, 0];
    const combinations = Array.from({ length: 50 }, (_, i) => x.map((v) => ((i - 9) * v) / 7 + i / 3)); // rounded
    for (const last of [...combinations, x]) {
      expect(logisticFit({ columns: [ones(6), x, last], y })).toEqual({ reason: 'the columns depend on each other' });
    }
  });

  it('leaves rows of weight 0 out', () => {
    const [{ a, y }] = reference.fits;
    const weight = y.map((_, row) => (row < 5 ? 0 : 1));
    const zeros = fitOf({ columns: [ones(y.length), a], y, weight });
    const absent = fitOf({ columns: [ones(y.length - 5), a.slice(5)], y: y.slice(5) });
    close(zeros.coefficients, absent.coefficients);
  });

  it('of many rows is that of the rows once, with a covariance that is as many times smaller', () => {
    const [{ a, b, y, w, both }] = reference.fits;
    const times = Math.ceil(120_000 / y.length);
    const many = (values: readonly number[]) =>
      Float64Array.from({ length: times * y.length }, (_, row) => values[row % y.length]);
    const fit = fitOf({ columns: [ones(y.length), a, b].map(many), y: many(y), weight: many(w) });
    close(fit.coefficients, both.coefficients);
    close(
      fit.covariance.flatMap((line) => [...line]).map((each) => each * times),
      both.covariance.flat(),
    );
  });

  it('converges where the likelihood of many equal rows is rounded (hand calculation)', () => {
    for (const [n, share, of] of [
      [20_000, 3, 7],
      [99_000, 3, 10],
      [130_000, 3, 10],
    ]) {
      const y = Uint8Array.from({ length: n }, (_, row) => (row % of < share ? 1 : 0));
      const positives = y.reduce((sum, each) => sum + each, 0);
      const [found] = fitOf({ columns: [ones(n)], y }).coefficients;
      expect(found).toBeCloseTo(Math.log(positives / (n - positives)), 12);
    }
  });

  it('takes columns of any size', () => {
    const [{ a, b, y }] = reference.fits;
    const { coefficients } = fitOf({ columns: [ones(y.length), a, b], y });
    const scaled = fitOf({ columns: [ones(y.length), a.map((v) => v * 1e9), b.map((v) => v * 1e-9)], y }).coefficients;
    close([scaled[0], scaled[1] * 1e9, scaled[2] * 1e-9], coefficients);
  });
});
