import { derivedPlan } from './derivedPlan.js';
import { iterableFold } from './fold.js';
import type { FoldPlan } from './foldsOf.js';

/**
 * The same folds without the rows of weight 0, which neither train nor test. A side on which no row has weight stays as
 * it is. Ids, claims and the fingerprint are those of the plan; without weights of 0 it is the plan itself.
 */
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
