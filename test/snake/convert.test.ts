/** What is given out: names, keys that stay, one wrapper per object. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';
import * as cvkit from '../../src/index.js';
import { fromSnake, toSnake } from '../../src/snake/convert.js';
import * as snake from '../../src/snake/index.js';

/** The object of cvkit behind one in snake_case. */
const sourceOf = (object: object) => fromSnake([object])[0];
const y = Array.from({ length: 60 }, (_, at) => at % 2);
const X = y.map((each, at) => [each * 2 + (at % 7), at % 5]);
const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) });
const run = (options: object = {}) =>
  snake
    .UniversalCVRunner({ cv_splitter: snake.KFold(3), verbose: 0 })
    .run({ model, data: [X, y], metrics: ['accuracy'], ...options });

describe('an object in snake_case', () => {
  it('has the fields of the one behind it, and no camelCase name', async () => {
    const results = await run();
    const of_cvkit = sourceOf(results) as cvkit.CVResults;
    expect(of_cvkit).toBeInstanceOf(Object);
    expect(Object.keys(results)).toEqual(Object.keys(of_cvkit).map(snakeCase));
    expect(results.mean_scores).toBe(of_cvkit.meanScores);
    expect(results.out_of_fold.y_true).toBe(of_cvkit.outOfFold.yTrue);
    const visited = new Set<unknown>();
    const namesIn = (value: unknown): string[] => {
      if (typeof value !== 'object' || value === null || visited.has(value) || ArrayBuffer.isView(value)) return [];
      visited.add(value);
      // A metric is written by callers, and has the names of cvkit.
      return Object.entries(value).flatMap(([key, each]) => (key === 'metric' ? [key] : [key, ...namesIn(each)]));
    };
    const { origin: _callers, metadata, ...rest } = results;
    const names = namesIn(rest).filter((name) => /[a-z][A-Z]/.test(name));
    expect(names).toEqual([]);
    // Names of what was hashed are no names of ours.
    expect(Object.keys(metadata.sha256?.data ?? {})).toEqual(Object.keys(of_cvkit.metadata.sha256?.data ?? {}));
  });

  it('is the same each time, and so is what is in it', async () => {
    const results = await run();
    expect(toSnake(sourceOf(results))).toBe(results);
    expect(toSnake(results)).toBe(results);
    expect(results.fold_details).toBe(results.fold_details);
    expect(results.fold_details[0]).toBe(results.fold_details[0]);
    expect(results.plan).toBe(results.plan);
    const warn = results.plan.at;
    expect(results.plan.at).toBe(warn);
  });

  it('gives JSON in the one schema of cvkit', async () => {
    const results = await run();
    const of_cvkit = sourceOf(results) as cvkit.CVResults;
    expect(JSON.stringify(results)).toBe(JSON.stringify(of_cvkit));
    expect(results.to_json()).toEqual(of_cvkit.toJSON());
    expect(results.to_json({ ids: 'raw' })).toEqual(of_cvkit.toJSON({ ids: 'raw' }));
    expect(results.summary()).toBe(of_cvkit.summary());
  });

  it('is shown with its names', async () => {
    const results = await run();
    const shown = inspect(results);
    expect(shown).toContain('CVResults: ');
    expect(shown).toContain('mean_scores');
    expect(shown).not.toContain('meanScores');
    expect(inspect(snake.KFold(5, true, 42))).toContain('n_splits: 5, shuffle: true, random_state: 42');
    expect(String(snake.KFold(5, true, 42))).toBe('KFold({ n_splits: 5, shuffle: true, random_state: 42 })');
    expect(inspect(snake.CVKitValidator())).toBe('CVKitValidator()');
    expect(inspect(snake.CVKitValidator({ n_splits: 3 }))).toBe('CVKitValidator({ n_splits: 3 })');
    expect(inspect(snake.UniversalCVRunner({ cv_splitter: snake.KFold({ n_splits: 3 }), random_state: 7 }))).toBe(
      'UniversalCVRunner({ cv_splitter: KFold({ n_splits: 3, shuffle: false }), random_state: 7 })',
    );
    const [detail] = results.fold_details;
    expect(inspect(detail)).toContain('n_train: 40');
    expect(inspect(detail)).not.toContain('Getter');
  });

  it('compares and copies like a plain object', async () => {
    const [detail] = (await run()).fold_details;
    expect(detail).toMatchObject({ fold: 'fold-0', n_train: 40, n_test: 20 });
    expect({ ...detail }).toEqual(detail);
    expect(structuredClone(detail)).toEqual({ ...detail });
    expect(JSON.parse(JSON.stringify(detail))).toMatchObject({ n_train: 40 });
    expect(`${detail}`).toBe('[object Object]');
    expect(Object.hasOwn(detail, 'n_train')).toBe(true);
  });

  it('keeps keys that are the caller’s: classes, metrics, parameters, evidence', async () => {
    const classes = y.map((each) => (each === 1 ? 'hasDisease' : 'isHealthy'));
    const balance = snake.BalanceChecker().check_class_balance(classes);
    expect(balance.counts).toEqual({ hasDisease: 30, isHealthy: 30 });
    expect(balance.minority_class).toBe(sourceOf(balance) && (sourceOf(balance) as cvkit.ClassBalance).minorityClass);
    const results = await run({ scoring: { ownScore: (table: snake.ScoreTable) => table.y_true.length } });
    expect(results.mean_scores).toEqual({ ownScore: 20 });
    const tuned = await snake.UniversalCVRunner(snake.KFold(2), { verbose: 0 }).run_with_hyperparameter_tuning({
      model_fn: (params, ctx) => ({ ...model(), params, shape: ctx.input_shape }),
      param_grid: { maxDepth: [1, 2], nested: [{ innerName: 1 }] },
      data: [X, y],
      n_trials: 2,
    });
    expect(Object.keys(tuned.best_params)).toEqual(['maxDepth', 'nested']);
    expect(tuned.best_params.nested).toEqual({ innerName: 1 });
    expect(tuned.per_fold_params[0].params).toHaveProperty('maxDepth');
    expect(tuned.study.best_trial?.params).toHaveProperty('maxDepth');
    expect(tuned.outer_estimate?.n_units).toBe(60);
  });

  it('keeps the names of inputs', async () => {
    const shapes: unknown[] = [];
    const byInput = (ctx: snake.FoldContext) => {
      shapes.push(ctx.input_shape?.myTable, ctx.input_shape);
      return { ...model(), fit: () => undefined };
    };
    await run({ model: byInput, data: { X: { myTable: X, more: X }, y } });
    expect(shapes.slice(0, 2)).toEqual([[X[0].length], { myTable: [X[0].length], more: [X[0].length] }]);
  });

  it('leaves what has no name of ours: the same array, typed array, map, model', async () => {
    const nameless = [
      Array.of(1, 2),
      ['a'],
      new Float64Array(2),
      new Map(),
      new Date(0),
      new Error('no'),
      null,
      'a',
      1,
    ];
    for (const value of nameless) expect(toSnake(value)).toBe(value);
    const kept = await run({ keep_models: 'memory' });
    expect(Object.keys(kept.models[0] as object)).toEqual(['fit', 'predict']);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null))), (list) => {
        expect(toSnake(list)).toBe(list);
      }),
    );
  });

  it('looks through a list without names once, and again when it has changed', () => {
    for (const entry of [1, 'a', null, new Float64Array(2), [1, 2]]) {
      let reads = 0;
      const get = (target: object, name: PropertyKey) => {
        reads++;
        return Reflect.get(target, name);
      };
      const list = new Proxy<unknown[]>(Array(500).fill(entry), { get });
      expect(toSnake(list)).toBe(list);
      reads = 0;
      expect(toSnake(list)).toBe(list);
      expect(reads).toBeLessThan(5);
    }
    const grows: unknown[] = [1, 2];
    expect(toSnake(grows)).toBe(grows);
    grows.push({ meanValue: 1 });
    expect(toSnake(grows)).toEqual([1, 2, { mean_value: 1 }]);
    const fills: unknown[] = Array(2);
    expect(toSnake(fills)).toBe(fills);
    fills[1] = { meanValue: 1 };
    expect((toSnake(fills) as unknown[])[1]).toEqual({ mean_value: 1 });
  });

  it('renames every key of plain objects, and nothing else', () => {
    // Not `X`: rows are the caller's.
    const names = fc.constantFrom('nSplits', 'meanValue', 'XTrain', 'name', 'e50', 'toText');
    const values = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.array(fc.integer()));
    const objects = fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values)));
    const renamed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(Object.entries(value).map(([key, each]) => [snakeCase(key), renamed(each)]));
    fc.assert(
      fc.property(objects, (object) => {
        expect(toSnake(object)).toEqual(renamed(object));
      }),
    );
  });
});

describe('split', () => {
  it('yields pairs, with groups by place and by name', () => {
    const groups = y.map((_, at) => Math.floor(at / 3));
    const by_place = [...snake.GroupKFold(3, true, 1).split(X, y, groups)];
    const by_name = [...snake.GroupKFold({ n_splits: 3, random_state: 1 }).split(X, y, { groups })];
    const of_cvkit = [...new cvkit.GroupKFold({ nSplits: 3, randomState: 1 }).split(X, y, { groups })];
    expect(by_place.length).toBe(3);
    for (const [at, fold] of by_place.entries()) {
      const [train, test] = fold;
      expect([fold[0], fold[1], fold.length]).toEqual([train, test, 2]);
      expect([train, test]).toEqual([of_cvkit[at].train, of_cvkit[at].test]);
      expect([...by_name[at]]).toEqual([train, test]);
      expect(Object.keys(fold)).toEqual(['id', 'train', 'test']);
    }
    expect(snake.GroupKFold(3).get_n_splits(X, y, groups)).toBe(3);
  });

  it('has inner splitters in snake_case', () => {
    const [fold] = snake.NestedCV({ outer_cv: snake.KFold(3), inner_cv: snake.KFold(2) }).split(X, y);
    const [train] = fold;
    expect(fold.inner?.get_n_splits()).toBe(2);
    const inner = [...(fold.inner?.split() ?? [])];
    expect(inner.flatMap(([, test]) => [...test]).sort((a, b) => a - b)).toEqual([...train]);
    expect(snake.inner_folds_of(fold as never, y.length).length).toBe(2);
  });
});
