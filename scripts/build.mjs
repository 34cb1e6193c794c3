/**
 * Writes dist: JavaScript bundled by rolldown, declarations by tsc, notices of what is bundled.
 *
 * All entries are one build, so that they share their chunks (one registry, one `CVKitError`); a dynamic import is a
 * chunk that loads when it is needed. Spaces go and local variables get short names, which keeps the first load small;
 * every statement keeps a line of its own, since Node prints the line of an uncaught error, and names of classes stay:
 * errors and messages show them. Texts that only the documents read stay in the sources.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const ENTRIES = {
  index: 'src/index.ts',
  plot: 'src/plot/index.ts',
  stats: 'src/stats/index.ts',
  testing: 'test/conformance/index.ts',
  'adapters/estimator': 'adapters/estimator/index.ts',
  'adapters/tfjs': 'adapters/tfjs/index.ts',
  'io.node': 'src/core/io.node.ts',
  'io.default': 'src/core/io.default.ts',
};

/** Functions of predictions that load with the root, apart from its core. */
const CLINICAL = ['clinicalMetrics', 'delongTest', 'netBenefit', 'decisionCurve', 'calibrationCurve'].map(
  (name) => `src/metrics/${name}.ts`,
);

/** What answers at once about labels, hence loads with the root, apart from its core. */
const BALANCE = ['src/checkers/balanceChecker.ts'];

/** Kinds of options (src/core/options.ts) whose first argument is how documents write the type. */
const TYPED_OPTIONS = ['anything', 'arrayLike', 'custom', 'listOf'];

rmSync('dist', { recursive: true, force: true });
const modules = await bundle();
declare();
writeFileSync('dist/THIRD_PARTY_NOTICES.txt', notices(modules));

/** Bundles all entries and gives the paths of the modules that went in. */
async function bundle() {
  /** Modules that load with the root, and those that #io needs besides itself. */
  const graphs = {};
  const build = await rolldown({
    input: ENTRIES,
    plugins: [
      { name: 'texts', transform: (code, id) => (id.endsWith('.ts') ? withoutTexts(code) : undefined) },
      { name: 'alea', transform: (code, id) => (id.endsWith('/alea.js') ? asModule(code) : undefined) },
      {
        name: 'first-load',
        buildEnd() {
          const graphOf = (id, found = new Set()) => {
            if (found.has(id)) return found;
            found.add(id);
            for (const each of this.getModuleInfo(id)?.importedIds ?? []) graphOf(each, found);
            return found;
          };
          const clinical = CLINICAL.map((path) => resolve(path));
          const balance = BALANCE.map((path) => resolve(path));
          graphs.core = graphOf(resolve(ENTRIES.index), new Set([...clinical, ...balance]));
          // The entry itself joins them, and what is left out is in the set, too.
          for (const id of [resolve(ENTRIES.index), ...clinical, ...balance]) graphs.core.delete(id);
          graphs.clinical = new Set(clinical.flatMap((id) => [...graphOf(id)]));
          graphs.root = graphOf(resolve(ENTRIES.index));
          graphs.io = new Set([...graphOf(resolve(ENTRIES['io.node']))].slice(1));
        },
      },
    ],
    external: ['#io', 'eventemitter3', /^@tensorflow\//, /^node:/],
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
    dir: 'dist',
    format: 'esm',
    // Short names would be one list more: the chunks say what they take from each other by names that they hold anyway.
    minifyInternalExports: false,
    chunkFileNames: 'chunks/[name].js',
    // One file for all that loads with the root: fewer requests, and it compresses better than its parts. What only the
    // clinical functions need is a second one, so that it is seen what they cost.
    codeSplitting: {
      groups: [
        // What #io needs stays apart: the root imports #io, which must not import the root in turn.
        { name: 'errors', test: (id) => graphs.io.has(id), priority: 2 },
        { name: 'cvkit', test: (id) => graphs.core.has(id), priority: 1 },
        { name: 'clinical', test: (id) => graphs.clinical.has(id), priority: 0.5 },
        { name: 'balance', test: (id) => graphs.root.has(id) },
      ],
    },
    minify: {
      // Statements stay statements, each on a line of its own; declarations that follow each other become one.
      compress: { sequences: false },
      mangle: { toplevel: true, keepNames: { class: true, function: false } },
      codegen: { removeWhitespace: true },
    },
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  for (const chunk of output) {
    if (chunk.type === 'chunk') writeFileSync(join('dist', chunk.fileName), inLines(chunk.code));
  }
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/**
 * The source without texts that only documents hold, since users wait for less: `.describe('...')` and the written type
 * of an option, and the description of a metric. The documents are generated from the sources as they are.
 */
function withoutTexts(source) {
  const cuts = [];
  const empty = (text) => isText(text) && cuts.push([text.start, text.end, "''"]);
  const program = parseAst(source, { lang: 'ts' });
  const typed = program.body
    .filter(({ type, source: from }) => type === 'ImportDeclaration' && from.value.endsWith('/core/options.js'))
    .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name))
    .filter((name) => TYPED_OPTIONS.includes(name));
  const metrics = new Set();
  walk(program, (node) => {
    // A metric may take its direction over from another one.
    if (node.type === 'VariableDeclarator' && node.id.typeAnnotation?.typeAnnotation.typeName?.name === 'Metric') {
      metrics.add(node.init);
    }
    if (node.type === 'CallExpression') {
      const { callee, arguments: given, end } = node;
      if (callee.property?.name === 'describe' && isText(given[0])) cuts.push([callee.object.end, end, '']);
      if (typed.includes(callee.name)) empty(given[0]);
    }
    if (node.type === 'ObjectExpression') {
      const property = (name) => node.properties.find(({ key }) => key?.name === name);
      // Metrics alone have a direction; what else is described may say so at run time.
      if (property('direction') || metrics.has(node)) empty(property('description')?.value);
    }
  });
  return cuts
    .sort(([a], [b]) => b - a)
    .reduce((code, [start, end, instead]) => code.slice(0, start) + instead + code.slice(end), source);
}

function isText(node) {
  return ['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(node?.type);
}

/** A CommonJS module that needs no other, as an ES module: this spares users the code that joins the two kinds. */
function asModule(code) {
  return `const module = { exports: {} };\n${code}\nexport default module.exports;`;
}

function walk(node, look) {
  if (Array.isArray(node)) for (const each of node) walk(each, look);
  if (typeof node?.type !== 'string') return;
  look(node);
  for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) walk(child, look);
}

/** The code with a line for every statement and member. A new line before a statement never changes its meaning. */
function inLines(code) {
  const starts = new Set();
  walk(parseAst(code), (node) => {
    const statements = {
      Program: node.body,
      BlockStatement: node.body,
      ClassBody: node.body,
      SwitchCase: node.consequent,
    };
    for (const { start } of statements[node.type] ?? []) starts.add(start);
  });
  const places = [...starts].sort((a, b) => a - b);
  return (
    places.map((start, i) => code.slice(i === 0 ? 0 : places[i - 1], start)).join('\n') +
    `\n${code.slice(places.at(-1))}`
  );
}

function declare() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The licences of all packages of which a module is in dist, and the notices at the head of those modules. */
function notices(modulePaths) {
  const foreign = modulePaths.filter((path) => path.includes('node_modules'));
  const parts = [...new Set(foreign.map(packageFolder))].sort().map((folder) => {
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
