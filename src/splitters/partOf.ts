import { fingerprint } from '../core/fingerprint.js';
import { withOldNames } from './claims.js';
import type { FoldPlan } from './foldsOf.js';

/** Some folds of a plan, by ascending places, as a plan of their own. It promises nothing of all folds together. */
export function partOf(plan: FoldPlan, places: readonly number[]): FoldPlan {
  const { partition: _partition, exhaustive: _exhaustive, ...claims } = plan.claims;
  const chosen = new Set(places);
  let hash: string | undefined;
  const part: FoldPlan = Object.freeze({
    n: plan.n,
    splitterName: plan.splitterName,
    design: plan.design,
    warnings: plan.warnings,
    claims: Object.freeze(withOldNames(claims)),
    length: places.length,
    ids: Object.freeze(places.map((place) => plan.ids[place])),
    // Where there are several, the folds say which they belong to.
    repeats: plan.repeats === 1 ? 1 : new Set(places.map((place) => plan.at(place).repeat)).size,
    at: (index: number) => plan.at(places[index]),
    get fingerprint() {
      hash ??= fingerprint(part);
      return hash;
    },
    *[Symbol.iterator]() {
      for (const place of places) yield plan.at(place);
    },
    *sides() {
      let place = 0;
      for (const sides of plan.sides()) if (chosen.has(place++)) yield sides;
    },
  });
  return part;
}
