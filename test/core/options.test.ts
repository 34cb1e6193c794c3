import { describe, expect, expectTypeOf, it } from 'vitest';
import { InvalidOptionError } from '../../src/core/errors.js';
import {
  anything,
  arrayLike,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  listOf,
  number,
  type Option,
  type OptionsOf,
  oneOf,
  optionOf,
  optionTable,
  randomState,
  rejectUnusedOption,
  seed,
  size,
  string,
} from '../../src/core/options.js';
import { type RandomState, randomSource } from '../../src/core/random.js';

const table = optionTable('Trainer', {
  nSplits: integer({ min: 2 }).default(5).alias('folds').describe('Number of folds.'),
  XTrain: arrayLike<number>('number[]'),
  ciMethod: oneOf('wilson', 'delong').default('wilson'),
  maxSize: integer({ min: 1 }).nullable().default(null),
  note: string().optional(),
});

const X = [1, 2];

function failure(work: () => unknown): InvalidOptionError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOptionError);
    return error as InvalidOptionError;
  }
  throw new Error('nothing was thrown');
}
const message = (work: () => unknown) => failure(work).message;

describe('the types of a table', () => {
  it('what the caller writes: required options, the others if he likes', () => {
    expectTypeOf<InputOf<typeof table>>().toEqualTypeOf<{
      XTrain: ArrayLike<number>;
      nSplits?: number | null | undefined;
      ciMethod?: 'wilson' | 'delong' | null | undefined;
      maxSize?: number | null | undefined;
      note?: string | null | undefined;
    }>();
  });

  it('what the code behind the door gets: every default filled in, read-only', () => {
    expectTypeOf<OptionsOf<typeof table>>().toEqualTypeOf<
      Readonly<{
        XTrain: ArrayLike<number>;
        nSplits: number;
        ciMethod: 'wilson' | 'delong';
        maxSize: number | null;
        note: string | undefined;
      }>
    >();
  });

  it('a default must be a value of the option', () => {
    // @ts-expect-error a string is no integer
    integer().default('five');
    // @ts-expect-error not in the list
    oneOf('a', 'b').default('c');
    expectTypeOf(randomState()).toEqualTypeOf<Option<RandomState>>();
  });
});

describe('resolve', () => {
  it('fills in defaults, leaves optional ones undefined', () => {
    const defaults = { nSplits: 5, ciMethod: 'wilson', maxSize: null, note: undefined };
    expect(table.resolve({ XTrain: X })).toEqual({ XTrain: X, ...defaults });
  });

  it.each(['nSplits', 'n_splits', 'folds'])('takes the spelling %s', (name) => {
    expect(table.resolve({ XTrain: X, [name]: 3 }).nSplits).toBe(3);
  });

  it('keeps a leading X in snake_case', () => {
    expect(table.resolve({ X_train: X }).XTrain).toBe(X);
  });

  it('gives a frozen object and leaves the input alone', () => {
    const input = Object.freeze({ XTrain: X, n_splits: 3 });
    const options = table.resolve(input);
    expect(Object.isFrozen(options)).toBe(true);
    expect(input).toEqual({ XTrain: X, n_splits: 3 });
  });

  it('reads undefined and null as left out', () => {
    expect(table.resolve({ XTrain: X, nSplits: undefined, n_splits: 4 }).nSplits).toBe(4);
    expect(table.resolve({ XTrain: X, nSplits: null, n_splits: 4 }).nSplits).toBe(4);
    expect(table.resolve({ XTrain: X, nSplits: null, ciMethod: null, maxSize: null, note: null })).toEqual(
      table.resolve({ XTrain: X }),
    );
    expect(optionTable('Fitter', { first: anything('rows').optional() }).resolve({ first: null })).toEqual({
      first: undefined,
    });
    expect(optionTable('Fitter', { nSplits: integer().default(5) }).resolve(null)).toEqual({ nSplits: 5 });
  });

  it('keeps null where it has a meaning of its own', () => {
    const seeded = optionTable('Seeded', {
      randomState: randomState().default(42),
      seed: seed().optional(),
      size: integer().nullable().default(3),
    });
    const nulls = { randomState: null, seed: null, size: null };
    expect(seeded.resolve(nulls)).toEqual(nulls);
  });

  it('refuses null for what is required', () => {
    expect(message(() => table.resolve({ XTrain: null }))).toMatch(/`XTrain`.*null/);
    expect(message(() => optionTable('Fitter', { first: anything('rows', 'be rows') }).resolve({ first: null }))).toBe(
      'The `first` option of Fitter must be rows. Got null.',
    );
    expect(failure(() => table.resolve(null)).code).toBe('missing_option');
  });

  it('takes an object without a prototype, and an empty table', () => {
    expect(table.resolve(Object.assign(Object.create(null), { XTrain: X })).XTrain).toBe(X);
    expect(optionTable('LOOCV', {}).resolve()).toEqual({});
  });
});

describe('errors at the door', () => {
  // What they say stands in messages.test.ts.
  it.each([
    ['unknown_option', { XTrain: X, nSplit: undefined }],
    ['unknown_option', { XTrain: X, constructor: 3 }],
    ['duplicate_option', { XTrain: X, nSplits: 3, n_splits: 3 }],
    ['missing_option', undefined],
    ['invalid_option', { XTrain: X, nSplits: 1 }],
  ])('%s: %o', (code, input) => {
    expect(failure(() => table.resolve(input)).code).toBe(code);
    expect(table.canonical('toString')).toBeUndefined();
  });

  it.each([[[]], [5], ['x'], [new Map()]])('options that are no plain object: %o', (input) => {
    expect(message(() => table.resolve(input))).toMatch(/^The options of Trainer must be one plain object\. Got /);
  });
});

describe('parse', () => {
  it('tells which options the caller wrote, by canonical name', () => {
    const { written, options } = table.parse({ X_train: X, folds: 5, note: undefined });
    expect([...written]).toEqual(['XTrain', 'nSplits']);
    expect(options.nSplits).toBe(5);
  });

  it('tells which of them are other than the default', () => {
    const { changed } = table.parse({ XTrain: X, nSplits: 5, ciMethod: 'delong', maxSize: null });
    expect([...changed]).toEqual(['XTrain', 'ciMethod']);
  });

  it('compares lists and plain objects by what they hold', () => {
    const nested = optionTable('Nested', {
      list: listOf<number>('number', 'be a list', () => true).default([1, 2]),
      record: custom<object>('object', 'be an object', isPlainObject).default({ a: [1], b: Number.NaN }),
      hook: custom<object>('object', 'be an object', () => true).default({}),
    });
    const changed = (input: object) => [...nested.parse(input).changed];
    expect(changed({ list: [1, 2], record: { b: Number.NaN, a: [1] }, hook: {} })).toEqual([]);
    const others = { list: [1, 2, 3], record: { a: [2], b: Number.NaN }, hook: new Map() };
    expect(changed(others)).toEqual(['list', 'record', 'hook']);
    expect(changed({ record: { a: [1], c: Number.NaN } })).toEqual(['record']);
  });
});

it('canonical finds the name behind every spelling', () => {
  const names = ['nSplits', 'n_splits', 'folds', 'X_train', 'none'].map(table.canonical);
  expect(names).toEqual(['nSplits', 'nSplits', 'nSplits', 'XTrain', undefined]);
});

it('rows are what api-schema.json shows', () => {
  const more = { aliases: ['folds'], description: 'Number of folds.' };
  expect(table.rows()).toEqual([
    { name: 'nSplits', spec_name: 'n_splits', type: 'integer', default: 5, ...more },
    { name: 'XTrain', spec_name: 'X_train', type: 'number[]', required: true },
    { name: 'ciMethod', spec_name: 'ci_method', type: "'wilson' | 'delong'", default: 'wilson' },
    { name: 'maxSize', spec_name: 'max_size', type: 'integer | null', default: null },
    { name: 'note', spec_name: 'note', type: 'string' },
  ]);
});

describe('a table written wrongly', () => {
  it('is refused when one spelling stands for two options', () => {
    expect(() => optionTable('Bad', { nSplits: integer(), folds: integer().alias('n_splits') })).toThrow(
      "option table of Bad: 'n_splits' stands for both nSplits and folds",
    );
  });

  it('does not mix up options made from the same one', () => {
    const base = integer();
    base.alias('a').describe('changed').default(3);
    expect([base.aliases, base.description, base.presence]).toEqual([[], '', 'required']);
  });
});

it('rejectUnusedOption', () => {
  const idle = () => rejectUnusedOption('KFold', 'randomState', '`shuffle` is false, so nothing is drawn');
  expect(failure(idle).code).toBe('idle_option');
});

// Every kind of option: values it takes, values it refuses, and how the sentence says it.
const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;
const SEED = 'be an integer from 0 to 4294967295, a non-empty string,';
const SIZE = 'be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1';
const SEEDS = [0, 4294967295, 'ward', null, randomSource(1)];
const VIEW = new DataView(new ArrayBuffer(8));
const names = listOf<string>('string', 'be a list of names', (value) => typeof value === 'string');
const date = custom<Date>('Date', 'be a Date', (value) => value instanceof Date);
const KINDS: [string, option: Option<unknown>, must: string, takes: unknown[], refuses: unknown[]][] = [
  ['integer', integer(), 'be an integer', [0, -3, 2 ** 53 - 1], [1.5, '1', NAN, INF, null, 1n]],
  ['integer in a range', integer({ min: 1, below: 10 }), 'be an integer >= 1 and < 10', [1, 9], [0, 10]],
  ['number', number(), 'be a number', [0, -0.5, 1e300], ['1', NAN, INF, -INF, null, true]],
  ['number in a range', number({ above: 0, max: 1 }), 'be a number > 0 and <= 1', [1, 1e-9], [0, 1.001, NAN]],
  ['size', size(), SIZE, [0.2, 1, 50, 0.999], [0, 1.5, -0.2, NAN, INF, '0.2']],
  ['boolean', boolean(), 'be true or false', [true, false], [0, 'true', null]],
  ['string', string(), 'be a non-empty string', ['a', ' '], ['', 1, null]],
  ['oneOf', oneOf('a', 'b'), "be one of 'a', 'b'", ['a', 'b'], ['c', 'A', '', 0, null]],
  ['oneOf a single one', oneOf('a'), "be 'a'", ['a'], ['b']],
  ['randomState', randomState(), `${SEED} a RandomSource, or null`, SEEDS, [-1, 1.5, 2 ** 32, '', NAN, true, {}]],
  ['seed', seed(), `${SEED} or null`, [0, 'ward', null], [-1, '', randomSource(1)]],
  ['arrayLike', arrayLike(), 'be an array or typed array', [[], [1], new Float32Array(2)], ['text', VIEW, null]],
  ['listOf', names, 'be a list of names', [[], ['a']], [['a', 1], 'a', null]],
  ['custom', date, 'be a Date', [new Date(0)], [0, null]],
  ['anything', anything('model'), 'be given', [0, '', {}, () => 1], [null]],
  ['nullable', integer({ min: 2 }).nullable(), 'be an integer >= 2, or null', [null, 2], [1, 'x']],
];

it('a list names the entry that is refused; a way out follows when there is one', () => {
  const of = (value: unknown) =>
    message(() => optionTable('Owner', { value: names.instead('Use names.') }).resolve({ value }));
  const must = 'The `value` option of Owner must be a list of names. Got';
  expect(of(['a', 1])).toBe(`${must} 1 in place 1. Use names.`);
  expect(of('a')).toBe(`${must} 'a'. Use names.`);
});

it('a way out may depend on what was given', () => {
  const option = integer().instead((got) => (got === 'two' ? 'Use 2.' : undefined));
  const of = (value: unknown) => message(() => optionTable('Owner', { value: option }).resolve({ value }));
  expect(of('two')).toBe("The `value` option of Owner must be an integer. Got 'two'. Use 2.");
  expect(of('three')).toBe("The `value` option of Owner must be an integer. Got 'three'.");
});

it.each(KINDS)(
  'the kind %s takes its values alone, and is required until it has a default',
  (_, option, must, takes, refuses) => {
    const one = optionTable('Owner', { value: option });
    for (const value of takes) expect(one.resolve({ value }).value).toBe(value);
    for (const value of refuses) {
      expect(message(() => one.resolve({ value }))).toContain(`The \`value\` option of Owner must ${must}. Got `);
    }
    expect(failure(() => one.resolve({})).code).toBe('missing_option');
    expect(optionTable('Owner', { value: option.optional() }).resolve({})).toEqual({ value: undefined });
  },
);

it('isPlainObject', () => {
  for (const value of [{}, Object.create(null), { a: 1 }]) expect(isPlainObject(value)).toBe(true);
  const others = [[], null, 1, 'x', () => 1, new Map(), new Date(), new (class Model {})()];
  for (const value of others) expect(isPlainObject(value)).toBe(false);
});

it('a table says whose an option is that its sibling has', () => {
  const maker = optionTable('Maker', { nSplits: integer() });
  const make = optionTable('make', { epochs: integer().optional() }, optionOf(maker));
  expect(() => make.resolve({ n_splits: 3 })).toThrow('make has no option `n_splits`. It is an option of Maker.');
  expect(() => make.resolve({ epoch: 3 })).toThrow('Did you mean `epochs`?');
});

it('a word among those of an option may be written in snake_case, as in scikit-learn', () => {
  const table = optionTable('Owner', {
    strategy: oneOf('mean', 'mostFrequent').default('mostFrequent'),
    drop: oneOf('first', 'ifBinary').nullable().default(null),
  });
  const parsed = table.parse({ strategy: 'most_frequent', drop: 'if_binary' });
  expect(parsed.options).toEqual({ strategy: 'mostFrequent', drop: 'ifBinary' });
  expect([...parsed.changed]).toEqual(['drop']);
  expect(table.resolve({ drop: null }).drop).toBeNull();
  expect(() => table.resolve({ strategy: 'most_Frequent' })).toThrow("Got 'most_Frequent'");
});
