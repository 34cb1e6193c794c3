/** Cuts validation rows from the training rows of a fold: whole groups, test rows never. */
import type { Labels } from '../core/labels.js';
import { gather } from '../core/labels.js';
import { deriveSeed } from '../core/random.js';
import type { SideData } from '../core/sideData.js';
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
  const plan = foldsOf(
    splitterOf(option, labels, data, seed),
    train.length,
    labels.toArray(),
    takeSideData(data, train),
  );
  const { train: kept, test } = plan.at(0);
  return { train: gather(train, kept), validation: gather(train, test) };
}

function splitterOf(option: ValidationOption, y: Labels, data: SideData, seed: number): Splitter {
  if (typeof option === 'object' && 'splitter' in option) return option.splitter;
  const testSize = typeof option === 'number' ? option : option.size;
  const stratify = data.groups === undefined && (y.task === 'binary' || y.task === 'multiclass');
  return new HoldOut({
    testSize,
    randomState: deriveSeed(seed, 'validation'),
    ...(stratify ? { stratify: true } : {}),
  });
}

/** Groups, times and places of the rows `rows`. */
function takeSideData(data: SideData, rows: Int32Array): SideData {
  const take = <T>(values: ArrayLike<T>): T[] => Array.from(rows, (row) => values[row]);
  return Object.fromEntries(
    Object.entries(data)
      .filter(([, values]) => values !== undefined)
      .map(([name, values]) => [
        name,
        name === 'hierarchy' || name === 'environment'
          ? Object.fromEntries(Object.entries(values).map(([level, ids]) => [level, take(ids as ArrayLike<unknown>)]))
          : take(values as ArrayLike<unknown>),
      ]),
  );
}
