/** A metric that a user adds, in this one file and by public names alone: it is found wherever a built-in one is. */
import { afterAll, describe, expect, it } from 'vitest';
import {
  CVKitValidator,
  defineMetric,
  KFold,
  registerMetric,
  score,
  scoreTable,
  UniversalCVRunner,
} from '../../src/index.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';

registerMetric({
  name: 'error_rate',
  aliases: ['zero_one_loss'],
  description: 'Share of wrong labels.',
  direction: 'minimize',
  range: [0, 1],
  tasks: ['binary', 'multiclass'],
  needs: 'labels',
  combine: 'pooled',
  compute: ({ yTrue, yPred, length }) => Array.from(yTrue).filter((label, row) => label !== yPred[row]).length / length,
});
afterAll(() => metricRegistry.remove('error_rate'));

const { X, y } = blobs(60);
const model = () => new NearestMean();
const metrics = ['accuracy', 'error_rate'];

describe('registerMetric', () => {
  it('is defineMetric', () => {
    expect(registerMetric).toBe(defineMetric);
  });

  it('makes a metric that `score` takes, and that is found by its alias', () => {
    const table = scoreTable({ yTrue: [0, 1, 1, 1], yPred: [0, 1, 0, 0] });
    expect(score(metricRegistry.get('zero_one_loss'), table)).toEqual({ value: 0.5 });
  });

  it('is in the results and the tables of a run', async () => {
    const runner = new UniversalCVRunner({ cvSplitter: new KFold(), verbose: 0 });
    const results = await runner.run({ model, data: [X, y], metrics });
    const { accuracy, error_rate: errors } = results.scores;
    expect(errors).toHaveLength(5);
    const expected = accuracy.map(({ value }) => ({ value: expect.closeTo(1 - (value as number), 12) }));
    expect(errors).toEqual(expected);
    expect(results.summary()).toContain('error_rate');
    expect(JSON.stringify(results)).toContain('"error_rate"');
  });

  it('is in the results, intervals and reports of a validation', async () => {
    const result = await new CVKitValidator({ nBootstrap: 100, metrics }).validate({ model, X, y, verbose: 0 });
    expect(result.confidenceIntervals.error_rate).toMatchObject({ method: 'bootstrap', level: 0.95 });
    const { estimate } = result.confidenceIntervals.error_rate;
    expect(estimate).toBeCloseTo(1 - (result.confidenceIntervals.accuracy.estimate as number), 12);
    for (const text of [result.summary(), result.toMarkdown(), await result.toHTML()]) {
      expect(text).toContain('error_rate');
    }
  });

  it('is offered in errors: by its nearest name, and among the metrics of a task', async () => {
    const validate = async (name: string) => new CVKitValidator({ metrics: [name] }).validate({ model, X, y });
    await expect(validate('error_rat')).rejects.toThrow(/There is no metric 'error_rat'.*error_rate/);
    await expect(validate('mse')).rejects.toThrow(/a binary task. Use one of .*error_rate/);
  });
});
