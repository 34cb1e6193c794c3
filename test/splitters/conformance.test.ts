import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { randomSource } from '../../src/core/random.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import type { Fold } from '../../src/splitters/splitter.js';
import { splitterSuite } from '../conformance/splitterSuite.js';
import { trialsOf } from '../conformance/splitterTrials.js';
import { EXAMPLES } from './examples/index.js';

it('every exported splitter class is registered, with the name of the class and the family of its folder', () => {
  const src = new URL('../../src/splitters/', import.meta.url);
  const exported = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, src), 'utf8');
      const classes = [...text.matchAll(/^export class (\w+) extends define(?:Splitter|Nested)\b/gm)];
      return classes.map(([, name]) => `${file.split(/[/\\]/)[0]}: ${name}`);
    });
  expect(exported.length).toBeGreaterThanOrEqual(34);
  const registered = Array.from(splitterRegistry, ({ family, name }) => `${family}: ${name}`);
  expect(registered.sort(), 'A class that lacks its row: `npm run generate` writes it.').toEqual(exported.sort());
});

it('every example is of a splitter', () => {
  expect(Object.keys(EXAMPLES).filter((name) => !splitterRegistry.has(name))).toEqual([]);
});

for (const entry of splitterRegistry) {
  describe(entry.name, () => {
    const underTest = { ...entry, ...EXAMPLES[entry.name] };
    for (const each of splitterSuite(underTest)) it(each.name, each.run);

    it('gives folds that are pairs, too, and plain when they are copied', () => {
      for (const { options, data } of trialsOf(underTest)) {
        for (const fold of entry.create(options).split(data.n, data.y, data.side)) {
          const [train, test, ...more] = fold;
          expect([train === fold.train, test === fold.test, more.length]).toEqual([true, true, 0]);
          const { inner, ...plain } = fold;
          expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
          expect(Object.getOwnPropertySymbols(fold)).toEqual([]);
          expect(structuredClone(plain)).toStrictEqual(plain);
          for (const [innerTrain, innerTest] of inner?.split() ?? []) expect(innerTrain).not.toBe(innerTest);
        }
      }
    });

    it('takes a seed where it has none, in a copy', () => {
      for (const { options, data } of trialsOf(underTest)) {
        const draws = 'randomState' in entry.options.shape && options.shuffle !== false;
        const { randomState: _ofTheTrial, ...unseeded }: Record<string, unknown> = options;
        if (draws && 'shuffle' in entry.options.shape) unseeded.shuffle = true;
        const splitter = entry.create(unseeded);
        const before = JSON.stringify(splitter);
        const seeded = splitter.reseed?.(7);
        expect(seeded?.repeatable).toBe(true);
        const folds = (of: typeof splitter) => fingerprint(of.split(data.n, data.y, data.side) as Iterable<Fold>);
        if (draws) {
          expect(splitter.repeatable).toBe(false);
          expect(folds(seeded as typeof splitter)).toBe(folds(entry.create({ ...unseeded, randomState: 7 })));
          const given = entry.create({ ...unseeded, randomState: 3 });
          expect(given.reseed?.(7)).toBe(given);
          const streaming = entry.create({ ...unseeded, randomState: randomSource(3) });
          expect([streaming.repeatable, streaming.reseed?.(7).repeatable]).toEqual([false, false]);
        } else if (splitter.repeatable) {
          expect(seeded).toBe(splitter);
        }
        expect(JSON.stringify(splitter)).toBe(before);
      }
    });
  });
}
