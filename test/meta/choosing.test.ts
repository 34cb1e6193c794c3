/** docs/choosing.md shows the decision table as the code has it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { designTable } from '../../src/validator/designTable.js';
import { methodName } from '../../src/validator/methods.js';

const page = readFileSync(new URL('../../docs/choosing.md', import.meta.url), 'utf8');

const table = [
  '| when | category | splitter | `method` | why |',
  '| --- | --- | --- | --- | --- |',
  ...designTable.map(
    ({ when, category, splitter, reason }) =>
      `| ${when} | ${category} | [\`${splitter}\`](splitters.md#${splitter.toLowerCase()}) | \`${methodName(splitter)}\` | ${reason} |`,
  ),
].join('\n');

describe('docs/choosing.md', () => {
  it('shows the decision table', () => {
    const [, shown] = /<!-- decision table[^>]*-->\n\n([\s\S]*?)\n\n<!-- \/decision table -->/.exec(page) ?? [];
    expect(shown).toBe(table);
  });
});
