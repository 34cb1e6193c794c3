import { boolean, type InputOf, number, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { gather, type Labels } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { GroupPlacement, groupWeights, largestFirst, shuffledLargestFirst } from '../grouped/groupPlacement.js';
import { inputGroups, requireCount } from '../splitInput.js';
import { labelWarnings, multilabelOf } from './multilabelStratifiedKFold.js';

/** Beyond these one of the two balances would not count at all, and a fold might stay empty. */
const WEIGHT = { min: 1e-6, max: 1e6 };

const options = optionTable('MultilabelStratifiedGroupKFold', {
  ...kFoldOptions(
    boolean().default(true).describe('Draw at random which groups go where; labels and rows stay balanced.'),
  ),
  alpha: number(WEIGHT).default(1).describe('Weight of the balance of the labels, against beta.'),
  beta: number(WEIGHT).default(1).describe('Weight of the balance of the rows, against alpha.'),
  eps: number({ min: 0 })
    .default(1e-9)
    .describe('Rows added to those of each label before shares are taken; some rows make rare labels weigh less.'),
});

export type MultilabelStratifiedGroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep every group whole and balance the labels of a multilabel `y` (rows of 0 and 1, shape `[n, labels]`)
 * and the rows. The group form of iterative stratification (Sechidis, Tsoumakas & Vlahavas 2011): groups that hold most
 * of something, above all of a rare label, come first, each into the fold with the least of it; then groups are moved
 * or swapped while that helps.
 *
 * Minimised is `alpha` times the mean over labels, plus `beta` times the same of the rows, of the sum over folds of
 * (share in the fold - 1 / nSplits)^2; the share of a label is its rows in the fold over all its rows plus `eps`. The
 * result is good, not proved the best. `Folds.warnings` names constant columns and labels that a test fold lacks.
 *
 * Throws `InvalidDataError` without `y` or `groups`, and for a `y` that is not rows of 0 and 1; `InfeasibleSplitError`
 * when there are fewer groups than folds.
 *
 * @example
 * new MultilabelStratifiedGroupKFold({ randomState: 42 }).split(X, y, { groups: patientIds });
 */
export class MultilabelStratifiedGroupKFold extends defineSplitter({
  options,
  facts: {
    family: 'multilabel',
    description: 'K folds of whole groups (patients) in which every label of several per row has about the same share.',
    needs: ['y', 'groups'],
    claims: { partition: true, disjointGroups: true, stratified: true },
  },
  plan(input, { nSplits, shuffle, randomState, ...weights }) {
    const groups = inputGroups(input);
    const labels = multilabelOf(input.y, input.n);
    requireCount(options.owner, nSplits, groups.count, 'groups');
    const width = 1 + labels.classes.length;
    const counts = countsPerGroup(groups, labels);
    const importance = importanceOf(counts, width, weights);
    const sizes = groupWeights(counts, width, importance);
    const order = shuffle ? shuffledLargestFirst(sizes, randomSource(randomState)) : largestFirst(sizes);
    const placement = new GroupPlacement(counts, width, nSplits, importance).placeAll(order).improve(order, 1);
    const foldOf = gather(placement.foldOf, groups.codes);
    return foldsFromAssignment(foldOf, nSplits, labelWarnings(labels, foldOf, nSplits, groups));
  },
})<MultilabelStratifiedGroupKFoldOptions> {}

function importanceOf(
  counts: Float64Array,
  width: number,
  { alpha, beta, eps }: { readonly alpha: number; readonly beta: number; readonly eps: number },
): Float64Array {
  const totals = new Float64Array(width);
  for (let i = 0; i < counts.length; i++) totals[i % width] += counts[i];
  const scale = alpha + beta;
  return totals.map((total, column) => {
    if (column === 0) return beta / scale / total ** 2;
    return total === 0 ? 0 : alpha / scale / (width - 1) / (total + eps) ** 2;
  });
}

/** `[groups, 1 + labels]` row-major: rows in all, and of each label. */
function countsPerGroup({ codes, count }: Groups, { classes, indicators }: Labels): Float64Array {
  const labels = classes.length;
  const counts = new Float64Array(count * (1 + labels));
  for (let row = 0; row < codes.length; row++) {
    const start = codes[row] * (1 + labels);
    counts[start]++;
    for (let label = 0; label < labels; label++) counts[start + 1 + label] += indicators[row * labels + label];
  }
  return counts;
}
