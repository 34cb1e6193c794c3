import { headText, nameText } from '../../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import { lossOf, type Metric } from '../../metrics/metric.js';
import type { BbcCV } from '../bbcCV.js';
import { BETTER, limitsText, pValueText } from './answers.js';
import type { ModelTableComparison, ModelTableRow } from './tableRows.js';

interface Parts extends Omit<ModelTable, 'metric' | 'direction' | 'summary' | 'toJSON'> {
  readonly metric: Metric;
}

/** Of more differences, a summary shows those with the smallest p-values. */
const MOST_SHOWN = 28;

/** What `compareModels` gives for several models: a row for each, their differences, and the best after the choice. */
export class ModelTable {
  readonly metric: string;
  /** Which way is better: a positive difference speaks for the first of the two when it is `maximize`. */
  readonly direction: Metric['direction'];
  readonly level!: number;
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
      ...(this.#metric.combine === 'pooled'
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
