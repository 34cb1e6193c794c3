import { counted } from '../../core/format.js';
import { rowNumbers } from '../../core/labels.js';
import type { Fold } from '../../splitters/splitter.js';
import { type Check, notApplicable, undecided } from '../check.js';
import { EXAMPLES } from '../overlap.js';
import { type Signature, scalable, signatureOf, withLoneEnds } from '../preprocessing/signature.js';

const WORDS: Record<Signature, string> = {
  standardize: 'a mean of 0 and an SD of 1',
  minmax: 'a range from 0 to 1',
  robust: 'a median of 0 and quartiles 1 apart',
  pca: 'a mean of 0, no correlation and falling variances, as principal components have,',
};

/** Share of the columns in which one row alone must have an end of the range from 0 to 1. */
const LONE = 0.5;

/**
 * CVL010: X was not scaled before it was split. From X alone only the trace can be seen: statistics that are exact over
 * all rows, and that the training rows do not have.
 *
 * Source: Hastie, Tibshirani & Friedman 2009, The Elements of Statistical Learning, section 7.10.2.
 */
export const preprocessing: Check = {
  code: 'CVL010',
  type: 'preprocessing',
  kind: 'leakage',
  description: 'Data were scaled, filled, projected or selected over all rows before they were split.',
  needs: [],
  async judge(input) {
    const { columns, images } = await input.features();
    if (images) return notApplicable('Pixels are no features that are scaled one by one.');
    const varying = scalable(columns);
    const found = signatureOf(varying, rowNumbers(input.folds.n));
    const signature = found === 'minmax' && withLoneEnds(varying) < LONE * varying.length ? undefined : found;
    const loses = (train: Int32Array) => signatureOf(varying, train) !== signature;
    const fold = signature && firstOf(input.folds, ({ train }) => loses(train));
    if (!signature || !fold) {
      return undecided(
        `X alone does not tell how it was prepared; no trace of scaling over all rows in ${counted(varying.length, 'numeric column')}.`,
        'Pass the data before and after preparation to `checkPreprocessingLeakage(XOriginal, XProcessed, splitIndices)`.',
        { columns: varying.length },
      );
    }
    return {
      status: 'needs_review',
      severity: 'low',
      fold: fold.id,
      message: `Over all rows, ${varying.length === 1 ? 'the one column has' : `all ${varying.length} columns have`} ${WORDS[signature]} exactly, and over the training rows of a fold not: X was scaled before it was split.`,
      evidence: {
        signature,
        columns: varying.length,
        examples: varying.slice(0, EXAMPLES).map(({ name }) => ({ feature: name })),
      },
      fix: 'Pass X as it was measured, and scale inside the folds: put the scaling into the model that is trained.',
    };
  },
};

function firstOf(folds: Iterable<Fold>, holds: (fold: Fold) => boolean): Fold | undefined {
  for (const fold of folds) if (holds(fold)) return fold;
  return undefined;
}
