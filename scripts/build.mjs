/**
 * Writes dist, for reading as well as for running: nothing is minified, comments stay, and every file has a source map.
 *
 * - dist/modules and dist/types: one file per source, by tsc, for bundlers, which leave out what a page does not use; what
 *   is said about options is a comment there.
 * - dist/node: the same joined to few files by rolldown, since Node would take a tenth of a second to find 200. All
 *   entries are one build, so that they share their chunks (one registry, one `CVKitError`).
 * - dist/node/vendor: packages that users do not install, with their notices. The sources import them as `#name`, which
 *   `imports` of package.json leads there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { descriptionsToComments } from './descriptionComments.mjs';
import { documentOptions } from './optionDocs.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const ENTRIES = {
  index: 'src/index.ts',
  plot: 'src/plot/index.ts',
  stats: 'src/stats/index.ts',
  preprocessing: 'src/preprocessing/index.ts',
  estimators: 'src/estimators/index.ts',
  tuning: 'src/runner/tuning/index.ts',
  snake: 'src/snake/index.ts',
  node: 'src/node/index.ts',
  threadWorker: 'src/node/threadWorker.ts',
  sideThread: 'src/node/sideThread.ts',
  searchAside: 'src/checkers/CVL003-near-duplicate/searchAside.ts',
  testing: 'test/conformance/index.ts',
  'adapters/estimator': 'adapters/estimator/index.ts',
  'adapters/onnx': 'adapters/onnx/index.ts',
  'adapters/tfjs': 'adapters/tfjs/index.ts',
  'adapters/tfjs/kernels': 'adapters/tfjs/kernels/index.ts',
  'io.node': 'src/core/io.node.ts',
  'vendor/alea': 'seedrandom/lib/alea.js',
  'vendor/d3-scale': 'd3-scale',
};

/** What `#io` needs stays apart from the root: the root imports `#io`, which must not import the root in turn. */
const BESIDE_IO = /src\/core\/(errors|foreignText)\.ts$/;

rmSync('dist', { recursive: true, force: true });
compile();
descriptionsToComments('dist/modules');
await documentOptions('dist/types');
writeFileSync('dist/THIRD_PARTY_NOTICES.txt', notices(await bundle()));

/** JavaScript with its source maps, and declarations. */
function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Joins the entries and gives the paths of the modules that went in. */
async function bundle() {
  const build = await rolldown({
    input: ENTRIES,
    plugins: [{ name: 'alea', transform: (code, id) => (id.endsWith('/alea.js') ? asModule(code) : undefined) }],
    external: [
      /^#/,
      /^@noble\//,
      /^csv-parse/,
      'eventemitter3',
      'fflate',
      'hyparquet',
      'ml-matrix',
      'onnxruntime-web',
      'piscina',
      /^@tensorflow\//,
      /^node:/,
    ],
    platform: 'neutral',
    tsconfig: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
    transform: { target: 'es2023' },
    // How long our plugins take tells of the machine, not of the code.
    checks: { pluginTimings: false },
    onLog(level, log, handler) {
      // Anything rolldown is not sure about (a missing export, an import it cannot resolve) would break users.
      if (level === 'warn') throw new Error(log.message);
      handler(level, log);
    },
  });
  const { output } = await build.write({
    dir: 'dist/node',
    format: 'esm',
    minify: false,
    minifyInternalExports: false,
    sourcemap: true,
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: [{ name: 'errors', test: BESIDE_IO }] },
  });
  await build.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/** A CommonJS module that needs no other, as an ES module: this spares users the code that joins the two kinds. */
function asModule(code) {
  return { code: `const module = { exports: {} };\n${code}\nexport default module.exports;`, map: null };
}

/**
 * The licences of all packages of which a module is in dist, and the notices at the head of those modules. The packages that
 * these depend on are among them: a module may hold code of another package already (d3-array holds internmap).
 */
function notices(modulePaths) {
  const foreign = modulePaths.filter((path) => path.includes('node_modules'));
  const folders = new Set(foreign.map(packageFolder));
  for (const folder of folders) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // The set grows while it is gone through.
    for (const name of Object.keys(dependencies)) folders.add(folderOf(name, folder));
  }
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const heads = foreign.filter((path) => packageFolder(path) === folder).map(headNotice);
    return [`${name} ${version} (${license})`, licenseText(folder), ...heads.filter(Boolean)].join('\n\n');
  });
  const intro = 'The JavaScript in this folder contains code of these packages.';
  return `${[intro, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The comment that a module begins with, where it holds a copyright of its own. */
function headNotice(path) {
  const [head] = readFileSync(path, 'utf8').match(/^(\s*(\/\/.*\n|\/\*[\s\S]*?\*\/))*/);
  return /copyright/i.test(head) ? head.trim() : '';
}

/** Where a package that another one needs is installed. */
function folderOf(name, from) {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name);
  return join(
    places.find((place) => existsSync(join(place, name, 'package.json'))),
    name,
  );
}

function packageFolder(modulePath) {
  let folder = dirname(modulePath);
  while (!isPackage(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Packages also have package.json files that only say `"type": "module"`; the real one has a version. */
function isPackage(path) {
  return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version !== undefined;
}

/** The licence file, or the part of the README that holds it. */
function licenseText(folder) {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']) {
    if (existsSync(join(folder, name))) return readFileSync(join(folder, name), 'utf8').trim();
  }
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const at = readme.search(/^#* *licen[cs]e/im);
  if (at < 0) throw new Error(`${folder} is bundled, and no licence text was found in it`);
  return readme.slice(at).trim();
}
