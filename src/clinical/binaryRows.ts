/** The door of functions on plain vectors: two classes, a probability per row, weights and patients. */

import { arrayLike, custom, number } from '../core/options.js';
import type { Label } from '../data/labels.js';
import { type Sample, sampleOf } from '../intervals/sample.js';
import { type ScoreTable, scoreTable } from '../metrics/scoreTable.js';

/** Options of what reads labels and probabilities alone. */
export const binaryRowOptions = {
  sampleWeight: arrayLike<number>('number[]')
    .optional()
    .describe('Weight per row; weight k counts as the row k times.'),
  positiveLabel: custom<Label>('label', 'be a string, a number or a boolean', (v) =>
    ['string', 'number', 'boolean'].includes(typeof v),
  )
    .optional()
    .describe('The positive class; by default `true` or the larger number.'),
};

/** Options of what gives intervals. */
export const intervalOptions = {
  ...binaryRowOptions,
  groups: arrayLike<Label>('id[]').optional().describe('Patient of each row; patients count as independent, not rows.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
};

/** A sample of two classes with a probability per row. */
export interface BinaryRows extends Sample {
  readonly table: ScoreTable & { readonly yProba: Float64Array };
  /** 1 for rows of the positive class, else 0. */
  readonly y: Uint8Array;
}

/** Options of both doors, {@link binaryRows} and that of plain scores. */
export interface Given {
  readonly sampleWeight?: ArrayLike<number> | undefined;
  readonly positiveLabel?: Label | undefined;
  readonly groups?: ArrayLike<Label> | undefined;
  readonly level?: number;
}

/**
 * Checked rows of a binary `yTrue` with the probability `yProba` of the positive class, without those of weight 0. Throws
 * InvalidDataError for what is no label or no probability, and for lengths that differ.
 */
export function binaryRows(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  { sampleWeight, positiveLabel, groups, level = 0.95 }: Given,
): BinaryRows {
  const all = scoreTable({
    yTrue,
    yProba,
    task: 'binary',
    ...(sampleWeight ? { sampleWeight } : {}),
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
  });
  const sample = sampleOf(all, groups, level);
  const table = sample.table as BinaryRows['table'];
  return { ...sample, table, y: Uint8Array.from(table.yTrue, (code) => (code === table.positive ? 1 : 0)) };
}
