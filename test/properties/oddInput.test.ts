/** Every public function, class and method is called with what is none of its arguments: it answers, or says so in one sentence. */
import { afterAll, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import * as main from '../../src/index.js';
import * as plot from '../../src/plot/index.js';
import * as stats from '../../src/stats/index.js';

const NONSENSE: readonly unknown[] = [null, undefined, {}, [], 'x', Number.NaN, Symbol('s'), 1n, () => 1];
const X = Array.from({ length: 12 }, (_, row) => [row, (row * 7) % 5]);
const y = X.map((_, row) => row % 2);
/** What most functions can use at each place, so that one bad argument alone is looked at, too. */
const FITTING: readonly unknown[][] = [[], [X, y], [y, y]];

const isClass = (value: unknown) => /^class\b/.test(Function.prototype.toString.call(value));

type Call = readonly [name: string, call: (...args: never[]) => unknown];

function* callsOf(module: object): Generator<Call> {
  for (const [name, value] of Object.entries(module)) {
    // Errors are classes to throw.
    if (typeof value !== 'function' || value.prototype instanceof Error) continue;
    if (!isClass(value)) {
      yield [name, value];
      continue;
    }
    yield [`new ${name}`, (...args) => new value(...args)];
    const made = instanceOf(value);
    if (!made) continue;
    // Hooks of callbacks are called by the runner, private parts by nobody.
    const hidden = /^(constructor|on[A-Z].*|plan|read|teardown.*)$/;
    for (const method of [...Object.getOwnPropertyNames(value.prototype), ...('split' in made ? ['split'] : [])]) {
      if (hidden.test(method) || Object.getOwnPropertyDescriptor(value.prototype, method)?.get) continue;
      yield [`${name}.${method}`, (...args) => listed((instanceOf(value) as Methods)[method](...args))];
    }
  }
}

type Methods = Record<string, (...args: never[]) => unknown>;

/** Folds are made when they are taken. */
const listed = (answer: unknown) =>
  Symbol.iterator in Object(answer) && typeof answer !== 'string' ? [...(answer as Iterable<unknown>)] : answer;

function instanceOf(Class: new (options?: unknown) => unknown): Methods | undefined {
  for (const options of [undefined, { cvSplitter: new main.KFold({ nSplits: 2 }), verbose: 0 }, { testFold: y }]) {
    try {
      return new Class(options) as Methods;
    } catch (error) {
      if (!(error instanceof CVKitError)) throw error;
    }
  }
  return undefined;
}

/** Each bad value at each of three places, the others left out or fitting. */
const argumentLists: readonly unknown[][] = NONSENSE.flatMap((bad) => [
  ...FITTING.flatMap((fitting) => [0, 1, 2].map((place) => Object.assign([...fitting], { [place]: bad }))),
  [bad, bad, bad],
]);

// Loaders that are given no place would download theirs.
const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network here'));
afterAll(() => fetched.mockRestore());

it.each([main, stats, plot].flatMap((module) => [...callsOf(module)]))('%s', async (_, call) => {
  for (const args of argumentLists) {
    const error = await (async () => call(...(Array.from(args) as never[])))().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined) continue;
    expect(error).toBeInstanceOf(CVKitError);
    const { code, message } = error as CVKitError;
    expect([code, message]).toEqual([
      expect.stringMatching(/^[a-z_]+$/),
      expect.stringMatching(/^\P{Cc}{10,700}[.)?]$/u),
    ]);
  }
});
