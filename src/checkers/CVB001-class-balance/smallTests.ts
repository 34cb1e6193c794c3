import { patientsOf, type SideData } from '../../data/sideData.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';

/** With fewer patients a test set is a part of one: its predictions are pooled with those of other folds. */
const LEAST = 5;

/** Ids of the folds that test fewer than five patients (rows without groups), which cannot have every class. */
export function smallTests(folds: FoldPlan, data: SideData): Set<string> {
  const codes = patientsOf(data, folds.n)?.codes;
  return new Set(
    Array.from(folds.sides()).flatMap(({ id, test }) => {
      const counted = new Set<number>();
      for (let i = 0; i < test.length && counted.size < LEAST; i++) counted.add(codes ? codes[test[i]] : test[i]);
      return counted.size < LEAST ? [id] : [];
    }),
  );
}
