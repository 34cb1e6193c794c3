/** The options of the runner's constructor, and what other tables share with them. */

import { nameText } from '../core/foreignText.js';
import type { BackendName, FrameworkName, MetricName } from '../core/knownNames.js';
import type { ModuleFunction } from '../core/moduleFunction.js';
import { custom, type InputOf, integer, isPlainObject, listOf, optionTable, seed, string } from '../core/options.js';
import { insteadOfFolds, isSplitter, type Splitter } from '../splitters/splitter.js';
import type { Executor } from './executor.js';
import type { FrameworkAdapter, TrainStep } from './frameworkAdapter.js';

/** Engine options of an adapter; what else it takes is in its own documents. */
export interface AdapterOptions {
  /** Engine of tfjs models: 'auto' chooses by the model. */
  readonly backend?: BackendName;
  /** Training step of tfjs models in place of loss and optimizer. */
  readonly trainStep?: TrainStep | ModuleFunction;
  readonly [option: string]: unknown;
}

export const isFunction = (value: unknown) => typeof value === 'function';
const isExecutor = (value: unknown) => isFunction((value as Partial<Executor> | null)?.run);

export const runnerOptions = optionTable('UniversalCVRunner', {
  cvSplitter: custom<Splitter>('Splitter', 'be a splitter, for example new KFold()', isSplitter)
    .instead(insteadOfFolds)
    .describe('Makes the folds.'),
  framework: string<FrameworkName>()
    .default('auto')
    .describe("'auto' asks every adapter; otherwise the name of one: 'tfjs', 'estimator', 'onnx' or a registered one."),
  adapter: custom<FrameworkAdapter>(
    'FrameworkAdapter',
    'be an adapter object',
    (v) => typeof v === 'object' && v !== null,
  )
    .optional()
    .describe('An adapter to use as it is; overrides `framework`.'),
  adapterOptions: custom<AdapterOptions>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe("Engine options of the adapter, for example { backend: 'wasm' }."),
  verbose: integer({ min: 0, max: 2 })
    .default(1)
    .describe('0: silent. 1: progress bar. 2: a line per epoch, too.', 'only prints'),
  executor: custom<'inline' | Executor>(
    "'inline' | Executor",
    "be 'inline' or an executor",
    (v) => v === 'inline' || isExecutor(v),
  )
    .default('inline')
    .describe("Where folds run. 'inline': one after the other, here.", 'every executor gives the same numbers'),
  nJobs: custom<number>(
    'integer',
    'be -1 or an integer from 1 to 1024',
    (v) => v === -1 || (Number.isInteger(v) && Number(v) >= 1 && Number(v) <= 1024),
  )
    .default(1)
    .describe(
      'Folds that run at once, each in a thread of its own (`threads` of cvkit/node) or, in pages, in a Web Worker; opened and closed by the run. -1: one for each core. The model must be the file: URL of a module, in pages a URL of their own origin.',
      'every executor gives the same numbers',
    ),
  randomState: seed()
    .default(42)
    .describe('Seed of row order, initial weights and dropout, derived per fold. null: fresh, recorded in the result.'),
});

const OWN_METRIC = 'Register a metric of your own with defineMetric and use its name.';

/** What to do instead: only names are metrics, so anything else was meant as a metric of the caller's own. */
export function insteadOfNames(value: unknown): string {
  const names = typeof value === 'string' ? [value] : value;
  const areNames = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
  return areNames ? `Use metrics: [${names.map((name) => `'${nameText(name)}'`).join(', ')}] instead.` : OWN_METRIC;
}

export const metricsOption = listOf<MetricName>('string', 'be a list of metric names', (v) => typeof v === 'string')
  .instead(insteadOfNames)
  .nullable()
  .default(null)
  .describe('Names of metrics; null takes the defaults of the task.');

export type RunnerOptions = InputOf<typeof runnerOptions>;
