/**
 * A random forest of mljs with a preparation of its own, and the question that comes next: is it better than a logistic
 * regression? Trees need no scaling, so numbers are filled and codes are encoded, in each fold by its training rows.
 *
 * @data processed.cleveland.data
 */
import { CVKitValidator } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { readTable } from 'cvkit/node';
import {
  ColumnTransformer,
  OneHotEncoder,
  Pipeline,
  SimpleImputer,
  tabular,
  VarianceThreshold,
} from 'cvkit/preprocessing';
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
    new VarianceThreshold(), // a code that no training row has is no column
  ]),
});
const regression = await validator.validate({
  ...data,
  model: () => new LogisticRegression(),
  preprocessing: tabular(),
});

console.log(forest.summary());
console.log(compareModels(forest, regression, { metric: 'roc_auc' }).summary());
