/** Folds made from those of a plan. Nothing that makes folds needs it, so a page loads it with a run. */
import { type FoldPlan, planOf } from './foldsOf.js';
import { iterableFold } from './splitter.js';

interface DerivedFolds
  extends Partial<Pick<FoldPlan, 'n' | 'ids' | 'claims' | 'repeats' | 'sides'>>,
    Pick<FoldPlan, 'at'> {
  readonly hashed?: true;
}

/** Folds without some rows, or some of the folds of a plan. All else is the plan's. */
export function derivedPlan(plan: FoldPlan, { hashed, ...folds }: DerivedFolds): FoldPlan {
  const { n, splitterName, design, claims, repeats, ids, warnings } = plan;
  const hash = hashed ? undefined : () => plan.fingerprint;
  return planOf({ n, splitterName, design, claims, repeats, ids, warnings, hash, ...folds });
}

/** The same folds without the rows of weight 0, unless no row of a side has weight. All else is the plan's. */
export function countingFolds(plan: FoldPlan, weight: ArrayLike<number> | null | undefined): FoldPlan {
  if (!weight || !Array.prototype.includes.call(weight, 0)) return plan;
  const counting = (rows: Int32Array) => {
    const kept = rows.filter((row) => weight[row] > 0);
    return kept.length > 0 ? kept : rows;
  };
  return derivedPlan(plan, {
    at(index) {
      const fold = plan.at(index);
      return iterableFold({ ...fold, train: counting(fold.train), test: counting(fold.test) });
    },
  });
}
