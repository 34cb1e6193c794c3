import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutComments, withoutDescriptions } from '../../scripts/bareModules.mjs';
import { DIST, needDist } from './dist.js';

describe('withoutDescriptions', () => {
  it('leaves out what is told of an option', () => {
    const code =
      "const a = integer({ min: 2 }).default(5).describe('Number of folds.');\nconst b = string()\n    .describe('One ' +\n    'sentence.').optional();";
    expect(withoutDescriptions(code)).toBe('const a = integer({ min: 2 }).default(5);\nconst b = string().optional();');
  });

  it('leaves calls of other kinds alone', () => {
    const code = "splitter.describe(); describe('x', () => 1); a.describe('x', y); const text = \".describe('z')\";";
    expect(withoutDescriptions(code)).toBe(code);
  });

  it('gives code that does the same', () => {
    const code =
      "const o = { describe() { throw new Error(); }, end: () => 7 }; return o.describe('a').describe(`b`).end();";
    expect(new Function(withoutDescriptions(code))()).toBe(7);
  });
});

describe('withoutComments', () => {
  it.each([
    ['// one\nconst a = 1; // two\n\n/** three */\nconst b = 2;', 'const a = 1;\nconst b = 2;'],
    ['const a = [/* none */];\nf(/* first */ 1, /* second */ 2);', 'const a = [ ];\nf(  1,   2);'],
    ['const url = "https://a.org"; // b', 'const url = "https://a.org";'],
    ['const found = /\\/\\/[/*]*/.test(x); /* c */', 'const found = /\\/\\/[/*]*/.test(x);'],
    ['const a = 1 /* two\nlines */ const b = 2', 'const a = 1\n const b = 2'],
    [`const text = \`a // b\n\n  \${c /* d */} /* e */\`; // f`, `const text = \`a // b\n\n  \${c  } /* e */\`;  `],
  ])('of %j are %j', (code, bare) => {
    expect(withoutComments(code)).toBe(bare);
  });

  it.each([
    'import(/* @vite-ignore */ /* webpackIgnore: true */ name);',
    'const a = /* @__PURE__ */ f();',
    '// src/core/yieldToPage.ts\nconst a = 1;',
    '/* licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). */\nconst a = 1;',
  ])('keeps what bundlers obey, and licences: %s', (code) => {
    expect(withoutComments(code)).toBe(code);
  });
});

describe('dist', () => {
  beforeAll(needDist);
  const modules = (folder = 'modules') =>
    readdirSync(join(DIST, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));

  it.each([
    ['modules', ['src/datasets/data/wdbc.js']],
    // Two hold programs as texts, with their comments.
    ['node', ['chunks/init.js', 'chunks/parquetFile.js', 'chunks/wdbc.js']],
  ])('%s has no comments but licences, names of sources and what bundlers obey', (folder, expected) => {
    const commented = modules(folder).filter((name) =>
      readFileSync(join(DIST, folder, name), 'utf8')
        .split('\n')
        .some((line) => /^\s*(\/\/(?! [\w./-]+\.ts$)|\/\*(?! @__PURE__| @vite-ignore| webpackIgnore))/.test(line)),
    );
    expect(commented.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(expected);
  });

  it('modules has what pages use, and nothing for Node alone', () => {
    const names = modules().map((name) => name.replaceAll('\\', '/'));
    // Started as a worker, imported by nobody.
    expect(names).toContain('src/pages/pageWorker.js');
    expect(names.filter((name) => /^src\/(node|cli|bullmq)\//.test(name))).toEqual([]);
  });
});
