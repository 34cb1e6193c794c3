import { describe, expect, it } from 'vitest';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { OneHotEncoder } from '../../src/preprocessing/oneHotEncoder.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { matrix } from '../helpers/matrix.js';

const records = [
  { age: 40, weight: 60, sex: 'f' },
  { age: 60, weight: 80, sex: 'm' },
];
const make = (columns: unknown, options = {}) =>
  new ColumnTransformer([['num', new StandardScaler(), columns as never]], options);

describe('ColumnTransformer', () => {
  it('puts what each makes of its columns side by side, as scikit-learn does', async () => {
    const both = new ColumnTransformer(
      [
        ['cat', new OneHotEncoder(), 'categorical'],
        ['num', new StandardScaler(), ['age']],
      ],
      { remainder: 'passthrough' },
    );
    expect(await both.fitTransform(records)).toEqual(matrix('1 0 -1 60 | 0 1 1 80'));
    expect(both.getFeatureNamesOut()).toEqual(['cat__sex_f', 'cat__sex_m', 'num__age', 'remainder__weight']);
    const again = transformerFromJSON(JSON.parse(JSON.stringify(both))) as ColumnTransformer;
    expect(await again.transform(records)).toEqual(await both.transform(records));
  });

  it.each([
    ['a name', 'age', ['num__age']],
    ['a place', 1, ['num__weight']],
    ['a place from the end', [-2], ['num__weight']],
    ['a type', 'numeric', ['num__age', 'num__weight']],
    ['an expression', /^w/, ['num__weight']],
    [
      'a function',
      (all: { name: string; type: string }[]) => all.filter(({ type }) => type === 'numeric').map(({ name }) => name),
      ['num__age', 'num__weight'],
    ],
  ])('finds columns by %s', async (_, columns, names) => {
    const made = await make(columns).fit(records);
    expect(made.getFeatureNamesOut()).toEqual(names);
  });

  it('drops and passes columns on', async () => {
    const made = new ColumnTransformer([
      ['keep', 'passthrough', 'sex'],
      ['gone', 'drop', 'age'],
    ]);
    expect(await made.fitTransform(records)).toEqual([['f'], ['m']]);
  });
});
