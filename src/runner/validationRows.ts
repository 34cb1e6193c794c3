/** Cuts validation rows from the training rows of a fold: whole groups, test rows never. */
import { InvalidOptionError, sentence } from '../core/errors.js';
import { gather, type Label, type Labels } from '../core/labels.js';
import { deriveSeed } from '../core/random.js';
import { type SideData, takeSideData } from '../core/sideData.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { HoldOut } from '../splitters/iid/holdOut.js';
import type { Splitter } from '../splitters/splitter.js';
import type { ValidationOption } from './runOptions.js';

/** Row numbers of the full data: what is trained on and what is watched. */
export function validationRows(
  option: ValidationOption,
  train: Int32Array,
  y: Labels,
  data: SideData,
  seed: number,
): { train: Int32Array; validation: Int32Array } {
  const labels = y.take(train);
  const side = takeSideData(data, train);
  const { train: kept, test } = foldsOf(splitterOf(option, labels, data, seed), train.length, labels, side).at(0);
  checkWholeGroups(kept, test, side.groups);
  return { train: gather(train, kept), validation: gather(train, test) };
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
function checkWholeGroups(train: Int32Array, validation: Int32Array, groups: ArrayLike<Label> | undefined): void {
  if (!groups) return;
  const trained = new Set(Array.from(train, (row) => groups[row]));
  if (!validation.some((row) => trained.has(groups[row]))) return;
  throw new InvalidOptionError(
    sentence(
      'The splitter of the `validation` option',
      'keep groups whole',
      { text: 'a group on both sides' },
      'Use a share such as 0.2, or GroupKFold.',
    ),
  );
}
