/** Arguments and files at random: an answer, or one sentence. A case is found again by its seed. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/index.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { cvkit, visits } from './commandLine.js';

const { folder } = tempFolder();
const at = (name: string) => join(folder, name);
const TABLE = visits({ patients: 12 });

type Pick = <T>(from: readonly T[]) => T;

const WORDS = [
  ...[
    'died',
    'patient',
    'crp',
    'age',
    'note',
    'dead',
    '',
    ' ',
    '-1',
    '0',
    '2',
    '5',
    '1e9',
    'NaN',
    '1/2',
    '3/2',
    'a=b',
    'a,b',
  ],
  ...[
    'kfold',
    'stratified_kfold',
    'temporal',
    'loocv',
    'constructor',
    '__proto__',
    'utf-16le',
    'semicolon',
    '\u001b[31m',
    'ä€😀',
  ],
  ...['patient,duplicate', 'CVL001', 'text', 'json', 'github', 'sarif', 'junit', '../..', '.', '--', '--force'],
];
const OPTIONS = [
  ...[
    '--target',
    '--groups',
    '--timestamps',
    '--sites',
    '--weights',
    '--columns',
    '--drop',
    '--types',
    '--positive-label',
  ],
  ...['--task', '--independent-rows', '--missing-target', '--missing', '--detection-limit', '--delimiter', '--decimal'],
  ...[
    '--encoding',
    '--date-format',
    '--format',
    '--skip',
    '--sheet',
    '--method',
    '--cv',
    '--seed',
    '--only',
    '--strict',
  ],
  ...[
    '--exit-zero',
    '--reporter',
    '--details',
    '--quiet',
    '--for',
    '--ids',
    '--design',
    '--probability',
    '--threshold',
  ],
  ...['--prediction', '--classes', '--fold', '--nonsense', '-x', '--no-color'],
];
const COMMANDS = [
  'check',
  'check',
  'split',
  'recommend',
  'evaluate',
  'status',
  'verify',
  'explain',
  'compare',
  'predict',
  '',
];

/** The table with faults: cut, doubled, other delimiters, bytes at random. */
function fileOf(random: () => number, pick: Pick): Buffer {
  let text = TABLE;
  for (let fault = Math.floor(random() * 4); fault > 0; fault--) {
    const place = Math.floor(random() * text.length);
    text = pick([
      () => text.slice(0, place),
      () => `${text.slice(0, place)}"${text.slice(place)}`,
      () => text.replaceAll(',', pick([';', '\t', '|', ' '])),
      () => `Title of the ward\n${text}`,
      () => text.replace('crp', pick(['age', '', '__proto__', 'constructor', '"a\nb"', '\u001b[31m'])),
      () => text.replaceAll(/\d\.\d/g, (cell) => (random() < 0.1 ? pick(['NA', '<0.5', '1,5', 'x', '1e999']) : cell)),
      () => text.replaceAll('\n', pick(['\r\n', '\r', '\n\n'])),
      () => `${text}\n${text}`,
      () => `${text.slice(0, place)}${String.fromCharCode(Math.floor(random() * 256))}${text.slice(place)}`,
    ])();
  }
  return Buffer.from(text, pick(['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'] as const));
}

async function tryCase(seed: number): Promise<void> {
  const source = randomSource(seed);
  const random = () => source.random();
  const pick: Pick = (from) => from[Math.floor(random() * from.length)];
  const file = at(`${seed}.csv`);
  writeFileSync(file, fileOf(random, pick));
  const words = [pick(COMMANDS), ...(random() < 0.95 ? [file] : []), ...(random() < 0.8 ? ['--target', 'died'] : [])];
  if (random() < 0.6) words.push('--groups', 'patient');
  for (let more = Math.floor(random() * 4); more > 0; more--) {
    words.push(pick(OPTIONS), ...(random() < 0.85 ? [pick(WORDS)] : []));
  }
  const { code, out, err } = await cvkit(...words);
  rmSync(file);
  const found = JSON.stringify({ seed, words, code, err: err.slice(-500) });
  expect([0, 1, 2, 3], found).toContain(code);
  expect(out + err, found).not.toMatch(/^\s+at .*:\d+:\d+|not one of cvkit|undefined|\[object/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(out + err, found).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  if (code === 2) expect([out, err.trim() === ''], found).toEqual(['', false]);
}

describe('arguments and files at random', () => {
  it('get an answer or one sentence: 150 cases', async () => {
    for (let seed = 0; seed < 150; seed++) await tryCase(seed);
  });

  it('get an answer or one sentence: 10,000 cases', { tags: 'slow', timeout: 900_000 }, async () => {
    for (let seed = 1000; seed < 11_000; seed++) await tryCase(seed);
  });
});
