/** Each command on small tables: its result on stdout, its exit code, its files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { foldsOf, loadModel, recommendCv } from '../../src/index.js';
import { readTable } from '../../src/table/readTable.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { needDist } from '../meta/dist.js';
import { cvkit, visits } from './commandLine.js';

const { folder, write } = tempFolder();
const at = (name: string) => join(folder, name);
const table = write('visits.csv', visits());
const COLUMNS = ['--target', 'died', '--groups', 'patient'];

// Built-in models are modules, which import the package.
beforeAll(needDist);

describe('cvkit run', () => {
  it('prints the summary alone to stdout, and what it understood of the file to stderr', async () => {
    const { code, out, err } = await cvkit('run', table, ...COLUMNS);
    expect(code).toBe(0);
    expect(out).toMatch(/^Cross-validation: PASSED/);
    expect(out).toContain('80 rows of 40 patients');
    expect(err).toMatch(/Table visits\.csv[\s\S]*patient +groups[\s\S]*fold-0 \(1\/5\)/);
    expect(out).not.toContain('Table');
  });

  it('gives the same numbers with --directory and --jobs, and goes on from what is there', async () => {
    const words = [...COLUMNS, '--reporter', 'json', '--quiet'];
    const alone = JSON.parse((await cvkit('run', table, ...words)).out);
    const kept = JSON.parse((await cvkit('run', table, ...words, '--directory', at('kept'), '--jobs', '2')).out);
    expect(kept.estimates).toEqual(alone.estimates);
    const again = await cvkit('run', table, ...words, '--directory', at('kept'));
    expect(JSON.parse(again.out).estimates).toEqual(alone.estimates);
    expect(again.err).toBe('');
  });

  it('takes folds from a file, and words of the author', async () => {
    const folds = write(
      'own-folds.json',
      (await cvkit('split', table, ...COLUMNS, '--for', 'sklearn', '--cv', '4')).out,
    );
    const json = ['--folds', folds, '--reporter', 'json', '--quiet'];
    const { out } = await cvkit('run', table, ...COLUMNS, ...json, '--not-applicable', 'temporal');
    expect(JSON.parse(out)).toMatchObject({ scores: { accuracy: { length: 4 } } });
    expect((await cvkit('run', table, ...COLUMNS, ...json, '--cv', '3')).err).toMatch(/with --folds, or with --cv/);
    expect((await cvkit('run', table, ...COLUMNS, '--ci-fits', '1')).err).toMatch(
      /^[\s\S]*--ci-fits must be .* Got 1\./,
    );
    expect((await cvkit('run', table, '--acknowledge', 'CVB001')).err).toMatch(/--acknowledge must be CODE=reason/);
  });

  it('says what it would do with --dry-run, and trains nothing', async () => {
    const { code, out } = await cvkit('run', table, ...COLUMNS, '--dry-run', '--cv', '4');
    expect(code).toBe(0);
    expect(out).toMatch(/^Dry run: nothing was trained\.\n {2}Folds +4/);
  });

  it('writes a report, and a model of all rows that predict uses', async () => {
    const { err } = await cvkit('run', table, ...COLUMNS, '--report', at('run.html'), '--save', at('model'));
    expect(err).toContain('Predict new rows: cvkit predict');
    expect(readFileSync(at('run.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    const { out } = await cvkit('predict', at('model'), table, '--quiet');
    const [header, ...lines] = out.trim().split('\n');
    expect(header).toBe('line,prediction,p_0,p_1');
    expect(lines).toHaveLength(80);
    const rows = readFileSync(table, 'utf8')
      .trim()
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(','));
    const X = { crp: rows.map(([, crp]) => Number(crp)), age: rows.map(([, , age]) => Number(age)) };
    const expected = await (await loadModel(at('model'))).predictProba(X);
    expect(lines.slice(0, 3).map((line) => Number(line.split(',')[3]))).toEqual(expected.map(([, p]) => p));
    expect(out).not.toContain('p1,');
    const scored = await cvkit('predict', at('model'), table, ...COLUMNS, '--quiet');
    expect(scored.out).toContain('80 rows of 40 patients');
    // The rows are those that it was trained on.
    expect(scored.code).toBe(1);
    const without = write('without.csv', 'patient,age\np1,0.5\n');
    const { code, err: why } = await cvkit('predict', at('model'), without);
    expect([code, why]).toEqual([
      2,
      expect.stringContaining("must have the column 'crp', which the model was trained on"),
    ]);
  });

  it('runs a study module: an object, a function, and one that gives a result', async () => {
    const study = `import { LogisticRegression } from 'cvkit/estimators';
      import { readTable } from 'cvkit/node';
      import { tabular } from 'cvkit/preprocessing';
      const table = await readTable(${JSON.stringify(table)}, { target: 'died', groups: 'patient' });
      export const options = { model: () => new LogisticRegression(), preprocessing: tabular(), ...table, nSplits: 4 };`;
    write(
      'options.mjs',
      study
        .replaceAll("'cvkit", `'${new URL('../../dist/node/', import.meta.url).href}cvkit`)
        .replace(/cvkit\/(\w+)'/g, "$1.js'"),
    );
    const named = write('named.mjs', "export { options as default } from './options.mjs';");
    const made = write('made.mjs', "import { options } from './options.mjs';\nexport default async () => options;");
    const [first, second] = [await cvkit('run', named, '--quiet'), await cvkit('run', made, '--quiet')];
    expect(first.out).toContain('StratifiedGroupKFold, 4 folds');
    expect(first.out.replace(/[\d.]+ s/g, '')).toBe(second.out.replace(/[\d.]+ s/g, ''));
    expect((await cvkit('run', named, '--quiet', '--cv', '3')).out).toContain('3 folds');
    // Under any spelling of its options.
    const spelt = write(
      'spelt.mjs',
      `import { options } from './options.mjs';
      const { nSplits, ...rest } = options;
      export default { ...rest, n_splits: nSplits, random_state: 1 };`,
    );
    expect((await cvkit('run', spelt, '--quiet', '--cv', '3', '--seed', '5')).out).toMatch(/3\s+folds;\s+seed\s+5/);
    const wrong = await cvkit('run', write('wrong.mjs', 'export default 5;'));
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toMatch(/must export \{ model, X, y, \.\.\. \}.* Got 5\.$/m);
  });

  it('refuses columns of numbers and texts with a way that the command line has, and takes it', async () => {
    const mixed = (name: string, of: (row: number) => unknown) => {
      const rows = Array.from({ length: 60 }, (_, row) => `${of(row)},${(row * 37) % 41},${row % 2}`);
      return write(name, `stage,age,y\n${rows.join('\n')}\n`);
    };
    const run = (file: string, ...more: string[]) =>
      cvkit('run', file, '--target', 'y', '--independent-rows', '--quiet', ...more);
    const stages = mixed('stages.csv', (row) => ['0', '1', '2', '3+'][row % 4]);
    const doses = mixed('doses.csv', (row) => (row === 7 ? 'high' : (row % 9) / 2));
    for (const file of [stages, doses]) expect((await run(file)).err).toContain('`--types NAME=categorical`');
    expect((await run(stages, '--types', 'stage=categorical')).out).toContain('60 rows');
    expect((await run(doses, '--missing', 'high')).out).toContain('60 rows');
  });

  it('searches inside each fold with --tune', async () => {
    const grid = write('grid.json', '{ "C": [0.1, 1] }');
    const { code, out } = await cvkit('run', table, ...COLUMNS, '--tune', grid, '--quiet');
    expect(out).toMatch(/^Leakage checks: /);
    expect(out).toMatch(/fold-4 +0\.\d+ +0\.\d+ +2 +C (0\.1|1)\n/);
    expect([0, 3]).toContain(code);
    // On the folds of a file, with the words of the author for the checks.
    const folds = write('three.json', (await cvkit('split', table, ...COLUMNS, '--for', 'sklearn', '--cv', '3')).out);
    const more = ['--folds', folds, '--prepared-inside', '--not-applicable', 'temporal', '--quiet'];
    const own = await cvkit('run', table, ...COLUMNS, '--tune', grid, ...more);
    expect(own.out).toMatch(/fold-2 +0\.\d+/);
    expect(own.out).not.toMatch(/fold-3 +0\.\d+/);
  });
});

describe('cvkit check', () => {
  it('exits with 0 where nothing is found, and with 1 where patients are on both sides', async () => {
    const clean = await cvkit('check', table, ...COLUMNS, '--only', 'patient');
    expect([clean.code, clean.out.split('\n')[0]]).toEqual([0, expect.stringContaining('PASSED')]);
    const leaky = await cvkit('check', table, ...COLUMNS, '--method', 'kfold');
    expect([leaky.code, leaky.out.split('\n')[0]]).toEqual([1, expect.stringMatching(/FAILED: CVL001 patient/)]);
    expect((await cvkit('check', table, ...COLUMNS, '--method', 'kfold', '--exit-zero')).code).toBe(0);
    // Ids stay in the file.
    expect(leaky.out + leaky.err).not.toMatch(/\bp1?\d\b/);
  });

  it('exits with 3 where a check that applies was not made', async () => {
    const { code, out } = await cvkit('check', table, '--target', 'died', '--drop', 'patient');
    expect(code).toBe(3);
    expect(out).toMatch(/pass\s+`--groups COLUMN`,\s+or\s+`--independent-rows`/);
  });

  it('asks about ids that repeat where each row is said to be a patient', async () => {
    const words = ['check', table, '--target', 'died', '--independent-rows', '--only', 'patient'];
    const { code, out } = await cvkit(...words);
    expect([code, out]).toEqual([0, expect.stringMatching(/NEEDS REVIEW[\s\S]*the column 'patient' has 40 values/)]);
    expect((await cvkit(...words, '--drop', 'patient')).out).toMatch(/the column 'patient' has 40 values/);
  });

  it('takes folds from a file, as split writes them', async () => {
    const { out } = await cvkit('split', table, ...COLUMNS, '--for', 'sklearn');
    const folds = JSON.parse(out) as [number[], number[]][];
    expect(folds.flatMap(([, test]) => test).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, row) => row),
    );
    const rows = write('folds.json', JSON.stringify(folds));
    expect((await cvkit('check', table, ...COLUMNS, '--folds', rows, '--only', 'patient')).code).toBe(0);
    // Row 1 is of the patient of row 0.
    const torn = write(
      'torn.json',
      JSON.stringify([
        [
          [0, 2, 4, 6],
          [1, 3, 5],
        ],
      ]),
    );
    expect((await cvkit('check', table, ...COLUMNS, '--folds', torn, '--only', 'patient')).code).toBe(1);
    const cases = await cvkit('split', table, ...COLUMNS, '--for', 'nnunet');
    const named = write('splits_final.json', cases.out);
    expect((await cvkit('check', table, ...COLUMNS, '--folds', named, '--only', 'patient')).code).toBe(0);
  });

  it('reports to code hosts at the line of the row, below titles and cells of several lines', async () => {
    const [header, ...rows] = visits().split('\n');
    const file = write(
      'titled.csv',
      ['Ward 5', `${header},note`, `${rows[0]},"two\nlines"`, ...rows.slice(1).map((row) => `${row},x`)].join('\n'),
    );
    const words = ['check', file, ...COLUMNS, '--method', 'kfold', '--only', 'patient'];
    const { out } = await cvkit(...words, '--reporter', 'github');
    const text = (await cvkit(...words)).out;
    const [, row, at] = /row (\d+) is line (\d+)/.exec(text) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(at) - 1]).toContain(rows[Number(row)]);
    const lines = readFileSync(file, 'utf8').split('\n');
    const [, line] =
      /^::error file=.*,line=(\d+),title=CVL001 patient::Training row in line (\d+), test row in line \1/.exec(out) ??
      [];
    const [, other] = /Training row in line (\d+)/.exec(out) ?? [];
    const patientIn = (text: string) => /^(p\d+),/.exec(lines[Number(text) - 1])?.[1];
    expect(patientIn(line)).toBeDefined();
    expect(patientIn(line)).toBe(patientIn(other));
    const sarif = JSON.parse((await cvkit(...words, '--reporter', 'sarif')).out);
    const [result] = sarif.runs[0].results;
    expect(result.locations[0].physicalLocation.region.startLine).toBe(Number(line));
    const prints = sarif.runs[0].results.map((each: typeof result) => each.partialFingerprints['cvkitFinding/v1']);
    expect(new Set(prints).size).toBe(prints.length);
    const junit = (await cvkit(...words, '--reporter', 'junit')).out;
    expect(junit).toMatch(/<testsuites name="cvkit" tests="1" failures="1" errors="0" skipped="0">/);
    expect(junit).toMatch(/<testcase classname=".*" name="CVL001 patient">\s*<failure type="critical"/);
  });
});

describe('cvkit evaluate', () => {
  const rows = Array.from({ length: 60 }, (_, row) => [`a${row >> 1}`, row % 3 === 0 ? 1 : 0, ((row * 37) % 60) / 60]);
  const file = write('predictions.csv', ['patient,y,p', ...rows.map((row) => row.join(','))].join('\n'));

  it('reads y, p and patient, and gives clinical measures', async () => {
    const { out } = await cvkit('evaluate', file);
    expect(out).toContain('60 rows of 30 patients');
    expect(out).toMatch(/Sensitivity/i);
  });

  it('takes columns by the names of the classes, in any order, and asks where they have others', async () => {
    const names = ['high', 'low', 'mid'];
    const row = (at: number) => [
      names[at % 3],
      ...['low', 'mid', 'high'].map((name) => (name === names[at % 3] ? 0.8 : 0.1)),
    ];
    const lines = Array.from({ length: 60 }, (_, at) => row(at).join(','));
    const scores = write('classes.csv', ['y,low,mid,high', ...lines].join('\n'));
    const { out } = await cvkit('evaluate', scores, '--probability', 'low,mid,high', '--reporter', 'json');
    expect(JSON.parse(out).estimates.accuracy).toBe(1);
    const other = write('other.csv', ['y,a,b,c', ...lines].join('\n'));
    expect((await cvkit('evaluate', other, '--probability', 'a,b,c')).err).toContain('must come with --classes');
    const named = await cvkit(
      'evaluate',
      other,
      '--probability',
      'a,b,c',
      '--classes',
      'low,mid,high',
      '--reporter',
      'json',
    );
    expect(JSON.parse(named.out).estimates.accuracy).toBe(1);
  });

  it('labels by --threshold: p from it on is positive', async () => {
    const { out } = await cvkit('evaluate', file, '--threshold', '0.25', '--reporter', 'json');
    const positives = rows.filter(([, y]) => y === 1);
    const found = positives.filter(([, , p]) => (p as number) >= 0.25).length;
    expect(JSON.parse(out).estimates.sensitivity).toBeCloseTo(found / positives.length, 10);
  });
});

describe('run directories', () => {
  beforeAll(async () => {
    const parts = ['1/2', '2/2'].map((shard, part) => ['--shard', shard, '--directory', at(`part-${part}`)]);
    for (const part of parts) expect((await cvkit('run', table, ...COLUMNS, ...part)).code).toBe(3);
    for (const [name, cv] of Object.entries({ five: '5', again: '5' })) {
      const more = name === 'again' ? ['--metrics', 'roc_auc,accuracy'] : [];
      await cvkit('run', table, ...COLUMNS, '--cv', cv, '--directory', at(name), ...more);
    }
  });

  it('are merged to what one run gives', async () => {
    const merged = JSON.parse((await cvkit('merge', at('part-0'), at('part-1'), '--reporter', 'json')).out);
    const whole = JSON.parse(readFileSync(join(at('five'), 'result.json'), 'utf8'));
    expect(merged.estimates).toEqual(whole.estimates);
  });

  it('say how far they are', async () => {
    const status = async (name: string) => JSON.parse((await cvkit('status', at(name), '--reporter', 'json')).out);
    expect(await status('five')).toMatchObject({
      state: 'ended',
      finished: 5,
      folds: 5,
      furtherFits: 20,
      log: 'whole',
    });
    expect(await status('part-0')).toMatchObject({ finished: 3, folds: 3 });
    expect((await cvkit('status', at('five'))).out).toContain('5 of 5 finished');
  });

  it('are verified, reported and compared, with paired differences', async () => {
    expect(await cvkit('verify', at('five'))).toMatchObject({
      code: 0,
      out: expect.stringContaining('as it was written'),
    });
    expect((await cvkit('report', at('five'), '--quiet')).out).toMatch(/^Cross-validation: PASSED/);
    const { out } = await cvkit('compare', at('five'), at('again'));
    const json = JSON.parse((await cvkit('compare', at('five'), at('again'), '--reporter', 'json')).out);
    expect(json).toMatchObject({ names: ['five', 'again'], metrics: expect.arrayContaining(['roc_auc']) });
    expect(out).toContain('| score | five | again |');
    expect(out).not.toContain('no difference can be paired');
  });

  it('keep their files, also with --force', async () => {
    const before = readFileSync(join(at('five'), 'run.json'), 'utf8');
    const { code, err } = await cvkit('report', at('five'), '--output-file', join(at('five'), 'run.json'), '--force');
    expect([code, err]).toEqual([2, expect.stringContaining('Name one outside of what is read.')]);
    expect(readFileSync(join(at('five'), 'run.json'), 'utf8')).toBe(before);
  });

  it('are cleaned of what they hold of patients, only with a yes', async () => {
    expect(await cvkit('clean', at('again'))).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(existsSync(join(at('again'), 'private'))).toBe(true);
    expect((await cvkit('clean', at('again'), '--yes')).out).toContain('removed private');
    expect(existsSync(join(at('again'), 'private'))).toBe(false);
  });
});

describe('what helps', () => {
  it('recommends a design with the command that takes it', async () => {
    const { out } = await cvkit('recommend', table, ...COLUMNS);
    expect(out).toMatch(/^Design: stratified_group_kfold\n/);
    expect(out).toContain('--target died --groups patient --method recommended');
    // The command makes the folds that were recommended, with options that no method of `validate` has.
    const rows = visits({ patients: 40, each: 2 }).split('\n');
    const dated = [
      `${rows[0]},seen_on`,
      ...rows.slice(1).map((row, at) => `${row},2024-0${1 + (at % 2)}-${10 + (at >> 2)}`),
    ];
    const file = write('dated.csv', dated.join('\n'));
    const sides = [...COLUMNS, '--timestamps', 'seen_on'];
    const { y, X, groups, timestamps } = await readTable(file, {
      target: 'died',
      groups: 'patient',
      timestamps: 'seen_on',
    });
    const { splitter } = await recommendCv({ X, y, groups, timestamps, randomState: 42 } as never);
    const expected = foldsOf(splitter, y.length, y, { groups, timestamps } as never);
    const folds = JSON.parse((await cvkit('split', file, ...sides, '--method', 'recommended', '--for', 'sklearn')).out);
    expect(folds).toEqual([...expected].map(({ train, test }) => [[...train], [...test]]));
    expect(splitter.constructor.name).not.toBe('StratifiedGroupKFold');
  });

  it('explains checks by code and type, and errors by code', async () => {
    const [byCode, byType] = [await cvkit('explain', 'CVL003'), await cvkit('explain', 'near_duplicate')];
    expect(byCode.out).toBe(byType.out);
    expect((await cvkit('explain', 'unknown_column')).out).toContain('InvalidDataError');
    expect((await cvkit('explain', 'CVL03')).err).toMatch(/Did you mean 'CVL0\d\d'\?/);
    expect((await cvkit('explain')).out.split('\n').length).toBeGreaterThan(18);
  });

  it('prints a Job for Kubernetes with an index for each fold', async () => {
    const words = [
      '--kubernetes',
      '--directory',
      at('job'),
      '--image',
      'registry.example.org/study:1',
      '--claim',
      'runs',
    ];
    const { out } = await cvkit('submit', table, ...COLUMNS, ...words);
    expect(out).toMatch(/completionMode: Indexed\n {2}completions: 5\n/);
    expect(existsSync(join(at('job'), 'tasks', 'folds', '4.task'))).toBe(true);
    const status = async () => JSON.parse((await cvkit('status', at('job'), '--reporter', 'json')).out);
    expect(await status()).toMatchObject({ state: 'no fold is finished yet', finished: 0, folds: 5 });
    const done = await cvkit('worker', at('job'), '--task', '3', '--root', folder);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(await status()).toMatchObject({ finished: 1, folds: 5 });
  });
});
