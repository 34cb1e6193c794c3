import { arrayLike, custom, number } from '../core/options.js';
import { readNumbers } from '../core/readNumbers.js';
import type { Label } from '../data/labels.js';
import { checkLength } from '../data/sideData.js';
import { type Sample, sampleOf } from '../intervals/sample.js';
import { type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';

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

export const intervalOptions = {
  ...binaryRowOptions,
  groups: arrayLike<Label>('id[]').optional().describe('Patient of each row; patients count as independent, not rows.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
};

const LEVEL = intervalOptions.level.defaultValue as number;

/** A table of two classes with a score per row: a probability, or any number that is higher for the positive class. */
export type ScoredTable = ScoreTable & { readonly yProba: Float64Array };

export interface ScoredRows extends Sample {
  readonly table: ScoredTable;
}

export interface BinaryRows extends ScoredRows {
  /** 1 for rows of the positive class, else 0. */
  readonly y: Uint8Array;
}

export interface RowOptions {
  readonly sampleWeight?: ArrayLike<number> | undefined;
  readonly positiveLabel?: Label | undefined;
  readonly groups?: ArrayLike<Label> | undefined;
  readonly level?: number;
}

/** Checked rows with the probability `yProba` of the positive class, without those of weight 0. */
export function binaryRows(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  { groups, level = LEVEL, ...options }: RowOptions,
): BinaryRows {
  const sample = sampleOf(binaryTable({ yTrue, yProba }, options), groups, level);
  const table = sample.table as ScoredTable;
  return { ...sample, table, y: Uint8Array.from(table.yTrue, (code) => (code === table.positive ? 1 : 0)) };
}

type TableOptions = Pick<RowOptions, 'sampleWeight' | 'positiveLabel'>;

const binaryTable = (
  rows: Pick<ScoreTableInput, 'yTrue' | 'yPred' | 'yProba'>,
  { sampleWeight, positiveLabel }: TableOptions,
) => scoreTable({ ...rows, task: 'binary', sampleWeight: sampleWeight ?? null, positiveLabel: positiveLabel ?? null });

export const labelTable = (yTrue: ArrayLike<Label>, options: TableOptions): ScoreTable =>
  binaryTable({ yTrue, yPred: yTrue }, options);

export function withScores(table: ScoreTable, scores: ArrayLike<number>, name: string): ScoredTable {
  checkLength(scores, table.length, name, 'yTrue');
  return { ...table, yProba: readNumbers(scores, name) };
}

export const scoredRows = (yTrue: ArrayLike<Label>, scores: ArrayLike<number>, options: RowOptions): ScoredRows =>
  sampleOf(
    withScores(labelTable(yTrue, options), scores, 'scores'),
    options.groups,
    options.level ?? LEVEL,
  ) as ScoredRows;
