/** The door of functions on plain scores, which need not be probabilities: two classes, weights, patients. */
import { InvalidDataError, kindOf, sentence } from '../core/errors.js';
import type { Label } from '../data/labels.js';
import { checkLength } from '../data/sideData.js';
import { type Sample, sampleOf } from '../intervals/sample.js';
import { type ScoreTable, scoreTable } from '../metrics/scoreTable.js';
import type { Given } from './binaryRows.js';

/** A table with scores in the place of probabilities. */
export type ScoredTable = ScoreTable & { readonly yProba: Float64Array };

/** A sample of two classes with a score per row, in the place of probabilities. */
export interface ScoredRows extends Sample {
  readonly table: ScoredTable;
}

/** Labels of two classes as a table without scores. */
export const labelTable = (
  yTrue: ArrayLike<Label>,
  { sampleWeight, positiveLabel }: Pick<Given, 'sampleWeight' | 'positiveLabel'>,
): ScoreTable =>
  scoreTable({
    yTrue,
    yPred: yTrue,
    task: 'binary',
    ...(sampleWeight ? { sampleWeight } : {}),
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
  });

/** Throws InvalidDataError for scores that are no finite numbers, and for lengths that differ. */
export function withScores(table: ScoreTable, scores: ArrayLike<number>, name: string): ScoredTable {
  checkLength(scores, table.length, name, 'yTrue');
  const yProba = Float64Array.from(scores);
  const odd = yProba.findIndex((_, row) => !Number.isFinite(scores[row])); // of null, `from` would make 0
  if (odd >= 0) throw new InvalidDataError(sentence(`${name} row ${odd}`, 'be a finite number', kindOf(scores[odd])));
  return { ...table, yProba };
}

/** Checked rows of a binary `yTrue` with a score each, without those of weight 0. */
export const scoredRows = (yTrue: ArrayLike<Label>, scores: ArrayLike<number>, given: Given): ScoredRows =>
  sampleOf(withScores(labelTable(yTrue, given), scores, 'scores'), given.groups, given.level ?? 0.95) as ScoredRows;
