import { invalidData, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import { anyValue, checkedShape, fields, flag, leaf, list, recordOfAny, text, whole } from '../core/shape.js';
import { ByInput } from './byInput.js';
import { CenterCrop } from './centerCrop.js';
import { ChannelScaler } from './channelScaler.js';
import { choiceFromJSON } from './columnChoice.js';
import { type ColumnEntry, ColumnTransformer } from './columnTransformer.js';
import { FunctionTransformer, type ModulesOption } from './functionTransformer.js';
import { MinMaxScaler } from './minMaxScaler.js';
import { OneHotEncoder } from './oneHotEncoder.js';
import { OrdinalEncoder } from './ordinalEncoder.js';
import { Pad } from './pad.js';
import { PCA } from './pca.js';
import { Pipeline, type PipelineStep } from './pipeline.js';
import { RandomOverSampler } from './randomOverSampler.js';
import { RandomUnderSampler } from './randomUnderSampler.js';
import { Resize } from './resize.js';
import { RobustScaler } from './robustScaler.js';
import { SelectKBest } from './selectKBest.js';
import { SequenceScaler } from './sequenceScaler.js';
import { SimpleImputer } from './simpleImputer.js';
import { SMOTE } from './smote.js';
import { StandardScaler } from './standardScaler.js';
import { Tabular } from './tabular.js';
import { addedTransformers, checkedTransformer, type Transformer, type TransformerJSON } from './transformer.js';
import { VarianceThreshold } from './varianceThreshold.js';

const PAIRS = list(leaf('be [name, step]', (v) => Array.isArray(v) && v.length === 2));
const PIPELINE = fields({ steps: PAIRS });
const INPUTS = fields({ inputs: PAIRS });
const FITTED_COLUMNS = (width: number, length: number) =>
  fields({
    namesIn: list(text),
    places: list(list(whole(width)), length),
    rest: list(whole(width)),
    namesOut: list(text),
  });

type Read = (json: TransformerJSON, modules: ModulesOption) => PipelineStep;

const TRANSFORMERS = [
  ...[StandardScaler, MinMaxScaler, RobustScaler, SimpleImputer, OneHotEncoder, OrdinalEncoder],
  ...[PCA, SelectKBest, VarianceThreshold],
  ...[Resize, CenterCrop, Pad, ChannelScaler, SequenceScaler],
];
const RESAMPLERS = [RandomOverSampler, RandomUnderSampler, SMOTE];

const READERS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(
    TRANSFORMERS.map((Class): [string, Read] => [Class.options.owner, (json) => Class.fromJSON<Transformer>(json)]),
  ),
  ...Object.fromEntries(
    RESAMPLERS.map((Class): [string, Read] => [Class.options.owner, ({ options }) => new Class(options as object)]),
  ),
  FunctionTransformer: (json, modules) => FunctionTransformer.fromJSON(json, modules),
  Pipeline: pipelineFrom,
  ByInput({ options }, modules) {
    const { inputs } = checkedShape<{ inputs: [string, unknown][] }>(INPUTS, options, 'The JSON of a ByInput');
    return new ByInput(Object.fromEntries(inputs.map(([input, json]) => [input, pipelineFrom(json, modules)])));
  },
  ColumnTransformer({ options, fitted }, modules) {
    const { transformers, ...own } = options as { transformers?: unknown };
    return withFitted(new ColumnTransformer(entriesFrom(transformers, modules), own), fitted);
  },
  tabular({ options, fitted }, modules) {
    const { transformers, ...own } = options as { readonly transformers?: unknown };
    if (fitted === null) return new Tabular(own, transformers ? entriesFrom(transformers, modules) : undefined);
    const shape = fields({ inner: recordOfAny, fitted: anyValue });
    type Known = { inner: { transformers?: unknown }; fitted: unknown };
    const { inner, fitted: known } = checkedShape<Known>(shape, fitted, 'The JSON of a tabular');
    return withFitted(new Tabular(own, entriesFrom(inner.transformers, modules)), known);
  },
};

/**
 * The transformer that `toJSON` told of: of any class of `cvkit/preprocessing`, with all its steps, fitted where that one
 * was. It gives what that one gave, bit for bit. Every field is checked. A step that is a function of a module is read with
 * `modules: 'allow'` alone, since preparing rows runs that module.
 *
 * @param options `modules: 'allow'` reads steps that are functions of modules
 * @throws {InvalidDataError} JSON of something else; `module_refused`.
 * @throws {InvalidOptionError} an option of a step that it does not take.
 * @example
 * const scaler = await new StandardScaler().fit([[1], [2], [3]]);
 * const again = transformerFromJSON(JSON.parse(JSON.stringify(scaler)));
 * console.log(await again.transform([[2], [4]]));
 */
export function transformerFromJSON(json: unknown, options: ModulesOption = {}): PipelineStep {
  const { transformer: name, adapter } = (isPlainObject(json) ? json : {}) as Partial<TransformerJSON>;
  if (typeof name === 'string' && Object.hasOwn(READERS, name)) return READERS[name](checkedTransformer(json), options);
  const added = typeof name === 'string' ? addedTransformers.get(name) : undefined;
  if (added) return added(checkedTransformer(json));
  const must = 'be what `toJSON` of one of cvkit/preprocessing gave';
  const way = typeof adapter === 'string' ? `Import 'cvkit/adapters/${nameText(adapter)}' first.` : undefined;
  throw invalidData('other_transformer', 'The JSON of a transformer', must, show(name ?? json), way);
}

function pipelineFrom(json: unknown, modules: ModulesOption): Pipeline {
  const { options, fitted } = checkedTransformer(json);
  const { steps } = checkedShape<{ steps: [string, unknown][] }>(PIPELINE, options, 'The JSON of a Pipeline');
  const pipeline = new Pipeline(steps.map(([name, step]) => [name, transformerFromJSON(step, modules)] as const));
  if (checkedShape(flag, fitted, 'The field fitted of the JSON of a Pipeline')) pipeline.restore();
  return pipeline;
}

function withFitted<T extends ColumnTransformer>(transformer: T, fitted: unknown): T {
  if (fitted === null) return transformer;
  const { namesIn } = (isPlainObject(fitted) ? fitted : {}) as { namesIn?: unknown[] };
  const shape = FITTED_COLUMNS(namesIn?.length ?? 0, transformer.transformers.length);
  transformer.restore(checkedShape(shape, fitted, `The JSON of a ${transformer.name}`));
  return transformer;
}

const ENTRIES = list(leaf('be [name, step, columns]', (v) => Array.isArray(v) && v.length === 3));

const entriesFrom = (json: unknown, modules: ModulesOption): ColumnEntry[] =>
  checkedShape<[string, unknown, unknown][]>(ENTRIES, json, 'The transformers of a ColumnTransformer that is read').map(
    ([name, step, columns]) => [
      name,
      (typeof step === 'string' ? step : transformerFromJSON(step, modules)) as ColumnEntry[1],
      choiceFromJSON(columns),
    ],
  );
