/** What split conformal prediction and CV+ share: scores of calibration rows with their masses. */
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import type { Label } from '../../core/labels.js';
import { lowerBound } from '../../core/lowerBound.js';
import { arrayLike, boolean, isList, number } from '../../core/options.js';
import { checkLength, groupsOf } from '../../core/sideData.js';

/** Options of all conformal methods. */
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

/** What each model predicted of the new rows, with its name: with `folds` a list of lists is given, else one list. */
export function byModel<T extends ArrayLike<unknown>>(name: string, given: T | readonly T[], folds: unknown) {
  const each =
    folds && isList(given) && given.length > 0
      ? Array.from(given as readonly T[], (one, model) => [`${name} of model ${model}`, one] as const)
      : [[name, given as T] as const];
  const odd = each.find(([, one]) => !isList(one) || one.length === 0);
  if (!odd) return each;
  const must = `be a list of one row or more${folds ? '; with `folds` there is a list per fold model' : ''}`;
  throw new InvalidDataError(sentence(odd[0], must, odd[1]));
}

export interface Design {
  /** Index of the model behind each row; all 0 for split conformal prediction. */
  readonly models: Int32Array;
  readonly nModels: number;
  /** Code of each row's patient, or of the row. */
  readonly units: Int32Array;
  readonly unit: 'patient' | 'row';
  readonly everyRow: boolean;
}

interface Given {
  readonly folds?: ArrayLike<number> | undefined;
  readonly groups?: ArrayLike<Label> | undefined;
  readonly everyRow: boolean;
}

/**
 * Checks who predicted which row, and that all rows of a patient have the same model.
 *
 * @param nNew number of new rows that each model predicted
 */
export function designOf(n: number, nNew: readonly number[], { folds, groups, everyRow }: Given): Design {
  const nModels = nNew.length;
  const other = nNew.find((each) => each !== nNew[0]);
  if (other !== undefined) {
    const must = `have ${counted(nNew[0], 'row')} of every model`;
    throw new InvalidDataError(sentence('The new predictions', must, phrase(String(other))), {
      code: 'length_mismatch',
    });
  }
  if (everyRow && !groups) {
    throw new InvalidOptionError('The `everyRow` option speaks of the rows of a patient and needs `groups`. Got none.');
  }
  if (folds) checkLength(folds, n, 'folds', 'yTrue');
  const models = new Int32Array(n);
  const units = groups ? groupsOf(groups, n, 'groups', 'yTrue').codes : models.map((_, row) => row);
  const modelOf = new Map<number, number>();
  for (let row = 0; row < n; row++) {
    models[row] = folds ? folds[row] : 0;
    if (!(Number.isInteger(folds?.[row] ?? 0) && models[row] >= 0 && models[row] < nModels)) {
      const must = `be the number of a model, 0 to ${nModels - 1}`;
      throw new InvalidDataError(sentence(`folds row ${row}`, must, folds?.[row]));
    }
    if (modelOf.has(units[row]) && modelOf.get(units[row]) !== models[row]) {
      const text = `folds ${modelOf.get(units[row])} and ${models[row]} (row ${row})`;
      throw new InvalidDataError(sentence('The rows of a patient', 'be in one fold', phrase(text)), {
        code: 'group_in_two_folds',
      });
    }
    modelOf.set(units[row], models[row]);
  }
  return { models, nModels, units, unit: groups ? 'patient' : 'row', everyRow };
}

/** One calibration score per entry, with its mass. */
export interface Entries {
  readonly scores: Float64Array;
  readonly models: Int32Array;
  /** What is missing to 1 is the mass of the unseen patient, at infinity. */
  readonly mass: Float64Array;
  readonly nUnits: number;
}

/**
 * Scores with their masses. Each of the N units and the new one weigh 1 / (N + 1), shared by the rows of the unit: one
 * row per unit is ordinary conformal prediction, several are hierarchical conformal prediction. With `everyRow` the
 * largest score of a patient stands for all of his.
 *
 * Source: Lee, Barber & Willett 2023, arXiv:2306.06342.
 *
 * @param rows the rows that count, for example those of one class
 */
export function entriesOf(scores: Float64Array, { units, models, everyRow }: Design, rows: Int32Array): Entries {
  const members = new Map<number, number[]>();
  for (const row of rows) {
    const found = members.get(units[row]);
    if (found) found.push(row);
    else members.set(units[row], [row]);
  }
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

/** Masses are sums of fractions: closer than this is equal. */
export const ROUNDING = 1e-12;

/** The smallest value at which `level` of the mass is reached; Infinity when the finite values do not have so much. */
export function upperQuantile(values: Float64Array, mass: Float64Array, level: number): number {
  const order = Int32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  let reached = 0;
  for (const i of order) {
    reached += mass[i];
    if (reached >= level - ROUNDING) return values[i];
  }
  return Infinity;
}

/** Mass of the entries of a model whose score is below a value, by binary search. */
export function massBelow(
  { scores, models, mass }: Entries,
  nModels: number,
): (model: number, score: number) => number {
  const order = Int32Array.from(scores, (_, i) => i).sort((a, b) => scores[a] - scores[b]);
  const tables = Array.from({ length: nModels }, () => ({ sorted: [] as number[], reached: [0] }));
  for (const i of order) {
    const { sorted, reached } = tables[models[i]];
    sorted.push(scores[i]);
    reached.push(reached[reached.length - 1] + mass[i]);
  }
  return (model, score) => tables[model].reached[lowerBound(tables[model].sorted, score)];
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
 *
 * Source: Vovk, Gammerman & Shafer 2005; Barber et al. 2021, Annals of Statistics 49:486, theorems 1 and 4.
 */
export function guaranteeOf(
  { unit, everyRow, nModels }: Design,
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
