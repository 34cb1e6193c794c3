import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { SelectKBest } from '../../src/preprocessing/selectKBest.js';
import type { Case } from '../helpers/transformerCases.js';
import reference from '../reference/transformers.json' with { type: 'json' };

describe('SelectKBest', () => {
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

  it('has the p-values of scikit-learn, tiny ones too, and after JSON', async () => {
    const cases = (reference.cases as Case[]).filter((each) => each.pvalues);
    expect(Math.min(...cases.flatMap(({ pvalues }) => (pvalues ?? []).filter(Boolean) as number[]))).toBeLessThan(
      1e-170,
    );
    let exact = 0;
    for (const { options, fit, y, scores = [], pvalues } of cases) {
      const fitted = await new SelectKBest(options).fit(fit, y);
      const again = SelectKBest.fromJSON(JSON.parse(JSON.stringify(fitted))) as unknown as SelectKBest;
      expect(again.pvalues).toEqual(fitted.pvalues);
      pvalues?.forEach((p, at) => {
        if (p === null) expect(fitted.pvalues[at]).toBeNaN();
        else if (p === 0) expect(fitted.pvalues[at]).toBe(0);
        else {
          // The last digits of a score near a perfect fit are rounding, there as here: they move ln p by up to n / 2 as much.
          const score = scores[at] as number;
          const moved = (Math.max(fit.length, score) / 2) * (Math.abs(fitted.scores[at] - score) / (score || 1));
          expect(Math.abs(fitted.pvalues[at] / p - 1), `${JSON.stringify(options)} ${p}`).toBeLessThan(1e-10 + moved);
          if (moved < 1e-11) exact++;
        }
      });
    }
    expect(exact).toBeGreaterThan(40);
  });

  it('keeps a column that is constant within the classes, and no constant one', async () => {
    const y = Array.from({ length: 90 }, (_, row) => row % 3);
    const X = y.map((label, row) => [0.1, (row * 7) % 11, [0.1, 0.7, 0.3][label]]);
    const selection = await new SelectKBest({ k: 1 }).fit(X, y);
    expect(selection.getSupport()).toEqual([false, false, true]);
    expect(selection.scores[0]).toBeNaN();
    expect(selection.pvalues[2]).toBe(0);
  });

  it('leaves a class aside that the rows of a fold lack', async () => {
    const y = labelsOf(['a', 'b', 'c', 'a', 'b', 'a']);
    const [all, rows] = [
      [[1], [4], [9], [0], [2], [5]],
      [0, 1, 3, 4, 5],
    ];
    for (const scoreFunc of ['chi2', 'fClassif'] as const) {
      const lacking = await new SelectKBest({ k: 1, scoreFunc }).fit(
        rows.map((row) => all[row]),
        y.take(Int32Array.from(rows)),
      );
      const alone = await new SelectKBest({ k: 1, scoreFunc }).fit(
        rows.map((row) => all[row]),
        rows.map((row) => y.toArray()[row]) as string[],
      );
      expect([lacking.scores[0], lacking.pvalues[0]]).toEqual([alone.scores[0], alone.pvalues[0]]);
      expect(lacking.pvalues[0]).toBeGreaterThan(0);
    }
  });
});
