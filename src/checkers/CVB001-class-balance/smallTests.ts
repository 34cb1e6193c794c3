import { patientsOf, type SideData } from '../../data/sideData.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';

/** With fewer patients a test set is a part of one: its predictions are pooled with those of other folds. */
const LEAST = 5;

/** Ids of the folds that test fewer than five patients (rows without groups), which cannot have every class. */
export function smallTests(folds: FoldPlan, data: SideData): Set<string> {
  const codes = patientsOf(data, folds.n)?.codes;
  return new Set(
    Array.from(folds.sides()).flatMap(({ id, test }) => {
      const warned = new Set<number>();
      for (let i = 0; i < test.length && warned.size < LEAST; i++) warned.add(codes ? codes[test[i]] : test[i]);
      return warned.size < LEAST ? [id] : [];
    }),
  );
}
