import { describe, expect, it } from 'vitest';
import { pooledFallback } from '../../src/intervals/pooledFallback.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';

const none = { value: null, reason: 'no positive rows' } as const;

describe('pooledFallback', () => {
  it('pools a mean of folds when no fold has a value, and says what that does', () => {
    const found = pooledFallback(rocAuc, [none, none]);
    expect(found.metric).toEqual({ ...rocAuc, combine: 'pooled' });
    expect(found.note).toMatchInlineSnapshot(
      `"No fold has a roc_auc of its own (no positive rows): it is pooled over all rows, as if the fold models scored on one scale, and is biased downwards when single rows are left out. LPOCV with p = 2 has no such bias."`,
    );
  });

  it('leaves everything else as it is', () => {
    expect(pooledFallback(rocAuc, [none, { value: 0.7 }])).toEqual({ metric: rocAuc });
    expect(pooledFallback(accuracy, [none])).toEqual({ metric: accuracy });
  });
});
