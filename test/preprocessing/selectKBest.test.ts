import { describe, expect, it } from 'vitest';
import { SelectKBest } from '../../src/preprocessing/selectKBest.js';
import { thrown } from '../helpers/thrown.js';
import { type Case, likeScikitLearn } from '../helpers/transformerCases.js';
import reference from '../reference/transformers.json' with { type: 'json' };

describe('SelectKBest', () => {
  likeScikitLearn('SelectKBest', (options) => new SelectKBest(options));

  it('has the scores of scikit-learn', async () => {
    for (const { options, fit, y, scores } of (reference.cases as Case[]).filter((each) => each.scores)) {
      const selection = await new SelectKBest(options).fit(fit, y);
      scores?.forEach((score, at) => {
        if (score === null) expect(selection.scores[at]).toBeNaN();
        else expect(selection.scores[at] / (score || 1)).toBeCloseTo(score === 0 ? 0 : 1, 9);
      });
      expect(selection.getSupport().filter(Boolean).length).toBe(selection.getFeatureNamesOut().length);
    }
  });

  it('needs labels of the right kind and enough columns', async () => {
    expect(await thrown(() => new SelectKBest({ k: 1 }).fit([[1], [2]]))).toMatchInlineSnapshot(
      `"InvalidDataError (missing_y): The fit of SelectKBest must be given \`y\`. Got nothing."`,
    );
    expect(await thrown(() => new SelectKBest().fit([[1], [2]], [0, 1]))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The \`k\` option of SelectKBest must be at most 1, the number of columns. Got 10."`,
    );
    const numbers = [0.5, 1.5, 2.5];
    expect(
      await thrown(() => new SelectKBest({ k: 1, scoreFunc: 'chi2' }).fit([[1], [2], [3]], numbers)),
    ).toMatchInlineSnapshot(
      `"InvalidDataError (invalid_data): The labels for SelectKBest must be classes. Got those of a regression task."`,
    );
    expect(
      await thrown(() => new SelectKBest({ k: 1, scoreFunc: 'chi2' }).fit([[-1], [2]], [0, 1])),
    ).toMatchInlineSnapshot(
      `"InvalidDataError (invalid_data): The column 'x0' for chi2 must hold counts or marks >= 0. Got a value below 0."`,
    );
  });
});
