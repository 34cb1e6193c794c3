/** Logistic regression on WDBC, as a module that threads can load. */
import { LogisticRegression } from 'cvkit/estimators';

export default ({ C }) => new LogisticRegression({ C, tol: 1e-10 });
