/** Why models of halves cannot tell what training adds with some folds. */
import { overlapOf } from '../checkers/overlap.js';
import { counted } from '../core/format.js';
import { gather, rowNumbers } from '../data/labels.js';
import { groupsOf, unitsOf } from '../data/sideData.js';
import { unfitForFurtherRuns } from '../intervals/correctedT.js';
import { MIN_PER_CLASS, unfitForTraining } from '../intervals/foldInterval.js';
import { countedUnits, sideOf, testedUnits } from '../intervals/intervalFolds.js';
import type { Problem } from '../runner/readData.js';
import { countingFolds } from '../splitters/countingFolds.js';
import { type FoldPlan, hasInner } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { halvesKind, wholeUnits } from './halvesDesign.js';

/**
 * Halves keep the units of the interval whole, and together are all rows. Folds that split units ask another question; so do
 * folds of whole sites where patients are the unit, and models that are trained on some of the other rows alone. Inner folds are
 * made anew in halves.
 */
export function unfitUnits(plan: FoldPlan, { data, weight }: Problem, { nested }: Splitter): string | undefined {
  const { codes, unit } = unitsOf(data, plan.n, weight);
  const split = codes ? overlapOf(countingFolds(plan, weight), codes, plan.n).split : [];
  if (split.length > 0) return `folds that split ${unit}s, the unit of the interval`;
  if (plan.length > 1 && leavesOut(plan, weight)) return 'folds that train on some of the other rows alone';
  if (hasInner(plan.at(0)) && !nested)
    return 'inner folds of a splitter that does not say how it makes them (`nested`)';
  const { wholeLevel: level } = plan.claims;
  if (level === undefined) return undefined;
  // Groups without a hierarchy are the level.
  const ids = data.hierarchy?.[level] ?? data.groups;
  return codes && ids && within(groupsOf(ids, plan.n).codes, codes) ? undefined : `folds of whole ${level}s`;
}

/** Whether rows of one code in `a` have one code in `b`. */
function within(a: Int32Array, b: Int32Array): boolean {
  const first = new Map<number, number>();
  return a.every((code, row) => {
    if (!first.has(code)) first.set(code, b[row]);
    return first.get(code) === b[row];
  });
}

/** Whether a fold neither tests nor trains on a row that counts. */
function leavesOut(plan: FoldPlan, weight: Problem['weight']): boolean {
  for (const { test, train } of plan.sides()) {
    if (!train) continue;
    const used = new Uint8Array(plan.n);
    for (const rows of [test, train]) for (const row of rows) used[row] = 1;
    if (used.some((is, row) => is === 0 && weight?.[row] !== 0)) return true;
  }
  return false;
}

/** Folds that turn out to test one unit each, or no partition. */
export function unfitPlan(plan: FoldPlan, problem: Problem, splitter: Splitter): string | undefined {
  const tested = testedUnits({ plan, folds: [...rowNumbers(plan.length)] }, sideOf(problem));
  const found = unfitForFurtherRuns(plan.claims, tested) ?? (halvesKind(plan, problem) ? undefined : NO_PARTITION);
  return found ?? unfitUnits(plan, problem, splitter);
}

export const NO_PARTITION = 'folds that are no partition of the rows';

/** Too few units in a class among those that are tested, or in the one training set that is halved; or too few to halve. */
export function tooFew(plan: FoldPlan, problem: Problem): string | undefined {
  const [{ train, test }] = plan;
  if (plan.length > 1) {
    const all = rowNumbers(plan.n);
    return fewIn(all, plan, problem) ?? fewApart(all, plan, problem);
  }
  for (const [set, rows] of Object.entries({ training: train, test })) {
    const few = fewIn(rows, plan, problem);
    if (few !== undefined) return `in the ${set} set ${few}`;
  }
  const few = fewApart(train, plan, problem);
  return few && `in the training set ${few}`;
}

/** Units that share patients stay together in halves. */
function fewApart(given: Int32Array, plan: FoldPlan, problem: Problem): string | undefined {
  const { unit, counts, unitsOfRows } = countedUnits(plan, sideOf(problem));
  const wholes = wholeUnits(problem, plan.n);
  const count = wholes && new Set(gather(wholes, given.filter(counts))).size;
  if (count === undefined || count >= MIN_PER_CLASS || count === new Set(unitsOfRows(given)).size) return undefined;
  return `only ${counted(count, 'group')} of ${unit}s that share no patient, fewer than ${MIN_PER_CLASS}`;
}

function fewIn(given: Int32Array, plan: FoldPlan, problem: Problem): string | undefined {
  const { task, classes, codes } = problem.y;
  const { unit, counts, unitsOfRows } = countedUnits(plan, sideOf(problem));
  const rows = given.filter(counts);
  const table = codes.length > 0 ? { task, classes, yTrue: gather(codes, rows), length: rows.length } : undefined;
  return unfitForTraining({ folds: [{ units: unitsOfRows(rows), ...(table ? { table } : {}) }], unit });
}
