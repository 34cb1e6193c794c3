/** What cannot be done is one sentence on stderr and an exit code; nothing is overwritten. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from '../../src/cli/program.js';
import { DELIMITERS, readTableOptions } from '../../src/table/readTableOptions.js';
import { validatorOptions } from '../../src/validator/validatorOptions.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { cvkit, visits } from './commandLine.js';

const { folder, write } = tempFolder();
const table = write('visits.csv', visits());
mkdirSync(join(folder, 'of.html'));
const latin = Buffer.from('a,b\n1,\xe9\n', 'latin1');

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'a command that is none': ['rnu'],
  'an option that is none': ['run', table, '--targt', 'died'],
  'no file': ['run'],
  'two files': ['run', table, table],
  'a file that is not there': ['check', join(folder, 'none.csv'), '--target', 'died'],
  'an empty file': ['check', write('empty.csv', ''), '--target', 'died'],
  'no target': ['run', table],
  'a target that is none': ['run', table, '--target', 'dead'],
  'a constant target': ['run', write('constant.csv', 'a,b\n1,2\n2,2\n3,2\n4,2\n5,2\n'), '--target', 'b'],
  'another delimiter': ['check', write('pipes.csv', 'a|b\n1|2\n3|4\n'), '--target', 'b', '--delimiter', 'semicolon'],
  'Latin-1': ['check', write('latin.csv', latin), '--target', 'b'],
  'an open quote': ['check', write('quote.csv', 'a,b\n1,2\n"3,4\n'), '--target', 'b'],
  'a column twice': ['check', write('twice.csv', 'a,a\n1,2\n'), '--target', 'a'],
  'a model that is none': ['run', table, '--target', 'died', '--model', 'forrest'],
  'a method that is none': ['run', table, '--target', 'died', '--method', 'kfolds'],
  'a word for a number': ['run', table, '--target', 'died', '--cv', 'many'],
  'a shard without a directory': ['run', table, '--target', 'died', '--shard', '1/2'],
  'a report that is no report': ['run', table, '--target', 'died', '--report', 'report.pdf'],
  'a report in no folder': ['run', table, '--target', 'died', '--report', join(folder, 'no', 'report.html')],
  'a file that exists': ['check', table, '--target', 'died', '--output-file', write('exists.txt', '')],
  'a file that is read': ['check', table, '--target', 'died', '--output-file', table, '--force'],
  'a regression of numbers': ['run', table, '--target', 'age', '--groups', 'patient'],
  'time without times': ['run', table, '--target', 'died', '--method', 'temporal'],
  'a model that cannot be saved': ['run', table, '--target', 'died', '--model', 'random-forest', '--save', 'm'],
  'no run directory': ['status', folder],
  'one result to compare': ['compare', folder],
  'probabilities and labels': ['evaluate', table, '--probability', 'crp', '--prediction', 'died'],
  'no probabilities': ['evaluate', table, '--target', 'died', '--probability', 'age,crp'],
  'a place to submit to': ['submit', table, '--target', 'died'],
  'a task without a directory': ['worker', '--task', '1'],
  'a grid that is no JSON': ['run', table, '--target', 'died', '--tune', write('grid.txt', 'C=1')],
  'a code that is none': ['explain', 'CVX999'],
  'a folder with files': ['init', folder],
  'folds twice': ['check', table, '--target', 'died', '--folds', table, '--cv', '4'],
  'folds and recommended ones': ['check', table, '--target', 'died', '--folds', table, '--method', 'recommended'],
  'a design without its method': ['check', table, '--target', 'died', '--design', 'prospective'],
  'a threshold of classes': ['evaluate', table, '--target', 'died', '--prediction', 'age', '--threshold', '0.3'],
  'options of a table for a study': ['run', write('study.mjs', 'export const model = 1;'), '--target', 'died'],
  'a study that is not there': ['run', 'missing.mjs'],
  'a study that does not load': ['run', write('broken.mjs', 'throw new TypeError("no rows");')],
  'a report of no training': ['run', table, '--target', 'died', '--dry-run', '--report', join(folder, 'dry.html')],
  'a search with further intervals': ['run', table, '--target', 'died', '--tune', table, '--ci-fits', '5'],
  'a file that is a folder': ['run', table, '--target', 'died', '--report', join(folder, 'of.html'), '--force'],
  'a model in a folder that exists': ['run', table, '--target', 'died', '--save', folder],
  'a number that is too large': ['run', table, '--target', 'died', '--seed', '99999999999'],
  'one result twice': ['compare', folder, folder],
  'a comparison as JSON': ['compare', folder, '.', '--report', join(folder, 'x.json')],
  'cases without nnU-Net': ['split', table, '--target', 'died', '--ids', 'patient'],
  'a Job with arguments of sbatch': [
    'submit',
    table,
    '--target',
    'died',
    '--kubernetes',
    '--directory',
    'd',
    '--sbatch=-p',
  ],
  'folds that are a folder': ['check', table, '--target', 'died', '--folds', folder],
};

describe('what is refused', () => {
  it.each(Object.entries(REFUSED))('%s', async (_name, words) => {
    const { code, out, err } = await cvkit(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const last = err.trim().split('\n').slice(-2).join('\n');
    expect(last.replaceAll(folder, 'FOLDER')).toMatchSnapshot();
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('leaves the file that it would have written over', async () => {
    const before = readFileSync(table, 'utf8');
    await cvkit('check', table, '--target', 'died', '--output-file', table);
    expect(readFileSync(table, 'utf8')).toBe(before);
  });

  it('shows the stack with --debug alone', async () => {
    expect((await cvkit('status', folder, '--debug')).err).toMatch(/^\s+at /m);
  });
});

describe('help', () => {
  it('names every command, and each command its options', async () => {
    const { code, out } = await cvkit('--help');
    expect(code).toBe(0);
    const names = [...out.matchAll(/^ {2}([a-z]+) (?:\[options\]|\[command\])?/gm)].map(([, name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(['run', 'check', 'evaluate', 'predict', 'split', 'recommend', 'compare']),
    );
    for (const name of names.filter((each) => each !== 'help')) {
      expect((await cvkit(name, '--help')).out).toContain(`Usage: cvkit ${name}`);
    }
  });
});

describe('files that are read', () => {
  it('are never replaced, not even with --force', async () => {
    const own = write('own.csv', visits());
    const before = readFileSync(own, 'utf8');
    for (const flag of ['--output-file', '--report']) {
      const name = flag === '--report' ? write('own.json', before) : own;
      const found = await cvkit('run', name, '--target', 'died', flag, name, '--force');
      expect(found).toMatchObject({ code: 2, err: expect.stringContaining('must be another one') });
      expect(readFileSync(name, 'utf8')).toBe(before);
    }
    const twice = join(folder, 'both.json');
    expect((await cvkit('run', own, '--target', 'died', '--report', twice, '--output-file', twice)).code).toBe(2);
  });

  it('without a header do not show their first line', async () => {
    const lines = visits()
      .replaceAll(/\bp(\d)/g, 'SECRET-$1')
      .split('\n');
    const file = write('headless.csv', lines.slice(1).join('\n'));
    for (const words of [['--target', 'died'], []]) {
      const { code, out, err } = await cvkit('run', file, ...words);
      expect([code, out]).toEqual([2, '']);
      expect(err).not.toContain('SECRET');
    }
  });
});

it('columns may be called as parts of JavaScript are', async () => {
  const rows = visits()
    .split('\n')
    .map((row, at) => (at === 0 ? '__proto__,constructor,toString,died' : row));
  const file = write('hostile.csv', rows.join('\n'));
  const words = ['--groups', '__proto__', '--types', 'constructor=numeric', '--missing', '-9'];
  const { code, out } = await cvkit('check', file, '--target', 'died', ...words, '--only', 'patient');
  expect([code, out.split('\n')[0]]).toEqual([0, expect.stringContaining('PASSED')]);
});

it('offers what readTable takes, and names the defaults of validate', () => {
  const run = program(async () => undefined).commands.find((each) => each.name() === 'run');
  const shape: Readonly<Record<string, { readonly type: string }>> = readTableOptions.shape;
  const offered = (run?.options ?? []).flatMap((each) =>
    each.argChoices ? [[each.attributeName(), each] as const] : [],
  );
  const known = offered.filter(([name]) => name in shape && name !== 'delimiter');
  expect(known.map(([name]) => name).sort()).toEqual(
    ['dateFormat', 'decimal', 'detectionLimit', 'encoding', 'format', 'missingTarget'].sort(),
  );
  for (const [name, { argChoices }] of known) {
    expect([name, argChoices?.map((each) => `'${each}'`).join(' | ')]).toEqual([name, shape[name].type]);
  }
  expect(Object.fromEntries(offered).delimiter.argChoices).toEqual(Object.values(DELIMITERS));
  const { randomState, nSplits } = validatorOptions.resolve({});
  const textOf = (name: string) => run?.options.find((each) => each.attributeName() === name)?.description;
  expect([textOf('seed'), textOf('cv')]).toEqual([
    expect.stringContaining(`(${randomState})`),
    expect.stringContaining(`(${nSplits})`),
  ]);
});
