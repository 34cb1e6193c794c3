import { describe, expect, it } from 'vitest';
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
