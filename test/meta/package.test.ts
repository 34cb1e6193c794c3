/** The package as users get it: packed, installed beside its dependencies, required, imported, type-checked. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allBalanceChecks, allLeakageChecks } from '../../src/checkers/builtInChecks.js';
import { RESULT_CHECKS } from '../../src/checkers/resultChecks.js';
import { VERSION } from '../../src/core/version.js';
import { LEFT_OUT, needDist, npm, type Packed, packageJson, packed } from './dist.js';
import { ROOT } from './program.js';

const manifest = packageJson();
let project = '';
let installed = '';

/** Runs a program in the user's project, whatever variables the test runner has set for itself. */
function run(command: string, args: string[], cwd = project): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
const node = (...args: string[]) => run(process.execPath, args);

beforeAll(() => {
  needDist();
  project = mkdtempSync(join(tmpdir(), 'cvkit-user-'));
  installed = join(project, 'node_modules/cvkit');
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--offline', '--pack-destination', project])) as Packed[];
  run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place, 'junction');
  }
});
afterAll(() => {
  if (project) rmSync(project, { recursive: true });
});

describe('package.json', () => {
  it('has the run-time dependencies that are allowed', () => {
    const allowed = [
      '@bomb.sh/tab',
      '@noble/hashes',
      'commander',
      'csv-parse',
      'd3-scale',
      'd3-shape',
      'eventemitter3',
      'fflate',
      'ml-matrix',
      'picocolors',
      'piscina',
      'seedrandom',
    ];
    expect(Object.keys(manifest.dependencies)).toEqual(allowed);
    expect(manifest.optionalDependencies).toBeUndefined();
    expect(manifest.bundledDependencies ?? manifest.bundleDependencies).toBeUndefined();
  });

  it('has frameworks and readers as optional peers alone', () => {
    const peers = Object.keys(manifest.peerDependencies);
    const known = [
      /^@tensorflow\//,
      /^onnxruntime-/,
      /^(bullmq|ioredis|hyparquet|read-excel-file)$/,
      /^@modelcontextprotocol\/server$/,
      // what decodes images
      /^@cornerstonejs\/codec-/,
      /^(dicom-parser|fast-png|jpeg-lossless-decoder-js|nifti-reader-js)$/,
    ];
    expect(peers.filter((name) => !known.some((each) => each.test(name)))).toEqual([]);
    expect(peers.filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true)).toEqual([]);
  });

  it('is ESM for Node 20.19 and newer, without install scripts', () => {
    expect(manifest.type).toBe('module');
    expect(manifest.engines).toEqual({ node: '>=20.19' });
    const hooks = Object.keys(manifest.scripts).filter((name) => /^(pre|post|prepare|install$)/.test(name));
    expect(hooks).toEqual([]);
  });

  it('gives ranges, no bare tags', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies };
    expect(Object.entries(all).filter(([, range]) => !/^[\^~]\d/.test(range as string))).toEqual([]);
  });

  it('has the version that the code says', () => {
    expect(VERSION).toBe(manifest.version);
  });
});

/** Pages that checks name. */
const builtInPages = () =>
  [...allLeakageChecks(), ...allBalanceChecks(), ...Object.values(RESULT_CHECKS)].flatMap(({ page }) => page ?? []);

/** Entries of adapters: folders with an index. */
const adapters = readdirSync(join(ROOT, 'adapters'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /[/\\]index\.ts$/.test(path))
  .map((path) => dirname(path).replaceAll('\\', '/'));

/** A target of `exports` with the adapters in the place of its star. */
const eachAdapter = (target: string) =>
  target.includes('*') ? adapters.map((name) => target.replaceAll('*', name)) : [target];

describe('the archive', () => {
  it('has at most 3 MB', () => {
    const { size, files } = packed();
    const largest = [...files].sort((a, b) => b.size - a.size).slice(0, 5);
    expect(size, `largest: ${largest.map((each) => `${each.path} ${each.size}`).join(', ')}`).toBeLessThan(3_000_000);
    expect(files.length).toBeGreaterThan(1000);
  });

  it('holds no source maps, no pictures and no tables of measurements', () => {
    const paths = packed().files.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith('.map') || LEFT_OUT.test(path))).toEqual([]);
  });

  it('holds what messages, the command line and the texts for assistants name', () => {
    const paths = new Set(packed().files.map(({ path }) => path));
    const named = ['llms.txt', 'docs/llms-full.txt', 'api-schema.json', 'docs/reference/errors.md', 'THIRD-PARTY.md'];
    const pages = [...builtInPages(), ...named];
    expect(pages.length).toBeGreaterThan(18);
    expect(pages.filter((path) => !paths.has(path))).toEqual([]);
  });
});

describe('the packed copy', () => {
  it('holds every target of exports and imports', () => {
    const targets = (row: unknown): string[] =>
      typeof row === 'string' ? eachAdapter(row) : Object.values(row as object).flatMap(targets);
    const all = [...targets(manifest.exports), ...targets(manifest.imports)];
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  it('holds the licence', () => {
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('MIT License');
  });

  it('holds no sources and no tests', () => {
    expect(['src', 'test', 'scripts', 'node_modules'].filter((name) => existsSync(join(installed, name)))).toEqual([]);
  });

  it('can be required', () => {
    const keys = JSON.parse(node('-e', `console.log(JSON.stringify(Object.keys(require('cvkit'))))`));
    expect(keys).toContain('UniversalCVRunner');
    expect(keys).toContain('CVKitError');
  });

  it('can be imported, and loads its data lazily', () => {
    const script = `
      import * as root from 'cvkit';
      const { X, y } = await root.loadCancerImaging();
      console.log(JSON.stringify([Object.keys(root).includes('UniversalCVRunner'), X.length, y.length]));`;
    expect(JSON.parse(node('--input-type=module', '-e', script))).toEqual([true, 569, 569]);
  });

  it('is one package behind all its entries: the errors are the same classes', () => {
    const script = `
      const { CVKitError, KFold } = require('cvkit');
      const rest = ['testing', 'snake', 'adapters/tfjs', 'adapters/onnx', 'adapters/estimator'].map((name) => require('cvkit/' + name));
      try { new KFold({ nSplits: 0 }); } catch (error) {
        console.log(JSON.stringify([error instanceof CVKitError, rest.every((entry) => Object.keys(entry).length > 0)]));
      }`;
    expect(JSON.parse(node('-e', script))).toEqual([true, true]);
  });

  it('has the folders of adapters with an index as entries, and none of their other files', () => {
    const script = (name: string) =>
      `import('cvkit/adapters/${name}').then(() => console.log('entry'), ({ code }) => console.log(code))`;
    const answers = (names: string[]) => names.map((name) => node('--input-type=module', '-e', script(name)).trim());
    expect(answers(adapters)).toEqual(adapters.map(() => 'entry'));
    expect(answers(['tfjs/train', 'tfjs/kernels/convolutions', 'other'])).toEqual(
      Array(3).fill('ERR_MODULE_NOT_FOUND'),
    );
  });

  it('keeps the names of classes and functions, so that errors can be read', () => {
    const script = `
      const { CVKitError, KFold, UniversalCVRunner } = require('cvkit');
      try { new KFold({ nSplits: 0 }); } catch (error) {
        console.log(JSON.stringify([error.name, CVKitError.name, KFold.name, UniversalCVRunner.name]));
      }`;
    const names = ['InvalidOptionError', 'CVKitError', 'KFold', 'UniversalCVRunner'];
    expect(JSON.parse(node('-e', script))).toEqual(names);
  });

  it('hides what is not exported', () => {
    const script = `import('cvkit/dist/index.js').catch((error) => console.log(error.code))`;
    expect(node('-e', script).trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('the declarations', () => {
  /** All declaration files that the entries lead to, and the packages that these name. */
  function declared(): { files: string[]; packages: Set<string> } {
    const files = new Set<string>();
    const packages = new Set<string>();
    const visit = (path: string): void => {
      if (files.has(path)) return;
      files.add(path);
      for (const { fileName: specifier } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
        if (specifier.startsWith('.')) visit(resolve(dirname(path), specifier.replace(/\.js$/, '.d.ts')));
        else packages.add(specifier);
      }
    };
    for (const row of Object.values<{ types?: string }>(manifest.exports)) {
      for (const path of eachAdapter(row.types ?? '')) if (path) visit(join(installed, path));
    }
    return { files: [...files], packages };
  }

  it('name no package but eventemitter3: neither seedrandom nor tfjs', () => {
    const { files, packages } = declared();
    expect(files.length).toBeGreaterThan(10);
    expect([...packages]).toEqual(['eventemitter3']);
  });

  it('check in a strict project that has nothing but cvkit, libraries included', () => {
    writeFileSync(
      join(project, 'user.ts'),
      `import { CVKitError, KFold, loadCancerImaging, type Fold } from 'cvkit';
       import * as testing from 'cvkit/testing';
       import { KFold as SnakeKFold, type LeakageReport } from 'cvkit/snake';
       import * as tfjs from 'cvkit/adapters/tfjs';
       import * as onnx from 'cvkit/adapters/onnx';
       import * as estimator from 'cvkit/adapters/estimator';
       export const entries = [testing, tfjs, onnx, estimator];
       export const folds: Fold[] = [...new KFold({ nSplits: 3 }).split(9)];
       export const labels: Promise<number[]> = loadCancerImaging().then(({ y }) => y);
       export const code: string = new CVKitError('text').code;
       // @ts-expect-error a share is no number of folds
       new KFold({ nSplits: 'half' });
       export const leaks = (report: LeakageReport): boolean => report.has_leakage;
       export const count: number = SnakeKFold({ n_splits: 3 }).get_n_splits();
       // @ts-expect-error the name of cvkit
       SnakeKFold({ nSplits: 3 });
      `,
    );
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: false, types: [] },
      ...{ target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext' },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    let problems = '';
    try {
      node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
    } catch (error) {
      problems = (error as { stdout: string }).stdout;
    }
    expect(problems).toBe('');
  });
});
