import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { splitterSuite } from '../conformance/splitterSuite.js';
import { EXAMPLES } from './examples/index.js';

it('every exported splitter class is registered', () => {
  const src = new URL('../../src/splitters/', import.meta.url);
  const exported = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, src), 'utf8').matchAll(/export class (\w+) extends \w+[< ]/g)])
    .map(([, name]) => name);
  expect(exported.length).toBeGreaterThanOrEqual(34);
  expect(splitterRegistry.names().sort()).toEqual(exported.sort());
});

for (const entry of splitterRegistry) {
  describe(entry.name, () => {
    for (const each of splitterSuite({ ...entry, ...EXAMPLES[entry.name] })) it(each.name, each.run);
  });
}
