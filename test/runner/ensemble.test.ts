import { describe, expect, it } from 'vitest';
import { ensemble } from '../../src/runner/ensemble.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { Climber, line, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs();
const run = (adapter: FrameworkAdapter, options: Partial<RunOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), adapter, verbose: 0 }).run({
    model: () => new NearestMean(),
    data: [X, y],
    keepModels: 'memory',
    ...options,
  });
/** A model that knows the number of its fold. */
const numbered = ({ index }: { index: number }) => Object.assign(new Climber(), { weight: index });
/** An adapter that does not train, with these predictions. */
const fixed = (probabilities: boolean, predict: FrameworkAdapter<Climber>['predict']) =>
  scriptedAdapter({}, { capabilities: { trains: false, epochs: false, probabilities, saves: false }, predict }).adapter;
const regression: Partial<RunOptions> = {
  model: ({ index }) => Object.assign(new Climber(), { weight: 10 * index }),
  data: [line.X, line.y],
  task: 'regression',
};

describe('ensemble', () => {
  it('gives the mean of what its models give, and the labels that follow', async () => {
    const { adapter } = spyAdapter();
    const results = await run(adapter);
    const model = await ensemble(results);
    const rows = X.slice(0, 3);
    const { predictions, probabilities } = await model.predict(rows);
    rows.forEach((row, at) => {
      const alone = (results.models as NearestMean[]).map((one) => {
        const [well, ill] = [0, 1].map((label) => Math.exp(-one.distance(row, label)));
        return ill / (well + ill);
      });
      const mean = (alone[0] + alone[1] + alone[2]) / 3;
      expect(probabilities?.[at]).toBeCloseTo(mean, 12);
      expect(predictions[at]).toBe(mean > 0.5 ? 1 : 0);
    });
    expect([model.size, model.combine]).toEqual([3, 'mean']);
  });

  it('recalibrates and cuts as the folds did', async () => {
    const { adapter } = spyAdapter();
    const results = await run(adapter, { recalibrate: 'isotonic', threshold: { sensitivity: 0.5 } });
    const [{ adjustment }] = results.foldDetails;
    const one = { ...results, models: [results.models[0], null, null] };
    const { test } = results.indices[0];
    const again = await (await ensemble(one)).predict(Array.from(test, (row) => X[row]));
    expect(adjustment?.threshold?.threshold).toBeGreaterThan(0.5);
    expect(again.predictions).toEqual(results.predictions[0]);
    expect(again.probabilities).toEqual(results.probabilities[0]);
  });

  it('lets the models vote', async () => {
    const labels = ['a', 'b', 'b', 'c', 'c', 'c', 'a', 'b', 'c', 'a', 'b', 'c'];
    const said = ['a', 'b', 'b'];
    const adapter = fixed(false, async ({ weight }, rows) => ({ values: Array(rows.length).fill(said[weight]) }));
    const results = await run(adapter, { model: numbered, data: [line.X, labels], metrics: ['accuracy'] });
    const voting = await ensemble(results, { combine: 'vote' });
    expect(await voting.predict([[1], [2]])).toEqual({ predictions: ['b', 'b'], probabilities: null });
    said[1] = 'c'; // a, c and b once each: the first class in order
    expect((await voting.predict([[1]])).predictions).toEqual(['a']);
    const mean = await ensemble(results);
    expect(await thrown(() => mean.predict([[1]]))).toMatch(/invalid_option.*`combine`/);
  });

  it('averages numbers, of models that were saved, and disposes those that it loaded', async () => {
    const { adapter, deeds } = scriptedAdapter();
    const results = await run(adapter, { ...regression, keepModels: 'save', modelPath: 'memory://{fold}' });
    expect(results.models).toEqual(['memory://fold-0', 'memory://fold-1', 'memory://fold-2']);
    expect(deeds.saved.map(({ weight }) => weight)).toEqual([1, 11, 21]);
    const model = await ensemble(results);
    expect(deeds.loaded).toEqual([]);
    expect((await model.predict(line.X.slice(0, 2))).predictions).toEqual([11, 11]);
    await model.predict(line.X);
    expect([deeds.loaded.length, deeds.disposed]).toEqual([3, 3]);
    await model.dispose();
    await model.dispose();
    expect(deeds.disposed).toBe(6);
  });

  it('loads once for predictions that overlap, and leaves nothing of a loading that failed', async () => {
    const { adapter, deeds } = scriptedAdapter();
    const { load } = adapter;
    let allowed = 2;
    const failing = {
      ...adapter,
      load: async (place: string | object) => {
        if (allowed-- <= 0) throw new Error('disk');
        return (await load?.(place)) as Climber;
      },
    };
    const results = await run(failing, { ...regression, keepModels: 'save', modelPath: 'memory://{fold}' });
    const before = deeds.disposed;
    const model = await ensemble(results);
    expect(await thrown(() => model.predict([[1]]))).toContain('disk');
    expect(deeds.disposed - before).toBe(2);
    allowed = 3;
    await Promise.all([model.predict([[1]]), model.predict([[2]])]);
    await model.dispose();
    expect([deeds.loaded.length, deeds.disposed - before]).toEqual([5, 5]);
  });

  it('takes the result of a validation, too', async () => {
    const result = await new CVKitValidator({ nSplits: 3 }).validate({
      model: () => new NearestMean(),
      X,
      y,
      adapter: spyAdapter().adapter,
      keepModels: 'memory',
      verbose: 0,
    });
    expect((await ensemble(result)).size).toBe(3);
    expect(JSON.stringify(result.toJSON())).not.toContain('adapterOptions');
  });

  it('gives the mean for several classes and for several labels', async () => {
    const given = [
      [0.2, 0.3, 0.5],
      [0.6, 0.3, 0.1],
      [0.1, 0.6, 0.3],
    ];
    const adapter = fixed(true, async ({ weight }, { length }) => {
      const data = Float64Array.from(Array(length).fill(given[weight]).flat());
      return { probabilities: { data, shape: [length, 3] } };
    });
    const ensembleOf = async (labels: unknown) =>
      ensemble(await run(adapter, { model: numbered, data: [line.X, labels] as never, metrics: ['accuracy'] }));
    const multiclass = await ensembleOf(line.X.map((_, row) => row % 3));
    // By hand: (.2 + .6 + .1) / 3 = .3, (.3 + .3 + .6) / 3 = .4, (.5 + .1 + .3) / 3 = .3.
    const one = await multiclass.predict([[1]]);
    [0.3, 0.4, 0.3].forEach((p, at) => {
      expect(one.probabilities?.[at]).toBeCloseTo(p, 12);
    });
    expect(one.predictions).toEqual([1]);
    const multilabel = await ensembleOf(line.X.map((_, row) => [row % 2, 1, Number(row % 3 === 0)]));
    expect((await multilabel.predict([[1]])).predictions).toEqual([[0, 0, 0]]);
  });

  it('leaves models that the results hold alone', async () => {
    const { adapter, deeds } = scriptedAdapter();
    const model = await ensemble(await run(adapter, regression));
    await model.predict([[1]]);
    await model.dispose();
    expect(deeds.disposed).toBe(0);
  });

  it('refuses to lose a cut-off of the models', async () => {
    const own = {
      model: () => ({
        fit: () => undefined,
        predictProba: (rows: number[][]) => rows.map(([a]) => 1 / (1 + Math.exp(-a))),
        predict: (rows: number[][]) => rows.map(([a]) => (1 / (1 + Math.exp(-a)) > 0.3 ? 1 : 0)),
      }),
      data: [X, y] as const,
      keepModels: 'memory' as const,
    };
    const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run(own);
    expect(await thrown(async () => ensemble(results))).toContain(
      "must be 'vote' for models that cut their probabilities",
    );
    const voted = await (await ensemble(results, { combine: 'vote' })).predict(X);
    expect(voted.predictions).toEqual(own.model().predict(X));
  });
});
