/** The package as one who installs it has it: `npm pack`, `npm install` of the archive into an empty folder, and its use there. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { graphOf, needDist, npm, type Packed, packageJson } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { chromium, NO_CHROMIUM, toldBy } from './chromium.js';
import { outcome } from './installedPage.mjs';

const run = promisify(execFile);
const manifest = packageJson();
let folder = '';

/** A program in the user's folder, by this Node. */
async function node(...args: string[]): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return (await run(process.execPath, args, { cwd: folder, env })).stdout;
}

beforeAll(() => {
  needDist();
  folder = mkdtempSync(join(tmpdir(), 'cvkit-installed-'));
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder])) as Packed[];
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'study', version: '1.0.0', private: true, type: 'module' }),
  );
  npm(['install', `./${filename}`, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
  for (const name of ['installedPage.mjs', 'installedEntries.mjs']) {
    copyFileSync(join(ROOT, 'test/journeys', name), join(folder, name));
  }
}, 120_000);
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('installed into an empty folder', () => {
  it('brings its dependencies and no framework', () => {
    const installed = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const names = Object.keys(installed.packages).map((place) => place.replace(/^.*node_modules\//, ''));
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names.filter((name) => name in manifest.peerDependencies)).toEqual([]);
  });

  it('gives every entry to `import` and `require`, the same things', async () => {
    const { counts, texts } = JSON.parse(await node('installedEntries.mjs'));
    const entries = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./, 'cvkit'));
    const code = Object.keys(counts);
    const isThere = (name: string) => name in counts || name.replace(/^cvkit/, '.') in texts;
    expect(entries.filter((name) => !name.includes('*') && !isThere(name))).toEqual([]);
    expect(code).toEqual(expect.arrayContaining(['cvkit/adapters/tfjs', 'cvkit/adapters/tfjs/kernels']));
    expect(code.filter((name) => !(counts[name] > 0))).toEqual([]);
    expect(Object.keys(texts).filter((name) => !(texts[name] > 100))).toEqual([]);
  });

  it('runs a program, as a module and by `require`, with equal scores', async () => {
    const tell = 'outcome().then((told) => console.log(JSON.stringify(told)))';
    const imported = await node('--input-type=module', '-e', `import { outcome } from './installedPage.mjs'; ${tell}`);
    const required = await node('-e', `const { outcome } = require('./installedPage.mjs'); ${tell}`);
    expect(JSON.parse(imported)).toEqual(JSON.parse(JSON.stringify(await outcome())));
    expect(required).toBe(imported);
  });

  it('has the command, which finds its pages', async () => {
    const cvkit = join('node_modules/cvkit', manifest.bin.cvkit);
    expect((await node(cvkit, '--version')).trim()).toContain(manifest.version);
    expect(await node(cvkit, 'explain', 'CVL001')).toContain('CVL001');
    expect(await node(cvkit, 'explain', 'unknown_column')).toContain('InvalidDataError');
    const missing = await node(cvkit, 'mcp').catch(({ stderr }) => stderr);
    expect(missing).toMatch(
      /needs the package '@modelcontextprotocol\/server'.* Run: npm install @modelcontextprotocol\/server\n$/,
    );
    writeFileSync(join(folder, 'visits.csv'), `patient,age,died\n${rows().join('\n')}\n`);
    const report = JSON.parse(
      await node(cvkit, ...'check visits.csv --target died --groups patient --reporter json --exit-zero'.split(' ')),
    );
    expect(report.checks.length).toBeGreaterThan(5);
  });

  it('has a bill of materials that names what came with it', () => {
    const bill = JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx'], folder));
    const names = bill.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['cvkit', ...Object.keys(manifest.dependencies)]));
  });
});

/** 60 visits of 30 patients. */
const rows = () =>
  Array.from({ length: 60 }, (_, row) => `p${row % 30},${40 + ((row * 7) % 31)},${row % 3 === 0 ? 1 : 0}`);

describe('TypeScript', () => {
  const USER = `
    import { CVKitValidator, KFold, type Fold, type ValidationResult } from 'cvkit';
    import { LogisticRegression } from 'cvkit/estimators';
    ENTRIES
    export const folds: Fold[] = [...new KFold({ nSplits: 3 }).split(9)];
    export const result: Promise<ValidationResult> = new CVKitValidator({ nSplits: 3 }).validate({
      model: () => new LogisticRegression(), X: [[1], [2], [3]], y: [0, 1, 0] });
    // @ts-expect-error a share is no number of folds
    new KFold({ nSplits: 'half' });`;

  it.each([
    ['nodenext', 'nodenext', false],
    ['nodenext', 'nodenext', true],
    ['esnext', 'bundler', false],
    ['esnext', 'bundler', true],
  ])('knows all entries: module %s, moduleResolution %s, skipLibCheck %s', async (module, moduleResolution, skip) => {
    const { counts } = JSON.parse(await node('installedEntries.mjs'));
    const names = Object.keys(counts);
    const imports = names.map((name, at) => `import * as entry${at} from '${name}';`).join('\n');
    const used = `export const entries = [${names.map((_, at) => `entry${at}`).join(', ')}];`;
    writeFileSync(join(folder, 'user.ts'), USER.replace('ENTRIES', `${imports}\n${used}`));
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: skip, types: [], module, moduleResolution },
      ...{ target: 'es2023', lib: ['es2023', 'dom'] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const printed = await node(tsc, '-p', '.').catch(({ code, stdout, stderr }) => `${code}: ${stdout}${stderr}`);
    expect(printed).toBe('');
  });
});

/** Not installed here: cvkit loads them when a model needs them. */
const OPTIONAL = ['@tensorflow/tfjs', '@tensorflow/tfjs-backend-wasm', 'onnxruntime-web', 'onnxruntime-node'];

/** Files of a bundle by their address. */
type Bundle = ReadonlyMap<string, string | Uint8Array>;

/** Every bundler makes `page.js`, which exports `outcome`, with further files beside it. */
const BUNDLERS: Readonly<Record<string, () => Promise<void>>> = {
  async vite() {
    await vite({
      ...{ root: folder, logLevel: 'error', configFile: false },
      build: {
        ...{ outDir: 'vite', target: 'es2022', modulePreload: false },
        rollupOptions: {
          input: join(folder, 'installedPage.mjs'),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'page.js' },
        },
      },
      base: './',
    });
  },
  async webpack() {
    const compiler = webpack({
      ...{ mode: 'production', context: folder, target: ['web', 'es2022'], devtool: false },
      entry: { page: './installedPage.mjs' },
      experiments: { outputModule: true },
      output: { path: join(folder, 'webpack'), filename: '[name].js', module: true, library: { type: 'module' } },
    });
    const stats = await new Promise<webpack.Stats | undefined>((done, fail) =>
      compiler.run((error, found) => (error ? fail(error) : done(found))),
    );
    await new Promise((closed) => compiler.close(closed));
    const { errors = [], warnings = [] } = stats?.toJson({ errors: true, warnings: true, all: false }) ?? {};
    expect(errors.map(({ message }) => message)).toEqual([]);
    // Sizes are advice, and are printed below. What is not installed may be missing; that it is said is right.
    const isAdvice = (message: string) => /size limit|performance/.test(message);
    const isOptional = (message: string) => OPTIONAL.some((name) => message.includes(`Can't resolve '${name}'`));
    const others = warnings.map(({ message }) => message).filter((each) => !isAdvice(each) && !isOptional(each));
    expect(others).toEqual([]);
  },
  async esbuild() {
    const { warnings } = await esbuild.build({
      ...{ absWorkingDir: folder, entryPoints: { page: 'installedPage.mjs' }, outdir: 'esbuild' },
      ...{ bundle: true, minify: true, splitting: true, format: 'esm', target: 'es2022', logLevel: 'silent' },
    });
    const others = warnings
      .map(({ text }) => text)
      .filter((text) => !OPTIONAL.some((name) => text.includes(`"${name}"`)));
    expect(others).toEqual([]);
  },
};

function filesOf(name: string): Bundle {
  const place = join(folder, name);
  const paths = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    paths.map((each) => {
      const path = join(each.parentPath, each.name);
      return [path.slice(place.length).replaceAll('\\', '/'), readFileSync(path)];
    }),
  );
}

const kilobytes = (path: string) => gzipSync(readFileSync(path)).length / 1000;
/** Kilobytes that a page with the program loads before it starts, zipped; esbuild loads chunks at once that others load later. */
const FIRST_KB: Readonly<Record<string, number>> = { vite: 65, webpack: 60, esbuild: 190 };

type Outcome = Awaited<ReturnType<typeof outcome>>;

/** Of two engines, which may differ in the last digit of an exponential. */
function expectSame(found: unknown, expected: Outcome): void {
  const { roc_auc, accuracy, log_loss } = (found as Outcome).meanScores;
  expect({ roc_auc, accuracy }).toEqual({
    roc_auc: expected.meanScores.roc_auc,
    accuracy: expected.meanScores.accuracy,
  });
  expect(log_loss).toBeCloseTo(expected.meanScores.log_loss as number, 12);
  expect(roc_auc).toBeGreaterThan(0.98);
}

describe.each(Object.keys(BUNDLERS))('bundled by %s', (name) => {
  let files: Bundle = new Map();

  it('is whole: nothing is missing, nothing is left to Node', async () => {
    await BUNDLERS[name]();
    files = filesOf(name);
    const code = [...files].filter(([path]) => path.endsWith('.js'));
    expect(code.map(([path]) => path)).toContain('/page.js');
    const imported = code.flatMap(([, each]) => ts.preProcessFile(String(each), true, true).importedFiles);
    const packages = imported.map(({ fileName }) => fileName).filter((each) => !each.startsWith('.'));
    expect(packages.filter((each) => !OPTIONAL.includes(each))).toEqual([]);
    const first = graphOf(join(folder, name, 'page.js')).files.reduce((sum, path) => sum + kilobytes(path), 0);
    console.info(`${name}: ${first.toFixed(0)} kB at once, of ${code.length} files, zipped`);
    expect(first).toBeLessThan(FIRST_KB[name]);
  });

  it('gives in Chromium the scores of Node', async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const told = await toldBy(chromium, files);
    expect(told.error).toBeUndefined();
    expectSame(told, await outcome());
  });
});

it('bundled by esbuild for Node, gives the same scores', async () => {
  const outfile = join(folder, 'bundle.mjs');
  await esbuild.build({
    ...{ absWorkingDir: folder, entryPoints: ['installedPage.mjs'], outfile, platform: 'node', format: 'esm' },
    ...{ bundle: true, target: 'node20', logLevel: 'silent', banner: { js: REQUIRE } },
  });
  const tell = `import { outcome } from './bundle.mjs'; console.log(JSON.stringify(await outcome()));`;
  expect(JSON.parse(await node('--input-type=module', '-e', tell))).toEqual(
    JSON.parse(JSON.stringify(await outcome())),
  );
});

/** What esbuild asks of bundles of CommonJS packages in the form of modules. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
