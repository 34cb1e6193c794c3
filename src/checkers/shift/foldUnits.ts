/** What changes places between the sides of folds by chance alone, and how much of it every fold tests. */

import { nameText } from '../../core/foreignText.js';
import { permutation } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import { rowNumbers } from '../../data/labels.js';
import { knownGroups, patientIdsOf } from '../../data/sideData.js';
import type { CheckInput } from '../checkInput.js';
import { patientCodes } from '../patientCodes.js';

/** Further folds are not looked at: repeats of a design say the same again. */
const MAX_FOLDS = 50;
/** Of more units a random sample is looked at: it shows differences of a tenth of an SD. */
const MAX_UNITS = 20_000;
/** Fewer units on either side say nothing of a fold. */
export const MIN_FOLD_UNITS = 5;

/** How much of each unit a fold tests; units that it does not test are left out. */
export interface TestShares {
  readonly id: string;
  readonly units: Int32Array;
  /** Share of the unit's rows, 0 < share <= 1; below 1 the fold splits the unit. */
  readonly shares: Float64Array;
  /** Standard deviation, when units change places, of the sum of their shares times values of variance 1. */
  readonly spread: number;
  /** Both sides have units enough, and not all units the same share. */
  readonly enough: boolean;
}

/** The units of the folds. */
export interface FoldUnits {
  /** `patient`, `row`, or the name of a level of the hierarchy. */
  readonly unit: string;
  readonly count: number;
  readonly total: number;
  /** Unit of each row; -1 for rows that are not looked at. */
  readonly codes: Int32Array;
  readonly folds: readonly TestShares[];
  readonly nFolds: number;
  /** Name of the coarsest level above the patients that no fold splits. */
  readonly coarse?: string;
  readonly lone: boolean;
}

interface Level {
  readonly unit: string;
  readonly codes: Int32Array;
  readonly count: number;
}
interface TestRows {
  readonly id: string;
  readonly test: Int32Array;
}

/**
 * The units of the folds: the coarsest level of the hierarchy, or the patients (groups), that no fold splits and of which
 * there are more than folds; else the patients even where folds split them; else the rows. To exchange whole units with
 * the shares of them that each fold tests is valid for any folds that were drawn without a look at the values.
 */
export function foldUnits(input: CheckInput): FoldUnits {
  const { folds } = input;
  const sides = Array.from({ length: Math.min(folds.length, MAX_FOLDS) }, (_, at): TestRows => folds.at(at));
  const { patients, levels } = levelsOf(input);
  const whole = levels.filter((level) => !sides.some(({ test }) => splits(test, level)));
  const perRepeat = folds.length / Math.max(1, folds.repeats);
  const all = [...whole, patients].find((level) => level === patients || level.count > perRepeat) as Level;
  const { unit, codes, count } = sampled(all, input);
  const sizes = tally(codes, count);
  const shares = sides.map((fold) => sharesOf(fold, codes, sizes));
  return {
    unit,
    count,
    total: all.count,
    codes,
    folds: shares,
    nFolds: folds.length,
    ...(whole.length > 0 ? { coarse: whole[0].unit } : {}),
    lone: shares.every(({ units }) => units.length === 1),
  };
}

/** The patients, or the rows where nobody named patients, and the levels above them, the coarsest first. */
function levelsOf({ data, folds: { n } }: CheckInput) {
  const { hierarchy = {} } = data;
  const ids = patientIdsOf(data);
  const patients: Level = ids
    ? { unit: 'patient', ...patientCodes(ids, n) }
    : { unit: 'row', codes: rowNumbers(n), count: n };
  const levels = Object.entries(hierarchy)
    .map(([name, level]): Level => ({ unit: nameText(name), ...knownGroups(level, n) }))
    // Rows whose id is missing may belong anywhere: nobody can say that the folds keep such a level whole.
    .filter(({ codes }) => !codes.includes(-1))
    .filter(({ count }) => count > 1 && count < patients.count)
    .sort((a, b) => a.count - b.count);
  return { patients, levels };
}

function splits(test: Int32Array, { codes, count }: Level): boolean {
  const sizes = tally(
    codes.filter((code) => code >= 0),
    count,
  );
  const tested = new Int32Array(count);
  for (const row of test) tested[codes[row]]++;
  return tested.some((rows, unit) => rows > 0 && rows < sizes[unit]);
}

function sampled(level: Level, input: CheckInput): Level {
  if (level.count <= MAX_UNITS) return level;
  const place = new Int32Array(level.count).fill(-1);
  const drawn = permutation(input.random('units'), level.count).subarray(0, MAX_UNITS);
  drawn.forEach((unit, at) => {
    place[unit] = at;
  });
  return { ...level, codes: level.codes.map((unit) => place[unit]), count: MAX_UNITS };
}

function sharesOf({ id, test }: TestRows, codes: Int32Array, sizes: Int32Array): TestShares {
  const tested = new Int32Array(sizes.length);
  for (const row of test) if (codes[row] >= 0) tested[codes[row]]++;
  const units = rowNumbers(sizes.length).filter((unit) => tested[unit] > 0);
  const shares = new Float64Array(units.length);
  let [whole, sum, squares] = [0, 0, 0];
  for (let at = 0; at < units.length; at++) {
    const share = tested[units[at]] / sizes[units[at]];
    shares[at] = share;
    if (share === 1) whole++;
    sum += share;
    squares += share * share;
  }
  const rest = sizes.length - whole;
  const spread = Math.sqrt(Math.max(0, squares - (sum * sum) / sizes.length));
  return {
    id,
    units,
    shares,
    spread,
    enough: units.length >= MIN_FOLD_UNITS && rest >= MIN_FOLD_UNITS && spread > 1e-6,
  };
}
