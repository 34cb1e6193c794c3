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
/** With values that fit; none for flags. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '--groups': ['patient', 'age'],
  '--timestamps': ['age'],
  '--sites': ['patient'],
  '--weights': ['age'],
  '--columns': ['crp', 'crp,age'],
  '--drop': ['age', 'patient'],
  '--types': ['age=numeric', 'age=categorical', 'died=categorical'],
  '--positive-label': ['1', '0'],
  '--task': ['classification', 'regression'],
  '--independent-rows': [],
  '--missing-target': ['drop', 'refuse'],
  '--missing': ['0', '-9,-99'],
  '--detection-limit': ['half', 'limit'],
  '--delimiter': ['comma'],
  '--decimal': ['.'],
  '--encoding': ['utf-8', 'windows-1252'],
  '--format': ['csv', 'jsonl'],
  '--skip': ['0', '1'],
  '--method': ['kfold', 'stratified_kfold', 'loocv', 'monte_carlo', 'holdout'],
  '--cv': ['2', '3', '5'],
  '--seed': ['1', '7'],
  '--only': ['patient', 'CVL001,duplicate'],
  '--strict': [],
  '--exit-zero': [],
  '--reporter': ['text', 'json', 'github', 'sarif', 'junit'],
  '--details': [],
  '--quiet': [],
  '--for': ['cvkit', 'sklearn', 'nnunet'],
  '--ids': ['patient'],
  '--design': ['iid', 'grouped', 'prospective'],
  '--probability': ['age', 'crp'],
  '--prediction': ['died'],
  '--threshold': ['0.2', '0.5'],
  '--classes': ['0,1'],
  '--fold': ['patient'],
  '--no-color': [],
  '--nonsense': [],
  '-x': [],
};
const OF_TABLES = ['check', 'split', 'recommend', 'evaluate'];
const OTHERS = ['status', 'verify', 'explain', 'compare', 'predict', ''];

/** The table with faults: cut, doubled, other delimiters, bytes at random. */
function fileOf(random: () => number, pick: Pick): Buffer {
  let text = TABLE;
  for (let fault = random() < 0.5 ? 0 : 1 + Math.floor(random() * 3); fault > 0; fault--) {
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
  return Buffer.from(text, random() < 0.9 ? 'utf8' : pick(['latin1', 'utf16le'] as const));
}

/** @returns whether there was an answer */
async function tryCase(seed: number): Promise<boolean> {
  const source = randomSource(seed);
  const random = () => source.random();
  const pick: Pick = (from) => from[Math.floor(random() * from.length)];
  const file = at(`${seed}.csv`);
  writeFileSync(file, fileOf(random, pick));
  const isOfTable = random() < 0.85;
  const command = pick(isOfTable ? OF_TABLES : OTHERS);
  const words = [command, ...(random() < 0.97 ? [file] : [])];
  if (random() < (isOfTable ? 0.95 : 0.1)) words.push('--target', 'died');
  if (random() < (isOfTable ? 0.6 : 0.1)) words.push('--groups', 'patient');
  if (command === 'evaluate' && random() < 0.9) words.push('--probability', 'age');
  for (let more = Math.floor(random() * 3); more > 0; more--) {
    const [option, values] = pick(Object.entries(OPTIONS));
    words.push(option, ...(random() < 0.15 ? [pick(WORDS)] : values.length > 0 ? [pick(values)] : []));
  }
  const { code, out, err } = await cvkit(...words);
  rmSync(file);
  const found = JSON.stringify({ seed, words, code, err: err.slice(-500) });
  expect([0, 1, 2, 3], found).toContain(code);
  expect(out + err, found).not.toMatch(/^\s+at .*:\d+:\d+|not one of cvkit|undefined|\[object/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(out + err, found).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  if (code === 2) expect([out, err.trim() === ''], found).toEqual(['', false]);
  return code !== 2;
}

describe('arguments and files at random', () => {
  it('get an answer or one sentence: 150 cases', async () => {
    let answers = 0;
    for (let seed = 0; seed < 150; seed++) answers += Number(await tryCase(seed));
    // Most faults are refused; where all are, the cases try nothing.
    expect(answers).toBeGreaterThan(20);
  });

  it('get an answer or one sentence: 10,000 cases', { tags: 'slow', timeout: 900_000 }, async () => {
    for (let seed = 1000; seed < 11_000; seed++) await tryCase(seed);
  });
});
