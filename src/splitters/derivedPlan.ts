import { fingerprint } from '../core/fingerprint.js';
import type { CheckedFold, FoldPlan, FoldSides } from './foldsOf.js';

/** What becomes of the folds; what is left out is the plan's. */
export interface DerivedFolds {
  /** Number of rows of the data that the folds are then of. */
  readonly n?: number;
  /** Ids of the folds that are left, in order. */
  readonly ids?: readonly string[];
  readonly claims?: FoldPlan['claims'];
  readonly repeats?: number;
  /** The fingerprint is that of the folds that are left, not that of the plan. */
  readonly hashed?: true;
  at(index: number): CheckedFold;
  sides?(): Iterable<FoldSides>;
}

/**
 * Folds that were made from those of a plan: without some rows, or some of the folds. All else is the plan's, for nobody
 * split anew.
 */
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
