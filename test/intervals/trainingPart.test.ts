import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { studentTQuantile, wilson } from '../../src/core/incompleteBeta.js';
import { foldEstimate } from '../../src/intervals/foldEstimate.js';
import type { Halves } from '../../src/intervals/interval.js';
import { halfContrasts, widenedLimits, withTraining } from '../../src/intervals/trainingPart.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import cases from '../reference/trainingPart.json' with { type: 'json' };

interface Rows {
  readonly y: readonly number[];
  readonly p: readonly number[];
  readonly units: readonly number[];
  /** Scores of a second model. */
  readonly q?: readonly number[] | undefined;
}

const tested = ({ y, p, units }: Rows) => ({
  table: scoreTable({ yTrue: y, yProba: p, classes: [0, 1] }),
  units: Int32Array.from(units),
});

const foldsOf = (repeats: readonly (readonly Rows[])[]) =>
  repeats.flatMap((folds, repeat) =>
    folds.map((fold) => ({ ...tested(fold), nTrain: 20, repeat, score: { value: 0.5 } })),
  );

const halvesOf = (halvings: readonly (readonly Rows[])[], kind: Halves['kind'] = 'crossed'): Halves => ({
  kind,
  sampling: 'cohort',
  halvings: halvings.map(([a, b]) => [tested(a), tested(b)]),
});

describe('withTraining', () => {
  describe.each(cases)('$name', ({ repeats, halvings, test, expected }) => {
    it.each(Object.keys(expected))('gives what the definition gives for %s', (name) => {
      const metric = metricRegistry.get(name);
      const wanted = expected[name as keyof typeof expected];
      const second = (rows: Rows): Rows => ({ ...rows, p: rows.q ?? [] });
      const two = 'q' in repeats[0][0] ? [(rows: Rows) => rows, second] : [(rows: Rows) => rows];
      const models = two.map((of) => ({
        folds: foldsOf(repeats.map((folds) => folds.map(of))),
        halves: halvesOf(halvings.map((halves) => halves.map(of))),
      }));
      const found = halfContrasts(metric, ...models);
      if (!found) throw new Error('no contrasts');
      for (const name of ['covariance', 'training'] as const) {
        const contrasts = found.contrasts.map((each) => each[name]);
        expect(contrasts).toHaveLength(wanted[name].length);
        contrasts.forEach((each, at) => {
          expect(each).toBeCloseTo(wanted[name][at], 14);
        });
      }
      expect(found.excess).toBeCloseTo(wanted.excess, 14);
      const { variance, df } = withTraining(test, found);
      expect(variance).toBeCloseTo(wanted.variance, 12);
      expect(df).toBeCloseTo(wanted.df, 8);
    });
  });

  const [{ repeats, halvings, test }] = cases;
  const partOf = (halves: Halves, name = 'roc_auc', folds = foldsOf(repeats)) => {
    const found = halfContrasts(metricRegistry.get(name), { folds, halves });
    if (!found) throw new Error('no contrasts');
    return withTraining(test, found);
  };
  const halves = halvesOf(halvings);

  it('does not mind which half comes first, nor the order of halvings', () => {
    const { variance, df } = partOf(halves);
    const turned = partOf({ ...halves, halvings: halves.halvings.map(([a, b]) => [b, a] as const).reverse() });
    expect(turned.variance).toBeCloseTo(variance, 12);
    expect(turned.df).toBeCloseTo(df, 8);
  });

  it('mirrors sensitivity in specificity when labels and scores are swapped', () => {
    // A score of one half is a negative call, and would be one after the swap.
    const untied = (each: Rows): Rows => ({ ...each, p: each.p.map((p) => (p === 0.5 ? 0.51 : p)) });
    const swapped = ({ y, p, units }: Rows): Rows => ({
      y: y.map((label) => 1 - label),
      p: p.map((each) => 1 - each),
      units,
    });
    const [plain, mirrored] = [untied, (each: Rows) => swapped(untied(each))].map((as) => ({
      halves: halvesOf(halvings.map((each) => each.map(as))),
      folds: foldsOf(repeats.map((each) => each.map(as))),
    }));
    expect(partOf(mirrored.halves, 'specificity', mirrored.folds).variance).toBeCloseTo(
      partOf(plain.halves, 'sensitivity', plain.folds).variance,
      12,
    );
  });

  it('does not change when all weights are multiplied', () => {
    const weighted = (each: ReturnType<typeof tested>) => ({
      ...each,
      table: { ...each.table, weight: new Float64Array(each.units.length).fill(3) },
    });
    const folds = foldsOf(repeats).map((fold) => ({ ...fold, ...weighted(fold) }));
    const heavy = halvings.map(([a, b]) => [weighted(tested(a)), weighted(tested(b))] as const);
    for (const name of ['roc_auc', 'accuracy', 'brier']) {
      expect(partOf({ ...halves, halvings: heavy }, name, folds).variance).toBeCloseTo(
        partOf(halves, name).variance,
        12,
      );
    }
  });

  it.each(['accuracy', 'sensitivity', 'specificity', 'brier', 'precision', 'f1', 'mcc'])(
    'finds no training in a score that is the same whatever it is trained on: %s, halves with unequal classes',
    (name) => {
      const rows = repeats[0].flatMap(({ y, p, units }) => y.map((label, row) => [label, p[row], units[row]] as const));
      const half = (keep: (at: number) => boolean): Rows => {
        const kept = rows.filter((_, at) => keep(at));
        return { y: kept.map(([y]) => y), p: kept.map(([, p]) => p), units: kept.map(([, , unit]) => unit) };
      };
      const unequal = [2, 3, 4, 5, 7].map((by) => [half((at) => at % by === 0), half((at) => at % by !== 0)]);
      const found = halfContrasts(metricRegistry.get(name), { folds: foldsOf(repeats), halves: halvesOf(unequal) });
      expect(found?.contrasts.length).toBeGreaterThan(2);
      for (const { covariance, training } of found?.contrasts ?? []) {
        expect(covariance).toBeCloseTo(0, 15);
        expect(training).toBeCloseTo(0, 15);
      }
    },
  );

  it('leaves out a halving with a half that has no value: precision where no unit is called positive', () => {
    const [[a, b], ...others] = halvings;
    const timid = { ...b, p: b.p.map(() => 0.1) };
    const of = (kind: Halves['kind']) =>
      halfContrasts(metricRegistry.get('precision'), {
        folds: foldsOf(repeats),
        halves: halvesOf([[a, timid], ...others], kind),
      });
    for (const kind of ['crossed', 'test_set'] as const) {
      expect(of(kind)).toMatchObject({ failed: 0, skipped: 1 });
      expect(of(kind)?.contrasts).toHaveLength(others.length);
    }
  });

  it('takes halvings that all say the same', () => {
    const contrasts = Array.from({ length: 5 }, () => ({ covariance: 0.001, training: 0.002 }));
    const { variance, df, trainingShare } = withTraining({ variance: 0.004, df: 30 }, { contrasts, excess: 0.001 });
    expect(variance).toBeCloseTo(0.007, 15);
    expect(trainingShare).toBeCloseTo(3 / 7, 12);
    expect(df).toBeCloseTo((0.007 ** 2 / 0.004 ** 2) * 30, 8);
  });

  it('has an excess of pairs for the area under the ROC curve alone', () => {
    const excess = (name: string) =>
      halfContrasts(metricRegistry.get(name), { folds: foldsOf(repeats), halves })?.excess;
    expect(excess('roc_auc')).toBeGreaterThan(0);
    expect([excess('average_precision'), excess('accuracy')]).toEqual([0, 0]);
  });

  it('counts halvings with a failed model, and those with a class of one unit in a half', () => {
    const [first, second, ...others] = halves.halvings;
    const lone = {
      ...second[1],
      table: { ...second[1].table, yTrue: second[1].units.map((_, row) => (row ? 0 : 1)) },
    };
    const found = halfContrasts(metricRegistry.get('accuracy'), {
      folds: foldsOf(repeats),
      halves: {
        kind: 'crossed',
        sampling: 'cohort',
        halvings: [[first[0], { units: first[1].units, error: 'no memory' }], [second[0], lone as never], ...others],
      },
    });
    expect(found).toMatchObject({ failed: 1, skipped: 1 });
    expect(found?.contrasts).toHaveLength(others.length);
  });

  it('of a given test set takes the spread between models of half of the training units', () => {
    const [fold] = foldsOf([[repeats[0][0]]]);
    // Two models for each halving: the scores of the fold, moved towards the truth and away from it.
    const y = repeats[0][0].y;
    const moved = (by: number): Rows => ({
      ...repeats[0][0],
      p: repeats[0][0].p.map((p, row) => p + (y[row] - p) * by),
    });
    const shifts = [0.1, 0.2, 0.15, 0.05, 0.12];
    const given = halvesOf(
      shifts.map((by) => [moved(by), moved(0)]),
      'test_set',
    );
    const brier = (rows: Rows) => rows.p.map((p, row) => (p - y[row]) ** 2);
    const parts = shifts.map((by) => {
      const [a, b] = [brier(moved(by)), brier(moved(0))];
      const n = y.length;
      const [meanA, meanB] = [a, b].map((each) => each.reduce((sum, loss) => sum + loss, 0) / n);
      const noise = a.reduce((sum, loss, row) => sum + ((loss - meanA - b[row] + meanB) / n) ** 2, 0);
      return ((meanA - meanB) ** 2 - noise) / 4;
    });
    const added = parts.reduce((sum, part) => sum + part, 0) / parts.length;
    const { variance } = partOf(given, 'brier', [fold]);
    expect(added).toBeGreaterThan(0);
    expect(variance).toBeCloseTo(test.variance + added, 12);
  });

  it('knows no training part of a metric without an influence function', () => {
    const { influence, ...plain } = metricRegistry.get('accuracy');
    expect(influence).toBeDefined();
    expect(halfContrasts(plain, { folds: foldsOf(repeats), halves })).toBeUndefined();
  });

  it('widens the limits at a bound to the shares within t standard errors, in any range', () => {
    const found = halfContrasts(metricRegistry.get('accuracy'), {
      folds: foldsOf(cases[4].repeats),
      halves: halvesOf(cases[4].halvings),
    });
    if (!found) throw new Error('no contrasts');
    for (const [share, width] of [
      [0, 1],
      [1, 1],
      [0, 2],
    ]) {
      const plain = wilson(share, 20, 0.95);
      const inside = share === 0 ? plain[1] : plain[0];
      const tested = (inside * (1 - inside)) / 20;
      const { variance, df } = withTraining({ variance: tested * width ** 2, df: 19 }, found);
      const limits = widenedLimits({ share, n: 20, level: 0.95, width, plain }, found);
      const p = share === 0 ? limits[1] : limits[0];
      const added = variance / width ** 2 - tested;
      expect(added).toBeGreaterThan(0);
      expect((share - p) ** 2).toBeCloseTo(studentTQuantile(0.975, df) ** 2 * ((p * (1 - p)) / 20 + added), 12);
      expect(limits[share]).toBe(share);
    }
  });
});

interface Row {
  readonly label: number;
  /** Few values, so that ties abound. */
  readonly score: number;
  readonly unit: number;
  readonly weight: number;
}

/** The definition, pair by pair. */
function bruteForce(folds: readonly (readonly Row[])[], estimate: number): number {
  let [excess, valued] = [0, 0];
  for (const rows of folds) {
    const [positive, negative] = [1, 0].map((side) => rows.filter(({ label, weight }) => label === side && weight > 0));
    if (positive.length === 0 || negative.length === 0) continue;
    valued++;
    const psi = (a: Row, b: Row) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0);
    const total = (side: readonly Row[]) => side.reduce((sum, { weight }) => sum + weight, 0);
    for (const g of new Set(positive.map(({ unit }) => unit))) {
      for (const h of new Set(negative.map(({ unit }) => unit))) {
        let sum = 0;
        for (const a of positive.filter(({ unit }) => unit === g)) {
          for (const b of negative.filter(({ unit }) => unit === h))
            sum += a.weight * b.weight * (psi(a, b) - estimate);
        }
        excess += (sum / (total(positive) * total(negative))) ** 2;
      }
    }
  }
  return valued === 0 ? 0 : excess / valued ** 2;
}

const rowsOf = (units: number, weight = fc.integer({ min: 0, max: 3 })) =>
  anyRows(units, weight).filter((rows) => rows.some((row) => row.weight > 0));

const anyRows = (units: number, weight: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      label: fc.integer({ min: 0, max: 1 }),
      score: fc.integer({ min: 0, max: 6 }).map((score) => score / 6),
      unit: fc.integer({ min: 0, max: units - 1 }),
      weight,
    }),
    { minLength: 2, maxLength: 25 },
  );

describe('the excess of pairs', () => {
  /** With the area over the folds, which it is about. */
  const excessOf = (parts: readonly (readonly Row[])[], weighted = true) => {
    const metric = metricRegistry.get('roc_auc');
    const folds = parts.map((rows) => ({
      table: scoreTable({
        yTrue: rows.map(({ label }) => label),
        yProba: rows.map(({ score }) => score),
        classes: [0, 1],
        ...(weighted ? { sampleWeight: rows.map(({ weight }) => weight) } : {}),
      }),
      ...{ units: Int32Array.from(rows, ({ unit }) => unit), nTrain: 9, repeat: 0, score: { value: 0.5 } },
    }));
    const found = halfContrasts(metric, { folds, halves: halvesOf([]) });
    return { excess: found?.excess ?? Number.NaN, area: foldEstimate({ metric, folds }).value };
  };

  it('is what a loop over all pairs gives, with ties, weights and clusters of rows', () => {
    fc.assert(
      fc.property(fc.array(rowsOf(8), { minLength: 1, maxLength: 4 }), (folds) => {
        const { excess, area } = excessOf(folds);
        expect(excess).toBeCloseTo(area === null ? 0 : bruteForce(folds, area), 12);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same for weight 1 as without weights, for all weights times three, and for k rows instead of weight k', () => {
    fc.assert(
      fc.property(rowsOf(6, fc.integer({ min: 1, max: 3 })), (rows) => {
        const once = rows.map((row) => ({ ...row, weight: 1 }));
        expect(excessOf([once]).excess).toBeCloseTo(excessOf([once], false).excess, 12);
        const { excess } = excessOf([rows]);
        expect(excessOf([rows.map((row) => ({ ...row, weight: 3 * row.weight }))]).excess).toBeCloseTo(excess, 12);
        const copies = rows.flatMap((row) => Array.from({ length: row.weight }, () => row));
        expect(excessOf([copies], false).excess).toBeCloseTo(excess, 12);
      }),
    );
  });

  it('by hand: two positive and two negative rows with one pair in the wrong order', () => {
    const scored = [0.9, 0.4, 0.6, 0.1].map((score, unit) => ({ label: Number(unit < 2), score, unit, weight: 1 }));
    // psi is 1, 1 / 0, 1, its mean 3/4: squares 3 x 1/16 + 9/16 = 3/4, divided by (2 x 2)^2.
    expect(excessOf([scored])).toEqual({ excess: 0.75 / 16, area: 0.75 });
    // A fold of one class alone is in no mean.
    expect(excessOf([scored, scored.slice(0, 2)]).excess).toBe(0.75 / 16);
    expect(excessOf([scored.slice(0, 2)]).excess).toBe(0);
  });
});
