/** The command as a process, from the built package: pipes, signals, a narrow terminal, completions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';
import { visits } from './commandLine.js';

const { folder, write } = tempFolder();
const table = write('visits.csv', visits());
const COLUMNS = ['--target', 'died', '--groups', 'patient'];

beforeAll(needDist);

const start = (...words: readonly string[]) =>
  spawn(process.execPath, [join(DIST, 'node', 'cli.js'), ...words], { cwd: folder });

async function run(...words: readonly string[]) {
  const child = start(...words);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (part) => {
    printed.out += part;
  });
  child.stderr.on('data', (part) => {
    printed.err += part;
  });
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

describe('the process', () => {
  it('completes commands and options', async () => {
    expect((await run('complete', 'bash')).out).toContain('cvkit');
    expect((await run('complete', '--', 'ru')).out).toMatch(/^run\t/m);
    expect((await run('complete', '--', 'run', '--ta')).out).toMatch(/^--target\t/m);
  });

  it('ends quietly where who reads its result has gone', async () => {
    const child = start('check', table, ...COLUMNS);
    let err = '';
    child.stderr.on('data', (part) => {
      err += part;
    });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect(code).not.toBe(2);
    expect(err).not.toMatch(/EPIPE|^\s+at /m);
  });

  it('ends with 130 on Ctrl-C, keeps what is finished, and goes on from there', async () => {
    const model = join(folder, 'slow.mjs');
    writeFileSync(
      model,
      `export default () => ({
        fit: async () => { await new Promise((resolve) => setTimeout(resolve, 400)); },
        predict: (X) => X.map(() => 0),
      });`,
    );
    const words = ['run', table, ...COLUMNS, '--model', model, '--directory', 'kept', '--metrics', 'accuracy'];
    const child = start(...words);
    let err = '';
    child.stderr.on('data', (part) => {
      const isFirst = !err.includes('fold-0 (1/5)');
      err += part;
      if (isFirst && err.includes('fold-0 (1/5)')) child.kill('SIGINT');
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(err).not.toMatch(/^\s+at /m);
    expect(existsSync(join(folder, 'kept', 'result.json'))).toBe(false);
    const status = JSON.parse((await run('status', 'kept', '--reporter', 'json')).out);
    expect(status).toMatchObject({ state: 'stopped: the same command goes on', folds: 5 });
    expect(status.finished).toBeGreaterThanOrEqual(1);
    const again = await run(...words);
    expect(again.out).toContain('5 folds');
    expect(existsSync(join(folder, 'kept', 'result.json'))).toBe(true);
  });

  it('starts a project that runs', async () => {
    const { code, out } = await run('init', 'my');
    expect(code).toBe(0);
    expect(out).toBe('Written: package.json, study.mjs, study.test.mjs, .gitignore, README.md\n');
    expect((await run('init', 'my')).code).toBe(2);
  });
});
