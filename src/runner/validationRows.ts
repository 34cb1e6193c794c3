/** Cuts validation rows from the training rows of a fold: whole groups, test rows never. */
import { InvalidOptionError, sentence } from '../core/errors.js';
import { gather, type Label, type Labels } from '../core/labels.js';
import { deriveSeed } from '../core/random.js';
import { type SideData, takeSideData } from '../core/sideData.js';
import { type CheckedFold, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { HoldOut } from '../splitters/iid/holdOut.js';
import type { Splitter } from '../splitters/splitter.js';
import type { ValidationOption } from './runOptions.js';

/** Rows to train on and rows to watch, as row numbers of the full data. */
interface Watched {
  readonly train: Int32Array;
  readonly validation?: Int32Array;
}

/**
 * What the fold trains on and what it watches. The `validation` option cuts the training rows; without it the first
 * inner fold of a nested design does, for adapters that train in epochs. Else nothing is watched.
 */
export function validationRows(
  option: ValidationOption | undefined,
  fold: CheckedFold,
  { y, data, seed, epochs }: { y: Labels; data: SideData; seed: number; epochs: boolean },
): Watched {
  const { train } = fold;
  if (option !== undefined) {
    const side = takeSideData(data, train);
    const labels = y.take(train);
    const cut = foldsOf(splitterOf(option, labels, data, seed), train.length, labels, side).at(0);
    const watched = { train: gather(train, cut.train), validation: gather(train, cut.test) };
    checkWholeGroups(watched, 'The splitter of the `validation` option', data.groups);
    return watched;
  }
  if (!hasInner(fold) || !epochs) return { train };
  const inner = innerFoldsOf(fold, y.length).at(0);
  const watched = { train: inner.train, validation: inner.test };
  checkWholeGroups(watched, 'The inner splitter, whose first fold is watched,', data.groups, 'Use NestedGroupedCV.');
  return watched;
}

function splitterOf(option: ValidationOption, y: Labels, data: SideData, seed: number): Splitter {
  if (typeof option === 'object' && 'splitter' in option) return reproducible(option.splitter);
  const testSize = typeof option === 'number' ? option : option.size;
  const stratify = data.groups === undefined && (y.task === 'binary' || y.task === 'multiclass');
  return new HoldOut({
    testSize,
    randomState: deriveSeed(seed, 'validation'),
    ...(stratify ? { stratify: true } : {}),
  });
}

/** The rows to watch must be the same whether a fold runs alone or in a run, so a splitter must bring its own seed. */
function reproducible(splitter: Splitter): Splitter {
  const { randomState, shuffle = true } =
    (splitter as { options?: { randomState?: unknown; shuffle?: boolean } }).options ?? {};
  if (!shuffle || randomState === undefined || typeof randomState === 'number' || typeof randomState === 'string')
    return splitter;
  throw new InvalidOptionError(
    sentence(
      'The splitter of the `validation` option',
      'have an integer or a string as its `randomState`',
      randomState,
    ),
  );
}

/** Early stopping on rows of a patient that the model trains on would not be honest. */
function checkWholeGroups(
  { train, validation }: Required<Watched>,
  who: string,
  groups: ArrayLike<Label> | undefined,
  instead = 'Use a share such as 0.2, or GroupKFold.',
): void {
  if (!groups) return;
  const trained = new Set(Array.from(train, (row) => groups[row]));
  if (!validation.some((row) => trained.has(groups[row]))) return;
  throw new InvalidOptionError(sentence(who, 'keep groups whole', { text: 'a group on both sides' }, instead));
}
