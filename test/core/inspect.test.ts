import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import {
  CVKitValidator,
  DataLeakageChecker,
  GroupKFold,
  KFold,
  LeakageDetectionCallback,
  UniversalCVRunner,
} from '../../src/index.js';

const N = 60;
const ids = Array.from({ length: N }, (_, row) => `SECRET-${row % 20}`);
const y = ids.map((_, row) => (row % 20 < 10 ? 'HIDDEN-a' : 'HIDDEN-b'));
const X = ids.map((_, row) => [Math.sin(row), row % 3]);
const model = () => {
  let first = '';
  return {
    fit: (_: unknown, labels: string[]) => {
      [first] = labels;
    },
    predict: (rows: unknown[]) => rows.map(() => first),
  };
};
const cvSplitter = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });

/** As `console.log` shows it, and as deep as one may ask. */
const logged = (value: unknown) => `${inspect(value)} ${inspect({ value }, { depth: null, maxArrayLength: null })}`;

it.each<[string, () => Promise<object>, string[]]>([
  [
    'ValidationResult',
    () =>
      new CVKitValidator({ cv: cvSplitter, ciMethod: 'corrected_t' }).validate({
        model,
        X,
        y,
        groups: ids,
        positiveLabel: 'HIDDEN-b',
      }),
    ['estimates', 'outOfFold', 'checks'],
  ],
  [
    'CVResults',
    () =>
      new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
        model,
        data: { X, y, groups: ids },
        positiveLabel: 'HIDDEN-b',
      }),
    ['estimates', 'outOfFold'],
  ],
  ['LeakageReport', () => new DataLeakageChecker().check(X, y, { groups: ids, cv: cvSplitter }), ['checks', 'folds']],
])('%s is shown by heading and names of fields, without rows', async (name, make, fields) => {
  const result = await make();
  const text = logged(result);
  expect(text).not.toMatch(/SECRET|HIDDEN/);
  expect(inspect(result).split('\n')[0]).toMatch(new RegExp(`^${name}: \\w`));
  for (const field of fields) expect(text).toContain(field);
  // The object itself is as usable as before.
  expect(Object.keys(result)).toEqual(expect.arrayContaining(fields));
});

it('an error that holds a report shows no more than it', async () => {
  const run = new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    callbacks: [new LeakageDetectionCallback({ strict: true })],
    model,
    data: { X, y, groups: ids },
    positiveLabel: 'HIDDEN-b',
  });
  const error = await run.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ code: 'leakage' });
  expect(logged(error)).not.toMatch(/SECRET|HIDDEN/);
});

it('so does an error of a splitter that tears a patient', () => {
  const torn = { claims: { disjointGroups: true }, split: () => cvSplitter.split(N) };
  let error: unknown;
  try {
    new GroupKFold().split(X, y, { groups: ids.with(3, { name: 'SECRET-3' } as never) });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(Error);
  expect(logged([error, torn])).not.toContain('SECRET');
});

it('shows what has settings as it is written, with those that are not the defaults', () => {
  expect(inspect(new CVKitValidator())).toBe('CVKitValidator()');
  const validator = new CVKitValidator({ method: 'stratified_kfold', nSplits: 3, checkLeakage: false });
  expect(inspect(validator)).toBe('CVKitValidator({ nSplits: 3, checkLeakage: false })');
  const runner = inspect(new UniversalCVRunner({ cvSplitter, verbose: 0 }));
  expect(runner).toBe(
    'UniversalCVRunner({ cvSplitter: KFold({ nSplits: 3, shuffle: true, randomState: 1 }), verbose: 0 })',
  );
  expect(inspect(new UniversalCVRunner({ cvSplitter: { split: () => [], getNSplits: () => 0 } }))).toBe(
    'UniversalCVRunner({ cvSplitter: an object with the keys split, getNSplits })',
  );
});
