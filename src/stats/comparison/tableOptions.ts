/** The options of `compareModels` for several models. */
import { nameText } from '../../core/foreignText.js';
import type { MetricName } from '../../core/knownNames.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { custom, type InputOf, integer, isPlainObject, number, optionTable, seed, string } from '../../core/options.js';
import type { ModelOption } from '../../runner/modelSource.js';
import { runOptions } from '../../runner/runOptions.js';
import { type EngineCall, manyRunsShape } from '../manyRuns.js';
import type { ScoredResults } from '../results.js';

/** No model is kept, and training rows are not scored. */
const { model, X, y, ...engine } = manyRunsShape;

type Preparation = NonNullable<EngineCall['options']['preprocessing']>;

const tableShape = {
  metric: string<MetricName>()
    .optional()
    .describe("What is compared; by default 'roc_auc' for a binary task, 'rmse' for regression, else 'accuracy'."),
  reference: string()
    .optional()
    .describe(
      'Name of the row that all others are compared with, chosen before any result is seen; left out, all pairs are compared. With several preparations rows are called `model, preparation`.',
    ),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(1000)
    .describe('Resamples of patients (rows without groups) for the intervals and for the choice of the best.'),
  nPermutations: integer({ min: 99, max: MOST_DRAWS })
    .optional()
    .describe('Random swaps of a sign-flip test for each comparison; left out, there is none.'),
};

type Accepts = (value: unknown) => boolean;

/** A record of one thing or more of a kind. */
const recordOf = (accepts: Accepts) => (value: unknown) =>
  isPlainObject(value) && Object.keys(value).length > 0 && Object.values(value).every(accepts);

/** Which entry of such a record is something else. */
const oddOf = (accepts: Accepts) => (value: unknown) => {
  const odd = isPlainObject(value) && Object.keys(value).find((name) => !accepts(value[name]));
  return typeof odd === 'string' ? `Look at '${nameText(odd)}'.` : undefined;
};

const isModel: Accepts = (value) => model.accepts(value);
const isPreparation: Accepts = (value) => value === null || engine.preprocessing.accepts(value);

export const modelTableOptions = optionTable('compareModels({ models })', {
  models: custom<Readonly<Record<string, ModelOption>>>(
    'record of name -> model',
    'be a record of name to factory, model or file: URL of a module',
    recordOf(isModel),
  )
    .instead(oddOf(isModel))
    .describe(
      'Models by name: each a factory, an instance that is copied, or the URL of a module, as `model` of `run`.',
    ),
  preparations: custom<Readonly<Record<string, Preparation | null>>>(
    'record of name -> preprocessing | null',
    'be a record of name to transformer, list of transformers or null',
    recordOf(isPreparation),
  )
    .instead(oddOf(isPreparation))
    .optional()
    .describe('Preparations by name, each as `preprocessing` of `run`, null for none: every model is tried with each.'),
  X: X.optional(),
  y: y.optional(),
  data: runOptions.shape.data
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
