/** JSON that somebody changed: what reads it answers with one sentence, or reads it. */
import fc from 'fast-check';
import { CVKitError } from '../../src/core/errors.js';

const nested = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`);
const ODD = [
  { length: 1e9 },
  [{ length: 1e9 }],
  { record: [[1, 2]] },
  { bigint: 'x' },
  { pattern: '(', flags: '' },
  { module: 'file:///nothing.mjs' },
  nested,
  null,
  -1,
  4294967296,
  'constructor',
  [],
  [null],
  {},
];

type Path = readonly (string | number)[];

/** Paths of all values of some JSON. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const keys = Array.isArray(value) ? value.map((_, place) => place) : Object.keys(value);
  return [at, ...keys.flatMap((key) => pathsOf((value as Record<string | number, unknown>)[key], [...at, key]))];
}

const REMOVED = Symbol('removed');

function changed(json: unknown, path: Path, by: unknown): unknown {
  if (path.length === 0) return by === REMOVED ? undefined : by;
  const copy = structuredClone(json) as Record<string | number, unknown>;
  let parent = copy;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  const last = path[path.length - 1];
  if (by !== REMOVED) parent[last] = by;
  else if (Array.isArray(parent)) parent.splice(last as number, 1);
  else delete parent[last];
  return copy;
}

/** Every value of `json` replaced by every odd one, and removed; each object with one field more. */
function* hostileJSON(json: unknown): Generator<unknown> {
  for (const path of pathsOf(json)) {
    for (const odd of [...ODD, REMOVED]) yield changed(json, path, odd);
    const value = path.reduce((at, key) => (at as Record<string | number, unknown>)?.[key], json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield changed(json, path, { ...value, more: 1 });
    }
  }
}

/** Several changes at once, and JSON of any kind. */
const anyJSON = (json: unknown) =>
  fc.oneof(
    fc.jsonValue(),
    fc
      .array(fc.tuple(fc.constantFrom(...pathsOf(json)), fc.oneof(fc.constantFrom<unknown>(...ODD), fc.jsonValue())), {
        minLength: 2,
        maxLength: 4,
      })
      .map((changes) =>
        changes.reduce((at, [path, odd]) => {
          try {
            return changed(at, path, odd);
          } catch {
            return at; // the path is no longer there
          }
        }, json),
      ),
  );

/** The answers to hostile JSON that are no errors of cvkit, with the JSON that they were given to. */
export async function untypedAnswers(json: unknown, use: (each: unknown) => unknown, numRuns: number) {
  const found: unknown[] = [];
  const all = [...hostileJSON(json)];
  // Of a long one evenly spread ones, so that a test takes no longer than a second.
  const step = Math.ceil(all.length / 300);
  const some = all.filter((_, at) => at % step === 0);
  for (const each of [...some, ...fc.sample(anyJSON(json), { numRuns, seed: 41 })]) {
    try {
      await use(each);
    } catch (error) {
      if (error instanceof CVKitError && !error.message.includes('\n')) continue;
      found.push([String(error), JSON.stringify(each)?.slice(0, 500)]);
    }
  }
  return found;
}
