import { describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { definedCount, engineText, textTable, wrapText } from '../../src/core/summaryText.js';

describe('textTable', () => {
  const rows = [
    ['metric', 'mean', 'sd'],
    ['accuracy', '0.95', '0.012'],
    ['f1', '0.9', ''],
  ];

  it('makes columns of equal width, without spaces at line ends', () => {
    expect(textTable(rows)).toBe('  metric    mean  sd\n  accuracy  0.95  0.012\n  f1        0.9');
  });

  it('puts numbers to the right', () => {
    const table = '  metric    mean     sd\n  accuracy  0.95  0.012\n  f1         0.9';
    expect(textTable(rows, { numbers: true })).toBe(table);
  });

  it('cuts long names in the middle rather than be wider than the terminal', () => {
    const long = `begin${'x'.repeat(200)}end`;
    const lines = textTable([...rows, [long, '0.5', '0.1']], { numbers: true }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBe(Math.min(110, Math.max(72, terminal.columns)));
    expect(lines[3]).toMatch(/^ {2}beginx+…x+end {2}/);
    const wide = textTable([['n'.repeat(30), 'w'.repeat(200)]]);
    expect(wide).toMatch(/^ {2}n+…n+ {2}w+$/);
    expect(wide.indexOf('w')).toBe(28);
  });

  it('takes rows of unequal length', () => {
    expect(textTable([['a'], ['bb', 'c']])).toBe('  a\n  bb  c');
  });
});

describe('wrapText', () => {
  it('breaks between words and indents like the lead', () => {
    expect(wrapText('one two three four', '- ', 11)).toBe('- one two\n  three\n  four');
  });

  it('leaves a word whole that is wider than the line, and short text alone', () => {
    expect(wrapText('a incomprehensible b', '', 6)).toBe('a\nincomprehensible\nb');
    expect(wrapText('short')).toBe('  short');
    expect(wrapText('')).toBe('  ');
  });

  it('fills a line up to its width exactly', () => {
    expect(wrapText('ab cd', '', 5)).toBe('ab cd');
    expect(wrapText('ab cd', '', 4)).toBe('ab\ncd');
  });
});

it('wrapText begins no further line with what reads as ours, nor with blanks', () => {
  const texts = [
    `feature id${' '.repeat(66)}CVL001 patient passed: no overlap, and so on`,
    `${'word '.repeat(9)}needs review ${'word '.repeat(9)}not evaluated not yet`,
  ];
  for (const text of texts) {
    for (let width = 12; width < 100; width++) {
      const [, ...further] = wrapText(text, '  ', width).split('\n');
      for (const line of further) expect(line).toMatch(/^ {4}(?!CVL001|passed|needs review|not evaluated)\S/);
    }
  }
});

describe('definedCount', () => {
  it('counts scores that have a value', () => {
    expect(definedCount([{ value: 0 }, { value: null }, { value: 0.5 }])).toBe('2 of 3');
    expect(definedCount([])).toBe('0 of 0');
  });
});

it('tells the engine with the reasons that it gives', () => {
  expect(engineText({ backend: 'wasm', tfjs: '4.22.0', backendReason: 'it is fast' })).toEqual([
    'backend wasm (it is fast)',
    'tfjs 4.22.0',
  ]);
});
