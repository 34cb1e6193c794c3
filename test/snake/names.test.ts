/** Names that an object does not have: near ones throw, probes and strangers are undefined. */
import { inspect, types } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { snakeCase } from '../../src/core/names.js';
import * as snake from '../../src/snake/index.js';

const y = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
const X = y.map((_, at) => [at]);
const groups = y.map((_, at) => at % 3);
const report = (await snake.DataLeakageChecker().check(X, y, groups)) as unknown as Record<string, unknown>;

describe('a name that is not there', () => {
  it.each([
    ['hasLeakage', 'has_leakage'],
    ['leakageTypes', 'leakage_types'],
    ['overallStatus', 'overall_status'],
    ['toJson', 'to_json'],
    ['has_leakages', 'has_leakage'],
    ['leakage_type', 'leakage_types'],
    ['severty', 'severity'],
    ['Summary', 'summary'],
  ])('%s throws, as %s is near', (name, near) => {
    expect(() => report[name]).toThrow(CVKitError);
    const way =
      snakeCase(name) === near
        ? `Use \`${near}\`; \`cvkit\`, cvkit/stats and cvkit/plot take only what \`cvkit\` made.`
        : `Did you mean \`${near}\`?`;
    expect(() => report[name]).toThrow(`LeakageReport has no \`${name}\` in cvkit/snake. ${way}`);
    expect(() => report[name]).toThrow(expect.objectContaining({ code: 'unknown_name' }));
  });

  it('throws on plain results, too', () => {
    const balance = snake.BalanceChecker().check_class_balance(y) as unknown as Record<string, unknown>;
    expect(() => balance.isBalanced).toThrow('Use `is_balanced`');
    expect(balance.is_balanced).toBe(true);
  });

  it('is told with what was asked for it, when that has no class', async () => {
    const model = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) });
    const results = await snake.UniversalCVRunner(snake.KFold(2), { verbose: 0 }).run(model, [X, y]);
    type Any = Record<string, unknown>;
    expect(() => (results.out_of_fold as unknown as Any).yTrue).toThrow('`out_of_fold` has no `yTrue` in cvkit/snake.');
    expect(() => (results.fold_details[0] as unknown as Any).nTrain).toThrow(
      'The object has no `nTrain` in cvkit/snake.',
    );
    const metrics = snake.ClinicalMetrics().calculate_all(y, y) as unknown as Any;
    expect(() => metrics.lrPositive).toThrow('The answer of calculate_all has no `lrPositive` in cvkit/snake.');
  });

  it('does not throw where programs ask for it', () => {
    const probes = 'then asymmetricMatch nodeType tagName $$typeof @@__IMMUTABLE_ITERABLE__@@ length size inspect map';
    for (const name of [...probes.split(' '), 'zebra']) expect(report[name], name).toBeUndefined();
    for (const name of ['toJSON', 'constructor', 'hasOwnProperty', 'toString']) expect(report[name]).toBeDefined();
  });

  it('is no symbol', () => {
    expect((report as never as Record<symbol, unknown>)[Symbol('has_leakag')]).toBeUndefined();
    expect(`${report}`).toBe('[object Object]');
  });

  it('can be awaited, spread, tested and compared', async () => {
    expect(await report).toBe(report);
    expect(report).toEqual(report);
    expect(report).not.toEqual({});
    expect('hasLeakage' in report).toBe(false);
    expect(() => expect({ ...report }).toEqual({ has_leakage: 1 })).toThrow();
  });

  it('is undefined where it is like no name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[q-z]{3,12}$/), (name) => {
        expect(report[name]).toBeUndefined();
      }),
    );
  });

  it('can be given a value, as on any object', () => {
    const folds = snake.KFold(2) as unknown as Record<string, unknown>;
    folds.mine = 1;
    expect(folds.mine).toBe(1);
  });
});

describe('an answer that was not awaited', () => {
  const asked = () => snake.DataLeakageChecker().check(X, y, groups);
  type Any = Record<string, unknown>;

  it.each(['has_leakage', 'leakage_types', 'hasLeakage', 'summary', 'status'])(
    'throws where %s is read',
    async (name) => {
      const promise = asked();
      expect(() => (promise as unknown as Any)[name]).toThrow(
        `The answer of check is a promise, which has no \`${name}\`. Use (await check(...)).${name}.`,
      );
      expect(() => (promise as unknown as Any)[name]).toThrow(expect.objectContaining({ code: 'not_awaited' }));
      expect((await promise).has_leakage).toBe(true);
    },
  );

  it('is so for functions as well, and for promises that reject', async () => {
    const data = snake.load_heart_disease({ path: '/nowhere/heart.csv' }) as unknown as Any;
    expect(() => data.X).toThrow('Use (await load_heart_disease(...)).X.');
    await expect(data).rejects.toThrow(CVKitError);
  });

  it('is a promise of the platform in everything else', async () => {
    const promise = asked();
    expect(promise).toBeInstanceOf(Promise);
    expect(Promise.resolve(promise)).toBe(promise);
    expect(Object.prototype.toString.call(promise)).toBe('[object Promise]');
    expect(promise[Symbol.toStringTag]).toBe('Promise');
    expect(inspect(promise)).toMatch(/^Promise \{\s+<pending>/);
    expect(types.isPromise(promise)).toBe(true);
    expect(promise.constructor).toBe(Promise);
    expect(JSON.stringify(promise)).toBe('{}');
    expect(Object.keys(promise)).toEqual([]);
    let ended = false;
    const end = () => {
      ended = true;
    };
    const { has_leakage } = await promise.catch(() => expect.unreachable()).finally(end);
    expect([has_leakage, ended]).toEqual([true, true]);
    const [first] = await Promise.all([asked(), Promise.race([asked(), asked()]), Promise.allSettled([asked()])]);
    expect(first.has_leakage).toBe(true);
    expect(await promise.then(({ severity }) => severity)).toBe(first.severity);
    for (const name of ['toJSON', 'asymmetricMatch', '$$typeof', 'nodeType']) {
      expect((promise as unknown as Any)[name], name).toBeUndefined();
    }
  });
});
