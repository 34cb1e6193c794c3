import { rowNumbers } from '../data/labels.js';
import { takeSideData } from '../data/sideData.js';
import { derivedPlan } from '../splitters/derivedPlan.js';
import type { CheckedFold, FoldPlan, FoldSides } from '../splitters/foldsOf.js';
import { iterableFold } from '../splitters/splitter.js';
import type { CheckInput } from './checkInput.js';
import { readFeatures } from './features/features.js';

/**
 * The same scene without the rows of weight 0, as if the caller had never passed them: rows, labels, side data and folds.
 * Folds that are left without a training row or a test row are left out. `rowOf` still gives the caller's row numbers.
 * Without weights of 0 it is the scene itself; undefined when no fold has rows on both sides.
 */
export function withoutZeroWeight(input: CheckInput): CheckInput | undefined {
  const { weight } = input;
  if (!weight || !Array.prototype.includes.call(weight, 0)) return input;
  return inputOfRows(
    input,
    rowNumbers(input.folds.n).filter((row) => weight[row] > 0),
  );
}

/** The scene with some of its rows alone, in ascending order; undefined when no fold has rows on both sides. */
export function inputOfRows(input: CheckInput, rows: Int32Array): CheckInput | undefined {
  const { X, y, data, weight, embeddings, trainRows, rowOf } = input;
  const folds = foldsAmong(input.folds, rows);
  if (folds.length === 0) return undefined;
  const kept = X?.take(rows);
  let features: ReturnType<CheckInput['features']> | undefined;
  return {
    ...input,
    folds,
    X: kept,
    y: y?.take(rows),
    data: takeSideData(data, rows),
    weight: weight && Float64Array.from(rows, (row) => weight[row]),
    embeddings: embeddings?.take(rows),
    trainRows: trainRows === undefined ? undefined : rows.filter((row) => row < trainRows).length,
    features: () => (features ??= kept ? readFeatures(kept) : input.features()),
    rowOf: (row) => rowOf(rows[row]),
  };
}

/** The folds in the places of `rows`; its training rows are all that it does not test where the plan has it so. */
function foldsAmong(plan: FoldPlan, rows: Int32Array): FoldPlan {
  const place = new Int32Array(plan.n).fill(-1);
  rows.forEach((row, at) => {
    place[row] = at;
  });
  const placed = (side: Int32Array) => side.map((row) => place[row]).filter((at) => at >= 0);
  const cutSides = ({ id, test, train }: FoldSides): FoldSides => ({
    id,
    test: placed(test),
    ...(train ? { train: placed(train) } : {}),
  });
  const hasBothSides = ({ test, train }: FoldSides) =>
    test.length > 0 && (train ? train.length > 0 : test.length < rows.length);
  const kept: { readonly id: string; readonly from: number }[] = [];
  let from = 0;
  for (const pair of plan.sides()) {
    if (hasBothSides(cutSides(pair))) kept.push({ id: pair.id, from });
    from++;
  }
  const cut = (at: number): CheckedFold => {
    const { excluded, train, test, ...fold } = plan.at(kept[at].from);
    return iterableFold({
      ...fold,
      index: at,
      train: placed(train),
      test: placed(test),
      ...(excluded
        ? { excluded: Object.fromEntries(Object.entries(excluded).map(([why, out]) => [why, placed(out)])) }
        : {}),
    });
  };
  return derivedPlan(plan, {
    n: rows.length,
    ids: kept.map(({ id }) => id),
    at: cut,
    *sides() {
      for (const side of plan.sides()) {
        const sides = cutSides(side);
        if (hasBothSides(sides)) yield sides;
      }
    },
  });
}
