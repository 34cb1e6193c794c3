/** `cvkit/preprocessing`: steps that prepare rows, fitted inside folds by the option `preprocessing` of a run. */
export type { ModuleFunction } from '../core/moduleFunction.js';
export type { ImageSize } from '../data/imageSizes.js';
export type { Category } from './categories.js';
export { CenterCrop, type CenterCropOptions } from './centerCrop.js';
export { ChannelScaler, type ChannelScalerOptions } from './channelScaler.js';
export type { ColumnChoice, ColumnFacts } from './columnChoice.js';
export { type ColumnEntry, ColumnTransformer, type ColumnTransformerOptions } from './columnTransformer.js';
export {
  FunctionTransformer,
  type FunctionTransformerOptions,
  type RowsFunction,
} from './functionTransformer.js';
export { MinMaxScaler, type MinMaxScalerOptions } from './minMaxScaler.js';
export { OneHotEncoder, type OneHotEncoderOptions } from './oneHotEncoder.js';
export { OrdinalEncoder, type OrdinalEncoderOptions } from './ordinalEncoder.js';
export { Pad, type PadOptions } from './pad.js';
export { PCA, type PCAOptions } from './pca.js';
export { type InputSteps, Pipeline, type PipelineModel, type PipelineStep, type PipelineSteps } from './pipeline.js';
export { RandomOverSampler, type RandomOverSamplerOptions } from './randomOverSampler.js';
export { RandomUnderSampler, type RandomUnderSamplerOptions } from './randomUnderSampler.js';
export type { Resampled, SamplingStrategy } from './resampler.js';
export { Resize, type ResizeOptions } from './resize.js';
export { RobustScaler, type RobustScalerOptions } from './robustScaler.js';
export { SelectKBest, type SelectKBestOptions } from './selectKBest.js';
export { SequenceScaler, type SequenceScalerOptions } from './sequenceScaler.js';
export { SimpleImputer, type SimpleImputerOptions } from './simpleImputer.js';
export { SMOTE, type SMOTEOptions } from './smote.js';
export { StandardScaler, type StandardScalerOptions } from './standardScaler.js';
export type { ForeignTransformer } from './step.js';
export { type Tabular, type TabularOptions, tabular } from './tabular.js';
export type { TransformerJSON } from './transformer.js';
export { transformerFromJSON } from './transformerFromJSON.js';
export { VarianceThreshold, type VarianceThresholdOptions } from './varianceThreshold.js';
