/** The folds that trials are scored on: within the training rows of an outer fold, or within all rows. */
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { deriveSeed } from '../../core/random.js';
import { rowNumbers } from '../../data/labels.js';
import { type CheckedFold, type FoldPlan, hasInner, innerFoldsOf } from '../../splitters/foldsOf.js';
import { GroupKFold } from '../../splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../../splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../../splitters/iid/kFold.js';
import { StratifiedKFold } from '../../splitters/iid/stratifiedKFold.js';
import { innerFolds } from '../../splitters/nested.js';
import { type Splitter, seeded, writtenAs } from '../../splitters/splitter.js';
import { TimeSeriesSplit } from '../../splitters/temporal/timeSeriesSplit.js';
import type { Prepared } from '../prepare.js';
import { checkWholeGroups } from '../validationRows.js';

/** Inner folds where nobody says how many. */
const INNER_FOLDS = 3;

type Design = Pick<Prepared, 'plan' | 'y' | 'data' | 'randomState'>;

/** Rows within which a search takes place. */
export interface SearchRows {
  /** Id of the outer fold, or 'all-rows'. */
  readonly id: string;
  readonly train: Int32Array;
  readonly inner?: Splitter;
}

export const allRows = ({ plan }: Pick<Prepared, 'plan'>): SearchRows => ({
  id: 'all-rows',
  train: rowNumbers(plan.n),
});

/**
 * The inner folds of a search, in row numbers of the full data: those of a nested outer design, those of `innerCv`, else folds
 * of the family of the outer ones. Every row of them is a training row of the outer fold.
 */
export function innerPlan(
  { plan, y, data, randomState }: Design,
  rows: SearchRows,
  { innerCv, outerCv }: { readonly innerCv: Splitter | undefined; readonly outerCv: Splitter },
): FoldPlan {
  const bound = (splitter: Splitter): FoldPlan => {
    const drawn = seeded(splitter, deriveSeed(randomState, 'search', rows.id));
    return innerFoldsOf({ ...rows, test: new Int32Array(), inner: innerFolds(drawn, () => rows, { y, data }) }, plan.n);
  };
  const own = innerCv === undefined && hasInner(rows as CheckedFold);
  const inner = own
    ? innerFoldsOf(rows as CheckedFold & { readonly inner: Splitter }, plan.n)
    : bound(innerCv ?? outerCv.nested?.inner ?? likeOuter(outerCv, { plan, y, data, randomState }));
  if (plan.claims.disjointGroups) {
    for (const { train, test } of inner) {
      const who = `The inner folds of ${rows.id}`;
      checkWholeGroups(
        { train, validation: test },
        who,
        data.groups,
        'Use GroupKFold or StratifiedGroupKFold as `innerCv`.',
      );
    }
  }
  return inner;
}

/** How the inner folds are made, for records. */
export const innerDesign = (
  design: Design,
  { innerCv, outerCv }: { readonly innerCv: Splitter | undefined; readonly outerCv: Splitter },
): string => {
  const splitter =
    innerCv ?? outerCv.nested?.inner ?? (hasInner(design.plan.at(0)) ? undefined : likeOuter(outerCv, design));
  return splitter
    ? (writtenAs(splitter) ?? 'a splitter of the caller')
    : `the inner folds of ${design.plan.splitterName}`;
};

/** Three folds of the family of the outer ones, which keep whole what these keep whole. */
function likeOuter(outerCv: Splitter, { plan, y, data, randomState }: Design): Splitter {
  const { disjointGroups, timeOrdered, keepsTies, purged, separated, wholeLevel, stratified } = plan.claims;
  const apart = timeOrdered || keepsTies || purged || separated || wholeLevel !== undefined;
  // Patients who repeat stay whole within, also where the outer folds were not asked to keep them.
  const resized = apart || disjointGroups || !data.groups ? outerCv.resized?.(INNER_FOLDS) : undefined;
  if (resized) return resized;
  if (timeOrdered && !purged && !separated) return new TimeSeriesSplit({ nSplits: INNER_FOLDS });
  if (apart) {
    throw new InvalidOptionError(
      sentence(
        'The `innerCv` option',
        'say how the training rows of each fold are split',
        phrase(`nothing, for outer folds by ${writtenAs(outerCv) ?? plan.splitterName}`),
        'Give a splitter that separates rows as the outer one does.',
      ),
      { code: 'no_inner_folds' },
    );
  }
  const classes = stratified || y.task === 'binary' || y.task === 'multiclass';
  const seed = { shuffle: true, randomState: deriveSeed(randomState, 'search') };
  if (data.groups) {
    return classes && y.shape === undefined && y.task !== 'multilabel'
      ? new StratifiedGroupKFold({ nSplits: INNER_FOLDS, ...seed })
      : new GroupKFold({ nSplits: INNER_FOLDS });
  }
  return classes && y.shape === undefined && y.task !== 'multilabel' && y.task !== 'regression'
    ? new StratifiedKFold({ nSplits: INNER_FOLDS, ...seed })
    : new KFold({ nSplits: INNER_FOLDS, ...seed });
}
