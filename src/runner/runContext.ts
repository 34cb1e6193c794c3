/** What callbacks and checks are told before the first fold. */
import { frozenCopy } from '../core/frozenCopy.js';
import { derivedPlan } from '../splitters/derivedPlan.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { RunContext } from './callback.js';
import { foldContext } from './foldRows.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';
import { preprocessingFacts } from './metadataOf.js';
import type { Prepared } from './prepare.js';
import { watchesInner } from './session.js';
import { validationRows } from './validationRows.js';

export const runContext = (
  prepared: Prepared,
  adapter: FrameworkAdapter,
  warn: RunContext['warn'],
  checks?: RunContext['checks'],
): RunContext => ({
  nSplits: prepared.folds.length,
  adapter: adapter.name,
  epochs: prepared.training.epochs,
  folds: prepared.folds.length < prepared.plan.length ? partOf(prepared.plan, prepared.folds) : prepared.plan,
  X: prepared.X,
  y: frozenCopy(prepared.y),
  data: frozenCopy(prepared.data),
  repeatedIds: prepared.repeatedIds,
  preprocessing: preprocessingFacts(prepared),
  embeddings: prepared.preparation?.embedded(prepared.X),
  randomState: prepared.randomState,
  nameOf: prepared.nameOf,
  watchedRows: watchedRows(prepared, adapter),
  checks: checks?.map(({ code, type, status, severity }) => Object.freeze({ code, type, status, severity })),
  warn,
});

/** The rows that a fold will watch, as its task will have them. */
export function watchedRows(prepared: Prepared, adapter: FrameworkAdapter): RunContext['watchedRows'] {
  const { validation, y, data } = prepared;
  if (validation === undefined && !watchesInner(adapter, prepared)) return undefined;
  const { epochs } = adapter.capabilities;
  return (fold) => {
    const { seed } = foldContext(prepared, fold);
    return validationRows(validation, fold, { y, data, seed, epochs }).validation ?? new Int32Array(0);
  };
}

/** Some folds of a plan, by ascending places, as a plan of their own. It makes no claim about all folds together. */
export function partOf(plan: FoldPlan, places: readonly number[]): FoldPlan {
  const { partition: _partition, exhaustive: _exhaustive, ...claims } = plan.claims;
  const chosen = new Set(places);
  return derivedPlan(plan, {
    claims: Object.freeze({ ...claims }),
    ids: Object.freeze(places.map((place) => plan.ids[place])),
    // With several repeats, the folds say which one they belong to.
    repeats: plan.repeats === 1 ? 1 : new Set(places.map((place) => plan.at(place).repeat)).size,
    hashed: true,
    at: (index) => plan.at(places[index]),
    *sides() {
      let place = 0;
      for (const sides of plan.sides()) if (chosen.has(place++)) yield sides;
    },
  });
}
