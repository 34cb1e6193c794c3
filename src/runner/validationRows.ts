/** Cuts validation rows from the training rows of a fold: whole groups, and never test rows. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { deriveSeed } from '../core/random.js';
import { tally } from '../data/encode.js';
import { gather, type Labels, rowNumbers } from '../data/labels.js';
import type { SideData } from '../data/sideData.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { HoldOut } from '../splitters/iid/holdOut.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { trainingSide } from './foldRows.js';
import type { ValidationOption } from './runOptions.js';

interface Watched {
  readonly train: Int32Array;
  readonly validation?: Int32Array;
}

/** Cut by the `validation` option; without it by the first inner fold of a nested design, where training goes in epochs. */
export function validationRows(
  option: ValidationOption | undefined,
  fold: CheckedFold,
  { y, data, seed, epochs }: { y: Labels; data: SideData; seed: number; epochs: boolean },
): Watched {
  const { train } = fold;
  if (option !== undefined) {
    const { side, copies } = trainingSide(data, train);
    const labels = y.take(train);
    const cut = foldsOf(splitterOf(option, labels, side, seed), train.length, labels, side).at(0);
    const watched = { train: gather(train, cut.train), validation: gather(train, cut.test) };
    checkWholeGroups(watched, WHO, data.groups);
    if (copies) checkWholeGroups(watched, WHO, rowNumbers(y.length), COPIES);
    return watched;
  }
  return hasInner(fold) && epochs ? firstInnerFold(fold, y.length, data.groups) : { train };
}

const WHO = 'The splitter of the `validation` option';
const COPIES = 'Use a share such as 0.2: the folds draw rows several times.';

/**
 * Refuses inner folds that must not be watched, before anything is trained: those that split groups, and those that a fold
 * run alone would not draw again, unless the outer folds are drawn afresh, too, as by the defaults of `NestedGroupedCV`.
 */
export function checkInnerFolds(
  splitter: Splitter,
  { plan, folds, data }: { plan: FoldPlan; folds: readonly number[]; data: SideData },
): void {
  const { nested } = splitter;
  if (nested && nested.outer.repeatable !== false) {
    repeatable(nested.inner, `The \`innerCv\` of ${plan.splitterName}, whose first fold is watched,`);
  }
  if (!hasInner(plan.at(folds[0]))) return;
  for (const index of folds) {
    const fold = plan.at(index);
    if (hasInner(fold)) firstInnerFold(fold, plan.n, data.groups);
  }
}

function firstInnerFold(
  fold: CheckedFold & { readonly inner: Splitter },
  n: number,
  groups: SideData['groups'],
): Required<Watched> {
  const { train, test } = innerFoldsOf(fold, n).at(0);
  const watched = { train, validation: test };
  const who = `The inner splitter of ${fold.id}, whose first fold is watched,`;
  checkWholeGroups(watched, who, groups, 'Use NestedGroupedCV.');
  return watched;
}

function splitterOf(option: ValidationOption, y: Labels, data: SideData, seed: number): Splitter {
  const randomState = deriveSeed(seed, 'validation');
  if (typeof option === 'object' && 'splitter' in option) return repeatable(seeded(option.splitter, randomState), WHO);
  const size = { testSize: typeof option === 'number' ? option : option.size, randomState };
  if (y.task !== 'binary' && y.task !== 'multiclass') return new HoldOut(size);
  return new HoldOut({ ...size, stratify: data.groups ? strataOfGroups(y, data.groups) : true });
}

function strataOfGroups({ codes, classes }: Labels, groups: NonNullable<SideData['groups']>): Int32Array {
  const holders = classes.map(() => new Set<unknown>());
  codes.forEach((code, row) => {
    holders[code].add(groups[row]);
  });
  const counts = tally(codes, classes.length);
  const most = counts.indexOf(Math.max(...counts));
  return codes.map((code) => (holders[code].size < 2 ? most : code));
}

/** The rows to watch must be the same whether a fold runs alone or in a run, so each call must draw the same rows. */
function repeatable(splitter: Splitter, who: string): Splitter {
  if (splitter.repeatable !== false) return splitter;
  const must = 'draw the same rows at each call';
  throw new InvalidOptionError(sentence(who, must, phrase('one that draws others'), 'Give it an integer seed.'));
}

/** Early stopping on rows of a patient that the model trains on would not be honest. */
export function checkWholeGroups(
  { train, validation }: Required<Watched>,
  who: string,
  groups: SideData['groups'],
  instead = 'Use a share such as 0.2, or GroupKFold.',
): void {
  if (!groups) return;
  const trained = new Set(Array.from(train, (row) => groups[row]));
  if (!validation.some((row) => trained.has(groups[row]))) return;
  throw new InvalidOptionError(sentence(who, 'keep groups whole', phrase('a group on both sides'), instead));
}
