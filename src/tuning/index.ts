/** Searching for parameters: `cvkit/tuning`. `runWithHyperparameterTuning` of the runner is the search that is cross-validated. */
export type {
  CategoricalDistribution,
  Distribution,
  FloatDistribution,
  FrozenTrial,
  IntDistribution,
  Params,
  ParamValue,
  TrialState,
} from '../core/tuningTrial.js';
export type { RangeOptions } from './distribution.js';
export { JournalStorage, type JournalStorageOptions } from './journal/journalStorage.js';
export type { PrunerOption, SamplerOption } from './named.js';
export { NoPruner, type Pruner } from './pruner.js';
export { HyperbandPruner, type HyperbandPrunerOptions } from './pruners/hyperbandPruner.js';
export { MedianPruner, type MedianPrunerOptions } from './pruners/medianPruner.js';
export { WilcoxonPruner, type WilcoxonPrunerOptions } from './pruners/wilcoxonPruner.js';
export type { Sampler, StudyView, TrialView } from './sampler.js';
export { GridSampler } from './samplers/gridSampler.js';
export { RandomSampler } from './samplers/randomSampler.js';
export { TPESampler, type TPESamplerOptions } from './samplers/tpeSampler.js';
export type { ParamFunction, ParamGrid, ParamRange } from './space.js';
export type { Objective } from './study.js';
export { Study } from './study.js';
export type { OpenStudyOptions, OptimizeOptions, StudyOptions, TellOptions } from './studyOptions.js';
export type { StudyOp, StudyRecord, StudyStorage } from './studyStorage.js';
export { Trial } from './trial.js';
export { TrialPruned } from './trialPruned.js';
