import { describe, expect, it } from 'vitest';
import { withComments } from '../../scripts/descriptionComments.mjs';

describe('withComments', () => {
  it('writes what is said about an option as a comment, and keeps every line where it was', () => {
    const code = [
      "const a = integer({ min: 2 }).default(5).describe('Number of folds.');",
      'const b = string()',
      "    .describe('One ' +",
      "    'sentence. */ still').optional();",
      'const c = 1;',
    ].join('\n');
    expect(withComments(code).split('\n')).toEqual([
      "const a = integer({ min: 2 }).default(5) /* 'Number of folds.' */;",
      "const b = string() /* 'One ' +",
      "    'sentence. * / still' */",
      '.optional();',
      'const c = 1;',
    ]);
  });

  it('leaves calls of other kinds alone', () => {
    const code = "splitter.describe(); describe('x', () => 1); a.describe('x', y); const text = \".describe('z')\";";
    expect(withComments(code)).toBe(code);
  });

  it('gives code that does the same', () => {
    const code =
      "const o = { describe() { throw new Error(); }, end: () => 7 }; return o.describe('a').describe(`b`).end();";
    expect(new Function(withComments(code))()).toBe(7);
  });
});
