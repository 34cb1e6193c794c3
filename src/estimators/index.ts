/** `cvkit/estimators`: plain models with `fit` and `predict`, to begin with and to compare with. */
export type { BaselineHazard } from '../survival/baselineHazard.js';
export { CoxRegression, type CoxRegressionOptions } from './coxRegression.js';
export type { DenseInput } from './denseRows.js';
export { DummyClassifier, type DummyClassifierOptions } from './dummyClassifier.js';
export { DummyRegressor, type DummyRegressorOptions } from './dummyRegressor.js';
export { estimatorFromJSON } from './estimatorFromJSON.js';
export { type ConstructedModel, fromConstructor } from './fromConstructor.js';
export { KaplanMeier } from './kaplanMeier.js';
export { LogisticRegression, type LogisticRegressionOptions } from './logisticRegression.js';
