import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { terminal } from '#io';
import { definedCount, engineText, eraseLine, textTable, wrapText } from '../../src/core/summaryText.js';
import {
  CVKitValidator,
  DataLeakageChecker,
  KFold,
  LeakageDetectionCallback,
  UniversalCVRunner,
} from '../../src/index.js';

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
    expect(Math.max(...lines.map((line) => line.length))).toBe(Math.min(110, Math.max(40, terminal.columns)));
    expect(lines[3]).toMatch(/^ {2}beginx+…x+end {2}/);
    const wide = textTable([['n'.repeat(30), 'w'.repeat(200)]]);
    expect(wide).toMatch(/^ {2}n+…n+ {2}w+$/);
    expect(wide.indexOf('w')).toBe(28);
  });

  it('gives each row a few lines where a narrow terminal has no room for a table', () => {
    vi.spyOn(terminal, 'columns', 'get').mockReturnValue(40);
    const wide = [
      ['score', 'estimate', '95 % interval'],
      ['roc_auc', '0.91', '0.85 to 0.95, of patients'],
    ];
    expect(textTable(wide, { numbers: true })).toBe(
      '  roc_auc\n    estimate 0.91\n    95 % interval 0.85 to 0.95, of patients',
    );
    expect(textTable(rows)).toBe('  metric    mean  sd\n  accuracy  0.95  0.012\n  f1        0.9');
    vi.restoreAllMocks();
  });

  it('takes rows of unequal length', () => {
    expect(textTable([['a'], ['bb', 'c']])).toBe('  a\n  bb  c');
  });
});

describe('wrapText', () => {
  it('breaks between words and indents like the lead', () => {
    expect(wrapText('one two three four', '- ', 11)).toBe('- one two\n  three\n  four');
  });

  it('leaves a word whole that is wider than the line, and fills a line up to its width exactly', () => {
    expect(wrapText('a incomprehensible b', '', 6)).toBe('a\nincomprehensible\nb');
    expect([wrapText('short'), wrapText('')]).toEqual(['  short', '  ']);
    expect([wrapText('ab cd', '', 5), wrapText('ab cd', '', 4)]).toEqual(['ab cd', 'ab\ncd']);
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

it('definedCount counts scores that have a value', () => {
  expect(definedCount([{ value: 0 }, { value: null }, { value: 0.5 }])).toBe('2 of 3');
});

it('tells the engine with the reasons that it gives', () => {
  expect(engineText({ backend: 'wasm', tfjs: '4.22.0', backendReason: 'it is fast' })).toEqual([
    'backend wasm (it is fast)',
    'tfjs 4.22.0',
  ]);
});

const real = { write: terminal.write, isTTY: Object.getOwnPropertyDescriptor(terminal, 'isTTY') as PropertyDescriptor };
const pretend = (isTTY: boolean) => Object.defineProperty(terminal, 'isTTY', { value: isTTY, configurable: true });
let written = '';
beforeEach(() => {
  written = '';
  terminal.write = (text) => {
    written += text;
  };
});
afterEach(() => {
  terminal.write = real.write;
  Object.defineProperty(terminal, 'isTTY', real.isTTY);
});

describe('eraseLine', () => {
  it('empties the line in a terminal, in one piece with what comes in its place', () => {
    pretend(true);
    eraseLine();
    expect(written).toBe('\r\u001b[2K');
    eraseLine('a\n');
    expect(written).toBe('\r\u001b[2K\r\u001b[2Ka\n');
  });

  it('writes the text alone where no line can be drawn again', () => {
    pretend(false);
    eraseLine('a\n');
    expect(written).toBe('a\n');
  });
});

const N = 60;
const ids = Array.from({ length: N }, (_, row) => `SECRET-${row % 20}`);
const y = ids.map((_, row) => (row % 20 < 10 ? 'HIDDEN-a' : 'HIDDEN-b'));
const X = ids.map((_, row) => [Math.sin(row), row % 3]);
const model = () => {
  let first = '';
  return {
    fit: (_: unknown, labels: string[]) => {
      [first] = labels;
    },
    predict: (rows: unknown[]) => rows.map(() => first),
  };
};
const options = { model, positiveLabel: 'HIDDEN-b' };
const cvSplitter = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });

/** As `console.log` shows it, and as deep as one may ask. */
const logged = (value: unknown) => `${inspect(value)} ${inspect({ value }, { depth: null, maxArrayLength: null })}`;

it.each<[string, () => Promise<object>, string[]]>([
  [
    'ValidationResult',
    () => new CVKitValidator({ cv: cvSplitter, ciMethod: 'corrected_t' }).validate({ ...options, X, y, groups: ids }),
    ['estimates', 'outOfFold', 'checks'],
  ],
  [
    'CVResults',
    () => new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ ...options, data: { X, y, groups: ids } }),
    ['estimates', 'outOfFold'],
  ],
  ['LeakageReport', () => new DataLeakageChecker().check(X, y, { groups: ids, cv: cvSplitter }), ['checks', 'folds']],
])('%s is shown by heading and names of fields, without rows', async (name, make, fields) => {
  const result = await make();
  const text = logged(result);
  expect(text).not.toMatch(/SECRET|HIDDEN/);
  expect(inspect(result).split('\n')[0]).toMatch(new RegExp(`^${name}: \\w`));
  for (const field of fields) expect(text).toContain(field);
  // The object itself is as usable as before.
  expect(Object.keys(result)).toEqual(expect.arrayContaining(fields));
});

it('an error that holds a report shows no more than it', async () => {
  const run = new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
    callbacks: [new LeakageDetectionCallback({ strict: true })],
    ...options,
    data: { X, y, groups: ids },
  });
  const error = await run.catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'leakage' });
  expect(logged(error)).not.toMatch(/SECRET|HIDDEN/);
});

it('shows what has settings as it is written, with those that are not the defaults', () => {
  expect(inspect(new CVKitValidator())).toBe('CVKitValidator()');
  const validator = new CVKitValidator({ method: 'stratified_kfold', nSplits: 3, checkLeakage: false });
  expect(inspect(validator)).toBe('CVKitValidator({ nSplits: 3, checkLeakage: false })');
  const runner = inspect(new UniversalCVRunner({ cvSplitter, verbose: 0 }));
  expect(runner).toBe(
    'UniversalCVRunner({ cvSplitter: KFold({ nSplits: 3, shuffle: true, randomState: 1 }), verbose: 0 })',
  );
  expect(inspect(new UniversalCVRunner({ cvSplitter: { split: () => [], getNSplits: () => 0 } }))).toBe(
    'UniversalCVRunner({ cvSplitter: an object with the keys split, getNSplits })',
  );
});
