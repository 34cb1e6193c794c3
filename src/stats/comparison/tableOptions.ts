/** The options of `compareModels` for several models. */
import type { MetricName } from '../../core/knownNames.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { custom, type InputOf, integer, isPlainObject, number, optionTable, seed, string } from '../../core/options.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import type { PreprocessingOption } from '../../preprocessing/preparation.js';
import type { DataOption } from '../../runner/dataOptions.js';
import type { ModelOption } from '../../runner/modelSource.js';
import { runOptions } from '../../runner/runOptions.js';
import { manyRunsShape } from '../manyRuns.js';
import type { ScoredResults } from '../results.js';

const { model, X, y, ...engine } = manyRunsShape;

const tableShape = {
  metric: string<MetricName>()
    .optional()
    .describe("What is compared; by default 'roc_auc' for a binary task, 'rmse' for regression, else 'accuracy'."),
  reference: string()
    .optional()
    .describe(
      'Name of the row that all others are compared with, chosen before any result is seen; left out, all pairs of rows are compared.',
    ),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(1000)
    .describe('Resamples of patients (rows without groups) for the intervals and for the choice of the best.'),
  nPermutations: integer({ min: 99, max: MOST_DRAWS })
    .optional()
    .describe('Random swaps of a sign-flip test for each comparison; left out, there is none.'),
};

/** A record of two or more things of one kind. */
const recordOf = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  isPlainObject(value) && Object.keys(value).length > 0 && Object.values(value).every(accepts);

export const modelTableOptions = optionTable('compareModels({ models })', {
  models: custom<Readonly<Record<string, ModelOption>>>(
    'record of name -> model',
    'be a record of name to factory, model or file: URL of a module',
    recordOf((value) => model.accepts(value)),
  ).describe(
    'Models by name: each a factory, an instance that is copied, or the URL of a module, as `model` of `run`.',
  ),
  preparations: custom<Readonly<Record<string, PreprocessingOption | null>>>(
    'record of name -> preprocessing | null',
    'be a record of name to transformer, list of transformers or null',
    recordOf((value) => value === null || engine.preprocessing.accepts(value)),
  )
    .optional()
    .describe('Preparations by name, each as `preprocessing` of `run`, null for none: every model is tried with each.'),
  X: custom<RowsInput>('rows', X.must, () => true)
    .optional()
    .describe(X.description),
  y: custom<LabelsInput>('labels', y.must, () => true)
    .optional()
    .describe(y.description),
  data: custom<DataOption>('[X, y] | [X, y, groups] | { X, y, ... }', runOptions.shape.data.must, (v) =>
    runOptions.shape.data.accepts(v),
  )
    .optional()
    .describe('The rows and labels in the place of `X` and `y`, as `data` of `run`.'),
  ...engine,
  ...tableShape,
});

export type ModelTableOptions = InputOf<typeof modelTableOptions>;

export const resultTableOptions = optionTable('compareModels({ results })', {
  results: custom<readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>>(
    'results[] | record of name -> results',
    'be a list of results, or a record by name',
    (value) => Array.isArray(value) || isPlainObject(value),
  ).describe('What `run` or `validate` gave, awaited, on identical folds of the same rows.'),
  ...tableShape,
  randomState: seed().default(42).describe('Seed of the resamples and swaps. null: fresh, recorded in the table.'),
});

export type ResultTableOptions = InputOf<typeof resultTableOptions>;
