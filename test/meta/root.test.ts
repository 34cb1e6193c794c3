/** What is published: code that can be read, without Node or a framework in the root, and small in a page's own bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIST, entryOf, graphOf, needDist, parse, topLevelAwaits } from './dist.js';
import { ROOT } from './program.js';

/** The root for bundlers, and the one for Node. */
const MODULES = join(DIST, 'modules/src/index.js');
const ROOTS = [MODULES, join(DIST, 'node/index.js')];
const BROWSER_IO = join(DIST, 'modules/src/core/io.default.js');
const builtins = new Set(builtinModules);
const isBuiltin = (name: string) => name.startsWith('node:') || builtins.has(name.split('/')[0]);

beforeAll(needDist);

describe.each(ROOTS.map((path) => [relative(DIST, path), path]))('the root entry %s', (_, root) => {
  it('loads eventemitter3, the seeds of seedrandom and #io from outside, and no framework', () => {
    const { packages } = graphOf(root);
    expect(packages.filter((name) => !['#io', 'eventemitter3', 'seedrandom/lib/alea.js'].includes(name))).toEqual([]);
  });

  it('never reaches a Node built-in, not even lazily; #io apart', () => {
    const { packages, files } = graphOf(root, { lazy: true });
    expect(files.length).toBeGreaterThan(graphOf(root).files.length);
    expect(packages.filter(isBuiltin)).toEqual([]);
    expect(graphOf(entryOf('eventemitter3')).packages.filter(isBuiltin)).toEqual([]);
    expect(graphOf(BROWSER_IO).packages).toEqual([]);
    expect(graphOf(BROWSER_IO, { lazy: true }).packages).toEqual(['@noble/hashes/sha2.js']);
    const io = graphOf(join(DIST, 'node/io.node.js')).packages;
    expect(io.filter(isBuiltin)).not.toEqual([]);
    // Its chunks are not those of the root, which imports it in turn.
    expect(io).not.toContain('#io');
  });

  it('reaches frameworks lazily alone', () => {
    const { packages } = graphOf(root, { lazy: true });
    expect(packages).toContain('@tensorflow/tfjs');
    // Named by a variable in the code, so that bundlers for browsers do not follow it into Node.
    expect(packages).not.toContain('@tensorflow/tfjs-node');
  });

  it('has no top-level await', () => {
    const { files } = graphOf(root, { lazy: true });
    for (const path of files)
      expect([relative(ROOT, path), topLevelAwaits(parse(path))]).toEqual([relative(ROOT, path), []]);
  });
});

describe('dist', () => {
  it('can be read: names, comments and lines as written, each part with the name of its source', () => {
    const published = readFileSync(join(DIST, 'modules/src/data/encode.js'), 'utf8');
    for (const line of [
      '/** Codes by ascending value: numbers by size, strings by code unit, false before true. */',
      '// Neighbours are often equal, and comparing with the row before is cheaper than a look into the map.',
    ]) {
      expect(published).toContain(line);
    }
    const source = readFileSync(join(ROOT, 'src/data/encode.ts'), 'utf8');
    const names = readdirSync(join(DIST, 'node/chunks')).filter((name) => name.endsWith('.js'));
    const codes = new Map(names.map((name) => [name, readFileSync(join(DIST, 'node/chunks', name), 'utf8')]));
    const all = [...codes.values()].join('\n');
    for (const line of ['let [low, high] = [Infinity, -Infinity];', 'function encode']) {
      expect(source).toContain(line);
      expect(all).toContain(line);
    }
    expect(all).toMatch(/^\/\/ src\/data\/encode\.ts$/m);
    for (const [name, code] of codes) {
      // A data set is one long text.
      // Tables of options have long sentences.
      if (name !== 'wdbc.js') expect([name, code.length / code.split('\n').length < 200]).toEqual([name, true]);
    }
  });

  it('has no source maps', () => {
    const files = readdirSync(DIST, { recursive: true }).map(String);
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
    expect(readFileSync(MODULES, 'utf8')).not.toContain('sourceMappingURL');
  });

  it('holds no test of ours', () => {
    const files = readdirSync(DIST, { recursive: true }).map(String);
    expect(files.filter((path) => /\.test\./.test(path))).toEqual([]);
  });
});

/** Kilobytes of a page, minified and zipped: what it loads at once, and what async functions may load later. */
async function pageSize(code: string): Promise<{ first: number; later: number }> {
  const page = 'virtual:page';
  const build = await rolldown({
    input: page,
    platform: 'browser',
    external: [/^@tensorflow\//],
    plugins: [
      {
        name: 'page',
        resolveId: (id) => ({ [page]: page, cvkit: MODULES, '#io': BROWSER_IO })[id],
        load: (id) => (id === page ? code : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = new Map(
    output.filter((each): each is OutputChunk => each.type === 'chunk').map((each) => [each.fileName, each]),
  );
  const first = new Set<string>();
  const visit = (name: string): void => {
    const chunk = chunks.get(name);
    if (!chunk || first.has(name)) return;
    first.add(name);
    chunk.imports.forEach(visit);
  };
  for (const { isEntry, fileName } of chunks.values()) if (isEntry) visit(fileName);
  const kilobytes = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length / 1000, 0);
  return { first: kilobytes(first), later: kilobytes(chunks.keys()) - kilobytes(first) };
}

describe('the bundle of a page', () => {
  it.each([
    ['KFold', `import { KFold } from 'cvkit'; console.log(KFold);`, 10],
    [
      'the runner and a splitter',
      `import { KFold, UniversalCVRunner } from 'cvkit'; console.log(KFold, UniversalCVRunner);`,
      45,
    ],
    ['everything', `import * as everything from 'cvkit'; console.log(everything);`, 105],
  ])('of %s is small on first load', async (name, code, limit) => {
    const { first, later } = await pageSize(code);
    console.info(`a page with ${name}: ${first.toFixed(1)} kB on first load, ${later.toFixed(1)} kB on demand`);
    expect(first).toBeLessThanOrEqual(limit);
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
