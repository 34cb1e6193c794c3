/** The import arrows of the architecture: who may know whom. */
import { describe, expect, it } from 'vitest';
import { type Arrow, importGraph } from './importGraph.js';
import { programOf } from './program.js';

/** How one layer may know another. `lazy`: by dynamic import; types never count as a need at run time. */
type Way = 'any' | 'type' | 'lazy';

const NUMBERS: Record<string, Way> = {
  core: 'any',
  data: 'any',
  survival: 'any',
  metrics: 'any',
  intervals: 'any',
  clinical: 'any',
};
const BELOW_RUNNER: Record<string, Way> = { ...NUMBERS, splitters: 'any' };
const BELOW_CHECKERS: Record<string, Way> = { ...BELOW_RUNNER, runner: 'any' };
const RESULT_TYPES: Record<string, Way> = {
  runner: 'type',
  checkers: 'type',
  metrics: 'type',
  intervals: 'type',
};

/** The picture, one row per layer: the layers it may know. A layer may always know itself. */
const ARROWS: Record<string, Record<string, Way>> = {
  core: {},
  data: { core: 'any' },
  splitters: { core: 'any', data: 'any' },
  metrics: { core: 'any', data: 'any', survival: 'any' },
  survival: { core: 'any', data: 'any' },
  intervals: { core: 'any', data: 'any', metrics: 'any', splitters: 'type' },
  clinical: NUMBERS,
  // The runner finds adapters through its registry; see DOORS.
  runner: { ...BELOW_RUNNER, tuning: 'lazy', preprocessing: 'lazy' },
  preprocessing: { core: 'any', data: 'any' },
  estimators: { core: 'any', data: 'any', survival: 'any' },
  // The search, a consumer of the fold loop: the runner loads it when it is called.
  tuning: { ...BELOW_CHECKERS, validator: 'any', preprocessing: 'any' },
  // Callbacks that need a checker or a report live here, above the checkers.
  callbacks: { ...BELOW_CHECKERS, checkers: 'any', report: 'lazy' },
  checkers: BELOW_CHECKERS,
  report: {
    core: 'any',
    ...RESULT_TYPES,
    data: 'any',
    clinical: 'type',
    plot: 'any',
    splitters: 'type',
    survival: 'any',
  },
  validator: { ...BELOW_CHECKERS, checkers: 'any', callbacks: 'any', report: 'lazy' },
  datasets: { core: 'any' },
  // Pictures of results: they read numbers, and make those of curves anew.
  plot: {
    ...RESULT_TYPES,
    core: 'any',
    data: 'any',
    splitters: 'any',
    survival: 'any',
    metrics: 'any',
    clinical: 'any',
  },
  // Many runs and their results: comparison, permutation, learning curves, and checks that train.
  stats: { ...BELOW_CHECKERS, checkers: 'any', report: 'any', plot: 'any' },
  // Readers of tables; what differs by platform goes through `#table`.
  table: { core: 'any', data: 'any' },
  // Executors: they run what the runner gives them.
  node: { ...BELOW_CHECKERS, table: 'any' },
  // The top: a command is a consumer of all that is public.
  cli: {
    ...{
      ...BELOW_CHECKERS,
      node: 'any',
      table: 'any',
      bullmq: 'lazy',
      checkers: 'any',
      validator: 'any',
      stats: 'any',
      report: 'any',
    },
    ...{ preprocessing: 'any', callbacks: 'lazy', adapters: 'lazy' },
  },
  bullmq: { ...BELOW_CHECKERS, node: 'any' },
  pages: { ...BELOW_CHECKERS, table: 'any' },
  // The other spelling of the root.
  snake: { core: 'any', splitters: 'any', preprocessing: 'type', tuning: 'type', '.': 'any' },
  // The root: src/index.ts lists public names of every layer and adds nothing.
  '.': {
    ...BELOW_CHECKERS,
    checkers: 'any',
    callbacks: 'any',
    tuning: 'type',
    validator: 'any',
    report: 'any',
    datasets: 'any',
  },
  adapters: { core: 'any', data: 'any', survival: 'lazy', runner: 'type' },
};

/** The single files through which something else is allowed, each with its reason. */
const DOORS: { from: string; to: RegExp; kind: Arrow['kind']; reason: string }[] = [
  {
    from: 'src/runner/adapterRegistry.ts',
    to: /^adapters\/\w+\/index\.ts$/,
    kind: 'dynamic',
    reason: 'the registry loads a built-in adapter when a model asks for it',
  },
  {
    from: 'src/core/pathOfPlace.ts',
    to: /^\?$/,
    kind: 'dynamic',
    reason: '`model`, and the function of a step, may be in a module that belongs to the user',
  },
  {
    from: 'src/cli/study.ts',
    to: /^\?$/,
    kind: 'dynamic',
    reason: 'a study is a module of the user',
  },
  {
    from: 'src/node/directory/makeCall.ts',
    to: /^src\/(validator\/cvkitValidator|preprocessing\/transformerFromJSON)\.ts$/,
    kind: 'dynamic',
    reason: 'a call that is stored with its run is made again',
  },
  {
    from: 'src/node/machines/description.ts',
    to: /^src\/callbacks\/\w+\.ts$/,
    kind: 'dynamic',
    reason: 'on another machine, callbacks of training are made again from their options',
  },
  {
    from: 'adapters/estimator/index.ts',
    to: /^src\/estimators\/estimatorFromJSON\.ts$/,
    kind: 'dynamic',
    reason: 'models of cvkit/estimators are loaded by the name of their class',
  },
  {
    from: 'src/validator/validationResult.ts',
    to: /^src\/report\/\w+\.ts$/,
    kind: 'static',
    reason: 'a result writes its reports, most of them at once; it is loaded when a validation is asked for',
  },
  {
    from: 'src/report/sections.ts',
    to: /^src\/runner\/runFacts\.ts$/,
    kind: 'static',
    reason: 'reports begin as the summary of a run does',
  },
  {
    from: 'src/report/account.ts',
    to: /^src\/runner\/runFacts\.ts$/,
    kind: 'static',
    reason: 'numbers of rows in the folds are written as in the summary',
  },
  {
    from: 'adapters/tfjs/packages.ts',
    to: /^\?$/,
    kind: 'dynamic',
    reason: 'tfjs-node is named in a variable, so that bundlers for browsers leave it alone',
  },
  {
    from: 'adapters/onnx/runtime.ts',
    to: /^\?$/,
    kind: 'dynamic',
    reason: 'onnxruntime-node is named in a variable, so that bundlers for browsers leave it alone',
  },
  {
    from: 'adapters/onnx/onnxEmbedding.ts',
    to: /^src\/preprocessing\/(table|transformer)\.ts$/,
    kind: 'static',
    reason: 'embeddings are a step of a preparation',
  },
  {
    from: 'src/node/optionalPackage.ts',
    to: /^\?$/,
    kind: 'dynamic',
    reason: 'packages that decode images, and that of the queue, are optional: who needs one names it',
  },
];

/** Packages by layer. Frameworks are known to adapters alone, and there as types or on first use. */
const PACKAGES: { layer: RegExp; to: RegExp; kinds: Arrow['kind'][] }[] = [
  { layer: /^core$/, to: /^seedrandom\/lib\/alea\.js$/, kinds: ['static', 'type'] },
  { layer: /^core$/, to: /^@noble\/hashes\/(sha2|hmac|utils)\.js$/, kinds: ['dynamic'] },
  { layer: /^(runner|tuning)$/, to: /^eventemitter3$/, kinds: ['static', 'type'] },
  { layer: /^(preprocessing|estimators)$/, to: /^ml-matrix$/, kinds: ['static', 'type'] },
  { layer: /^plot$/, to: /^d3-(scale|shape)$/, kinds: ['static', 'type'] },
  { layer: /^node$/, to: /^piscina$/, kinds: ['static', 'type'] },
  // Readers of tables, when the first file is read.
  { layer: /^(node|table|pages)$/, to: /^csv-parse(\/sync|\/browser\/esm)?$/, kinds: ['dynamic', 'type'] },
  { layer: /^node$/, to: /^(hyparquet|read-excel-file\/node)$/, kinds: ['dynamic', 'type'] },
  // Archives of published data, when one is read.
  { layer: /^(datasets|node)$/, to: /^fflate$/, kinds: ['dynamic'] },
  { layer: /^node$/, to: /^(dicom-parser|fast-png|nifti-reader-js)$/, kinds: ['type'] },
  { layer: /^cli$/, to: /^(commander|picocolors|@bomb\.sh\/tab\/commander)$/, kinds: ['static', 'type'] },
  { layer: /^cli$/, to: /^@modelcontextprotocol\/server(\/stdio)?$/, kinds: ['type'] },
  { layer: /^bullmq$/, to: /^(bullmq|ioredis)$/, kinds: ['type'] },
  // The executor behind `nJobs`, where there is Node.
  { layer: /^runner$/, to: /^#node$/, kinds: ['dynamic'] },
  // Work beside the checks, where there is Node.
  { layer: /^table$/, to: /^#table$/, kinds: ['static'] },
  { layer: /./, to: /^#io$/, kinds: ['static', 'dynamic', 'type'] },
  { layer: /^adapters$/, to: /^@tensorflow\//, kinds: ['type', 'dynamic'] },
  { layer: /^adapters$/, to: /^onnxruntime-web$/, kinds: ['dynamic'] },
];
const isNodeFile = (path: string) => path === 'src/core/io.node.ts' || /^src\/(node|bullmq|cli)\//.test(path);

function layerOf(path: string): string {
  if (path.startsWith('adapters/')) return 'adapters';
  const room = /^src\/(runner\/(?:callbacks|tuning))\//.exec(path);
  if (room) return room[1];
  const [, folder, file] = path.split('/');
  return file === undefined ? '.' : folder;
}

/** Why an arrow is not allowed, or undefined when it is. */
function fault({ from, to, kind }: Arrow): string | undefined {
  if (DOORS.some((door) => door.from === from && door.to.test(to) && door.kind === kind)) return undefined;
  const layer = layerOf(from);
  if (!ARROWS[layer]) return `the layer ${layer} has no row in the picture`;
  if (to === '?') return 'its target is known only when it runs';
  if (!/^(src|adapters)\//.test(to)) {
    if (to.startsWith('node:'))
      return isNodeFile(from) ? undefined : 'only #io, src/node, src/bullmq and src/cli may use Node';
    const allowed = PACKAGES.some((row) => row.layer.test(layer) && row.to.test(to) && row.kinds.includes(kind));
    return allowed ? undefined : `the layer ${layer} may not use this package ${WORDS[kind]}`;
  }
  const goal = layerOf(to);
  if (goal === layer) return layer === 'adapters' ? adapterFault(from, to) : undefined;
  const way = ARROWS[layer][goal];
  const fits = way === 'any' || (way === 'type' && kind === 'type') || (way === 'lazy' && kind !== 'static');
  if (!fits) return `${layer} may not know ${goal} ${WORDS[kind]}`;
  if (layer === 'adapters' && goal === 'runner' && to !== 'src/runner/frameworkAdapter.ts') {
    return 'adapters know the adapter interface alone';
  }
  return undefined;
}

const WORDS = { static: 'at run time', type: 'as types', dynamic: 'lazily' };

/** An adapter knows its own folder and what lies beside all of them, never another adapter. */
function adapterFault(from: string, to: string): string | undefined {
  const folder = (path: string) => path.split('/').slice(0, -1)[1];
  return folder(to) === undefined || folder(from) === folder(to) ? undefined : 'one adapter may not know another';
}

const faults = (arrows: readonly Arrow[]) =>
  arrows.flatMap((arrow) => {
    const why = fault(arrow);
    return why ? [`${arrow.place} -> ${arrow.to}: ${why}`] : [];
  });

/** Files that import each other at run time, as one line per circle. */
function circles(arrows: readonly Arrow[], kinds: readonly Arrow['kind'][] = ['static']): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind } of arrows) {
    if (kinds.includes(kind) && /^(src|adapters)\//.test(to)) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push([...trail.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}

/** What must not pass, each in a file that is laid over the package: layer, text, and what is said of it. */
const BAD: readonly (readonly [layer: string, text: string, expected: string])[] = [
  ['src/core', `import '../metrics/metric.js';`, 'core may not know metrics at run time'],
  ['src/core', `export type * from '../metrics/metric.js';`, 'core may not know metrics as types'],
  ['src/metrics', `import { foldsOf } from '../splitters/foldsOf.js'; foldsOf;`, 'may not know splitters'],
  ['src/splitters', `export const late = () => import('../runner/runFold.js');`, 'runner lazily'],
  ['src/runner', `export const late = () => import('../../adapters/tfjs/index.js');`, 'adapters lazily'],
  ['src/runner', `export * from '../validator/methods.js';`, 'may not know validator'],
  ['src/report', `import { labelsOf } from '../runner/runFold.js'; labelsOf;`, 'may not know runner at run time'],
  [
    'src/report',
    `export type { ValidationResult } from '../validator/validationResult.js';`,
    'report may not know validator as types',
  ],
  ['src/validator', `import { html } from '../report/htmlReport.js'; html;`, 'may not know report at run time'],
  ['src/checkers', `import type * as tf from '@tensorflow/tfjs'; export type T = tf.Tensor;`, 'package as types'],
  ['src/checkers', `export type T = import('@tensorflow/tfjs').Tensor;`, 'package as types'],
  [
    'src/runner',
    `import { readFile } from 'node:fs'; readFile;`,
    'only #io, src/node, src/bullmq and src/cli may use Node',
  ],
  ['src/runner', `import { readFile } from 'fs'; readFile;`, 'may not use this package'],
  ['src/runner', `declare const require: (name: string) => unknown; require('fs');`, 'may not use this package'],
  ['src/runner', `export const late = (name: string) => import(name);`, 'known only when it runs'],
  ['src/datasets', `import '../splitters/foldsOf.js';`, 'datasets may not know splitters'],
  ['src/surprise', `import '../core/errors.js';`, 'the layer surprise has no row'],
  ['adapters/tfjs', `import * as tf from '@tensorflow/tfjs'; tf;`, 'may not use this package at run time'],
  ['adapters/tfjs', `import { runFold } from '../../src/runner/runFold.js'; runFold;`, 'runner at run time'],
  [
    'adapters/tfjs',
    `import type { FoldTask } from '../../src/runner/executor.js'; export type F = FoldTask;`,
    'interface alone',
  ],
  ['adapters/tfjs', `import '../estimator/bad.js';`, 'one adapter may not know another'],
];
const GOOD: readonly (readonly [layer: string, text: string])[] = [
  ['src/checkers', `import { foldsOf } from '../splitters/foldsOf.js'; foldsOf;`],
  ['src/report', `import { type Metric } from '../metrics/metric.js'; export type M = Metric;`],
  ['src/validator', `export const late = () => import('../report/htmlReport.js');`],
];
const badPath = (at: number) => `${BAD[at][0]}/bad${at}.ts`;
const goodPath = (at: number) => `${GOOD[at][0]}/good${at}.ts`;
/** Two circles: of values, and of a value and a type. */
const CIRCLES = {
  'src/core/one.ts': `import { two } from './two.js'; export const one = () => two;`,
  'src/core/two.ts': `import { one } from './one.js'; export const two = () => one;`,
  'src/core/three.ts': `import { four } from './four.js'; export interface Three { four: typeof four }`,
  'src/core/four.ts': `import type { Three } from './three.js'; export const four = (three: Three) => three;`,
};
const planted: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BAD.map(([, text], at) => [badPath(at), text])),
  ...Object.fromEntries(GOOD.map(([, text], at) => [goodPath(at), text])),
  'adapters/estimator/bad.ts': 'export {};',
  ...CIRCLES,
};

const all = importGraph(programOf(planted));
const isPlanted = ({ from }: Arrow) => planted[from] !== undefined;
const [own, laid] = [false, true].map((is) => all.filter((arrow) => isPlanted(arrow) === is));

describe('the import arrows', () => {
  it('are seen at all', () => {
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((arrow) => arrow.kind === 'dynamic').length).toBeGreaterThan(2);
    expect(own.filter((arrow) => arrow.kind === 'type').length).toBeGreaterThan(20);
  });

  it('are those of the picture', () => {
    expect(faults(own)).toEqual([]);
  });

  it('close no circle at run time', () => {
    expect(circles(own)).toEqual([]);
  });

  it('close no circle of types', () => {
    expect(circles(own, ['static', 'type'])).toEqual([]);
  });

  it('need every door that is open', () => {
    const used = (door: (typeof DOORS)[number]) =>
      own.some((arrow) => arrow.from === door.from && door.to.test(arrow.to) && arrow.kind === door.kind);
    expect(DOORS.filter((door) => !used(door)).map((door) => door.from)).toEqual([]);
  });
});

describe('this test can fail', () => {
  it.each(BAD.map(([layer, , expected], at) => [layer, expected, at] as const))('%s: %s', (_, expected, at) => {
    expect(faults(laid.filter(({ from }) => from === badPath(at)))).toEqual([expect.stringContaining(expected)]);
  });

  it('and lets the rest pass', () => {
    for (const at of GOOD.keys()) {
      const arrows = laid.filter(({ from }) => from === goodPath(at));
      expect([arrows.length, faults(arrows)]).toEqual([1, []]);
    }
  });

  it('on a circle, also where one half of it is a type', () => {
    const arrows = laid.filter(({ from }) => from in CIRCLES);
    expect(circles(arrows)).toEqual(['src/core/one.ts -> src/core/two.ts -> src/core/one.ts']);
    expect(circles(arrows, ['static', 'type'])).toHaveLength(2);
  });
});
