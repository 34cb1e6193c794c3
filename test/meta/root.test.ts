/** What loading `cvkit` costs and needs: no Node, no framework, little code. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIST, entryOf, graphOf, needDist, parse, topLevelAwaits } from './dist.js';
import { ROOT } from './program.js';

const CORE_LIMIT = 60_000;
/** Functions of predictions are synchronous, hence load with the root; they are a file of their own. */
const CLINICAL = 'chunks/clinical.js';
const CLINICAL_LIMIT = 16_000;
/** So is what counts classes. */
const BALANCE = 'chunks/balance.js';
const BALANCE_LIMIT = 4_000;
const INDEX = join(DIST, 'index.js');
const builtins = new Set(builtinModules);
const isBuiltin = (name: string) => name.startsWith('node:') || builtins.has(name.split('/')[0]);

beforeAll(needDist);

describe('the root entry', () => {
  it('loads eventemitter3 and #io from outside, and no framework', () => {
    const { packages } = graphOf(INDEX);
    expect(packages.filter((name) => !['#io', 'eventemitter3'].includes(name))).toEqual([]);
  });

  it('never reaches a Node built-in, not even lazily; #io apart', () => {
    const { packages, files } = graphOf(INDEX, { lazy: true });
    expect(files.length).toBeGreaterThan(graphOf(INDEX).files.length);
    expect(packages.filter(isBuiltin)).toEqual([]);
    expect(graphOf(entryOf('eventemitter3')).packages.filter(isBuiltin)).toEqual([]);
    expect(graphOf(join(DIST, 'io.default.js'), { lazy: true }).packages).toEqual([]);
    expect(graphOf(join(DIST, 'io.node.js')).packages.filter(isBuiltin)).not.toEqual([]);
  });

  it('reaches frameworks lazily alone', () => {
    const { packages } = graphOf(INDEX, { lazy: true });
    expect(packages).toContain('@tensorflow/tfjs');
    // Named by a variable in the code, so that bundlers for browsers do not follow it into Node.
    expect(packages).not.toContain('@tensorflow/tfjs-node');
  });

  it('has no top-level await', () => {
    const { files } = graphOf(INDEX, { lazy: true });
    for (const path of files)
      expect([relative(ROOT, path), topLevelAwaits(parse(path))]).toEqual([relative(ROOT, path), []]);
  });

  it('holds neither texts that only documents need, nor what reads rows', () => {
    const code = graphOf(INDEX)
      .files.map((path) => readFileSync(path, 'utf8'))
      .join();
    // Of an option what it is and how its type is written; of a metric what it is; of the rows their door.
    for (const text of [
      'Number of folds.',
      '(ctx) => place',
      'Mean squared error',
      'Mean over rows of the F1',
      'rowsOf(',
    ]) {
      expect([text, code.includes(text)]).toEqual([text, false]);
    }
  });

  it(`is at most ${CORE_LIMIT / 1000} kB of gzip on first load, and ${CLINICAL_LIMIT / 1000} for the clinical functions`, () => {
    // As Node resolves them: its #io, which is larger than the one for browsers.
    const files = new Set(
      [INDEX, join(DIST, 'io.node.js'), entryOf('eventemitter3')].flatMap((path) => graphOf(path).files),
    );
    const sizes = new Map([...files].map((path) => [relative(DIST, path), gzipSync(readFileSync(path)).length]));
    const clinical = sizes.get(CLINICAL) ?? Number.NaN;
    const balance = sizes.get(BALANCE) ?? Number.NaN;
    const core = [...sizes.values()].reduce((sum, size) => sum + size, -clinical - balance);
    const lines = [...sizes].map(([path, size]) => `  ${(size / 1000).toFixed(1).padStart(6)} kB  ${path}`);
    console.info(
      `first load of cvkit: ${(core / 1000).toFixed(1)} kB gzip and its clinical functions\n${lines.join('\n')}`,
    );
    expect(core).toBeLessThanOrEqual(CORE_LIMIT);
    expect(clinical).toBeLessThanOrEqual(CLINICAL_LIMIT);
    expect(balance).toBeLessThanOrEqual(BALANCE_LIMIT);
  });
});

describe('this test can fail', () => {
  const source = (text: string) => ts.createSourceFile('bad.js', text, ts.ScriptTarget.ESNext, true);

  it.each([
    ['await load();', 1],
    ['const x = { y: await load() };', 1],
    ['for await (const x of load()) x;', 1],
    ['if (a) { await load(); }', 1],
    ['async () => { await load(); }', 0],
    ['class A { async b() { for await (const x of y) x; } }', 0],
  ])('on %s', (text, count) => {
    expect(topLevelAwaits(source(text)).length).toBe(count);
  });

  it('on a built-in, with and without node:', () => {
    expect(['node:fs', 'fs', 'fs/promises', 'node:test'].every(isBuiltin)).toBe(true);
    expect(['eventemitter3', '#io', '@tensorflow/tfjs'].some(isBuiltin)).toBe(false);
  });
});
