import { describe, expect, it } from 'vitest';
import { tabular } from '../../src/preprocessing/tabular.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { thrown } from '../helpers/thrown.js';
import { type Case, expectCells } from '../helpers/transformerCases.js';
import reference from '../reference/transformers.json' with { type: 'json' };

describe('tabular', () => {
  it('is the ColumnTransformer of scikit-learn that it says', async () => {
    const { fit, later, fitted, transformed, names } = reference.tabular as unknown as Case;
    const made = tabular();
    expectCells(await made.fitTransform(fit), fitted);
    expectCells(await made.transform(later), transformed as never);
    const ours = names.map((name) => name.replace(/^num/, 'numeric').replace(/^cat/, 'categorical'));
    expect(made.getFeatureNamesOut()).toEqual(ours);
    const again = transformerFromJSON(JSON.parse(JSON.stringify(made))) as typeof made;
    expect(await again.transform(later)).toEqual(await made.transform(later));
    expect(again.describe()).toBe('tabular()');
  });

  it('refuses a column that may be an id, by its name', async () => {
    const records = Array.from({ length: 60 }, (_, row) => ({ age: row, note: `text ${row}` }));
    expect(await thrown(() => tabular().fit(records))).toMatchInlineSnapshot(
      `"InvalidDataError (many_levels): The column 'note' for tabular() must have at most 50 different texts. Got 60. Leave it out if it is an id or free text, or pass \`maxLevels\`."`,
    );
    expect((await tabular({ maxLevels: 60 }).fitTransform(records))[0]).toHaveLength(61);
  });

  it('takes numbers alone, and text alone', async () => {
    expect(await tabular().fitTransform([[1], [3]])).toEqual([[-1], [1]]);
    expect(await tabular().fitTransform([['a'], ['b']])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});
