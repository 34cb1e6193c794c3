/** What a run needs to know of masks: which axis is the classes, how far neighbours are apart, whose they are. */
import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import type { Labels, MaskFacts } from '../data/labels.js';
import { labelsFrom, rowNumbers, writtenShape } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import { patientsOf, type SideData } from '../data/sideData.js';

/** Of every row, or of each. */
export type Spacing = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

export interface MaskOptions {
  readonly tolerance?: number | undefined;
}

/**
 * Masks with what distances between them need. The last axis is the classes where there are four, and where there are three and the
 * rows of X have two or three, as pictures do, or `spacing` has two numbers. Where X does not tell, or X and y have one shape,
 * `spacing` must say it: these may be volumes.
 *
 * @throws {InvalidDataError} for a spacing that is not one number above 0 per axis of space, for all rows or for each
 */
export function maskedLabels(
  read: Labels,
  { X, data, spacing, tolerance = 1 }: MaskOptions & { X: Rows; data: SideData; spacing: Spacing | undefined },
): Labels {
  const { shape = [], length } = read;
  const lists = spacing === undefined ? undefined : spacingLists(spacing, length);
  const ofX = X.parts ? undefined : X.rowShape?.length;
  const isOpen = ofX === undefined ? !X.parts : ofX < 2 || X.rowShape?.join() === shape.join();
  if (!lists && shape.length === 3 && isOpen) {
    const got = phrase(`${ofX === 3 ? 'rows of X and y' : 'y'} of ${shape.join(' x ')}`);
    const way = 'Pass 3 numbers for volumes, 2 for pictures with a channel for each class.';
    throw new InvalidDataError(sentence('`spacing`', 'say which axes are space', got, way), { code: 'no_spacing' });
  }
  const isVolume = lists ? lists[0].length === 3 : ofX === 4;
  const axes = shape.length > 3 || (shape.length === 3 && !isVolume) ? shape.length - 1 : shape.length;
  const wrong = lists?.findIndex((each) => each.length !== axes) ?? -1;
  if (axes > 3 || wrong >= 0) {
    if (!lists) return read;
    const got = phrase(`${lists[Math.max(0, wrong)].length} numbers for ${writtenShape(shape)}`);
    throw new InvalidDataError(
      sentence(subjectOf(spacing, Math.max(0, wrong)), `be one number per axis of space`, got),
    );
  }
  const channels = axes < shape.length ? shape[axes] : 1;
  const patients = patientsOf(data, length)?.codes ?? rowNumbers(length);
  const ofRow = (row: number) => lists?.[lists.length > 1 ? row : 0] ?? new Array<number>(axes).fill(1);
  const every = Array.from({ length }, (_, row) => Array.from(ofRow(row)));
  const masks: MaskFacts = { channels, spacing: Float64Array.from(every.flat()), tolerance };
  const classes = channels > 1 ? ` with ${channels} classes` : '';
  const unit = lists ? '' : '; without `spacing`, distances are in pixels';
  const why = `y is ${writtenShape(shape.slice(0, axes))}${classes}${unit}`;
  return labelsFrom({ ...read, why, masks, patients });
}

/** One list for all rows, or one for each. */
function spacingLists(spacing: Spacing, length: number): ArrayLike<number>[] {
  const lists = isList(spacing[0])
    ? Array.from(spacing as ArrayLike<ArrayLike<number>>)
    : [spacing as ArrayLike<number>];
  if (isList(spacing[0]) && lists.length !== length) {
    const must = `be one list for all rows, or one for each of the ${length} rows`;
    throw new InvalidDataError(sentence('spacing', must, phrase(String(lists.length))), { code: 'length_mismatch' });
  }
  for (const [row, list] of lists.entries()) {
    const wrong = isList(list) ? Array.from(list).findIndex((each) => !(each > 0 && each < Infinity)) : -1;
    if (isList(list) && wrong < 0) continue;
    const got = isList(list) ? kindOf(list[wrong]) : kindOf(list);
    throw new InvalidDataError(sentence(subjectOf(spacing, row), 'be numbers above 0, in millimetres', got));
  }
  return lists;
}

const subjectOf = (spacing: Spacing | undefined, row: number) =>
  isList(spacing?.[0]) ? `spacing row ${row}` : 'spacing';
