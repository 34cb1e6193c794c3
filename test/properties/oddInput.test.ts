/** Every public function, class and method is called with what is none of its arguments: it answers, or says so itself. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import * as main from '../../src/index.js';
import * as plot from '../../src/plot/index.js';
import * as stats from '../../src/stats/index.js';

const ODD: readonly unknown[] = [null, undefined, {}, [], 'x', Number.NaN, Symbol('s'), 1n, () => 1];
const X = Array.from({ length: 12 }, (_, row) => [row, (row * 7) % 5]);
const y = X.map((_, row) => row % 2);
/** What most functions can use at each place, so that one odd argument alone is looked at, too. */
const FITTING: readonly unknown[][] = [[], [X, y], [y, y], [12, y]];

/** Errors are classes to throw, not functions that read arguments. */
const isError = (value: unknown) => typeof value === 'function' && value.prototype instanceof Error;
const isClass = (value: unknown) => /^class\b/.test(Function.prototype.toString.call(value));

type Call = readonly [name: string, call: (...args: never[]) => unknown];

function* callsOf(module: object): Generator<Call> {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== 'function' || isError(value)) continue;
    if (!isClass(value)) {
      yield [name, value];
      continue;
    }
    yield [`new ${name}`, (...args) => new value(...args)];
    const made = instanceOf(value);
    if (!made) continue;
    for (const method of Object.getOwnPropertyNames(value.prototype)) {
      // Hooks of callbacks are called by the runner, private parts by nobody.
      if (method === 'constructor' || /^(on[A-Z]|plan$|read$|teardown)/.test(method)) continue;
      const { value: found } = Object.getOwnPropertyDescriptor(value.prototype, method)!;
      if (typeof found === 'function') yield [`${name}.${method}`, (...args) => found.apply(instanceOf(value), args)];
    }
    if (typeof made.split === 'function' && !Object.hasOwn(value.prototype, 'split')) {
      yield [`${name}.split`, (...args) => [...(made.split as (...all: never[]) => Iterable<unknown>)(...args)]];
    }
  }
}

function instanceOf(Class: new (options?: unknown) => unknown): Record<string, unknown> | undefined {
  for (const options of [undefined, { cvSplitter: new main.KFold({ nSplits: 2 }), verbose: 0 }, { testFold: y }]) {
    try {
      return new Class(options) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof CVKitError)) throw error;
    }
  }
  return undefined;
}

/** Each odd value at each of three places, the others left out or fitting. */
const argumentLists: readonly unknown[][] = ODD.flatMap((odd) => [
  ...FITTING.flatMap((fitting) => [0, 1, 2].map((place) => Object.assign([...fitting], { [place]: odd }))),
  [odd, odd, odd],
]);

const shown = (args: readonly unknown[]) =>
  Array.from(args, (each) =>
    each === X ? 'X' : each === y ? 'y' : typeof each === 'object' ? JSON.stringify(each) : String(each),
  ).join(', ');

// Loaders that are given no place would download theirs.
const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network here'));
afterAll(() => fetched.mockRestore());

describe.each([
  ['cvkit', main],
  ['cvkit/stats', stats],
  ['cvkit/plot', plot],
])('%s', (_, module) => {
  it.each([...callsOf(module)])('%s', async (name, call) => {
    const raw = new Set<string>();
    for (const args of argumentLists) {
      try {
        await call(...(Array.from(args) as never[]));
      } catch (error) {
        if (!(error instanceof CVKitError))
          raw.add(`${name}(${shown(args)}): ${String(error)} ${(error as Error).stack?.split('\n')[1]}`);
      }
    }
    expect([...raw]).toEqual([]);
  });
});
