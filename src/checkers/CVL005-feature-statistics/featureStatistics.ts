import { nameText } from '../../core/foreignText.js';
import { presentIn } from '../../core/numbersWhere.js';
import { tally } from '../../data/encode.js';
import { gather, rowNumbers } from '../../data/labels.js';
import type { Check } from '../check.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { levelTexts } from '../features/levelTexts.js';
import { gram } from '../features/orthonormalBasis.js';
import { assessShift, type ShiftDetails } from '../shift/assessShift.js';
import { foldUnits } from '../shift/foldUnits.js';
import { normalScores } from '../shift/normalScores.js';
import { type UnitTable, unitTable, type Variable } from '../shift/unitTable.js';
import { type DomainClassifier, domainClassifier } from './domainClassifier.js';

/** The shares of the error rate of a call, .01. */
const ALPHAS = { mean: 0.008, spread: 0.001, correlation: 0.001 };
/** Levels with a smaller share of the rows are compared together. */
const RARE = 0.02;
/** Values of units whose spread is compared, and their products: of more the first features, and the leading pairs. */
const MOST = { spreads: 1e5, products: 1e5, pairs: 1000, work: 5e6 };

/** What CVL005 compared and found. */
export type FeatureStatisticsDetails = ShiftDetails & { readonly domainClassifier: DomainClassifier };

/**
 * CVL005: the features of test rows are like those of the other rows. Normal scores of each feature, their sizes (spread)
 * and products (correlation), the levels of categories and what is missing, by one permutation test of whole patients
 * over all features and folds. A classifier that is to tell test rows from others by all features together is reported
 * besides. A difference is no leak by itself.
 *
 * Source: Westfall & Young 1993 (largest statistic); Klotz 1962, Annals of Mathematical Statistics 33:498 (scale by
 * normal scores; here their size in place of their square, whose sums over few units have long tails); Lopez-Paz & Oquab
 * 2017, arXiv:1610.06545 (classifier).
 */
export const featureStatistics: Check<FeatureStatisticsDetails> = {
  code: 'CVL005',
  type: 'feature_statistics',
  kind: 'shift',
  cost: 'slow',
  page: 'docs/checks/CVL005.md',
  description: 'The features of the test rows of a fold differ from those of the other rows beyond chance.',
  needs: ['X'],
  async assess(input) {
    const units = foldUnits(input);
    const { codes, count } = units;
    const rows = codes.includes(-1) ? rowNumbers(codes.length).filter((row) => codes[row] >= 0) : undefined;
    const variables = featureVariables(await input.features(), await levelTexts(input), rows);
    const table = await unitTable(withSecondMoments(variables, count), {
      codes: rows ? gather(codes, rows) : codes,
      count,
    });
    const folds = units.folds.filter(({ enough }) => enough);
    const domain = domainClassifier(meansIn(table), folds, input.random('CVL005 classifier'));
    return assessShift(input, units, table, {
      check: 'CVL005',
      noun: 'feature',
      alphas: ALPHAS,
      evidence: { domainClassifier: domain },
      remark: inWords(domain, folds.length > 1),
      fix: 'Shuffle whole patients into the folds (`shuffle: true`, StratifiedGroupKFold), or declare what the folds stand for with `design`.',
    });
  },
};

function inWords({ auc, lower, upper, level, fold }: DomainClassifier, several: boolean): string | undefined {
  if (auc === null) return undefined;
  const limits =
    lower === null || upper === null ? '' : `, ${100 * level} % interval ${lower.toFixed(2)} to ${upper.toFixed(2)}`;
  return `All features together tell test rows from others${several ? ` best in ${fold}` : ''}: AUC ${auc.toFixed(2)}${limits}.`;
}

/**
 * What is compared of features: normal scores of numbers, shares of the levels of categories, shares missing.
 *
 * @param levelText how the levels of a column are printed, by code: see {@link levelTexts}
 * @param rows those that are looked at, where not all are
 */
export function* featureVariables(
  { columns }: Pick<Features, 'columns'>,
  levelText: (column: Column) => (code: number) => string,
  rows?: Int32Array,
): Generator<Variable> {
  const scoresOf = normalScores();
  for (const column of columns) {
    const values = rows ? gather(column.values, rows) : column.values;
    const missing = missingIn(values);
    if (column.kind === 'category') yield* levelsOf({ ...column, values }, levelText(column));
    else if (missing < values.length) {
      const { distinct } = columnRanks({ values });
      if (distinct > 1) yield { name: column.name, values: scoresOf(values), distinct };
    }
    if (missing > 0 && missing < values.length) {
      yield indicator(`${column.name} (missing)`, values, (value) => (Number.isNaN(value) ? 1 : 0));
    }
  }
}

function missingIn(values: Float64Array): number {
  let missing = 0;
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row])) missing++;
  return missing;
}

/** One variable per level; of two levels one says it all. */
function* levelsOf({ name, values, levels = [] }: Column, textOf: (code: number) => string): Generator<Variable> {
  const present = presentIn(values);
  const counts = tally(Int32Array.from(present), levels.length);
  const common = [...levels.keys()].filter((code) => counts[code] >= RARE * present.length);
  for (const code of common.length === 2 && levels.length === 2 ? common.slice(1) : common) {
    yield indicator(`${name} = ${textOf(code)}`, values, (value) => share(value, value === code));
  }
  if (common.length < levels.length) {
    const isCommon = new Set(common);
    yield indicator(`${name} = rare levels`, values, (value) => share(value, !isCommon.has(value)));
  }
}

const share = (value: number, holds: boolean) => (Number.isNaN(value) ? Number.NaN : Number(holds));

const indicator = (name: string, values: Float64Array, of: (value: number) => number): Variable => ({
  name,
  values: values.map(of),
  share: true,
});

// Do the test units of a fold spread more or less than the others, or go together in another way?

/** The variables, then the sizes and products of those that are normal scores, which are compared as means are. */
function* withSecondMoments(variables: Iterable<Variable>, count: number): Generator<Variable> {
  const scored: Variable[] = [];
  for (const variable of variables) {
    if (!variable.share) scored.push(variable);
    yield variable;
  }
  const numbers = scored.filter(({ distinct = 0 }) => distinct > 2).slice(0, Math.floor(MOST.spreads / count));
  for (const { name, values } of numbers) {
    yield { name: `spread of ${nameText(name)}`, kind: 'spread', features: [name], values: values.map(Math.abs) };
  }
  for (const [a, b] of leadingPairs(scored, count)) {
    yield {
      name: `correlation of ${nameText(a.name)} with ${nameText(b.name)}`,
      kind: 'correlation',
      features: [a.name, b.name],
      values: a.values.map((value, row) => value * b.values[row]),
    };
  }
}

/** All pairs; of many those that go together most over all rows, which does not change when units change places. */
function leadingPairs(scored: readonly Variable[], count: number): (readonly [Variable, Variable])[] {
  const most = Math.min(MOST.pairs, Math.floor(MOST.products / count));
  const pairsOf = (of: readonly Variable[]) => of.flatMap((a, at) => of.slice(at + 1).map((b) => [a, b] as const));
  if ((scored.length * (scored.length - 1)) / 2 <= most) return pairsOf(scored);
  const some = scored.slice(0, Math.floor(Math.sqrt((2 * MOST.work) / scored[0].values.length)));
  const products = gram(some.map(({ values }) => values.map((value) => (Number.isNaN(value) ? 0 : value))));
  const place = new Map(some.map((variable, at) => [variable, at]));
  const size = ([a, b]: readonly [Variable, Variable]) =>
    Math.abs(products[(place.get(b) as number) * some.length + (place.get(a) as number)]);
  return pairsOf(some)
    .map((pair) => ({ pair, size: size(pair) }))
    .sort((x, y) => y.size - x.size)
    .slice(0, most)
    .map(({ pair }) => pair);
}

function meansIn({ count, variables, data, scales, rare }: UnitTable): UnitTable {
  const means = variables.filter(({ kind }) => !kind);
  const [width, all] = [means.length, variables.length];
  const own = new Float64Array(count * width);
  for (let unit = 0; unit < count; unit++) own.set(data.subarray(unit * all, unit * all + width), unit * width);
  return { count, variables: means, data: own, scales: scales.subarray(0, width), rare };
}
