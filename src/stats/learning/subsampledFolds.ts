import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { deriveSeed, permutation, randomSource } from '../../core/random.js';
import { encode } from '../../data/encode.js';
import type { Labels } from '../../data/labels.js';
import { unitStrata } from '../../intervals/unitVariance.js';
import { type CheckedFold, type FoldPlan, hasInner } from '../../splitters/foldsOf.js';
import { type Fold, type Splitter, withWarnings } from '../../splitters/splitter.js';
import { FixedFolds } from '../manyRuns.js';

interface Thinning {
  readonly plan: FoldPlan;
  readonly labels: Labels;
  /** Code of each row's patient; undefined when rows are units. */
  readonly units: Int32Array | undefined;
  /** Rows of weight 0 are never trained on, and count as no unit. */
  readonly weight?: ArrayLike<number> | null;
  readonly unit: string;
  /** Shares or numbers of units, ascending; the full training sets are added. */
  readonly sizes: readonly number[];
  readonly seed: number | string;
}

export interface ThinnedFolds {
  readonly size: number | null;
  readonly splitter: Splitter;
  /** Number of training units by fold. */
  readonly nTrain: readonly number[];
}

/** The folds of a plan with the first part of each training set's units, for each size; at last the plan itself. */
export function subsampledFolds({ plan, labels, units, weight, unit, sizes, seed }: Thinning): ThinnedFolds[] {
  const folds = Array.from(plan, (fold) =>
    weight ? { ...fold, train: fold.train.filter((row) => weight[row] > 0) } : fold,
  );
  if (folds.some(hasInner)) {
    throw new InvalidOptionError(
      sentence(
        'The `cv` option of learningCurve',
        'have no inner folds, which are bound to all training rows',
        phrase(plan.design),
      ),
    );
  }
  const orders = folds.map((fold) => unitOrder(fold, labels, units, deriveSeed(seed, 'thin', fold.id)));
  const counts = [...sizes, 1].map((size, at) =>
    orders.map(({ length }) => (at === sizes.length ? length : size < 1 ? Math.round(size * length) : size)),
  );
  counts.forEach((each, at) => {
    each.forEach((count, fold) => {
      const total = orders[fold].length;
      const before = at === 0 ? 1 : counts[at - 1][fold];
      if (at === sizes.length || (count > before && count < total)) return;
      const given = sizes[at] < 1 ? `${sizes[at]}, which is ${count}` : `${count}`;
      const text = `${given} of ${counted(total, `training ${unit}`)}${at === 0 ? '' : ` after ${before}`}, in ${folds[fold].id}`;
      const must = 'ascend in every fold, from 2 to less than its full training set (shares below 1, else counts)';
      throw new InvalidOptionError(sentence('The `sizes` option of learningCurve', must, phrase(text)));
    });
  });
  return counts.map((each, at) => {
    const thin = (fold: CheckedFold, index: number): Fold => {
      const { id, test, repeat, excluded, train } = fold;
      const chosen = new Set(orders[index].subarray(0, each[index]));
      const kept = train.filter((row) => chosen.has(units ? units[row] : row));
      return { id, test, repeat, train: kept, ...(excluded ? { excluded } : {}) };
    };
    const splitter = new FixedFolds(
      plan,
      withWarnings(plan.warnings, () => folds.map(thin).values()),
    );
    return { size: at === sizes.length ? null : sizes[at], splitter, nTrain: each };
  });
}

/**
 * The training units of a fold in random order, such that every beginning has about the shares of the classes: the units
 * of each class are shuffled and spread evenly, all classes starting at the front.
 */
function unitOrder({ train }: CheckedFold, labels: Labels, units: Int32Array | undefined, seed: number): Int32Array {
  const random = randomSource(seed);
  const ids = units ? train.map((row) => units[row]) : train;
  const classed = labels.task === 'binary' || labels.task === 'multiclass';
  const strata = classed
    ? unitStrata(
        train.map((row) => labels.codes[row]),
        ids,
      )
    : new Int32Array(train.length);
  const { classes, codes } = encode(ids);
  const stratumOf = new Int32Array(classes.length);
  codes.forEach((code, at) => {
    stratumOf[code] = strata[at];
  });
  const sizes = new Map<number, number>();
  for (const stratum of stratumOf) sizes.set(stratum, (sizes.get(stratum) ?? 0) + 1);
  const placed = new Map<number, number>();
  const spread = Array.from(permutation(random, classes.length), (code) => {
    const stratum = stratumOf[code];
    const rank = placed.get(stratum) ?? 0;
    placed.set(stratum, rank + 1);
    return { id: classes[code], place: rank / (sizes.get(stratum) as number), size: sizes.get(stratum) as number };
  });
  // At the front all places are 0: the rarest class comes first.
  return Int32Array.from(
    spread.sort((a, b) => a.place - b.place || a.size - b.size),
    ({ id }) => id,
  );
}
