import { iterableFold } from './fold.js';
import type { CheckedFold, FoldPlan } from './foldsOf.js';

/**
 * The same folds without the rows of weight 0, which neither train nor test: what counts patients or shares of classes on
 * the sides of folds must not see them. A side on which no row has weight stays as it is. Ids, claims and the fingerprint
 * are those of the plan, and without weights of 0 it is the plan itself.
 */
export function countingFolds(plan: FoldPlan, weight: ArrayLike<number> | null | undefined): FoldPlan {
  if (!weight || !Array.prototype.includes.call(weight, 0)) return plan;
  const counting = (rows: Int32Array) => {
    const kept = rows.filter((row) => weight[row] > 0);
    return kept.length > 0 ? kept : rows;
  };
  const cut = (fold: CheckedFold): CheckedFold =>
    iterableFold({ ...fold, train: counting(fold.train), test: counting(fold.test) });
  const part: FoldPlan = Object.freeze({
    n: plan.n,
    splitterName: plan.splitterName,
    design: plan.design,
    warnings: plan.warnings,
    claims: plan.claims,
    length: plan.length,
    ids: plan.ids,
    repeats: plan.repeats,
    get fingerprint() {
      return plan.fingerprint;
    },
    at: (index: number) => cut(plan.at(index)),
    *[Symbol.iterator]() {
      for (const fold of plan) yield cut(fold);
    },
    *sides() {
      for (const { id, train, test } of part) yield { id, train, test };
    },
  });
  return part;
}
