import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  headText,
  literalText,
  markdownText,
  markupText,
  nameText,
  pathSegment,
  plainText,
} from '../../src/core/foreignText.js';

describe('plainText', () => {
  it.each([
    ['two\nlines\r\n', 'two\\nlines\\r\\n'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b31m', '\\u009b31m'],
    ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['abc\u202Edcb\u2066x\u2069', 'abc\\u202edcb\\u2066x\\u2069'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['\ud800', '\\ud800'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
  ])('%j shows what cannot be seen', (text, seen) => {
    expect(plainText(text)).toBe(seen);
  });

  it('leaves every script alone, and text that is safe already', () => {
    for (const text of ['Größe', 'עברית', 'العمر', '体重', '👩‍⚕️', 'a\\nb', 'x | y']) expect(plainText(text)).toBe(text);
  });
});

it('nameText cuts long names in the middle', () => {
  expect(nameText('short')).toBe('short');
  const long = `begin${'x'.repeat(10_000)}end`;
  expect(nameText(long)).toHaveLength(60);
  expect(nameText(long)).toMatch(/^beginx+…x+end$/);
  expect(nameText('abcdefghij', 5)).toBe('ab…ij');
});

it('a name has single blanks, and quotes where it would read as ours at the start of a line', () => {
  expect(nameText(`id${' '.repeat(66)}CVL001\u3000\u00a0\u2003x`)).toBe('id CVL001 x');
  for (const name of [
    'CVL001 patient passed',
    'ＣＶＬ001',
    'Passed: all',
    'needs_review',
    'not\u00a0evaluated',
    'error',
  ]) {
    expect(headText(name)).toMatch(/^'.*'$/);
  }
  for (const name of ['cv', 'passed_share', 'errors', 'nothing', 'fixed', 'age']) expect(headText(name)).toBe(name);
});

it('markupText is neither a tag nor the end of an attribute', () => {
  expect(markupText(`<img src=x onerror='a("&")'>\n`)).toBe(
    '&lt;img src=x onerror=&#39;a(&quot;&amp;&quot;)&#39;&gt;\\n',
  );
});

it('literalText is source that gives the text again, and shows every letter', { tags: 'slow' }, () => {
  expect(literalText('site')).toBe("'site'");
  expect(literalText('a "b"')).toBe(`'a "b"'`);
  expect(literalText("it's")).toBe(`"it's"`);
  for (const unit of ['grapheme', 'binary'] as const) {
    fc.assert(
      fc.property(
        fc.string({ unit }),
        fc.constantFrom("'", '"', '\\', '\n', '\u2028', '\u202e', '`', '${'),
        (text, bad) => {
          const source = literalText(text + bad + text);
          expect(new Function(`'use strict'; return ${source};`)()).toBe(text + bad + text);
          expect(plainText(source)).toBe(source);
        },
      ),
    );
  }
});

it.each([
  ['# heading', '\\# heading'],
  ['- item', '\\- item'],
  ['1. item', '1\\. item'],
  ['===', '\\==='],
  ['a|b', 'a\\|b'],
  ['a\\|b', 'a\\\\\\|b'],
  ['![x](http://e.org)', '!\\[x\\](http\\://e.org)'],
  ['<img src=x>', '\\<img src=x\\>'],
  ['`code` *em* ~~out~~', '\\`code\\` \\*em\\* \\~\\~out\\~\\~'],
  ['_em_ but roc_auc', '\\_em\\_ but roc_auc'],
  ['&lt;', '\\&lt;'],
  ['www.e.org @someone', 'www\\.e.org \\@someone'],
  ['one\n# two', 'one\\\\n# two'],
  ['-0.5 to 1', '-0.5 to 1'],
  ['0.717', '0.717'],
  ['---', '\\---'],
])('markdownText %j is read as it is written', (text, escaped) => {
  expect(markdownText(text)).toBe(escaped);
});

it('pathSegment never leaves its folder', () => {
  for (const name of ['../../x', '..', '.', '', 'a/b', 'a\\b', 'C:x', '\0', '%2e%2e%2f', 'x\u2215y']) {
    expect(pathSegment(name)).toMatch(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/);
  }
  expect(pathSegment('repeat-1_fold-0.v2')).toBe('repeat-1_fold-0.v2');
});
