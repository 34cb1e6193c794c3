/**
 * Writes dist, for reading as well as for running: nothing is minified, names and comments stay. There are no source maps, which
 * would be more than half of the package.
 *
 * - dist/node: for Node. Sources joined to few files by rolldown, since Node would take a tenth of a second to find 200. All
 *   entries are one build, so that they share their chunks (one registry, one `CVKitError`).
 * - dist/modules: one file per source, by tsc, for bundlers, which leave out what a page does not use. A page with the runner
 *   would carry a third more of dist/node.
 * - dist/types: declarations, with what editors show.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { descriptionsToComments } from './descriptionComments.mjs';
import { documentOptions } from './optionDocs.mjs';
import { dropUnreached, targetsBelow } from './unreached.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const ADAPTERS = readdirSync('adapters', { recursive: true, withFileTypes: true })
  .filter(({ name }) => name === 'index.ts')
  .map(({ parentPath }) => parentPath.replaceAll('\\', '/'));

const ENTRIES = {
  index: 'src/index.ts',
  plot: 'src/plot/index.ts',
  stats: 'src/stats/index.ts',
  preprocessing: 'src/preprocessing/index.ts',
  estimators: 'src/estimators/index.ts',
  tuning: 'src/tuning/index.ts',
  snake: 'src/snake/index.ts',
  table: 'src/table/index.ts',
  tableParts: 'src/node/table/parts.ts',
  node: 'src/node/index.ts',
  parts: 'src/node/parts.ts',
  threadWorker: 'src/node/threadWorker.ts',
  processWorker: 'src/node/processWorker.ts',
  bullmq: 'src/bullmq/index.ts',
  cli: 'src/cli/index.ts',
  testing: 'test/conformance/index.ts',
  ...Object.fromEntries(ADAPTERS.map((folder) => [folder, `${folder}/index.ts`])),
  'io.node': 'src/core/io.node.ts',
};

/** What `#io` needs stays apart from the root: the root imports `#io`, which must not import the root in turn. */
const BESIDE_IO = /src\/core\/(errors|foreignText)\.ts$/;

/** A worker is found by its place next to the file that starts it. */
const STARTS_WORKERS = /src\/node\/(threads|processes|slurm)\.ts$/;

rmSync('dist', { recursive: true, force: true });
compile();
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const adapters = ADAPTERS.map((folder) => folder.replace(/^adapters\//, ''));
descriptionsToComments('dist/modules');
dropUnreached('dist/modules', targetsBelow('dist/modules', manifest, adapters), '.js');
await documentOptions('dist/types');
dropUnreached('dist/types', targetsBelow('dist/types', manifest, adapters), '.d.ts');
await bundle();

/** JavaScript and declarations. */
function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Joins the entries; no code of another package goes in. */
async function bundle() {
  const build = await rolldown({
    input: ENTRIES,
    external: [
      /^#/,
      /^@noble\//,
      'bullmq',
      /^@bomb\.sh\//,
      'commander',
      /^csv-parse/,
      'd3-scale',
      'd3-shape',
      'eventemitter3',
      'fflate',
      'hyparquet',
      'ioredis',
      'ml-matrix',
      'onnxruntime-web',
      'picocolors',
      'piscina',
      'read-excel-file/node',
      /^seedrandom/,
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
    // Docstrings stand in dist/types, and the sources with all comments in dist/modules.
    comments: { legal: true, annotation: true, jsdoc: false },
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => STARTS_WORKERS.test(id)) ? '[name].js' : 'chunks/[name].js',
    codeSplitting: { groups: [{ name: 'errors', test: BESIDE_IO }] },
  });
  await build.close();
  const foreign = output.flatMap(({ moduleIds = [] }) => moduleIds.filter((id) => id.includes('node_modules')));
  if (foreign.length > 0) throw new Error(`Code of other packages is in dist: ${foreign.join(', ')}`);
}
