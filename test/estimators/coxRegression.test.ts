import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { CoxRegression } from '../../src/estimators/coxRegression.js';
import { estimatorFromJSON } from '../../src/estimators/estimatorFromJSON.js';
import { KaplanMeier } from '../../src/estimators/kaplanMeier.js';
import { loadModel, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';
import { untypedAnswers } from '../helpers/hostileJSON.js';
import { refusal } from '../helpers/messages.js';
import { simulatedSurvival } from '../helpers/simulatedSurvival.js';
import { close, tables, versions } from '../helpers/survivalTables.js';

const NAMES = ['x1', 'x2', 'x3', 'stratum'] as const;

describe.each(tables)(`CoxRegression on the table $name, against coxph of survival ${versions.survival}`, (table) => {
  const { data } = table;
  const y = { time: data.time, event: data.event };

  it.each(table.cox)('weighted: $weighted, strata: $stratified, ridge: $theta', (expected) => {
    const names = expected.stratified ? NAMES : NAMES.slice(0, 3);
    const rows = data.time.map((_, row) => names.map((name) => data[name][row]));
    const X = { data: Float64Array.from(rows.flat()), shape: [rows.length, names.length], featureNames: names };
    const options = { alpha: expected.theta, strata: expected.stratified ? 'stratum' : null };
    const weight = expected.weighted ? data.weight : null;
    const model = new CoxRegression(options).fit(X, y, weight);
    const covariates = names.slice(0, 3);
    close(
      covariates.map((name) => model.coef[name]),
      expected.coefficients,
      1e-6,
    );
    close(
      covariates.map((name) => model.hazardRatios[name]),
      expected.coefficients.map(Math.exp),
      1e-6,
    );
    close(
      covariates.map((name) => model.standardErrors[name]),
      expected.covariance.map((line, j) => Math.sqrt(line[j])),
      1e-6,
    );
    // R's hazard is that of a row of zeros: S(t) = exp(-H(t) exp(x beta)).
    const strata = Object.keys(expected.hazard);
    const ofStratum = (row: number) => {
      const values = [...new Set(data.stratum)].sort((a, b) => a - b);
      return expected.hazard[strata.length > 1 ? strata[values.indexOf(data.stratum[row])] : strata[0]];
    };
    const logRisk = rows.map((row) => expected.coefficients.reduce((sum, each, j) => sum + each * row[j], 0));
    const times = table.times;
    const survival = rows.flatMap((_, row) => {
      const { times: steps, hazard } = ofStratum(row);
      return times.map((time) => {
        const at = steps.findLastIndex((step) => step <= time);
        return Math.exp(-(at < 0 ? 0 : hazard[at]) * Math.exp(logRisk[row]));
      });
    });
    close(model.predictSurvival(X, times).flat(), survival, 1e-6);
    const risk = model.predictRisk(X);
    if (expected.stratified) {
      // The log cumulative hazard at the last event, so that strata can be ranked.
      const total = rows.map((_, row) => Math.log(ofStratum(row).hazard.at(-1) as number) + logRisk[row]);
      close(risk, total, 1e-6);
    } else {
      close(
        risk.map((each) => each - risk[0]),
        logRisk.map((each) => each - logRisk[0]),
        1e-6,
      );
      const total = risk.reduce((sum, each, row) => sum + each * (weight ? weight[row] : 1), 0);
      expect(total).toBeCloseTo(0, 8); // centred at the means of the training rows
    }
    expect(model.notes.length).toBe(Number(data.event.includes(2)));
    const again = estimatorFromJSON(JSON.parse(JSON.stringify(model))) as CoxRegression;
    expect(again.predictSurvival(X, times)).toEqual(model.predictSurvival(X, times));
    expect([again.coef, again.standardErrors, again.notes]).toEqual([model.coef, model.standardErrors, model.notes]);
  });
});

describe('CoxRegression', () => {
  const time = [1, 2, 3, 4, 5, 6];
  const event = [1, 1, 0, 1, 1, 0];
  const x = [0.3, 1.2, -0.7, 0.9, 1.1, 0.2];
  const X = x.map((each) => [each]);
  const model = new CoxRegression().fit(X, { time, event });

  it('reads every form of y, and counts the cause of interest alone', () => {
    const pairs = time.map((each, row) => [each, event[row]]);
    const texts = time.map((each, row) => `${each}${event[row] === 1 ? '' : '+'}`);
    for (const y of [pairs, texts, labelsOf({ time, event })]) {
      expect(new CoxRegression().fit(X, y).coef).toEqual(model.coef);
    }
    const two = new CoxRegression().fit(X, { time, event: [2, 2, 1, 2, 2, 3] }, null, 2);
    expect(two.coef).toEqual(model.coef);
    expect(two.notes).toEqual([expect.stringContaining('(1, 3)')]);
    expect(model.notes).toEqual([]);
  });

  it('gives a column without information no coefficient and no effect, as R, and names it', () => {
    // Constant; constant from the first event on; constant within each stratum at risk.
    const rows = (more: number[]) => ({
      data: Float64Array.from(x.flatMap((each, row) => [each, more[row]])),
      shape: [6, 2],
      featureNames: ['marker', 'rare'],
    });
    const late = { time: [2, 3, 1, 4, 5, 6], event };
    for (const [more, y] of [
      [[2, 2, 2, 2, 2, 2], { time, event }],
      [[0, 0, 1, 0, 0, 0], late],
    ] as const) {
      for (const alpha of [0, 0.5]) {
        const found = new CoxRegression({ alpha }).fit(rows([...more]), y);
        const without = new CoxRegression({ alpha }).fit(X, y);
        expect(found.coef).toEqual({ marker: without.coef.x0, rare: Number.NaN });
        expect(found.standardErrors.rare).toBeNaN();
        expect(found.predictSurvival(rows([9, 9, 9, 9, 9, 9]), [3])).toEqual(without.predictSurvival(X, [3]));
        expect(found.notes).toEqual([expect.stringMatching(/no coefficient to 'rare': one value/)]);
        expect(estimatorFromJSON(JSON.parse(JSON.stringify(found)))).toMatchObject({ coef: found.coef });
      }
    }
    const strata = new CoxRegression({ strata: 1 }).fit(
      [...X, ...X].map(([each], row) => [each, Number(row < 6), Number(row < 6)]),
      { time: [...time, ...time], event: [...event, ...event] },
    );
    expect(strata.coef).toEqual({ x0: expect.closeTo(model.coef.x0, 9), x2: Number.NaN });
    // Two equal strata: the coefficient and the baseline of one.
    close(strata.baseline[1].hazard, Array.from(model.baseline[0].hazard));
    expect(strata.baseline.map(({ stratum }) => stratum)).toEqual([0, 1]);
  });

  it('is exact however far the columns are from 0', () => {
    const far = new CoxRegression().fit(
      X.map(([each]) => [each + 1e6]),
      { time, event },
    );
    expect(far.coef.x0).toBeCloseTo(model.coef.x0, 5);
    close(far.predictSurvival([[1e6 + 0.3]], [4])[0], model.predictSurvival([[0.3]], [4])[0], 1e-5);
    expect(model.predictSurvival([[1e9]], [0.5, 6])).toEqual([[1, 0]]);
  });

  it('leaves out what follows from other columns; refuses by name what has no finite best value, a stratum without rows, and what is not fitted', () => {
    const named = (columns: number[][]) => ({
      data: Float64Array.from(time.flatMap((_, row) => columns.map((column) => column[row]))),
      shape: [6, columns.length],
      featureNames: ['a', 'b', 'c'].slice(0, columns.length),
    });
    const fitTo = (columns: number[][], options = {}) =>
      new CoxRegression(options).fit(named(columns), { time, event });
    // The second column has one value: names stay with their columns.
    const twice = fitTo([x, [1, 1, 1, 1, 1, 1], x]);
    expect(twice.coef).toEqual({ a: expect.closeTo(model.coef.x0, 9), b: Number.NaN, c: Number.NaN });
    expect(twice.notes.join()).toContain("'b', 'c'");
    expect(twice.predictRisk([[0.3, 1, 99]])).toEqual(fitTo([x, [1, 1, 1, 1, 1, 1], x]).predictRisk([[0.3, 5, -7]]));
    // R: coxph(Surv(time, event) ~ a + b + c) gives NA for c, a combination of the two before it.
    const noise = [0.3, 0.1, 0.5, 0.2, 0.9, 0.4];
    const both = x.map((each, row) => each + noise[row]);
    expect(fitTo([x, noise, both]).coef.c).toBeNaN();
    expect(fitTo([x, noise, both]).coef.a).toBeCloseTo(fitTo([x, noise]).coef.a, 9);
    expect(() => fitTo([[6, 5, 4, 3, 2, 1]])).toThrow(refusal('infinite_coefficient', "'a'"));
    expect(fitTo([[6, 5, 4, 3, 2, 1]], { alpha: 1 }).coef.a).toBeGreaterThan(0);
    const strata = fitTo([x, [0, 0, 0, 1, 1, 1]], { strata: 'b' });
    expect(() => strata.predictSurvival([[0, 2]], [1])).toThrow(refusal('unknown_stratum'));
    expect(() => strata.predictRisk([[0, 2]])).toThrow(refusal('unknown_stratum'));
    expect(() => new CoxRegression().predictRisk(X)).toThrow(refusal('not_fitted'));
    expect(() => new KaplanMeier().predictRisk(X)).toThrow(refusal('not_fitted'));
  });

  it('answers hostile JSON with one sentence, and predicts with what it takes', async () => {
    for (const each of [model, new KaplanMeier().fit(X, { time, event })]) {
      const json = JSON.parse(JSON.stringify(each));
      const predict = (read: unknown) => (estimatorFromJSON(read) as CoxRegression).predictSurvival(X, [3]);
      expect(await untypedAnswers(json, predict, 200)).toEqual([]);
    }
  });
});

describe('through the runner', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cvkit-cox-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (model: unknown, data: object, options: object = {}) => {
    const cvSplitter = new StratifiedKFold({ nSplits: 3, shuffle: true, randomState: 1 });
    const runner = new UniversalCVRunner({ cvSplitter, verbose: 0 });
    const metrics = ['concordance', 'integrated_brier'];
    return runner.run({ model, data, preprocessing: tabular(), metrics, ...options } as never);
  };

  it('beats the Kaplan-Meier curve on patients with a real effect, and is saved with its folds', async () => {
    const data = simulatedSurvival(300, 7);
    const modelPath = join(folder, '{fold}');
    const cox = await run(new CoxRegression({ alpha: 0.1 }), data, { keepModels: 'save', modelPath });
    const curve = await run(() => new KaplanMeier(), data);
    expect(cox.meanScores.concordance).toBeGreaterThan(0.7);
    expect(curve.meanScores.concordance).toBe(0.5);
    expect(cox.meanScores.integrated_brier).toBeLessThan(Number(curve.meanScores.integrated_brier));
    const { test } = cox.indices[2];
    const loaded = await loadModel(String(cox.models[2]));
    const records = Array.from(test, (row) => ({ age: data.X[row][0], marker: data.X[row][1], sex: data.X[row][2] }));
    const { predictions, probabilities } = await loaded.predict(records);
    expect(predictions).toEqual(Array.from(cox.predictions[2] as ArrayLike<number>));
    expect(probabilities).toEqual(cox.probabilities[2]);
  });

  it('hands over the cause of interest, and warns that competing events are ignored', async () => {
    const data = simulatedSurvival(300, 8, { competing: true });
    const cox = await run(() => new CoxRegression(), data, { causeOfInterest: 2 });
    expect(cox.metadata.warnings.filter((each) => each.includes('other causes (1)'))).toHaveLength(1);
    const [{ train, test }] = cox.indices;
    const of = (rows: ArrayLike<number>, values: number[]) => Array.from(rows, (row) => values[row]);
    const outcomes = { time: of(train, data.y.time), event: of(train, data.y.event) };
    const rows = (places: ArrayLike<number>) => Array.from(places, (row) => data.X[row]);
    const alone = new CoxRegression().fit(rows(train), outcomes, null, 2).predictRisk(rows(test));
    close(cox.predictions[0] as number[], alone, 1e-6); // scaled columns: the same predictor
  });
});
