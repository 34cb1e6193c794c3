import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { type SplitterUnderTest, splitterSuite } from '../conformance/splitterSuite.js';

/** Option sets beyond the defaults: required options, and variants with code of their own. */
const EXAMPLES: Record<string, SplitterUnderTest['examples']> = {
  HoldOut: [{}, { stratify: true, testSize: 0.25 }, { testSize: 5 }],
  RepeatedKFold: [{ nRepeats: 2 }, { nRepeats: 3, stratify: true }],
};

/**
 * Fingerprints of the seeded designs that no other library can confirm. They pin, they prove nothing: a change here
 * moves rows for users who kept their seed, so it belongs in the changelog.
 */
const GOLDEN: Record<string, string> = {
  GroupKFold: 'b6777b8c5fb1171bb1d61f2b5f4f5e20',
  StratifiedGroupKFold: 'e43566ff6fc2d3e957afef1b803011db',
};

it('every exported splitter class is registered', () => {
  const src = new URL('../../src/splitters/', import.meta.url);
  const exported = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, src), 'utf8').matchAll(
        /export class (\w+) extends (?:BaseSplitter|ShuffledKFold)</g,
      ),
    ])
    .map(([, name]) => name);
  expect(exported.length).toBeGreaterThanOrEqual(6);
  expect(splitterRegistry.names().sort()).toEqual(exported.sort());
});

for (const entry of splitterRegistry) {
  describe(entry.name, () => {
    for (const each of splitterSuite({ ...entry, examples: EXAMPLES[entry.name], golden: GOLDEN[entry.name] }))
      it(each.name, each.run);
  });
}
