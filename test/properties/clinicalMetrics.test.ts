/** Whatever the predictions, weights and patients: every clinical value is a number with limits around it, or null. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClinicalMetrics, type ClinicalMetricsOptions } from '../../src/clinical/clinicalMetrics.js';
import type { ClinicalResults } from '../../src/clinical/measures/clinicalResults.js';
import type { Interval } from '../../src/intervals/interval.js';

const SHARES = [
  'prevalence',
  'sensitivity',
  'specificity',
  'ppv',
  'npv',
  'accuracy',
  'balancedAccuracy',
  'f1',
] as const;
const PROBABILITIES = ['rocAuc', 'averagePrecision', 'brier'] as const;
const CORRELATIONS = ['youden', 'mcc', 'kappa'] as const;
/** Of one size where they are large. */
const scaled = (value: number, by: number) => value / Math.max(1, Math.abs(by));

/** Few labels, scores, weights and patients, so that empty cells, ties and lone patients abound. */
const rows = fc
  .array(
    fc.record({
      cell: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
      p: fc.integer({ min: 0, max: 5 }),
      w: fc.constantFrom(0, 0.5, 1, 1, 3),
      patient: fc.integer({ min: 0, max: 25 }),
    }),
    { minLength: 1, maxLength: 70 },
  )
  .chain((list) =>
    fc
      .subarray([0, 1, 2, 3], { minLength: 1 })
      .map((cells) => list.map((row) => ({ ...row, cell: cells[row.cell % cells.length] }))),
  )
  .filter((list) => list.some(({ w }) => w > 0));

const options: fc.Arbitrary<ClinicalMetricsOptions> = fc.record(
  {
    confidenceLevel: fc.constantFrom(0.5, 0.8, 0.95, 0.999),
    prevalence: fc.constantFrom(null, 0.001, 0.3, 0.999),
    treatmentEffect: fc.constantFrom(null, 0.2),
    proportionMethod: fc.constantFrom('wilson', 'clopper_pearson'),
    aucScale: fc.constantFrom('plain', 'logit'),
  },
  { requiredKeys: [] },
);

const flags = fc.record({ weighted: fc.boolean(), grouped: fc.boolean() });
type Row = { cell: number; p: number; w: number; patient: number };

function calculate(
  list: readonly Row[],
  given: ClinicalMetricsOptions,
  by: { weighted: boolean; grouped: boolean },
  factor = 1,
) {
  return new ClinicalMetrics(given).calculateAll(
    list.map(({ cell }) => (cell < 2 ? 1 : 0)),
    list.map(({ cell }) => cell % 2),
    {
      yProba: list.map(({ p }) => p / 5),
      ...(by.weighted ? { sampleWeight: list.map(({ w }) => factor * w) } : {}),
      ...(by.grouped ? { groups: list.map(({ patient }) => patient) } : {}),
    },
  );
}

const intervalsOf = ({ counts: _, ...intervals }: ClinicalResults): [string, Interval][] => Object.entries(intervals);

/** What is wrong with an interval; undefined when all is well. */
function flaw({ estimate, lower, upper, reason }: Interval): string | undefined {
  const numbers = [estimate, lower, upper].filter((value) => value !== null);
  if (!numbers.every(Number.isFinite)) return 'a number that is none';
  if ((estimate === null || lower === null || upper === null) && !reason) return 'no reason';
  if (lower !== null && upper !== null && !(lower < upper)) return 'no width';
  const rounding = 1e-9 * Math.max(1, ...numbers.map(Math.abs));
  if (estimate === null) return upper !== null ? 'an upper limit of nothing' : undefined;
  if (lower !== null && lower > estimate + rounding) return 'lower limit above the estimate';
  if (upper !== null && upper < estimate - rounding) return 'upper limit below the estimate';
  return undefined;
}

describe('ClinicalMetrics', () => {
  it('gives a number with limits around it, or null with a reason', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(rows, options, flags, (list, given, by) => {
        const found = calculate(list, given, by);
        for (const [name, interval] of intervalsOf(found)) {
          expect(flaw(interval), `${name} ${JSON.stringify(interval)}`).toBeUndefined();
        }
        for (const name of [...SHARES, ...PROBABILITIES, ...CORRELATIONS]) {
          const { lower, upper } = found[name];
          const low = (CORRELATIONS as readonly string[]).includes(name) ? -1 : 0;
          if (lower !== null) expect(lower, name).toBeGreaterThanOrEqual(low - 1e-12);
          if (upper !== null) expect(upper, name).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(new ClinicalMetrics().formatReport(found)).not.toMatch(/NaN|Infinity|undefined|null/);
      }),
      { numRuns: 400 },
    );
  });

  it('does not change when all weights are multiplied', () => {
    fc.assert(
      fc.property(rows, options, fc.boolean(), (list, given, grouped) => {
        const by = { weighted: true, grouped };
        const other = new Map(intervalsOf(calculate(list, given, by, 8))); // a power of two: no rounding
        for (const [name, interval] of intervalsOf(calculate(list, given, by))) {
          for (const side of ['lower', 'upper'] as const) {
            const [one, eight] = [interval[side], other.get(name)?.[side] as number | null];
            if (one === null || eight === null) expect(eight, name).toBe(one);
            else expect(scaled(eight, one), `${name} ${side}`).toBeCloseTo(scaled(one, one), 6);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('does not depend on the order of rows or the names of patients', () => {
    fc.assert(
      fc.property(rows, options, flags, (list, given, by) => {
        const turned = list.toReversed().map((row) => ({ ...row, patient: 99 - row.patient }));
        const other = new Map(intervalsOf(calculate(turned, given, by)));
        for (const [name, { lower }] of intervalsOf(calculate(list, given, by))) {
          const found = other.get(name)?.lower as number | null;
          if (lower === null || found === null) expect(found, name).toBe(lower);
          else expect(scaled(found, lower), name).toBeCloseTo(scaled(lower, lower), 6);
        }
      }),
      { numRuns: 100 },
    );
  });
});
