/** The differences between the rows of a table of several models, and the best of them. */
import { nameText } from '../../core/foreignText.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import { bestOfMany } from '../../intervals/bestOfMany.js';
import { comparable } from '../../metrics/metric.js';
import { adjustPValues } from '../adjustPValues.js';
import type { BbcCV } from '../bbcCV.js';
import { valuedFolds } from '../results.js';
import { NO_TEST } from './answers.js';
import { correctedDifference } from './resampledT.js';
import { signFlip } from './signFlip.js';
import { failedText, type Side, type TableSettings, testsTheSame } from './tableRows.js';

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

/** All differences, adjusted for their number: of every row to the reference, or of all pairs of rows. */
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
    const half =
      standardError === null || df === null ? null : studentTQuantile(1 - (1 - level) / (2 * m), df) * standardError;
    return {
      ...{ a, b, difference, standardError, df, pValue, pAdjusted: pAdjusted[pair] },
      lower: half === null || difference === null ? null : difference - half,
      upper: half === null || difference === null ? null : difference + half,
      signFlip: nPermutations === undefined ? null : { pValue: flip, pAdjusted: flipAdjusted[pair] },
      ...(note === undefined ? {} : { note }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

/** Why two rows cannot be compared; undefined where they can. */
function notComparable(a: Side, b: Side): string | undefined {
  const torn = [a, b].find(({ nFailed }) => nFailed > 0);
  if (torn) return `${failedText(torn)} (${nameText(torn.name)})`;
  return testsTheSame(a, b) ? undefined : 'they were not tested on the same rows';
}

/** The best row, and what to expect of it after the choice: BBC-CV over the rows that were tested alike. */
export function tableBest(
  sides: readonly Side[],
  { metric, level, nBootstrap, seed }: TableSettings,
): { readonly best: BbcCV | null; readonly notes: readonly string[] } {
  const whole = sides.filter(({ nFailed }) => nFailed === 0);
  const alike = whole.filter((each) => testsTheSame(whole[0], each));
  const left = sides.filter((each) => !alike.includes(each));
  const notes =
    left.length === 0
      ? []
      : [
          `Not among those that the best was chosen from, lacking folds: ${left.map(({ name }) => nameText(name)).join(', ')}.`,
        ];
  if (alike.length < 2)
    return {
      best: null,
      notes: [...notes, 'There is no choice of the best: fewer than two rows were tested on all folds.'],
    };
  const [first] = alike;
  const { chosen, shares, ...found } = bestOfMany({
    metric,
    configurations: alike.map(({ scored }) => valuedFolds(metric, scored.folds)),
    names: alike.map(({ name }) => name),
    nFolds: first.results.foldDetails.length,
    unit: first.scored.unit,
    level,
    nBootstrap,
    random: randomSource(seed),
  });
  const best = {
    ...found,
    chosen: chosen === null ? null : alike[chosen].name,
    chosenShare: shares && Object.fromEntries(alike.map(({ name }, at) => [name, shares[at]])),
  };
  return { best, notes };
}
