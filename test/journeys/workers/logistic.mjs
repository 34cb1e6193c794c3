import { LogisticRegression } from 'cvkit/estimators';

export default () => new LogisticRegression();
