import { LogisticRegression } from 'cvkit/estimators';

/** Called for each fold: every model is a new one. */
export default () => new LogisticRegression();
