import { counted } from '../core/format.js';
import { groupsOf } from '../data/sideData.js';
import type { Prepared } from './prepare.js';

/** A warning of patients on both sides of a fold: then its test rows are no new patients. */
export function splitPatients({ plan, data, folds }: Pick<Prepared, 'plan' | 'data' | 'folds'>): string[] {
  if (!data.groups || plan.claims.disjointGroups) return [];
  const { codes } = groupsOf(data.groups, plan.n);
  const split = new Set<number>();
  for (const index of folds) {
    const { train, test } = plan.at(index);
    const trained = new Set(Array.from(train, (row) => codes[row]));
    for (const row of test) if (trained.has(codes[row])) split.add(codes[row]);
  }
  if (split.size === 0) return [];
  return [
    `${counted(split.size, 'patient')} stood on both sides of a fold: the estimate is not about patients that the model has not seen, and may be far too good. Use a splitter that keeps patients whole, such as StratifiedGroupKFold.`,
  ];
}
