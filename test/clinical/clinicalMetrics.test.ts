import { describe, expect, it } from 'vitest';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import type { Interval } from '../../src/intervals/interval.js';
import * as snake from '../../src/snake/index.js';
import { rowsOfCells } from '../helpers/cells.js';
import reference from '../reference/clinical.json' with { type: 'json' };

type Expected = Record<string, { estimate: number; lower: number; upper: number } | null | undefined>;

function expectValues(found: object, expected: Expected, digits = 9) {
  for (const [name, value] of Object.entries(expected)) {
    const interval = (found as Record<string, Interval>)[name];
    for (const side of ['estimate', 'lower', 'upper'] as const) {
      const [is, should] = [interval[side] as number, value?.[side] as number];
      expect(is / Math.max(1, Math.abs(should)), `${name} ${side}: ${is}, ${should}`).toBeCloseTo(
        should / Math.max(1, Math.abs(should)),
        digits,
      );
    }
  }
}

const calculate = (cells: readonly number[], options = {}, given = {}) => {
  const { yTrue, yPred } = rowsOfCells(cells);
  return new ClinicalMetrics(options).calculateAll(yTrue, yPred, given);
};

describe('calculateAll of independent rows', () => {
  it.each(reference.tables)('equals epiR and the formulas of the papers: $cells', ({ cells, epiR, exact, other }) => {
    const found = calculate(cells);
    expectValues(found, epiR);
    expectValues(found, other);
    expectValues(calculate(cells, { proportionMethod: 'clopper_pearson' }), exact);
    const [tp, fp, fn, tn] = cells;
    expect(found.counts).toEqual({ tp, fp, fn, tn, n: tp + fp + fn + tn, rows: tp + fp + fn + tn, patients: null });
  });

  it.each(reference.tables)('has predictive values at a given prevalence as Mercaldo 2007: $cells', (each) => {
    for (const { prevalence, ppv, npv, gain } of each.given) {
      const found = calculate(each.cells, { prevalence });
      expectValues(found, { ppv, npv });
      expect(found.ppv.note).toBe(`At the given prevalence of ${prevalence}, taken as known.`);
      expect(found.prevalence.estimate).toBeCloseTo((each.cells[0] + each.cells[2]) / found.counts.n, 12);
      // A known prevalence divides the limits of 1 / J and 1 / sensitivity.
      const { numberNeededToDiagnose: needed, sensitivity, nnt, nns } = found;
      expect(nnt.lower).toBeCloseTo((needed.lower as number) / prevalence, 9);
      expect(nns.upper).toBeCloseTo(1 / (prevalence * (sensitivity.lower as number)), 9);
      expect(found.numberNeededToPredict.estimate).toBeCloseTo(1 / gain.estimate, 9);
      expect(found.numberNeededToPredict.lower).toBeCloseTo(1 / gain.upper, 9);
    }
  });

  it.each(reference.newcombe)("has Newcombe's interval of a difference for Youden's J: $cells", ({ cells, value }) => {
    const [a, b, c, d] = cells; // a of a + b found; c of c + d found among negatives
    expectValues(calculate([a, c, b, d]), { youden: value });
  });

  it("Youden's J agrees with Newcombe's printed table (1998, Statistics in Medicine 17:873, method 10)", () => {
    const limits = ([a, b, c, d]: readonly number[]) => {
      const { lower, upper } = calculate([a, c, b, d]).youden;
      return [lower, upper].map((limit) => Number(limit?.toFixed(4)));
    };
    expect(limits([56, 14, 48, 32])).toEqual([0.0524, 0.3339]);
    expect(limits([9, 1, 3, 7])).toEqual([0.1705, 0.809]);
    expect(limits([5, 51, 0, 29])).toEqual([-0.0381, 0.1926]);
    expect(limits([10, 0, 0, 10])).toEqual([0.6075, 1]);
  });

  it('has the values of probabilities: pROC, glm, definitions', () => {
    const { y, yProba, ...expected } = reference.probabilities;
    const found = new ClinicalMetrics().calculateAll(
      y,
      yProba.map((p) => (p > 0.5 ? 1 : 0)),
      { yProba },
    );
    const { calibrationIntercept, calibrationSlope, averagePrecision, ...closed } = expected;
    expectValues(found, closed);
    expectValues(found, { averagePrecision }, 7); // derivatives by central differences
    expectValues(found, { calibrationIntercept, calibrationSlope }, 6);
  });

  it('says what each interval is about', () => {
    const { sensitivity } = calculate([45, 12, 5, 88], { confidenceLevel: 0.9 });
    expect(sensitivity).toMatchObject({
      ...{ level: 0.9, method: 'wilson', estimand: 'predictions', sampling: 'cohort' },
      ...{ unit: 'row', nUnits: 150, unitOfAnalysis: 'row', nTrain: null },
    });
  });

  it('resamples rows on request: within Monte Carlo error of the delta method (10 %), the same for the same seed', () => {
    const cells = [45, 12, 5, 88];
    const [delta, drawn, again] = [{}, { nBootstrap: 1000 }, { nBootstrap: 1000 }].map((each) =>
      calculate(cells, each),
    );
    const width = ({ lower, upper }: Interval) => (upper as number) - (lower as number);
    for (const name of ['f1', 'mcc', 'kappa'] as const) {
      expect(drawn[name].method).toBe('bootstrap');
      expect(Math.abs(width(drawn[name]) / width(delta[name]) - 1)).toBeLessThan(0.1);
    }
    expect(again).toEqual(drawn);
  });
});

describe('empty cells', () => {
  it.each(reference.zero)(
    'leave a finite ratio as it is, with limits of 0.5 in all four; unbounded ones have a lower limit alone: $cells',
    (each) => {
      const { cells, ...corrected } = each;
      const [tp, fp, fn, tn] = cells;
      const found = calculate(cells);
      const raw = {
        lrPositive: [tp * (fp + tn), fp * (tp + fn)],
        lrNegative: [fn * (fp + tn), tn * (tp + fn)],
        diagnosticOddsRatio: [tp * tn, fp * fn],
      };
      for (const name of ['lrPositive', 'lrNegative', 'diagnosticOddsRatio'] as const) {
        const [top, bottom] = raw[name];
        const { estimate, lower, upper } = corrected[name];
        const plain = top / bottom;
        if (bottom === 0) {
          expect(found[name]).toMatchObject({ estimate: null, upper: null });
          if (top > 0) expect(found[name].lower).toBeCloseTo(lower, 9);
          else expect(found[name]).toMatchObject({ lower: null, reason: 'it would be 0/0' });
        } else if (top === 0) {
          expectValues(found, { [name]: { estimate: 0, lower: 0, upper } });
        } else {
          // The standard error of the logarithm is that of the corrected cells.
          expectValues(found, {
            [name]: { estimate: plain, lower: (plain * lower) / estimate, upper: (plain * upper) / estimate },
          });
        }
        if (found[name].lower !== null) {
          expect(found[name].note).toBe('One cell is 0: limits after adding 0.5 to all four.');
        }
      }
    },
  );

  it('do not move a finite ratio: sensitivity 1 and specificity .673 are LR+ 3.06', () => {
    const found = calculate([5, 16, 0, 33]);
    expect(found.lrPositive.estimate).toBeCloseTo(1 / (16 / 49), 12);
    expect(found.lrPositive.lower as number).toBeLessThan(3.06);
    expect(found.lrPositive.upper as number).toBeGreaterThan(3.07);
    expect(found.lrNegative).toMatchObject({ estimate: 0, lower: 0 });
    expect(found.diagnosticOddsRatio).toMatchObject({ estimate: null, upper: null, lower: expect.any(Number) });
  });

  it('give proportions at the bound a score interval, and predictive values theirs', () => {
    const found = calculate([12, 0, 0, 30], { prevalence: 0.1 });
    expect(found.sensitivity.upper).toBe(1);
    expect(found.sensitivity.lower).toBeCloseTo(12 / (12 + 1.959963984540054 ** 2), 12); // Wilson at n of n
    expect(found.ppv).toMatchObject({ estimate: 1, upper: 1 });
    expect(found.ppv.lower as number).toBeGreaterThan(0);
    expect(found.npv).toMatchObject({ estimate: 1, upper: 1 });
    expect(found.mcc.estimate).toBeCloseTo(1, 14);
    expect(found.mcc.lower as number).toBeLessThan(1);
  });

  it('of nobody predicted positive leave PPV and LR+ undefined, and the rest as it is', () => {
    const found = calculate([0, 0, 9, 21], { prevalence: 0.1 });
    expect(found.ppv).toMatchObject({ estimate: null, lower: null, reason: 'no row is predicted positive' });
    expect(found.lrPositive).toMatchObject({ estimate: null, lower: null, reason: 'it would be 0/0' });
    expect(found.npv.estimate).toBeCloseTo(0.9, 12);
    const reason = 'unbounded, since prevalence x sensitivity is 0';
    expect(found.nns).toMatchObject({ estimate: null, upper: null, reason });
    expect(found.nns.lower as number).toBeGreaterThan(1);
    expect(found.nnt).toMatchObject({ estimate: null, lower: null, reason: "the interval of Youden's J contains 0" });
  });

  it('of one class alone leave what needs both undefined', () => {
    const found = calculate([14, 0, 6, 0]);
    expect(found.specificity).toMatchObject({ estimate: null, reason: 'no negative rows' });
    expect(found.youden).toMatchObject({ estimate: null, reason: 'no negative rows' });
    expect(found.lrNegative.reason).toBe('no negative rows');
    expect(found.nnt.estimate).toBeNull();
    expect(found.prevalence).toMatchObject({ estimate: 1, upper: 1 });
    expect(found.sensitivity.estimate).toBeCloseTo(0.7, 12);
    const none = { estimate: null, lower: null };
    expect(found.kappa).toMatchObject({ ...none, reason: 'no negative rows' });
    expect(found.f1.estimate).toBeCloseTo(28 / 34, 12); // 2 TP / (2 TP + FN): needs no negative row
    const negatives = calculate([0, 6, 0, 14]);
    expect(negatives.f1).toMatchObject({ ...none, reason: 'no positive rows' });
    expect(negatives.kappa).toMatchObject({ ...none, reason: 'no positive rows' });
  });

  it('name the method that made the limits: Wilson at a bound and without spread', () => {
    const perfect = calculate([12, 0, 0, 30]);
    expect([perfect.f1, perfect.mcc, perfect.kappa].map(({ method }) => method)).toEqual(new Array(3).fill('wilson'));
    const { yTrue, yPred } = rowsOfCells([12, 0, 0, 30]);
    const clinical = new ClinicalMetrics();
    const tied = clinical.calculateAll(yTrue, yPred, { yProba: yTrue.map(() => 0.5) });
    expect([tied.rocAuc.method, tied.brier.method]).toEqual(['wilson', 'wilson']);
    const groups = yTrue.map((_, row) => row >> 1);
    const whole = clinical.calculateAll(yTrue, yPred, { yProba: yTrue.map((y) => 0.2 + 0.6 * y), groups });
    expect([whole.sensitivity, whole.rocAuc].map(({ method }) => method)).toEqual(['wilson', 'wilson']);
    expect(calculate([8, 3, 4, 20]).f1.method).toBe('delta');
  });
});

describe('numbers needed', () => {
  it('have no limits where the interval of J contains 0, and are negative below chance', () => {
    const { nnt, numberNeededToDiagnose, youden } = calculate([11, 18, 9, 22]);
    expect((youden.lower as number) < 0 && (youden.upper as number) > 0).toBe(true);
    const reason = "the interval of Youden's J contains 0";
    expect(numberNeededToDiagnose).toMatchObject({ lower: null, upper: null, reason });
    expect(numberNeededToDiagnose.estimate).toBeCloseTo(10, 10); // 1 / (.55 + .55 - 1)
    expect(nnt.estimate).toBeCloseTo(30, 10); // prevalence 1/3
    const worse = calculate([5, 60, 45, 40]);
    expect(worse.nnt.lower as number).toBeLessThan(worse.nnt.estimate as number);
    expect(worse.nnt.upper as number).toBeGreaterThan(worse.nnt.estimate as number);
    expect(worse.nnt.upper as number).toBeLessThan(0);
  });

  it('with a treatment effect are 1 / (PPV x effect), hand calculation: 1 / (.789 x .25)', () => {
    const { nnt, ppv } = calculate([45, 12, 5, 88], { treatmentEffect: 0.25 });
    expect(nnt.estimate).toBeCloseTo(57 / 45 / 0.25, 12);
    expect(nnt.lower).toBeCloseTo(1 / (0.25 * (ppv.upper as number)), 12);
    expect(nnt.note).toContain('treated per one who benefits');
  });
});

describe('patients with several rows', () => {
  it.each(reference.patients.map((each, at) => [at, each] as const))(
    'equal clubSandwich and definitions: set %i',
    (_, each) => {
      const { y, yPred, yProba, groups, weight, proportions, youden } = each;
      const weights = weight ? { sampleWeight: weight } : {};
      const found = new ClinicalMetrics().calculateAll(y, yPred, { yProba, groups, ...weights });
      expectValues(found, proportions);
      expectValues(found, { youden });
      const nUnits = new Set(groups).size;
      expect(found.sensitivity).toMatchObject({ method: 'ratio_estimator', unit: 'patient', nUnits });
      if ('lrPositive' in each) {
        const { lrPositive, lrNegative, diagnosticOddsRatio, calibrationIntercept, calibrationSlope } =
          each as unknown as Expected;
        expectValues(found, { lrPositive, lrNegative, diagnosticOddsRatio });
        expectValues(found, { calibrationIntercept, calibrationSlope }, 6);
      }
    },
  );

  it('with one row each have the ordinary intervals, whatever their ids', () => {
    const { y, yProba } = reference.probabilities;
    const yPred = y.map((label, row) => (row % 5 === 0 ? 1 - label : label));
    const clinical = new ClinicalMetrics();
    const rows = clinical.calculateAll(y, yPred, { yProba });
    const patients = clinical.calculateAll(y, yPred, { yProba, groups: y.map((_, row) => `p${(row * 37) % 150}`) });
    expect(patients.counts.patients).toBe(150);
    for (const name of Object.keys(rows) as (keyof typeof rows)[]) {
      if (name === 'counts') continue;
      const { unit, ...same } = patients[name];
      expect(unit).toBe('patient');
      expectValues({ [name]: rows[name] }, { [name]: same as never }, 12);
    }
  });

  it('whose rows stand ten times say nothing new', () => {
    const { y, yProba } = reference.probabilities;
    const yPred = y.map((label, row) => (row % 5 === 0 ? 1 - label : label));
    const tenfold = <T>(values: T[]) => values.flatMap((value) => new Array<T>(10).fill(value));
    const clinical = new ClinicalMetrics();
    const rows = clinical.calculateAll(y, yPred, { yProba });
    const patients = clinical.calculateAll(tenfold(y), tenfold(yPred), {
      yProba: tenfold(yProba),
      groups: tenfold(y.map((_, row) => row)),
    });
    const width = ({ lower, upper }: Interval) => (upper as number) - (lower as number);
    const labels = ['sensitivity', 'ppv', 'youden', 'f1', 'mcc', 'kappa', 'lrPositive', 'nnt'] as const;
    for (const name of [...labels, 'rocAuc', 'brier'] as const) {
      expect(patients[name].estimate).toBeCloseTo(rows[name].estimate as number, 10);
      expect(Math.abs(width(patients[name]) / width(rows[name]) - 1), name).toBeLessThan(0.08);
    }
  });

  it('by option have the Clopper-Pearson interval of the effective sample size (Korn & Graubard 1998)', () => {
    const { y, yPred, groups } = reference.patients[0];
    const found = new ClinicalMetrics({ proportionMethod: 'clopper_pearson' }).calculateAll(y, yPred, { groups });
    const usual = new ClinicalMetrics().calculateAll(y, yPred, { groups });
    expect(found.accuracy.method).toBe('korn_graubard');
    expect(found.accuracy.lower as number).toBeLessThan(usual.accuracy.lower as number);
    expect(found.accuracy.lower as number).toBeCloseTo(usual.accuracy.lower as number, 1);
  });

  it('fewer than ten, or constant groups, give estimates without limits', () => {
    const { yTrue, yPred } = rowsOfCells([12, 4, 3, 21]);
    const found = new ClinicalMetrics().calculateAll(yTrue, yPred, { groups: yTrue.map(() => 'a') });
    expect(found.sensitivity).toMatchObject({ estimate: 0.8, lower: null, reason: 'only 1 patient, fewer than 10' });
    expect(found.lrPositive).toMatchObject({ lower: null, reason: 'only 1 patient, fewer than 10' });
    expect(found.numberNeededToDiagnose).toMatchObject({ lower: null, reason: 'only 1 patient, fewer than 10' });
    const positives = new ClinicalMetrics().calculateAll(yTrue, yPred, {
      groups: yTrue.map((label, row) => (label === 1 ? row % 2 : row)),
    });
    expect(positives.sensitivity).toMatchObject({ lower: null, reason: 'rests on 2 patients, fewer than 3' });
    expect(positives.specificity.lower).not.toBeNull();
  });
});

describe('weights', () => {
  const { y, yProba } = reference.probabilities;
  const yPred = y.map((label, row) => (row % 5 === 0 ? 1 - label : label));
  const clinical = new ClinicalMetrics();

  it('k count as the row k times for estimates, 0 as no row', () => {
    const times = y.map((_, row) => row % 4);
    const copies = <T>(values: T[]) => values.flatMap((value, row) => new Array<T>(times[row]).fill(value));
    const weighted = clinical.calculateAll(y, yPred, { yProba, sampleWeight: times });
    const copied = clinical.calculateAll(copies(y), copies(yPred), { yProba: copies(yProba) });
    expect(weighted.counts).toEqual({ ...copied.counts, rows: times.filter((k) => k > 0).length });
    for (const name of Object.keys(copied) as (keyof typeof copied)[]) {
      if (name === 'counts') continue;
      expect(weighted[name].estimate, name).toBeCloseTo(copied[name].estimate as number, 6);
      const { lower, upper } = weighted[name];
      if (name !== 'nnt') expect((upper as number) - (lower as number), name).toBeGreaterThan(0);
    }
  });

  it.each([false, true])('multiplied by a constant change no interval (patients: %s)', (grouped) => {
    const groups = grouped ? { groups: y.map((_, row) => Math.floor(row / 3)) } : {};
    const sampleWeight = y.map((_, row) => 0.5 + (row % 7));
    const one = clinical.calculateAll(y, yPred, { yProba, sampleWeight, ...groups });
    const ten = clinical.calculateAll(y, yPred, { yProba, sampleWeight: sampleWeight.map((w) => 10 * w), ...groups });
    const { counts: _, ...expected } = one;
    expectValues(ten, expected as never, 8);
  });

  it('that are equal count as none', () => {
    const { counts: _, ...plain } = clinical.calculateAll(y, yPred, { yProba });
    expectValues(clinical.calculateAll(y, yPred, { yProba, sampleWeight: y.map(() => 3) }), plain as never, 9);
  });
});

describe('a seed alone', () => {
  const yTrue = Array.from({ length: 60 }, (_, row) => Number(row % 5 < 2));
  const yPred = yTrue.map((label, row) => (row % 4 === 0 ? 1 - label : label));

  it('is accepted, kept and changes nothing, since nothing is drawn', () => {
    for (const randomState of [7, 'seven', null]) {
      const clinical = new ClinicalMetrics({ randomState });
      expect(clinical.options).toMatchObject({ randomState, nBootstrap: null, confidenceLevel: 0.95 });
      expect(clinical.calculateAll(yTrue, yPred)).toEqual(new ClinicalMetrics().calculateAll(yTrue, yPred));
    }
    const spelled = new snake.ClinicalMetrics({ random_state: 7 });
    expect(spelled.options).toMatchObject({ random_state: 7, n_bootstrap: null });
  });

  it('is the one that the resamples use once there are some', () => {
    const f1 = (options: object) => {
      const { lower, upper } = new ClinicalMetrics({ nBootstrap: 200, ...options }).calculateAll(yTrue, yPred).f1;
      return [lower, upper];
    };
    expect(f1({ randomState: 7 })).toEqual(f1({ randomState: 7 }));
    expect(f1({ randomState: 7 })).not.toEqual(f1({ randomState: 8 }));
    expect(f1({})).toEqual(f1({ randomState: 42 }));
  });

  it('gives out a copy of the options', () => {
    const clinical = new ClinicalMetrics({ randomState: 7 });
    Object.assign(clinical.options, { randomState: 8 });
    expect(clinical.options.randomState).toBe(7);
  });
});

describe('bad input', () => {
  it('leaves what the caller passed as it was', () => {
    const input = [[0, 1, 1, 0], [0, 1, 0, 0], { sampleWeight: [1, 2, 0, 1], groups: ['b', 'a', 'c', 'a'] }] as const;
    const copy = structuredClone(input);
    new ClinicalMetrics().calculateAll(...input);
    expect(input).toEqual(copy);
  });
});

it('refuses columns of lists, which the types of results allow', () => {
  const lists = [
    [0, 1],
    [1, 1],
  ];
  const all = (...args: Parameters<ClinicalMetrics['calculateAll']>) => new ClinicalMetrics().calculateAll(...args);
  expect(() => all(lists, lists)).toThrow(
    'yTrue of a binary task must be one value per row. Got 2 columns of 0 and 1.',
  );
  expect(() => all([0, 1], lists)).toThrow('yPred of a classification task must be one value per row.');
  expect(() => all([0, 1], [0, 1], { yProba: lists })).toThrow('yProba row 0 must be one probability');
});

describe('labels against probabilities', () => {
  const y = Array.from({ length: 24 }, (_, row) => row % 2);
  const calculate = (yPred: number[], yProba: number[]) => () =>
    new ClinicalMetrics().calculateAll(y, yPred, { yProba });

  it('are refused where they are the reverse of each other, as in evaluate', () => {
    const p = y.map((label, row) => (label ? 0.6 : 0.1) + row / 100);
    const reversed = y.map((label) => 1 - label);
    expect(calculate(reversed, p)).toThrow(expect.objectContaining({ code: 'column_order' }));
    const turned = p.map((each) => 1 - each);
    expect(calculate(y, turned)).toThrow(expect.objectContaining({ code: 'column_order' }));
    expect(calculate(y, p)).not.toThrow();
    // A cut-off of one's own is none of it.
    for (const cut of [0.7, 0.2]) {
      const cutOff = p.map((each) => Number(each > cut));
      expect(calculate(cutOff, p)).not.toThrow();
    }
  });
});
