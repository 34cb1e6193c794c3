/**
 * A random forest of mljs behind a pipeline, and the question that comes next: is it better than a logistic regression? Trees
 * need no scaling: numbers are filled, codes encoded and columns selected, in each fold by its training rows.
 *
 * @data processed.cleveland.data
 */
import { CVKitValidator } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { readTable } from 'cvkit/node';
import { ColumnTransformer, OneHotEncoder, Pipeline, SelectKBest, SimpleImputer, tabular } from 'cvkit/preprocessing';
import { compareModels } from 'cvkit/stats';
import { RandomForestClassifier } from 'ml-random-forest';
import { heartFile } from './support/tables.mjs';

const table = await readTable(await heartFile(), {
  columnNames: 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' '),
  types: { cp: 'categorical', restecg: 'categorical', thal: 'categorical' },
  target: 'num',
});
const data = { ...table, y: table.y.map((grade) => Number(grade > 0)), metrics: ['roc_auc', 'brier', 'accuracy'] };
const validator = new CVKitValidator({ independentRows: true });

const forest = await validator.validate({
  ...data,
  model: ({ seed }) =>
    new RandomForestClassifier({ seed, nEstimators: 50, maxFeatures: 0.3, treeOptions: { minNumSamples: 10 } }),
  preprocessing: new Pipeline([
    new ColumnTransformer([
      ['numbers', new SimpleImputer({ strategy: 'median' }), 'numeric'],
      ['codes', new OneHotEncoder({ handleUnknown: 'ignore' }), 'categorical'],
    ]),
    new SelectKBest({ k: 10 }), // chosen anew in each fold
  ]),
});
const regression = await validator.validate({
  ...data,
  model: () => new LogisticRegression(),
  preprocessing: tabular(),
});

console.log(forest.summary());
console.log(compareModels(forest, regression, { metric: 'roc_auc' }).summary());
const areas = [forest, regression].map(({ estimates }) => estimates.roc_auc.toFixed(3));
console.log(`roc_auc ${areas[0]} of the forest, ${areas[1]} of the regression`);
