import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { thrown } from '../helpers/thrown.js';

interface Reference {
  readonly X: number[][];
  readonly y: number[];
  readonly folds: { test: number[]; threshold: number; raw: number[]; isotonic: number[]; labels: number[] }[];
}
const { X, y, folds }: Reference = JSON.parse(
  readFileSync(new URL('../reference/adjustment.json', import.meta.url), 'utf8'),
);

/** Gaussian naive Bayes; `seen` takes the rows of every fit. */
const naiveBayes = (seen?: number[][][]) => () => {
  let classes: { share: number; mean: number[]; variance: number[] }[] = [];
  const logDensity = ({ share, mean, variance }: (typeof classes)[number], row: number[]) =>
    row.reduce(
      (sum, value, j) => sum - 0.5 * Math.log(variance[j]) - (value - mean[j]) ** 2 / (2 * variance[j]),
      Math.log(share),
    );
  const predictProba = (rows: number[][]) =>
    rows.map((row) => 1 / (1 + Math.exp(logDensity(classes[0], row) - logDensity(classes[1], row))));
  return {
    fit(rows: number[][], labels: number[]) {
      seen?.push(rows);
      classes = [0, 1].map((label) => {
        const own = rows.filter((_, i) => labels[i] === label);
        const mean = rows[0].map((_, j) => own.reduce((sum, row) => sum + row[j], 0) / own.length);
        const variance = mean.map((m, j) => own.reduce((sum, row) => sum + (row[j] - m) ** 2, 0) / own.length);
        return { share: own.length / rows.length, mean, variance };
      });
    },
    predictProba,
    predict: (rows: number[][]) => predictProba(rows).map((p) => (p > 0.5 ? 1 : 0)),
  };
};

const run = (options: Partial<RunOptions>, cvSplitter: Splitter = new KFold({ nSplits: 3 })) =>
  new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    model: naiveBayes(),
    data: [X, y],
    metrics: ['accuracy'],
    ...options,
  });

/** A run with the rows of every fit. */
async function spied(options: Partial<RunOptions>, cvSplitter?: Splitter) {
  const seen: number[][][] = [];
  return { results: await run({ model: naiveBayes(seen), ...options }, cvSplitter), seen };
}

const nested = new NestedCV({ outerCv: new KFold({ nSplits: 3 }), innerCv: new KFold({ nSplits: 4 }) });

describe('threshold and recalibrate', () => {
  it.each(['platt', 'beta', 'isotonic'] as const)(
    'warn where %s hides that the ranking is the wrong way round',
    async (recalibrate) => {
      const reversed = () => {
        const { fit, predictProba } = naiveBayes()();
        return { fit, predictProba: (rows: number[][]) => predictProba(rows).map((p) => 1 - p) };
      };
      const warned = async (model: RunOptions['model']) =>
        (await run({ model, recalibrate, metrics: ['roc_auc'] })).metadata.warnings.filter((each) =>
          each.includes('the order of the predictions'),
        );
      expect(await warned(reversed)).toEqual([
        "In 3 of 3 folds `recalibrate` turned the order of the predictions round or made all of them equal: on the rows that it was fitted on, the model ranks no better than chance. The scores are not about the model's own ranking there. Look at the labels, at the order of the columns and at `positiveLabel`.",
      ]);
      expect(await warned(naiveBayes())).toEqual([]);
    },
  );

  it('are what scikit-learn gives on the same inner folds', async () => {
    const cut = await run({ threshold: 'youden' }, nested);
    const mapped = await run({ recalibrate: 'isotonic' }, nested);
    folds.forEach(({ threshold, raw, isotonic, labels }, fold) => {
      expect(cut.foldDetails[fold].adjustment).toMatchObject({ from: 'inner folds', nRows: 60, recalibration: null });
      expect(cut.foldDetails[fold].adjustment?.threshold?.threshold).toBeCloseTo(threshold, 9);
      expect(cut.predictions[fold]).toEqual(labels);
      expect(Array.from(cut.probabilities[fold] ?? [])).toEqual(raw.map((p) => expect.closeTo(p, 9)));
      expect(Array.from(mapped.probabilities[fold] ?? [])).toEqual(isotonic.map((p) => expect.closeTo(p, 9)));
      expect(mapped.predictions[fold]).toEqual(isotonic.map((p) => (p > 0.5 ? 1 : 0)));
    });
  });

  it('leave a run without them as it was', async () => {
    const plain = await run({});
    expect(plain.metadata.adjustment).toBeNull();
    expect(plain.foldDetails[0].adjustment).toBeNull();
    expect((await run({ threshold: 'youden' })).probabilities).toEqual(plain.probabilities);
  });

  oneByOne('take five stratified inner folds where the design has none, and no test row or its patient', async () => {
    const patients = X.map((_, row) => Math.floor(row / 2));
    const patientOf = new Map(X.map((row, at) => [row.join(), patients[at]]));
    const cv = new GroupKFold({ nSplits: 3, randomState: 1 });
    const { results, seen } = await spied({ data: [X, y, patients], threshold: 'youden', recalibrate: 'platt' }, cv);
    expect(seen).toHaveLength(3 * (5 + 1));
    results.indices.forEach(({ test }, fold) => {
      const tested = new Set(Array.from(test, (row) => patients[row]));
      const fits = seen.slice(fold * 6, fold * 6 + 6);
      for (const rows of fits) expect(rows.some((row) => tested.has(patientOf.get(row.join()) as number))).toBe(false);
      // Every training row is predicted once, by a model that has seen neither it nor its patient.
      const [outer, ...inner] = [fits[5], ...fits.slice(0, 5)].map((rows) => rows.map((row) => row.join()));
      const left = inner.map((rows) => outer.filter((row) => !rows.includes(row)));
      expect(left.flat().sort()).toEqual([...outer].sort());
      inner.forEach((rows, at) => {
        const known = new Set(rows.map((row) => patientOf.get(row)));
        expect(left[at].some((row) => known.has(patientOf.get(row)))).toBe(false);
      });
    });
  });

  oneByOne('keep the copies of a row that a bootstrap drew together', async () => {
    const cv = new BootstrapValidation({ nIterations: 2, randomState: 1 });
    const { seen } = await spied({ threshold: 'youden' }, cv);
    for (const from of [0, 6]) {
      const outer = seen[from + 5].map((row) => row.join());
      for (const rows of seen.slice(from, from + 5)) {
        const fitted = new Set(rows.map((row) => row.join()));
        const copies = outer.filter((row) => fitted.has(row)).length;
        expect(rows).toHaveLength(copies);
      }
    }
  });

  it('keep sites whole where the folds do', async () => {
    const site = X.map((_, row) => Math.floor(row / 10));
    const siteOf = new Map(X.map((row, at) => [row.join(), site[at]]));
    const data = { X, y, hierarchy: { site, patient: X.map((_, row) => Math.floor(row / 2)) } };
    const cv = new HierarchicalGroupKFold({ nSplits: 3, hierarchyLevel: 'site', randomState: 1 });
    const { seen } = await spied({ data, threshold: 'youden' }, cv);
    const [outer, ...inner] = [seen.at(-1), ...seen.slice(-6, -1)].map((rows) => (rows ?? []).map((row) => row.join()));
    for (const rows of inner) {
      const known = new Set(rows.map((row) => siteOf.get(row)));
      const left = outer.filter((row) => !rows.includes(row));
      expect(left.some((row) => known.has(siteOf.get(row)))).toBe(false);
    }
  });

  it('keep patients whole where sites have gaps', async () => {
    const patient = X.map((_, row) => Math.floor(row / 2));
    const site = X.map((_, row) => (row % 9 === 0 ? null : Math.floor(row / 10)));
    const data = { X, y, groups: patient, hierarchy: { site, patient } };
    const { seen } = await spied({ data, threshold: 'youden' }, new GroupKFold({ nSplits: 3 }));
    expect(seen).toHaveLength(3 * (5 + 1));
  });

  it('take fewer inner folds where a class has fewer rows', async () => {
    const rare = y.map((_, row) => (row % 15 === 0 && row < 90 ? 1 : 0));
    const { seen } = await spied({ data: [X, rare], threshold: 'youden' }, new StratifiedKFold({ nSplits: 2 }));
    expect(seen).toHaveLength(2 * (3 + 1));
  });

  it('promise a sensitivity on independent patients, not on copies', async () => {
    const threshold = { guaranteedSensitivity: 0.8 };
    const cv = new BootstrapValidation({ nIterations: 1, randomState: 1 });
    const results = await run({ threshold }, cv);
    const { train } = results.indices[0];
    const positives = new Set(Array.from(train).filter((row) => y[row] === 1));
    expect(results.foldDetails[0].adjustment?.threshold?.guarantee?.nUnits).toBe(positives.size);
  });

  it('take the validation rows instead where there are some, without a further model', async () => {
    const { results, seen } = await spied({ threshold: { sensitivity: 0.8 }, validation: 0.4 });
    expect(seen).toHaveLength(3);
    expect(results.foldDetails[0].adjustment).toMatchObject({ from: 'validation rows', nRows: 24 });
  });

  it('of a fixed threshold alone train nothing further, also in time, and are applied', async () => {
    const { results, seen } = await spied({ threshold: { fixed: 0.3 } }, new TimeSeriesSplit({ nSplits: 3 }));
    expect(seen).toHaveLength(3);
    expect(results.foldDetails[0].adjustment).toMatchObject({ from: null, nRows: 0, threshold: { threshold: 0.3 } });
    results.predictions.forEach((labels, fold) => {
      expect(labels).toEqual(Array.from(results.probabilities[fold] ?? [], (p) => (p >= 0.3 ? 1 : 0)));
    });
    expect(results.metadata.adjustment).toBe('threshold 0.300, as given');
    const both = await run({ threshold: { fixed: 0.3 }, recalibrate: 'platt' }, nested);
    expect(both.foldDetails[0].adjustment).toMatchObject({ from: 'inner folds', nRows: 60 });
    expect(both.metadata.adjustment).toBe(
      'platt recalibration, threshold 0.300; fitted in each fold on inner folds of its training rows',
    );
  });

  it('are told with the spread of the thresholds', async () => {
    const results = await run({ threshold: 'youden', recalibrate: 'platt' }, nested);
    expect(results.metadata.adjustment).toMatch(/0\.324.*0\.072.*0\.256.*0\.400/);
    expect(results.summary().replace(/\s+/g, ' ')).toContain(`Predictions ${results.metadata.adjustment}`);
  });

  oneByOne('have inner fits that are counted, timed and announced', async () => {
    const slow = () => {
      const model = naiveBayes()();
      const fit = async (rows: number[][], labels: number[]) => {
        await new Promise((done) => setTimeout(done, 10));
        model.fit(rows, labels);
      };
      return { ...model, fit };
    };
    const events: string[] = [];
    const shares: number[] = [];
    const whole = [1, 2, 3, 4].map((done) => `fold-0 ${done}/4`);
    const runner = new UniversalCVRunner({ cvSplitter: nested, verbose: 0 });
    runner.on('inner:end', ({ fold }, { done, total }) => events.push(`${fold} ${done}/${total}`));
    runner.on('fold:end', ({ fold }, { innerFits }) => events.push(`${fold} ended after ${innerFits}`));
    runner.on('progress', ({ share, innerFits }) => {
      shares.push(share);
      expect(innerFits).toBeLessThanOrEqual(12);
    });
    const settings = { metrics: ['accuracy'], threshold: 'youden', verifyIsolation: true } as const;
    const results = await runner.run({ model: slow, data: [X, y], ...settings });
    expect(events.slice(0, 5)).toEqual([...whole, 'fold-0 ended after 4']);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    // Of 3 folds with 4 inner ones each: a fit is a fifth of a fold.
    expect(shares.slice(0, 5).map((share) => share * 15)).toEqual([1, 2, 3, 4, 5].map((n) => expect.closeTo(n, 10)));
    // 3 folds, 12 inner fits, and 2 trained again.
    expect(results.metadata.modelsTrained).toBe(17);
    expect(results.summary()).toMatch(/Inner fits +12 of 17 fits in all/);
    for (const { seconds, secondsOf, innerFits } of results.foldDetails) {
      expect(innerFits).toBe(4);
      // Timers may be early by a millisecond.
      expect(secondsOf.inner).toBeGreaterThan(0.035);
      expect(secondsOf.fit).toBeGreaterThan(0.008);
      expect(seconds).toBeGreaterThanOrEqual(secondsOf.inner + secondsOf.fit + secondsOf.predict);
    }
  });

  it('are applied as they are when isolation is verified', async () => {
    const results = await run({ threshold: 'youden', recalibrate: 'beta', verifyIsolation: true });
    expect(results.metadata.verifiedFolds).toHaveLength(2);
  });

  it('are not optimistic: on noise the index of Youden is about 0, unlike on the rows of the choice', async () => {
    const source = randomSource(5);
    const [honest, own]: [number[], number[]] = [[], []];
    for (let draw = 0; draw < 30; draw++) {
      const noise = X.map((row) => [...row].map(() => source.random() + source.random()));
      const labels = X.map(() => (source.random() < 0.4 ? 1 : 0));
      const results = await run(
        { data: [noise, labels], threshold: 'youden', metrics: ['sensitivity', 'specificity'] },
        new StratifiedKFold({ nSplits: 3, shuffle: true, randomState: draw }),
      );
      const { sensitivity, specificity } = results.meanScores;
      honest.push((sensitivity as number) + (specificity as number) - 1);
      const chosen = results.foldDetails.map(({ adjustment }) => adjustment?.threshold);
      own.push(...chosen.map((each) => (each?.sensitivity as number) + (each?.specificity as number) - 1));
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const error = Math.sqrt(mean(honest.map((value) => (value - mean(honest)) ** 2)) / honest.length);
    expect(Math.abs(mean(honest))).toBeLessThan(3 * error);
    expect(mean(own)).toBeGreaterThan(0.1);
  });

  it('end the run when an option is wrong, though failed folds are recorded', async () => {
    const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) });
    const told = await thrown(() => run({ model, threshold: 'youden', onFoldError: 'record', classWeight: { 0: 1 } }));
    expect(told).toContain('FoldError');
  });

  oneByOne('fail the fold whose inner folds fail', async () => {
    let fits = 0;
    const model = () => {
      const learner = naiveBayes()();
      return {
        ...learner,
        fit(rows: number[][], labels: number[]) {
          if (++fits === 8) throw new Error('no memory');
          learner.fit(rows, labels);
        },
      };
    };
    const results = await run({ model, threshold: 'youden', onFoldError: 'record' });
    expect(results.foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
    expect(results.foldDetails[1].error).toBe('Fold fold-1 failed: Fold fold-1_inner-1 failed: no memory');
  });
});
