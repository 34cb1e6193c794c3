/** Folds made from those of a plan. Nothing that makes folds needs it, so a page loads it with a run. */
import { fingerprint } from '../core/fingerprint.js';
import type { CheckedFold, FoldPlan, FoldSides } from './foldsOf.js';
import { iterableFold } from './splitter.js';

interface DerivedFolds {
  readonly n?: number;
  readonly ids?: readonly string[];
  readonly claims?: FoldPlan['claims'];
  readonly repeats?: number;
  readonly hashed?: true;
  at(index: number): CheckedFold;
  sides?(): Iterable<FoldSides>;
}

/** Folds without some rows, or some of the folds of a plan. All else is the plan's. */
export function derivedPlan(plan: FoldPlan, { at, sides, hashed, ...facts }: DerivedFolds): FoldPlan {
  const { n = plan.n, ids = plan.ids, claims = plan.claims, repeats = plan.repeats } = facts;
  let hash: string | undefined;
  const derived: FoldPlan = Object.freeze({
    n,
    splitterName: plan.splitterName,
    design: plan.design,
    warnings: plan.warnings,
    claims,
    length: ids.length,
    ids,
    repeats,
    get fingerprint() {
      if (!hashed) return plan.fingerprint;
      hash ??= fingerprint(derived);
      return hash;
    },
    at,
    *[Symbol.iterator]() {
      for (const index of ids.keys()) yield at(index);
    },
    *sides() {
      if (sides) yield* sides();
      else for (const { id, train, test } of derived) yield { id, train, test };
    },
  });
  return derived;
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
