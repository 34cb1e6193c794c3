import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import type { RandomSource } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import { gather, rowNumbers } from '../../data/labels.js';
import type { Check } from '../check.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { levelTexts } from '../features/levelTexts.js';
import { EXAMPLES } from '../overlap.js';
import { assessShift, type Further, type ShiftDetails } from '../shift/assessShift.js';
import { type Difference, detectableZ, differencesOf, pText, standardError } from '../shift/differences.js';
import { type FoldUnits, foldUnits, type TestShares } from '../shift/foldUnits.js';
import { maxStatisticTest, shiftScores } from '../shift/maxStatisticTest.js';
import { normalScores } from '../shift/normalScores.js';
import { type UnitTable, unitTable, type Variable } from '../shift/unitTable.js';
import { type DomainClassifier, domainClassifier } from './domainClassifier.js';
import { leadingPairs } from './leadingPairs.js';

/** What CVL005 compared and found. */
export type FeatureStatisticsDetails = ShiftDetails & {
  readonly domainClassifier: DomainClassifier;
} & Partial<SecondDetails>;

/**
 * CVL005: the features of test rows are like those of the other rows. Normal scores of each feature, the levels of
 * categories and what is missing, by one permutation test of whole patients over all features and folds. A classifier
 * that is to tell test rows from others by all features together is reported beside it. A difference is no leak by
 * itself.
 *
 * Source: Westfall & Young 1993 (largest statistic); Lopez-Paz & Oquab 2017, arXiv:1610.06545 (classifier).
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
    const features = await input.features();
    const scored = new ScoredRows(units);
    const variables = featureVariables(features, await levelTexts(input), scored.rows);
    const table = unitTable(scored.kept(variables), scored.units);
    const folds = units.folds.filter(({ enough }) => enough);
    const domain = domainClassifier(table, folds, input.random('CVL005 classifier'));
    return assessShift(input, units, table, {
      check: 'CVL005',
      noun: 'feature',
      alpha: ALPHAS.means,
      evidence: { domainClassifier: domain },
      further: (judged, shifted) =>
        secondMoments(scored, table, { folds: judged, shifted, randomOf: (name) => input.random(name) }),
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

/** Levels with a smaller share of the rows are looked at together. */
const RARE = 0.02;

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
  for (const column of columns) {
    const values = rows ? gather(column.values, rows) : column.values;
    const missing = missingIn(values);
    if (column.kind === 'category') yield* levelsOf({ ...column, values }, levelText(column));
    else if (missing < values.length) {
      const { distinct } = columnRanks({ values });
      if (distinct > 1) yield { name: column.name, values: normalScores(values), distinct };
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
  const present = values.filter((code) => !Number.isNaN(code));
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

/** The shares of the error rate of a call, .01: of the means, of spread, of correlations. */
const ALPHAS = { means: 0.008, spread: 0.001, correlations: 0.001 };
/** Permutations: fewer of large tables, so that a finding takes a second or two; `work` counts values added up. */
const PERMUTATIONS = { least: 999, most: 4999, work: 5e8 };
/** Of more features the first are tested for spread: values of units. */
const MOST_CELLS = 1e6;
/** What no fold can show is not tested: correlations from -1 to 1, and a factor at which ranks tell no more. */
const TOO_LARGE = { correlation: 2, factor: 10 };

/** What was found of spread, or of correlations. */
interface SecondMoment {
  /** Number of features or pairs that were compared; 0 with the reason. */
  readonly tested: number;
  /** All of them, where some were left out. */
  readonly of?: number;
  readonly reason?: string;
  /** What would be found in 95 of 100 cases: how many times as wide, or by how much a correlation differs. */
  readonly detectable?: number;
  /** Of the largest difference; left out where none was large enough to ask permutations. */
  readonly pValue?: number;
  readonly permutations?: number;
  readonly examples?: readonly SecondExample[];
}

interface SecondExample {
  readonly variable: string;
  readonly fold: string;
  /** How many times as wide as the others, for normal features; or by how much the correlation differs. */
  readonly difference: number;
  readonly pValue: number;
}

/** What the evidence of CVL005 holds of both. */
type SecondDetails = { readonly spread: SecondMoment; readonly correlations: SecondMoment };

/** Numbers of the rows that are looked at, as normal scores. */
class ScoredRows {
  readonly columns: { readonly name: string; readonly values: Float64Array; readonly distinct: number }[] = [];
  readonly units: Pick<FoldUnits, 'codes' | 'count'>;
  /** The rows that are looked at, where some are left out. */
  readonly rows: Int32Array | undefined;

  constructor({ codes, count }: Pick<FoldUnits, 'codes' | 'count'>) {
    this.rows = codes.includes(-1) ? rowNumbers(codes.length).filter((row) => codes[row] >= 0) : undefined;
    this.units = { codes: this.rows ? gather(codes, this.rows) : codes, count };
  }

  /** Passes the variables of these rows on, and keeps the numbers among them. */
  *kept(variables: Iterable<Variable>): Generator<Variable> {
    for (const variable of variables) {
      const { name, values, distinct } = variable;
      if (distinct !== undefined) this.columns.push({ name, distinct, values });
      yield variable;
    }
  }
}

/**
 * Compares the mean size of normal scores (spread) and the mean product of two (correlation) as the means are: by the
 * largest difference over features or pairs and folds, each with its share of the error rate. Permutations are asked
 * only where a difference is larger than what a number of independent tests, the square root of those made, would
 * need: that spares time, and can only lower the error rate. A shifted mean changes both, and another spread changes
 * products: what follows from such a finding is not told again.
 *
 * Source: Westfall & Young 1993 (largest statistic); Klotz 1962, Annals of Mathematical Statistics 33:498 (scale by
 * normal scores; here their size in place of their square, whose sums over few units have long tails).
 *
 * @param means the units' means of the features, whose correlations choose among many pairs
 * @param shifted names of the features whose mean differs
 */
function secondMoments(
  rows: ScoredRows,
  means: UnitTable,
  { folds, shifted, randomOf }: Judged,
): Further<SecondDetails> {
  const known = { folds, explained: new Set(shifted) };
  const spread = spreadOf(rows, { ...known, random: randomOf('CVL005 spread') });
  for (const name of spread.differing) known.explained.add(name);
  const correlations = correlationsOf(rows, means, { ...known, random: randomOf('CVL005 correlations') });
  return {
    evidence: { spread: spread.evidence, correlations: correlations.evidence },
    found: [spread, correlations].flatMap(({ found }) => found ?? []),
    otherwise: [spread, correlations].flatMap(({ otherwise }) => otherwise ?? []).join(' '),
  };
}

/** The folds that can be judged, and what is known of them. */
interface Judged {
  readonly folds: readonly TestShares[];
  readonly shifted: readonly string[];
  readonly randomOf: (name: string) => RandomSource;
}

interface Known {
  readonly folds: readonly TestShares[];
  readonly random: RandomSource;
  /** Features that differ in a way that was told. */
  readonly explained: ReadonlySet<string>;
}

interface Said {
  readonly evidence: SecondMoment;
  readonly found?: Further<SecondDetails>['found'][number];
  /** What is said where nothing was found. */
  readonly otherwise?: string;
  /** Features that differ. */
  readonly differing: readonly string[];
}

const none = (what: string, reason: string): Said => ({
  evidence: { tested: 0, reason },
  otherwise: `${what} not tested: ${reason}.`,
  differing: [],
});

function spreadOf({ columns, units }: ScoredRows, known: Known): Said {
  const numbers = columns.filter(({ distinct }) => distinct > 2);
  const looked = numbers.slice(0, Math.floor(MOST_CELLS / units.count));
  const table = unitTable(sizesOf(looked), units);
  const what = 'Spread was';
  if (table.variables.length === 0) {
    return none(what, 'no feature has numbers of three values or more that vary enough');
  }
  const factorOf = (sd: number, variable: number, fold: TestShares) =>
    spreadFactor(sd * table.scales[variable], testedShare(fold, table));
  const detectable = largestNeeded(table, known.folds, ALPHAS.spread, factorOf);
  if (detectable > TOO_LARGE.factor) return none(what, 'a fold must have more test rows to show it');
  const features =
    looked.length < numbers.length
      ? `the first ${wholeNumber(looked.length)} of ${wholeNumber(numbers.length)} features`
      : counted(table.variables.length, 'feature');
  return judged(table, known, ALPHAS.spread, {
    what: 'spread',
    sizeOf: ({ variable, fold, sd }) => Math.min(TOO_LARGE.factor, factorOf(sd, variable, fold)),
    inWords: (factor) =>
      `${factor < TOO_LARGE.factor ? '' : 'more than '}${factor.toFixed(factor < 0.1 ? 2 : 1)} times that of the others`,
    featuresOf: (name) => [name],
    detectable,
    ...(looked.length < numbers.length ? { of: numbers.length } : {}),
    nothing: `The spread of no feature differs beyond chance (${features}); less than ${detectable.toFixed(1)} times that of the others may not be detectable.`,
  });
}

function correlationsOf({ columns, units }: ScoredRows, means: UnitTable, known: Known): Said {
  const what = 'Correlations were';
  const places = [...means.variables.keys()].filter((at) => !means.variables[at].share);
  if (places.length < 2) return none(what, 'fewer than two features are numbers');
  const { pairs, of } = leadingPairs(means, places);
  const named = new Map(
    pairs.map((pair) => {
      const names = pair.map((at) => means.variables[at].name);
      return [names.join(' with '), names];
    }),
  );
  const table = unitTable(productsOf(named, columns), units);
  if (table.variables.length === 0) return none(what, 'no product of two features varies enough');
  const needed = largestNeeded(table, known.folds, ALPHAS.correlations, (sd, at) => sd * table.scales[at]);
  const detectable = Math.min(TOO_LARGE.correlation, needed);
  // Of two features that do not go together the scale is about 1, of those that do it is larger.
  if (largestNeeded(table, known.folds, ALPHAS.correlations, (sd) => sd) > TOO_LARGE.correlation) {
    return none(what, 'a fold must have more test rows to show them');
  }
  const looked =
    pairs.length < of
      ? `the ${wholeNumber(pairs.length)} of ${wholeNumber(of)} pairs that go together most`
      : counted(pairs.length, 'pair');
  return judged(table, known, ALPHAS.correlations, {
    what: 'correlation',
    sizeOf: ({ variable, sd }) => sd * table.scales[variable],
    inWords: (size) => `by ${size < 0 ? '-' : '+'}${Math.abs(size).toFixed(2)}`,
    featuresOf: (name) => named.get(name) as string[],
    detectable,
    ...(pairs.length < of ? { of } : {}),
    nothing: `The correlation of no pair differs beyond chance (${looked}); differences below ${detectable.toFixed(2)} may not be detectable.`,
  });
}

function* productsOf(
  named: ReadonlyMap<string, readonly string[]>,
  columns: ScoredRows['columns'],
): Generator<Variable> {
  const byName = new Map(columns.map(({ name, values }) => [name, values]));
  const values = new Float64Array(columns[0].values.length);
  for (const [name, pair] of named) {
    const [first, second] = pair.map((each) => byName.get(each) as Float64Array);
    multiply(values, first, second);
    yield { name, values };
  }
}

function multiply(into: Float64Array, first: Float64Array, second: Float64Array): void {
  for (let row = 0; row < into.length; row++) into[row] = first[row] * second[row];
}

/** How far the scores lie from 0. */
function* sizesOf(columns: ScoredRows['columns']): Generator<Variable> {
  const sizes = new Float64Array(columns[0]?.values.length ?? 0);
  for (const { name, values } of columns) {
    for (let row = 0; row < sizes.length; row++) sizes[row] = Math.abs(values[row]);
    yield { name, values: sizes };
  }
}

interface Wording {
  readonly what: string;
  /** How many times as wide, or by how much more. */
  readonly sizeOf: (difference: Difference) => number;
  readonly inWords: (size: number) => string;
  /** The features of a variable. */
  readonly featuresOf: (name: string) => readonly string[];
  readonly detectable: number;
  /** All, where some were left out. */
  readonly of?: number;
  readonly nothing: string;
}

/** What permutations say of the largest difference, where it is large enough to ask them. */
function judged(table: UnitTable, { folds, random, explained }: Known, alpha: number, wording: Wording): Said {
  const { what, sizeOf, inWords, featuresOf, detectable, of, nothing } = wording;
  const tested = table.variables.length;
  const facts = { tested, ...(of ? { of } : {}), detectable };
  const z = shiftScores(table, folds);
  const least = normalQuantile(1 - alpha / (2 * Math.sqrt(z.length)));
  if (!z.some((score) => Math.abs(score) >= least)) return { evidence: facts, otherwise: nothing, differing: [] };
  const affordable = Math.floor(PERMUTATIONS.work / (table.count * tested) / 1000) * 1000 - 1;
  const permutations = Math.max(PERMUTATIONS.least, Math.min(PERMUTATIONS.most, affordable));
  const test = maxStatisticTest(table, folds, random, { alpha, permutations });
  const measured = { ...facts, pValue: test.pValue, permutations: test.permutations };
  if (test.pValue > alpha) return { evidence: measured, otherwise: nothing, differing: [] };
  const nameOf = ({ variable }: Difference) => table.variables[variable].name;
  const beyond = differencesOf(table, folds, z)
    .filter((each) => test.pOf(Math.abs(each.z)) <= alpha)
    .filter((each) => !featuresOf(nameOf(each)).some((name) => explained.has(name)));
  const differing = [...new Set(beyond.flatMap((each) => featuresOf(nameOf(each))))];
  if (beyond.length === 0) {
    return { evidence: measured, otherwise: `The ${what} differs only where the above explains it.`, differing };
  }
  const examples = beyond.slice(0, EXAMPLES).map((each) => ({
    variable: nameOf(each),
    fold: each.fold.id,
    difference: sizeOf(each),
    pValue: test.pOf(Math.abs(each.z)),
  }));
  const [{ variable, fold, difference }] = examples;
  const words = `${what} of ${nameText(variable, 100)} ${inWords(difference)} in ${fold}`;
  return { evidence: { ...measured, examples }, found: { words, p: pText(test.pValue), fold }, differing };
}

/** The size that would be found in 95 of 100 cases, in the fold and variable that need the largest. */
function largestNeeded(
  table: UnitTable,
  folds: readonly TestShares[],
  alpha: number,
  sizeOf: (sd: number, variable: number, fold: TestShares) => number,
): number {
  const z = detectableZ(folds.length * table.variables.length, alpha);
  const widest = table.scales.indexOf(table.scales.reduce((most, scale) => Math.max(most, scale), 0));
  return Math.max(...folds.map((fold) => sizeOf(z * standardError(fold, table), widest, fold)));
}

const testedShare = ({ shares }: TestShares, { count }: UnitTable) =>
  shares.reduce((sum, share) => sum + share, 0) / count;

/** Quantiles of a normal feature that stand for each side. */
const POINTS = 200;
const quantiles = Float64Array.from({ length: POINTS }, (_, at) => normalQuantile((at + 0.5) / POINTS));
/** Wider than this is as good as any width: ranks tell no more. */
const WIDEST = 100;

/**
 * How many times as wide a normal feature of the tested share of units is as that of the others, where the mean size of
 * its normal scores is larger by `difference`; below 1 for a negative one. Infinity where no width gives so much.
 *
 * Scores are those of the ranks over both sides together, so the calculation is that of a mixture of two normal
 * distributions of mean 0, by their quantiles.
 */
export function spreadFactor(difference: number, tested: number): number {
  const [lowest, highest] = [1 / WIDEST, WIDEST].map((factor) => meanSizeGap(factor, tested));
  if (difference >= highest) return Infinity;
  if (difference <= lowest) return 0;
  let [low, high] = [1 / WIDEST, WIDEST];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (meanSizeGap(middle, tested) < difference) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}

/** Mean |score| of the tested side less that of the other. Both sides ascend: the lower value comes next. */
function meanSizeGap(factor: number, tested: number): number {
  const weights = [(1 - tested) / POINTS, tested / POINTS];
  const [places, sums] = [
    [0, 0],
    [0, 0],
  ];
  let below = 0;
  for (let at = 0; at < 2 * POINTS; at++) {
    const [other, own] = places;
    const side = other === POINTS || (own < POINTS && quantiles[own] * factor <= quantiles[other]) ? 1 : 0;
    places[side]++;
    sums[side] += Math.abs(normalQuantile(below + weights[side] / 2)) / POINTS;
    below += weights[side];
  }
  return sums[1] - sums[0];
}
