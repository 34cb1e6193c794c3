/** Folds within the training rows of a fold, for what is fitted on predictions that are not of the training rows. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { deriveSeed } from '../core/random.js';
import { gather } from '../data/labels.js';
import { type Groups, groupsOf, type SideData } from '../data/sideData.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import { givenAdjustment } from './adjustment.js';
import { trainingSide } from './foldRows.js';
import type { Prepared } from './prepare.js';
import { checkWholeGroups } from './validationRows.js';

/** Inner folds where the design has none of its own, and where there are patients enough. */
const INNER_FOLDS = 5;

export interface InnerFolds {
  readonly plan: FoldPlan;
  readonly randomState: number;
}

/**
 * The inner folds of a fold: those of a nested design, which must keep patients whole, else stratified ones. Undefined
 * where the rows that training watches serve, or nothing is fitted on them.
 */
export function innerFoldsFor(prepared: Prepared, fold: CheckedFold): InnerFolds | undefined {
  const { adjust, validation, callbacks, data } = prepared;
  const watches = validation !== undefined || callbacks.some(({ monitor }) => monitor?.startsWith('val_'));
  if (!adjust || watches || givenAdjustment(adjust)) return undefined;
  const randomState = deriveSeed(prepared.randomState, 'inner', fold.repeat, fold.number);
  const plan = hasInner(fold) ? innerFoldsOf(fold, prepared.plan.n) : ownInnerFolds(prepared, fold, randomState);
  for (const { train, test } of plan) {
    const who = `The inner folds of ${fold.id}`;
    checkWholeGroups({ train, validation: test }, who, data.groups, 'Use an inner splitter for groups.');
  }
  return { plan, randomState };
}

/** Five stratified folds of what the outer folds keep whole, or as many as its rarer class allows. */
function ownInnerFolds({ y, data }: Pick<Prepared, 'y' | 'data'>, fold: CheckedFold, randomState: number): FoldPlan {
  const { train } = fold;
  const { side } = trainingSide(data, train);
  const whole = keptWhole(data, fold);
  const groups = whole ? gather(whole.codes, train) : side.groups;
  const labels = y.take(train);
  const units = groups ? groupsOf(groups, train.length).codes : Int32Array.from(train.keys());
  const holders = labels.classes.map((_, code) => new Set(units.filter((_, at) => labels.codes[at] === code)).size);
  const nSplits = Math.min(INNER_FOLDS, ...holders);
  if (nSplits < 2) {
    throw new InvalidDataError(
      sentence(
        `The training rows of ${fold.id}`,
        'hold each class in two patients or more for inner folds',
        phrase(counted(nSplits, 'patient')),
        'Fit on `validation` rows, or choose { fixed }.',
      ),
      { code: 'too_few_for_inner_folds' },
    );
  }
  const options = { nSplits, shuffle: true, randomState };
  const plan = groups
    ? foldsOf(new StratifiedGroupKFold(options), train.length, labels, { ...side, groups })
    : foldsOf(new StratifiedKFold(options), train.length, labels, side);
  return {
    ...plan,
    *[Symbol.iterator]() {
      for (let index = 0; index < plan.length; index++) yield this.at(index);
    },
    at(index) {
      const inner = plan.at(index);
      return { ...inner, train: gather(train, inner.train), test: gather(train, inner.test) };
    },
  };
}

/** The coarsest level of the hierarchy of which no id stands on both sides of the fold; sites, when folds keep sites whole. */
function keptWhole({ hierarchy = {} }: SideData, { train, test }: CheckedFold): Groups | undefined {
  const n = Math.max(train[train.length - 1], test[test.length - 1]) + 1;
  return Object.values(hierarchy)
    .map((ids) =>
      groupsOf(
        Array.from({ length: n }, (_, row) => ids[row]),
        n,
      ),
    )
    .sort((a, b) => a.count - b.count)
    .find(({ codes }) => {
      const trained = new Set(gather(codes, train));
      return !test.some((row) => trained.has(codes[row]));
    });
}
