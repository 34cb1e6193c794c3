import { headText, nameText } from '../../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import { meanScore, textTable, wrapText } from '../../core/summaryText.js';
import { bootstrap } from '../../intervals/bootstrap.js';
import { metricOverFolds } from '../../intervals/foldEstimate.js';
import { type Interval, type IntervalFold, joinNotes } from '../../intervals/interval.js';
import { SharedDraws } from '../../intervals/sharedDraws.js';
import { comparable, lossOf, type Metric, type Score } from '../../metrics/metric.js';
import { standardDeviation } from '../../runner/cvResults.js';
import { adjustPValues } from '../adjustPValues.js';
import { type BbcCV, bestAmong } from '../bbcCV.js';
import { differenceLimits } from '../pairedDifference.js';
import {
  checkSameFolds,
  isFixedIn,
  metadataIn,
  type ScoredFolds,
  type ScoredResults,
  sameColumn,
  scoredFolds,
  valuedFolds,
} from '../results.js';
import { BETTER, correctedDifference, limitsText, NO_TEST, pValueText } from './answers.js';
import { signFlip } from './signFlip.js';

interface Parts extends Omit<ModelTable, 'metric' | 'direction' | 'summary' | 'toJSON'> {
  readonly metric: Metric;
}

const MOST_SHOWN = 28;

/**
 * What `compareModels` gives for several models: a row for each, their differences, and the best after the choice.
 *
 * @example
 * const models = { chance: new DummyClassifier(), logistic: new LogisticRegression() };
 * const table = await compareModels({ models, X, y, cv: cvSplitter, preparations: { scaled: preprocessing }, metric: 'roc_auc' });
 * console.log(table.summary());
 */
export class ModelTable {
  readonly metric: string;
  /** Which way is better: a positive difference speaks for the first of the two when it is `maximize`. */
  readonly direction: Metric['direction'];
  readonly level!: number;
  /** The folds that all rows were tested on. */
  readonly design!: string;
  readonly foldFingerprint!: string;
  /** What counts as independent, `patient` or `row`, and how many of them were tested. */
  readonly unit!: string;
  readonly nUnits!: number;
  /** The row that the others are compared with; null: all pairs are compared. */
  readonly reference!: string | null;
  /** In the order in which they were given. */
  readonly rows!: readonly ModelTableRow[];
  /** Each row less the reference, or all pairs. */
  readonly comparisons!: readonly ModelTableComparison[];
  /**
   * The best row by BBC-CV: `naive` is its value as picked, `estimate` and limits allow for the choice, `chosenShare` says
   * how often each row won. Null where fewer than two rows have all folds.
   */
  readonly best!: BbcCV | null;
  readonly notes!: readonly string[];
  /** Seed of the folds, of training and of resamples. */
  readonly randomState!: number | string;

  readonly #metric: Metric;
  readonly #noun: string;

  constructor({ metric, ...parts }: Parts) {
    Object.assign(this, parts);
    this.metric = metric.name;
    this.direction = metric.direction;
    this.#metric = metric;
    this.#noun = parts.rows.some(({ preparation }) => preparation !== null) ? 'combination' : 'model';
  }

  /** The table as text, the best row first; the differences; what the best is worth after the choice. */
  summary(): string {
    const { rows, unit, nUnits, metric, level } = this;
    const linesOf = (lead: string, textOf: (row: ModelTableRow) => string | null | undefined) =>
      byText(rows.map((row) => [row.name, textOf(row)])).map(([text, names]) => wrapText(`${lead} ${names}: ${text}`));
    return [
      `${nameText(metric)} (${BETTER[this.direction]}) of ${counted(rows.length, this.#noun)} on the same folds, ${counted(nUnits, unit)}: ${this.design}`,
      '',
      this.#rowTable(),
      '',
      ...linesOf('No results of', ({ reason }) => reason),
      ...linesOf('No value of', ({ interval }) => (interval?.estimate === null ? interval.reason : null)),
      ...linesOf('No interval of', ({ interval }) => (interval?.estimate === null ? null : interval?.reason)),
      wrapText(`Each ${percentOf(level)} interval stands alone and is about these predictions.`),
      ...linesOf('Intervals of', ({ interval }) => interval?.note),
      ...this.#differences(),
      '',
      ...this.#choice().map((text) => wrapText(text)),
      ...this.notes.map((note) => wrapText(note)),
    ].join('\n');
  }

  /** Plain JSON values. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this));
  }

  #rowTable(): string {
    const { rows, best, level } = this;
    const loss = ({ interval }: ModelTableRow) =>
      interval?.estimate == null ? Number.POSITIVE_INFINITY : lossOf(this.#metric, interval.estimate);
    const sorted = [...rows].sort((a, b) => Math.sign(loss(a) - loss(b)) || 0);
    const body = sorted.map(({ name, interval, foldMean, foldSd, nFolds, nFailed, seconds }) => [
      headText(name),
      formatNumber(interval?.estimate ?? null),
      interval ? limitsText(interval) : '—',
      formatNumber(foldMean),
      formatNumber(foldSd),
      nFolds === 0 ? '—' : `${nFolds - nFailed} of ${nFolds}`,
      formatDuration(seconds),
      best?.chosenShare && name in best.chosenShare ? wholePercent(best.chosenShare[name]) : '—',
    ]);
    const heads = ['', 'estimate', `${percentOf(level)} interval`, 'fold mean', 'fold sd', 'folds', 'time', 'won'];
    return textTable([heads, ...body], { numbers: true });
  }

  #differences(): string[] {
    const { comparisons, reference, level } = this;
    if (comparisons.length === 0) return ['', wrapText('There are no two to compare.')];
    const byP = [...comparisons].sort((a, b) => (a.pValue ?? 2) - (b.pValue ?? 2));
    const shown = comparisons.length > MOST_SHOWN ? byP.slice(0, MOST_SHOWN) : comparisons;
    const flips = comparisons.some(({ signFlip }) => signFlip !== null);
    const body = shown.map(({ a, b, difference, pValue, pAdjusted, signFlip, ...limits }) => [
      headText(a),
      nameText(b, 24),
      formatNumber(difference),
      limitsText(limits),
      pValueText(pValue),
      pValueText(pAdjusted),
      ...(flips ? [pValueText(signFlip?.pAdjusted ?? null)] : []),
    ]);
    const tested = comparisons.filter(({ pValue }) => pValue !== null).length;
    const limits = `simultaneous ${percentOf(level)}`;
    const heads = ['A', 'B', 'A - B', limits, 'p', 'p (Holm)', ...(flips ? ['sign flip (Holm)'] : [])];
    const reasons = byText(comparisons.map(({ a, b, reason }) => [`${nameText(a)} - ${nameText(b)}`, reason]));
    return [
      '',
      reference === null ? 'Differences of all pairs' : `Differences to ${nameText(reference)}`,
      '',
      textTable([heads, ...body], { numbers: true }),
      '',
      ...(shown.length < comparisons.length
        ? [
            wrapText(
              `The ${shown.length} with the smallest p-values of ${comparisons.length}; all are in \`comparisons\`.`,
            ),
          ]
        : []),
      ...reasons.map(([reason, pairs]) => wrapText(`No test of ${pairs}: ${reason}.`)),
      ...[...new Set(comparisons.flatMap(({ note }) => (note ? [note] : [])))].map((note) => wrapText(note)),
      ...(this.rows.some(({ interval, foldMean }) => Math.abs((interval?.estimate ?? 0) - (foldMean ?? 0)) > 1e-9)
        ? [wrapText('The estimates above are over all folds at once, so they may differ by another amount.')]
        : []),
      ...(tested > 0
        ? [
            wrapText(
              `Means of fold differences, corrected resampled t: about the training procedures. p-values by Holm and limits by Bonferroni allow for ${counted(tested, 'comparison')}.${flips ? ' The sign flip is about these predictions.' : ''}`,
            ),
          ]
        : []),
      wrapText(
        reference === null
          ? 'All pairs are compared, so none had to be picked after a look at the table.'
          : 'The reference must have been named before any result was seen: against one that was picked for its value, these p-values are too small.',
      ),
    ];
  }

  #choice(): string[] {
    const { best, metric, level } = this;
    if (!best) return [];
    const { naive, chosen, estimate, lower, upper, chosenShare, nUnits, independentUnit, reason, note } = best;
    if (naive === null || chosen === null) return [`No ${this.#noun} can be called the best: ${reason}.`];
    const name = nameText(String(chosen));
    const picked = `Best: ${name}, ${nameText(metric)} ${formatNumber(naive)} as picked. That is too good, since it was picked for this value on these ${independentUnit}s (the winner's curse).`;
    if (estimate === null) return [`${picked} There is no correction: ${reason}.`];
    const limits =
      lower === null
        ? ` (no interval: ${reason})`
        : ` (${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)})`;
    const share = chosenShare ? wholePercent(chosenShare[String(chosen)]) : '—';
    return [
      `${picked} Corrected for the choice by BBC-CV: ${formatNumber(estimate)}${limits}; it won in ${share} of the resamples of ${counted(nUnits, independentUnit)}. Report the corrected value. Models that were tried but are not in the table are not allowed for.`,
      ...(note ? [note] : []),
    ];
  }
}

function byText(pairs: readonly (readonly [name: string, text: string | null | undefined])[]) {
  const found = pairs.flatMap(([name, text]) => (text ? [{ name: nameText(name), text }] : []));
  return Array.from(
    groupBy(found, ({ text }) => text),
    ([text, rows]) => [text, rows.map(({ name }) => name).join('; ')] as const,
  );
}

/** One combination of a model and a preparation in a {@link ModelTable}. */
export interface ModelTableRow {
  /** The name of the model; with several preparations `model, preparation`. */
  readonly name: string;
  readonly model: string;
  /** Null where none was named. */
  readonly preparation: string | null;
  /** Out-of-fold estimate with its interval, not adjusted for the number of rows; null for a combination that failed. */
  readonly interval: Interval | null;
  /** Value by fold that ran; null with the reason where there is none. */
  readonly scores: readonly Score[];
  /** Mean of the folds that have a value, and their sample standard deviation, which is no standard error. */
  readonly foldMean: number | null;
  readonly foldSd: number | null;
  /** Folds that ran, and how many of them failed: both 0 for a combination that failed. */
  readonly nFolds: number;
  readonly nFailed: number;
  /** Wall-clock seconds of the cross-validation. */
  readonly seconds: number;
  /** Why the combination failed; null where it did not. */
  readonly reason: string | null;
}

export interface Tested extends Pick<ModelTableRow, 'name' | 'model' | 'preparation'> {
  readonly results?: ScoredResults;
  readonly failed?: { readonly seconds: number; readonly reason: string };
}

export interface TableSettings {
  readonly metric: Metric;
  readonly level: number;
  readonly nBootstrap: number;
  readonly nPermutations: number | undefined;
  readonly seed: number | string;
}

export interface Side extends Tested {
  readonly results: ScoredResults;
  readonly scored: ScoredFolds;
  readonly nFailed: number;
}

export const sidesOf = (tested: readonly Tested[]): Side[] =>
  tested.flatMap(({ results, ...rest }) => {
    if (!results) return [];
    const nFailed = results.foldDetails.filter(({ status }) => status === 'failed').length;
    return [{ ...rest, results, scored: scoredFolds(results), nFailed }];
  });

/** Each row on its own: the interval is that of `validate`, the resamples are the same for all. */
export function tableRows(
  tested: readonly Tested[],
  sides: readonly Side[],
  { metric, level, nBootstrap, seed }: TableSettings,
): ModelTableRow[] {
  const random = deriveSeed(seed, 'interval');
  const draws = new SharedDraws(random, nBootstrap);
  return tested.map(({ name, model, preparation, failed }) => {
    const side = sides.find((each) => each.name === name);
    const own = { name, model, preparation };
    if (!side) {
      const none = { interval: null, scores: [], foldMean: null, foldSd: null, nFolds: 0, nFailed: 0 };
      return { ...own, ...none, ...(failed as NonNullable<Tested['failed']>) };
    }
    const { results, scored, nFailed } = side;
    const folds = valuedFolds(metric, scored.folds);
    const fixedModel = isFixedIn(results, metric);
    const { note, ...over } = metricOverFolds({ metric, folds, design: results.plan.claims, fixedModel });
    const input = { level, unit: scored.unit, nBootstrap, draws, design: results.plan.claims, fixedModel };
    const interval = bootstrap({ ...input, ...over, random: randomSource(random) });
    const nFolds = results.foldDetails.length;
    const scores = scoresOf(side, metric);
    return {
      ...own,
      interval: {
        ...interval,
        ...(nFailed > 0 ? { lower: null, upper: null, reason: failedText(side) } : {}),
        ...joinNotes(interval.estimate === null ? undefined : note, interval.note),
      },
      scores,
      foldMean: meanScore(scores),
      foldSd: standardDeviation(scores),
      nFolds,
      nFailed,
      seconds: metadataIn(results).seconds,
      reason: null,
    };
  });
}

const failedText = ({ nFailed, results }: Side) =>
  `${nFailed} of ${counted(results.foldDetails.length, 'fold')} failed`;

function scoresOf({ results: { outOfFold, foldDetails }, scored }: Side, metric: Metric): Score[] {
  const { fold, weight } = outOfFold;
  const counting = new Set(fold.filter((_, at) => weight?.[at] !== 0));
  const values = valuedFolds(metric, scored.folds).values();
  return foldDetails.map(({ index, error }) => {
    if (error !== null) return { value: null, reason: error };
    if (!counting.has(index)) return { value: null, reason: 'no row of the fold has weight' };
    return (values.next().value as IntervalFold).score;
  });
}

/** A callback may have ended one of them early. */
const testsTheSame = ({ results: a }: Side, { results: b }: Side): boolean =>
  sameColumn(a, b, 'row') && sameColumn(a, b, 'fold');

/** A result of the same design that lacks a fold is a row that cannot be compared; other folds or data are refused. */
export function checkOneDesign(owner: string, sides: readonly Side[]): void {
  const [first, ...others] = sides;
  for (const each of others) {
    const sameDesign = metadataIn(first.results).foldFingerprint === metadataIn(each.results).foldFingerprint;
    if (sameDesign && !testsTheSame(first, each)) continue;
    const subject = `Results '${nameText(first.name)}' and '${nameText(each.name)}' of ${owner}`;
    checkSameFolds(subject, first.results, each.results);
  }
}

/** A difference between two rows of a {@link ModelTable}; null with a `reason` where there is none. */
export interface ModelTableComparison {
  /** Names of the rows. */
  readonly a: string;
  readonly b: string;
  /** Mean over folds of the value of A less that of B; of its distance from a target, where the metric has one. */
  readonly difference: number | null;
  readonly standardError: number | null;
  readonly df: number | null;
  /** Two-sided, of the corrected resampled t test: about the training procedures. */
  readonly pValue: number | null;
  /** The same by Holm, over all comparisons of the table that have one. */
  readonly pAdjusted: number | null;
  /** Simultaneous limits (Bonferroni): with the level of the table all of them hold at once. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Sign-flip test of these predictions, with `nPermutations`; else null. Adjusted as the others, among themselves. */
  readonly signFlip: { readonly pValue: number | null; readonly pAdjusted: number | null } | null;
  readonly note?: string;
  readonly reason?: string;
}

/** Of every row to the reference, or of all pairs of rows; adjusted for their number. */
export function tableComparisons(
  sides: readonly Side[],
  { metric, level, nBootstrap, nPermutations, seed }: TableSettings,
  reference: string | null,
): ModelTableComparison[] {
  const compared = comparable(metric);
  const pairs =
    reference === null
      ? sides.flatMap((a, first) => sides.slice(first + 1).map((b) => [a, b] as const))
      : sides.flatMap((a) =>
          a.name === reference ? [] : [[a, sides.find(({ name }) => name === reference)] as const],
        );
  const found = pairs.map(([a, b], pair) => {
    const names = { a: a.name, b: b?.name ?? (reference as string) };
    const reason = b ? notComparable(a, b) : `${nameText(names.b)} has no results`;
    if (!b || reason !== undefined)
      return { ...names, ...NO_TEST, difference: null, flip: null, reason, note: undefined };
    const input = {
      ...{ metric: compared, level, nBootstrap, a: a.scored.folds, b: b.scored.folds, unit: a.scored.unit },
      design: a.results.plan.claims,
      nPermutations: nPermutations ?? 0,
      random: randomSource(deriveSeed(seed, 'sign_flip', pair)),
    };
    return {
      ...names,
      ...correctedDifference(input),
      flip: nPermutations === undefined ? null : signFlip(input).pValue,
    };
  });
  const pAdjusted = adjustPValues(found.map(({ pValue }) => pValue));
  const flipAdjusted = adjustPValues(found.map(({ flip }) => flip));
  const m = found.filter(({ pValue }) => pValue !== null).length;
  return found.map((each, pair) => {
    const { a, b, difference, standardError, df, pValue, flip, note, reason } = each;
    const known = difference !== null && standardError !== null && df !== null;
    const half = known ? studentTQuantile(1 - (1 - level) / (2 * m), df) * standardError : 0;
    return {
      ...{ a, b, difference, standardError, df, pValue, pAdjusted: pAdjusted[pair] },
      ...(known ? differenceLimits(compared, difference, half) : { lower: null, upper: null }),
      signFlip: nPermutations === undefined ? null : { pValue: flip, pAdjusted: flipAdjusted[pair] },
      ...(note === undefined ? {} : { note }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

function notComparable(a: Side, b: Side): string | undefined {
  const torn = [a, b].find(({ nFailed }) => nFailed > 0);
  if (torn) return `${failedText(torn)} (${nameText(torn.name)})`;
  return testsTheSame(a, b) ? undefined : 'they were not tested on the same rows';
}

export function tableBest(
  sides: readonly Side[],
  { metric, level, nBootstrap, seed }: TableSettings,
): { readonly best: BbcCV | null; readonly notes: readonly string[] } {
  const whole = sides.filter(({ nFailed }) => nFailed === 0);
  const alike = whole.filter((each) => testsTheSame(whole[0], each));
  const incomplete = sides.filter((each) => !alike.includes(each));
  const lacking = incomplete.map(({ name }) => nameText(name)).join(', ');
  const notes = lacking ? [`Not among those that the best was chosen from, lacking folds: ${lacking}.`] : [];
  if (alike.length < 2) {
    notes.push('There is no choice of the best: fewer than two rows were tested on all folds.');
    return { best: null, notes };
  }
  return { best: bestAmong(alike, { metric, level, nBootstrap, random: randomSource(seed) }), notes };
}
