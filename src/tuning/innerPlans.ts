/** The folds that trials are scored on: within the training rows of an outer fold, or within all rows. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { deriveSeed } from '../core/random.js';
import { rowNumbers } from '../data/labels.js';
import type { SideData } from '../data/sideData.js';
import type { Prepared } from '../runner/prepare.js';
import { checkWholeGroups } from '../runner/validationRows.js';
import { type CheckedFold, type FoldPlan, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { GroupKFold } from '../splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../splitters/iid/kFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import { innerFolds } from '../splitters/nested.js';
import { isSplitter, type Splitter, seeded, writtenAs } from '../splitters/splitter.js';
import { TimeSeriesSplit } from '../splitters/temporal/timeSeriesSplit.js';
import { timeChecks } from '../splitters/timeClaims.js';

/** Inner folds where nobody says how many. */
const INNER_FOLDS = 3;

interface Asked {
  /** A splitter, or a number of folds. */
  readonly innerCv: Splitter | number | undefined;
  readonly outerCv: Splitter;
}

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
  { innerCv, outerCv }: Asked,
): FoldPlan {
  const bound = (splitter: Splitter): FoldPlan => {
    const drawn = seeded(splitter, deriveSeed(randomState, 'search', rows.id));
    return innerFoldsOf({ ...rows, test: new Int32Array(), inner: innerFolds(drawn, () => rows, { y, data }) }, plan.n);
  };
  const own = innerCv === undefined && hasInner(rows as CheckedFold);
  const inner = own
    ? innerFoldsOf(rows as CheckedFold & { readonly inner: Splitter }, plan.n)
    : bound(isSplitter(innerCv) ? innerCv : likeOuter(outerCv, { plan, y, data, randomState }, innerCv));
  checkKept(inner, rows.id, { plan, data });
  return inner;
}

/** Holds inner folds to what the outer ones keep: patients, a level of the hierarchy, the order of time, label intervals. */
function checkKept(inner: FoldPlan, id: string, { plan, data }: Pick<Design, 'plan' | 'data'>): void {
  const { disjointGroups, wholeLevel } = plan.claims;
  const { hierarchy } = data;
  const level = wholeLevel === undefined ? undefined : hierarchy?.[wholeLevel];
  const checks = timeChecks(`The inner folds of ${id}`, plan.claims, timesFor(plan, data), plan.n);
  for (const { id: innerId, train, test } of inner) {
    const who = `The inner folds of ${id}`;
    const sides = { train, validation: test };
    if (disjointGroups) {
      checkWholeGroups(sides, who, data.groups, 'Use GroupKFold or StratifiedGroupKFold as `innerCv`.');
    }
    if (wholeLevel !== undefined && level) {
      const way = `Use HierarchicalGroupKFold with the \`hierarchyLevel\` '${nameText(wholeLevel)}' as \`innerCv\`.`;
      checkWholeGroups(sides, who, level as SideData['groups'], way);
    }
    for (const check of checks) check({ train, test }, `Inner fold ${innerId} of ${id}`);
  }
}

/** Side data with the times of rows. Without timestamps these are the row numbers, where the outer folds are in that order. */
function timesFor(plan: FoldPlan, data: SideData): SideData {
  if (!plan.claims.timeOrdered || data.timestamps) return data;
  for (const { train, test } of plan) if (train[train.length - 1] >= test[0]) return data;
  return { ...data, timestamps: rowNumbers(plan.n) as unknown as NonNullable<SideData['timestamps']> };
}

/** How the inner folds are made, for records. */
export function innerDesign(design: Design, { innerCv, outerCv }: Asked): string {
  if (innerCv === undefined && hasInner(design.plan.at(0))) return `the inner folds of ${design.plan.splitterName}`;
  const splitter = isSplitter(innerCv) ? innerCv : likeOuter(outerCv, design, innerCv);
  return writtenAs(splitter) ?? 'a splitter of the caller';
}

/** Folds of the family of the outer ones, which keep whole what these keep whole. */
function likeOuter(outerCv: Splitter, { plan, y, data, randomState }: Design, nSplits = INNER_FOLDS): Splitter {
  const { disjointGroups, timeOrdered, keepsTies, purged, separated, wholeLevel } = plan.claims;
  const apart = timeOrdered || keepsTies || purged || separated || wholeLevel !== undefined;
  // Patients who repeat stay whole within, also where the outer folds were not asked to keep them.
  const resized = apart || disjointGroups || !data.groups ? outerCv.resized?.(nSplits) : undefined;
  if (resized) return resized;
  if (timeOrdered && !purged && !separated) return new TimeSeriesSplit({ nSplits });
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
  const isClasses = y.shape === undefined && (y.task === 'binary' || y.task === 'multiclass');
  const drawn = { nSplits, shuffle: true, randomState: deriveSeed(randomState, 'search') };
  if (data.groups) return isClasses ? new StratifiedGroupKFold(drawn) : new GroupKFold({ nSplits });
  return isClasses ? new StratifiedKFold(drawn) : new KFold(drawn);
}
