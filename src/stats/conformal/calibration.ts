/** What split conformal prediction and CV+ share: scores of calibration rows with their masses. */

import { InvalidDataError, InvalidOptionError, kindOf, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { lowerBound } from '../../core/lowerBound.js';
import { arrayLike, boolean, isList, number } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { readNumbers } from '../../core/readNumbers.js';
import { tally } from '../../data/encode.js';
import type { Label } from '../../data/labels.js';
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

/** Predictions of the new rows by model, with their name: with `folds` a list of lists, else one list. */
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
  /** Code of each row's patient, or of the row. */
  readonly units: Int32Array;
  readonly unit: 'patient' | 'row';
  readonly everyRow: boolean;
}

interface DesignOptions {
  readonly folds?: ArrayLike<number> | undefined;
  readonly groups?: ArrayLike<Label> | undefined;
  readonly everyRow: boolean;
}

/** Checks that every model predicted, and that all rows of a patient have the same one. */
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
  const models = new Int32Array(n);
  if (folds)
    models.set(
      readNumbers(folds, 'folds', {
        must: `be the number of a model, 0 to ${nModels - 1}`,
        holds: (model) => Number.isInteger(model) && model >= 0 && model < nModels,
        range: [0, nModels - 1],
      }),
    );
  const units = groups ? groupsOf(groups, n, 'groups', 'yTrue').codes : models.map((_, row) => row);
  const modelOf = new Map<number, number>();
  for (let row = 0; row < n; row++) {
    if (modelOf.has(units[row]) && modelOf.get(units[row]) !== models[row]) {
      const text = `folds ${modelOf.get(units[row])} and ${models[row]} (row ${row})`;
      throw new InvalidDataError(sentence('The rows of a patient', 'be in one fold', phrase(text)), {
        code: 'group_in_two_folds',
      });
    }
    modelOf.set(units[row], models[row]);
  }
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

/** Masses are sums of fractions: closer than this is equal. */
export const ROUNDING = 1e-12;

interface SortedScores {
  readonly sorted: Float64Array;
  /** One entry more than scores: `before[i]` is the mass of the first i. */
  readonly before: Float64Array;
}

function sortedByModel({ scores, models, mass }: Entries, nModels: number): SortedScores[] {
  const order = Int32Array.from(scores, (_, i) => i).sort((a, b) => scores[a] - scores[b]);
  const counts = tally(models, nModels);
  const tables = Array.from(counts, (n) => ({ sorted: new Float64Array(n), before: new Float64Array(n + 1) }));
  const filled = new Int32Array(nModels);
  for (const i of order) {
    const { sorted, before } = tables[models[i]];
    const at = filled[models[i]]++;
    sorted[at] = scores[i];
    before[at + 1] = before[at] + mass[i];
  }
  return tables;
}

/**
 * For a number that is added to all scores of a model, the smallest sum at which `level` of the mass is reached;
 * Infinity when the finite scores have less. Searched as quickselect does: a random sum is placed in the sorted scores
 * of every model, and one side of it remains.
 */
export function quantileOfSums(
  entries: Entries,
  nModels: number,
  level: number,
): (added: (model: number) => number) => number {
  const tables = sortedByModel(entries, nModels);
  const [from, to, place, cut, open] = Array.from({ length: 5 }, () => new Int32Array(nModels));
  const random = randomSource(0);
  return (added) => {
    let least = Infinity;
    let settled = 0; // mass of the models of which nothing is left to search
    let nOpen = nModels;
    let remaining = entries.scores.length;
    for (let model = 0; model < nModels; model++) {
      open[model] = model;
      from[model] = 0;
      to[model] = tables[model].sorted.length;
    }
    while (remaining > 0) {
      let pick = random.uint32() % remaining;
      let at = 0;
      for (; pick >= to[open[at]] - from[open[at]]; at++) pick -= to[open[at]] - from[open[at]];
      const sum = tables[open[at]].sorted[from[open[at]] + pick] + added(open[at]);
      let reached = settled;
      for (let i = 0; i < nOpen; i++) {
        const model = open[i];
        const { sorted, before } = tables[model];
        const shift = added(model);
        place[model] = firstAt(from[model], to[model], (one) => sorted[one] + shift >= sum);
        cut[model] = firstAt(place[model], to[model], (one) => sorted[one] + shift > sum);
        reached += before[cut[model]];
      }
      const enough = reached >= level - ROUNDING;
      if (enough) least = sum;
      let kept = 0;
      remaining = 0;
      for (let i = 0; i < nOpen; i++) {
        const model = open[i];
        if (enough) to[model] = place[model];
        else from[model] = cut[model];
        remaining += to[model] - from[model];
        if (to[model] > from[model]) open[kept++] = model;
        else settled += tables[model].before[from[model]];
      }
      nOpen = kept;
    }
    return least;
  };
}

/** The first place from `low` on, below `high`, for which `holds` is true from there on; `high` when there is none. */
function firstAt(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Mass of the entries of a model whose score is below a value. */
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
 *
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
