/** Every public door takes outcomes by time, or refuses them in a sentence that is true. */
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { CoxRegression } from '../../src/estimators/index.js';
import { CVKitValidator, ensemble, RepeatedKFold, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import { noInformation } from '../../src/metrics/bootstrap632.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { instabilityOf } from '../../src/plot/index.js';
import { compareModels, subgroupTable } from '../../src/stats/index.js';
import { perfectScore } from '../../src/tuning/search.js';

const n = 160;
const random = randomSource(8);
const X = Array.from({ length: n }, () => [random.random() - 0.5, random.random() - 0.5]);
const y = X.map(([a]) => {
  const [dies, leaves] = [-Math.log(1 - random.random()) / Math.exp(3 * a), -1.5 * Math.log(1 - random.random())];
  return { time: Math.ceil(20 * Math.min(dies, leaves)) / 20, event: Number(dies <= leaves) };
});
const groups = X.map((_, row) => `p${row}`);
const model = () => new CoxRegression();
const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0, randomState: 1 });
const run = (more: object = {}) => runner.run({ model, data: { X, y }, times: [0.5, 1], ...more } as never);
const metrics = ['concordance', 'concordance_uno', 'integrated_brier', 'brier_at', 'roc_auc_at'];

describe('outcomes by time', () => {
  it('are tested on a given test set', async () => {
    const [train, test] = [y.slice(0, 100), y.slice(100)];
    const result = await new CVKitValidator({ checkLeakage: false, returnConfidenceIntervals: false }).fitValidate({
      ...{ model, XTrain: X.slice(0, 100), yTrain: train, XTest: X.slice(100), yTest: test, verbose: 0 },
    } as never);
    expect(result.estimates.concordance).toBeGreaterThan(0.6);
  });

  it('have an ensemble with the mean of the risks and curves of its models', async () => {
    const results = await run({ keepModels: 'memory' });
    const models = results.models as unknown as CoxRegression[];
    const all = await ensemble(results);
    const rows = X.slice(0, 4);
    const risks = models.map((each) => Array.from(each.predictRisk(rows)));
    const expected = rows.map((_, row) => risks.reduce((sum, each) => sum + each[row], 0) / models.length);
    const predicted = (await all.predict(rows)).predictions as number[];
    for (const [row, each] of expected.entries()) expect(predicted[row]).toBeCloseTo(each, 12);
    expect(all.describe()).toMatchObject({ positiveLabel: null, causeOfInterest: 1 });
    await expect(ensemble(results, { combine: 'vote' })).rejects.toThrow("be 'mean' for a survival task");
  });

  it('have no information where every prediction meets every outcome', async () => {
    const { folds } = await run();
    const [{ table }] = folds as never as [{ table: Parameters<typeof noInformation>[1] }];
    for (const name of ['concordance', 'concordance_uno', 'roc_auc_at_1'])
      expect(noInformation(metricRegistry.get(name), table).value, name).toBeCloseTo(0.5, 9);
    const { yProba, ...rest } = table;
    const mean = {
      ...rest,
      yProba: (yProba as Float64Array).map((_, at, all) => averageOf(all, at, table.classes.length)),
    };
    // The Brier score of all pairs is that of the mean curve and the variance of the curves.
    expect(noInformation(metricRegistry.get('brier_at_1'), table).value).toBeGreaterThan(
      metricRegistry.get('brier_at_1').compute(mean) as number,
    );
  });

  it('have no classes to weight', async () => {
    await expect(run({ classWeight: 'balanced' })).rejects.toThrow(/a survival task has no classes to weight/);
  });

  it('are searched by any of their scores, of which one at several times names one', async () => {
    const search = (scoring: string) =>
      runner.runWithHyperparameterTuning({
        modelFn: (params: object) => new CoxRegression(params),
        ...{ data: { X, y }, paramGrid: { alpha: [0.1, 100] }, times: [0.5, 1], scoring, verbose: 0 },
      } as never);
    const { folds } = await run();
    const [{ table }] = folds as never as [{ table: Parameters<typeof noInformation>[1] }];
    for (const name of metrics.flatMap((each) => (/_at$/.test(each) ? [`${each}_1`] : [each])))
      expect(perfectScore(metricRegistry.get(name), table).value, name).not.toBeNull();
    expect(perfectScore(metricRegistry.get('concordance'), table).value).toBeGreaterThan(0.95);
    expect(Object.keys((await search('integrated_brier')).results.scores)).toContain('integrated_brier');
    await expect(search('brier_at')).rejects.toThrow('`scoring` must be one of brier_at_0.5, brier_at_1');
  });

  it('have their scores compared, and those of subgroups', async () => {
    const [one, other] = [await run(), await run({ model: () => new CoxRegression({ alpha: 50 }) })];
    const compared = compareModels(one as never, other as never, { metric: 'integrated_brier' } as never);
    expect(JSON.stringify(compared)).toContain('integrated_brier');
    const bySex = subgroupTable(one as never, { by: { sex: X.map((_, row) => (row % 2 ? 'f' : 'm')) } } as never);
    const text = JSON.stringify(bySex);
    expect(text).toContain('concordance');
  });

  it('may have events at one time alone', async () => {
    const visits = y.map(({ event }) => ({ time: event ? 4 : 5, event }));
    const results = await runner.run({ model, data: { X, y: visits }, metrics: ['concordance'] } as never);
    expect(results.metadata.task).toBe('survival');
  });

  it('are scored at their own times alone, whatever an earlier run asked for', async () => {
    await run({ times: [0.7] });
    const refused = "The metric 'brier_at_0.7' must be about one of the times of y (0.5, 1). Got 0.7.";
    await expect(run({ metrics: ['brier_at_0.7'] })).rejects.toThrow(refused);
  });

  it('name the time that a score lacks', async () => {
    const must =
      "The metric 'brier_at_365' must be about one of the times of y (0.5, 1). Got 365. Pass `times: [365]`.";
    await expect(run({ metrics: ['brier_at_365'] })).rejects.toThrow(must);
  });

  it('are worse than the same curve for everyone, where they are beyond chance (CVR003)', async () => {
    const sure = () => ({
      fit: () => undefined,
      predictRisk: (rows: number[][]) => rows.map(([, b]) => b),
      predictSurvival: (rows: number[][], times: number[]) => rows.map(() => times.map(() => 0.02)),
    });
    const settings = { nSplits: 3, ciFits: 0, independentRows: true, preparedInside: true } as const;
    const call = { model: sure, X, y, times: [0.5], metrics: ['brier_at'], verbose: 0 } as never;
    const result = await new CVKitValidator(settings).validate(call);
    const check = result.checks.find(({ code }) => code === 'CVR003');
    expect(check).toMatchObject({ status: 'needs_review', evidence: { score: 'brier_at_0.5' } });
    expect(check?.fix).toContain('calibration_at');
  });

  it('warn where few rows are followed beyond a time', async () => {
    const late = [...y.map(({ time }) => time)].sort((a, b) => a - b)[n - 5] - 0.001;
    const { metadata } = await run({ times: [0.5, late] });
    expect(metadata.warnings.join()).toContain(`Few rows are followed beyond time ${late} (`);
    expect((await run()).metadata.warnings.join()).not.toContain('Few rows');
  });

  it('have an instability of the rows that are known by the time, each with its own predictions', async () => {
    const cvSplitter = new RepeatedKFold({ nSplits: 4, nRepeats: 2, randomState: 1 });
    const repeated = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      ...{ model, data: { X, y }, times: [0.4, 1] },
    } as never);
    const { row, yProba } = repeated.outOfFold;
    const column = (repeated.metadata.survivalTimes as number[]).indexOf(1);
    const { perRow } = instabilityOf(repeated as never, undefined, 1);
    expect(instabilityOf(repeated as never, undefined, 0.4).perRow[0].mean).not.toBe(perRow[0].mean);
    expect(() => instabilityOf(repeated as never, undefined, 0.333)).toThrow('must be one of the times of the curves');
    expect(perRow.length).toBeGreaterThan(50);
    for (const { row: at, predictions } of perRow) {
      const own = [...row.keys()].filter((each) => row[each] === at);
      const risks = own.map((each) => 1 - (yProba as ArrayLike<number>[])[each][column]);
      expect([...predictions].sort()).toEqual(risks.sort());
    }
  });

  it('have their times and median follow-up in what a guideline asks for', async () => {
    const settings = { nSplits: 3, ciFits: 0, checklists: ['TRIPOD+AI'] } as const;
    const result = await new CVKitValidator(settings).validate({ model, X, y, times: [0.5], verbose: 0 } as never);
    const { items } = (result.evidence as never as { sections: { items: { id: string; text: string }[] }[] })
      .sections[0];
    const item = items.find(({ id }) => id === '8a');
    expect(item?.text).toContain('scored at the times 0.5');
    expect(item?.text).toMatch(/Median follow-up [\d.]+ \(Kaplan-Meier with censoring as the event\)/);
  });

  it('keep the names of their scores where `scoring` names them', async () => {
    const settings = { nSplits: 3, checkLeakage: false, checkBalance: false, ciFits: 0 } as const;
    const call = { model, X, y, groups, times: [1], scoring: { auc: 'roc_auc_at' }, verbose: 0 } as never;
    const result = await new CVKitValidator({ ...settings, ciMethod: { auc: 'analytic' } } as never).validate(call);
    expect(result.confidenceIntervals.auc.method).toBe('analytic');
  });
});

function averageOf(all: ArrayLike<number>, at: number, width: number): number {
  let sum = 0;
  for (let each = at % width; each < all.length; each += width) sum += all[each];
  return (sum * width) / all.length;
}
