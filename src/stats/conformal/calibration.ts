import { InvalidDataError, InvalidOptionError, kindOf, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { lowerBound } from '../../core/lowerBound.js';
import { arrayLike, boolean, isList, number } from '../../core/options.js';
import { readNumbers } from '../../core/readNumbers.js';
import { rowsPerCode, tally } from '../../data/encode.js';
import { gather, type Label } from '../../data/labels.js';
import { checkLength, groupsOf } from '../../data/sideData.js';

export const conformalOptions = {
  alpha: number({ above: 0, below: 0.5 }).default(0.1).describe('Share of new rows that may be missed.'),
  folds: arrayLike<number>('integer[]')
    .optional()
    .describe('Fold of each row, 0 ... K-1, whose model gave its out-of-fold prediction: CV+ over K models.'),
  groups: arrayLike<Label>('id[]')
    .optional()
    .describe('Patient of each row; the guarantee is then about new patients, not new rows of these.'),
  everyRow: boolean().default(false).describe('Covers all rows of a new patient at once, not one of them.'),
};

export function byModel<T extends ArrayLike<unknown>>(name: string, predictions: T | readonly T[], folds: unknown) {
  const each =
    folds && isList(predictions) && predictions.length > 0
      ? Array.from(predictions as readonly T[], (one, model) => [`${name} of model ${model}`, one] as const)
      : [[name, predictions as T] as const];
  const invalid = each.find(([, one]) => !isList(one) || one.length === 0);
  if (!invalid) return each;
  const must = `be a list of one row or more${folds ? '; with `folds` there is a list per fold model' : ''}`;
  throw new InvalidDataError(sentence(invalid[0], must, kindOf(invalid[1])));
}

export interface ConformalDesign {
  /** All 0 for split conformal prediction. */
  readonly models: Int32Array;
  readonly nModels: number;
  readonly units: Int32Array;
  readonly unit: 'patient' | 'row';
  readonly everyRow: boolean;
}

interface DesignOptions {
  readonly folds?: ArrayLike<number> | undefined;
  readonly groups?: ArrayLike<Label> | undefined;
  readonly everyRow: boolean;
}

export function designOf(
  n: number,
  nNew: readonly number[],
  { folds, groups, everyRow }: DesignOptions,
): ConformalDesign {
  const nModels = nNew.length;
  const other = nNew.find((each) => each !== nNew[0]);
  if (other !== undefined) {
    const must = `have ${counted(nNew[0], 'row')} of every model`;
    const subject = 'The new predictions';
    throw new InvalidDataError(sentence(subject, must, phrase(String(other))), { code: 'length_mismatch' });
  }
  if (everyRow && !groups) {
    throw new InvalidOptionError('The `everyRow` option speaks of the rows of a patient and needs `groups`. Got none.');
  }
  if (folds) checkLength(folds, n, 'folds', 'yTrue');
  const model = {
    must: `be the number of a model, 0 to ${nModels - 1}`,
    holds: (each: number) => Number.isInteger(each) && each >= 0 && each < nModels,
    range: [0, nModels - 1],
  } as const;
  const models = folds ? Int32Array.from(readNumbers(folds, 'folds', model)) : new Int32Array(n);
  const units = groups ? groupsOf(groups, n, 'groups', 'yTrue').codes : models.map((_, row) => row);
  const firstRow = new Map<number, number>();
  units.forEach((unit, row) => {
    const first = firstRow.get(unit) ?? row;
    firstRow.set(unit, first);
    if (models[first] === models[row]) return;
    const got = phrase(`folds ${models[first]} and ${models[row]} (row ${row})`);
    throw new InvalidDataError(sentence('The rows of a patient', 'be in one fold', got), {
      code: 'group_in_two_folds',
    });
  });
  const tested = models.reduce((most, model) => Math.max(most, model + 1), 0);
  if (folds && tested < nModels) {
    const must = `be one list for each of the ${counted(tested, 'fold')} in \`folds\``;
    const got = phrase(counted(nModels, 'list'));
    throw new InvalidDataError(sentence('The new predictions', must, got), { code: 'length_mismatch' });
  }
  return { models, nModels, units, unit: groups ? 'patient' : 'row', everyRow };
}

export interface Entries {
  readonly scores: Float64Array;
  readonly models: Int32Array;
  /** The mass missing to 1 is that of the new patient, at infinity. */
  readonly mass: Float64Array;
  readonly nUnits: number;
}

/**
 * Each of the N units and the new one weigh 1 / (N + 1), shared by the rows of the unit: one row per unit is ordinary
 * conformal prediction, several are hierarchical. With `everyRow` the largest score of a patient stands for all.
 *
 * Source: Lee, Barber & Willett 2023, arXiv:2306.06342.
 *
 * @param rows the rows that count, for example those of one class
 */
export function entriesOf(
  scores: Float64Array,
  { units, models, everyRow }: ConformalDesign,
  rows: Int32Array,
): Entries {
  const members = groupBy(rows, (row) => units[row]);
  const share = 1 / (members.size + 1);
  const worst = (found: number[]) => [found.reduce((most, row) => (scores[row] > scores[most] ? row : most))];
  const chosen = [...members.values()].map((found) => (everyRow ? worst(found) : found));
  const kept = chosen.flat();
  return {
    scores: Float64Array.from(kept, (row) => scores[row]),
    models: Int32Array.from(kept, (row) => models[row]),
    mass: Float64Array.from(chosen.flatMap((found) => found.map(() => share / found.length))),
    nUnits: members.size,
  };
}

export const ROUNDING = 1e-12;

/** By model its ascending scores, and the mass `before[i]` of the first i of them. */
const sortedByModel = ({ scores, models, mass }: Entries, nModels: number) =>
  rowsPerCode(models, tally(models, nModels)).map((rows) => {
    rows.sort((a, b) => scores[a] - scores[b]);
    const before = new Float64Array(rows.length + 1);
    rows.forEach((row, at) => {
      before[at + 1] = before[at] + mass[row];
    });
    return { sorted: gather(scores, rows), before };
  });

/**
 * For a number that is added to all scores of a model, the smallest sum at which `level` of the mass is reached;
 * Infinity when the finite scores have less. The mass up to a sum is found by halving in the sorted scores of every
 * model, the sum by halving until the next number of 64 bits.
 */
export function quantileOfSums(entries: Entries, nModels: number, level: number) {
  const tables = sortedByModel(entries, nModels);
  return (added: (model: number) => number): number => {
    const shifts = tables.map((_, model) => added(model));
    const reaches = (sum: number) => {
      let reached = 0;
      for (const [model, { sorted, before }] of tables.entries()) {
        reached += before[firstAt(sorted.length, (at) => sorted[at] + shifts[model] > sum)];
      }
      return reached >= level - ROUNDING;
    };
    const ends = tables.flatMap(({ sorted }, model) =>
      sorted.length > 0 ? [sorted[0] + shifts[model], sorted[sorted.length - 1] + shifts[model]] : [],
    );
    let [low, high] = [Math.min(...ends), Math.max(...ends)];
    if (!reaches(high)) return Infinity;
    if (reaches(low)) return low;
    for (let middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
      if (reaches(middle)) high = middle;
      else low = middle;
    }
    return high;
  };
}

/** The first place for which `holds` is true from there on; `length` when there is none. */
function firstAt(length: number, holds: (at: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function massBelow(entries: Entries, nModels: number): (model: number, score: number) => number {
  const tables = sortedByModel(entries, nModels);
  return (model, score) => tables[model].before[lowerBound(tables[model].sorted, score)];
}

/** What conformal prediction promises, and what that rests on. */
export interface Guarantee {
  readonly method: 'split' | 'cv+';
  readonly alpha: number;
  /** Share of new rows, or of new patients with all of their rows, that is covered at least. */
  readonly coverage: number;
  readonly unit: 'patient' | 'row';
  readonly nUnits: number;
  readonly everyRow: boolean;
}

/**
 * 1 - alpha for split; for CV+ with K folds of N units 1 - 2 alpha, less a term that is 0 for K = N (jackknife+).
 * Source: Vovk, Gammerman & Shafer 2005; Barber et al. 2021, Annals of Statistics 49:486, theorems 1 and 4.
 */
export function guaranteeOf(
  { unit, everyRow, nModels }: ConformalDesign,
  nUnits: number,
  alpha: number,
  cv: boolean,
): Guarantee {
  const slack = Math.min(
    (2 * (1 - 1 / nModels)) / (nUnits / nModels + 1),
    Math.max(0, 1 - nModels / nUnits) / (nModels + 1),
  );
  const coverage = cv ? Math.max(0, 1 - 2 * alpha - slack) : 1 - alpha;
  return { method: cv ? 'cv+' : 'split', alpha, coverage, unit, nUnits, everyRow };
}

/** With fewer units the promise is kept only by giving everything. */
export const unitsNeeded = (alpha: number): number => Math.ceil(1 / alpha - 1 - 1e-9);
