import {
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  kindOf,
  phrase,
  sentence,
} from '../core/errors.js';
import { isList } from '../core/options.js';
import { isDense, isTensor } from '../data/dense.js';
import type { LabelsInput } from '../data/labels.js';
import { rowCount } from '../data/rowKinds.js';
import type { RowsInput } from '../data/rows.js';
import { checkLength, checkSideData, type Groups, groupsOf, type SideData } from '../data/sideData.js';
import { labelsAndOptions, type SplitData, type SplitInputName, splitDataOptions } from './splitter.js';

export interface SplitInput {
  readonly X: RowsInput | number;
  readonly n: number;
  readonly y: LabelsInput | undefined;
  readonly data: SideData;
  /** An input, or the error that `owner` lacks it; `orOption` names an option that could stand in. */
  need<K extends SplitInputName>(name: K, owner?: string, orOption?: string): NonNullable<Inputs[K]>;
}

/** Apart from the input, since splitters without groups load no more than they need. */
export const inputGroups = ({ n, need }: SplitInput): Groups => groupsOf(need('groups'), n);

type Inputs = SideData & { readonly y?: LabelsInput };

/** A plain object in the place of `y` is the data. */
export function splitInput(
  name: string,
  X: RowsInput | number | null | undefined,
  y: LabelsInput | SplitData | null | undefined,
  data: SplitData | null | undefined,
): SplitInput {
  if (X === undefined || X === null) {
    throw new InvalidDataError(sentence(name, 'be given X or a number of rows', phrase('nothing')));
  }
  const n = rowCount(X);
  const [labels, options] = labelsAndOptions(y, data);
  if (isList(options)) {
    const way = 'Use split(X, y, { groups }).';
    throw new InvalidOptionError(sentence(`The options of ${name}`, 'be one plain object', kindOf(options), way));
  }
  const side = splitDataOptions.resolve(options);
  if (labels !== undefined && (typeof labels !== 'object' || 'then' in labels)) {
    throw new InvalidDataError(sentence('y', 'be an array, a typed array, a tensor or a column', kindOf(labels)));
  }
  const count =
    isTensor(labels) || isDense(labels) ? labels.shape[0] : (labels as { length?: unknown } | undefined)?.length;
  if (typeof count === 'number') checkLength({ length: count }, n, 'y');
  checkSideData(side, n);
  return {
    X,
    n,
    y: labels,
    data: side,
    need(input, owner = name, orOption) {
      const value = input === 'y' ? labels : side[input as keyof SideData];
      if (value !== undefined) return value as NonNullable<Inputs[typeof input]>;
      const which = input === 'groups' ? ' (the patient of each row)' : '';
      const or = orOption === undefined ? '' : ` or the option \`${orOption}\``;
      throw new InvalidDataError(sentence(owner, `be given \`${input}\`${which}${or}`, phrase('nothing')), {
        code: `missing_${input}`,
      });
    },
  };
}

export function requireAtLeastTwo(owner: string, count: number, what: string): number {
  if (count >= 2) return count;
  throw new InfeasibleSplitError(sentence(owner, `have at least 2 ${what}`, phrase(String(count))));
}

export function requireCount(owner: string, wanted: number, count: number, what: string, option = 'nSplits'): void {
  if (wanted > count) {
    if (count < 2) requireAtLeastTwo(owner, count, what);
    throw new InfeasibleSplitError(
      sentence(`The \`${option}\` option of ${owner}`, `be at most the number of ${what}, ${count}`, wanted),
    );
  }
}
