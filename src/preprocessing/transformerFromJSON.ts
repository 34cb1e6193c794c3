import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import { addedTransformers } from './addedTransformers.js';
import { choiceFromJSON } from './columnChoice.js';
import { type ColumnEntry, ColumnTransformer } from './columnTransformer.js';
import { FunctionTransformer } from './functionTransformer.js';
import { MinMaxScaler } from './minMaxScaler.js';
import { OneHotEncoder } from './oneHotEncoder.js';
import { OrdinalEncoder } from './ordinalEncoder.js';
import { PCA } from './pca.js';
import { Pipeline, type PipelineStep } from './pipeline.js';
import { RandomOverSampler } from './randomOverSampler.js';
import { RandomUnderSampler } from './randomUnderSampler.js';
import { RobustScaler } from './robustScaler.js';
import { SelectKBest } from './selectKBest.js';
import { SimpleImputer } from './simpleImputer.js';
import { SMOTE } from './smote.js';
import { StandardScaler } from './standardScaler.js';
import { Tabular } from './tabular.js';
import type { TransformerJSON } from './transformer.js';
import { VarianceThreshold } from './varianceThreshold.js';

/** How each class is made again from its JSON. */
const READERS: Readonly<Record<string, (json: TransformerJSON) => PipelineStep>> = {
  StandardScaler: (json) => StandardScaler.fromJSON(json),
  MinMaxScaler: (json) => MinMaxScaler.fromJSON(json),
  RobustScaler: (json) => RobustScaler.fromJSON(json),
  SimpleImputer: (json) => SimpleImputer.fromJSON(json),
  OneHotEncoder: (json) => OneHotEncoder.fromJSON(json),
  OrdinalEncoder: (json) => OrdinalEncoder.fromJSON(json),
  PCA: (json) => PCA.fromJSON(json),
  SelectKBest: (json) => SelectKBest.fromJSON(json),
  VarianceThreshold: (json) => VarianceThreshold.fromJSON(json),
  FunctionTransformer: (json) => FunctionTransformer.fromJSON(json),
  RandomOverSampler: ({ options }) => new RandomOverSampler(options as object),
  RandomUnderSampler: ({ options }) => new RandomUnderSampler(options as object),
  SMOTE: ({ options }) => new SMOTE(options as object),
  Pipeline({ options, fitted }) {
    const { steps } = options as { steps: [string, TransformerJSON][] };
    const made = new Pipeline(steps.map(([name, json]) => [name, transformerFromJSON(json)] as const));
    if (fitted) made.restore();
    return made;
  },
  ColumnTransformer({ options, fitted }) {
    const { transformers, ...own } = options as { transformers: unknown };
    return withFitted(new ColumnTransformer(entriesFrom(transformers), own), fitted);
  },
  tabular({ options, fitted }) {
    const { transformers, ...own } = options as { readonly transformers?: unknown };
    if (!fitted) return new Tabular(own, transformers ? entriesFrom(transformers) : undefined);
    const { inner, fitted: known } = fitted as { inner: { transformers: unknown }; fitted: unknown };
    return withFitted(new Tabular(own, entriesFrom(inner.transformers)), known);
  },
};

/**
 * The transformer that `toJSON` told of: of any class of `cvkit/preprocessing`, with all its steps, fitted where that one
 * was. It gives what that one gave, bit for bit.
 *
 * @throws {InvalidDataError} JSON of something else.
 * @example
 * const scaler = transformerFromJSON(JSON.parse(text));
 */
export function transformerFromJSON(json: unknown): PipelineStep {
  const { transformer: name, adapter } = (isPlainObject(json) ? json : {}) as Partial<TransformerJSON>;
  if (typeof name === 'string' && Object.hasOwn(READERS, name))
    return READERS[name](json as unknown as TransformerJSON);
  const added = typeof name === 'string' ? addedTransformers.get(name) : undefined;
  if (added) return added(json as unknown as TransformerJSON);
  throw new InvalidDataError(
    sentence(
      'The JSON of a transformer',
      'be what `toJSON` of one of cvkit/preprocessing gave',
      phrase(show(name ?? json)),
      adapter === undefined ? undefined : `Import 'cvkit/adapters/${nameText(adapter)}' first.`,
    ),
    { code: 'other_transformer' },
  );
}

function withFitted<T extends ColumnTransformer>(made: T, fitted: unknown): T {
  if (fitted) made.restore(fitted);
  return made;
}

const entriesFrom = (json: unknown): ColumnEntry[] =>
  (json as [string, string | TransformerJSON, unknown][]).map(([name, step, columns]) => [
    name,
    (typeof step === 'string' ? step : transformerFromJSON(step)) as ColumnEntry[1],
    choiceFromJSON(columns),
  ]);
