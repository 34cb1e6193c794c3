import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { incompleteBeta } from '../../core/incompleteBeta.js';
import {
  anything,
  arrayLike,
  type InputOf,
  isPlainObject,
  number,
  optionTable,
  rejectUnusedOption,
} from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { ascendingOrder, concordance } from '../../metrics/rocPlacements.js';
import { type BinaryRows, binaryRowOptions, binaryRows } from '../binaryRows.js';

/**
 * How a threshold is chosen. `youden`: largest sensitivity + specificity. `sensitivity`: the highest threshold that
 * reaches it on these rows; `specificity`: the lowest. `cost`: least total cost of wrong decisions.
 * `guaranteedSensitivity`: the highest threshold whose sensitivity on new patients is at least that, with the given
 * confidence (.95 when left out) over the sampling of these. `fixed`: a given threshold, from 0 to 1.
 */
export type ThresholdRule =
  | 'youden'
  | { readonly sensitivity: number }
  | { readonly specificity: number }
  | { readonly cost: { readonly falsePositive: number; readonly falseNegative: number } }
  | { readonly guaranteedSensitivity: number; readonly confidence?: number }
  | { readonly fixed: number };

const reach = { above: 0, max: 1 };
const ruleOptions = optionTable('a threshold rule', {
  sensitivity: number(reach).optional().describe('Share of the positives to find on these rows.'),
  specificity: number(reach).optional().describe('Share of the negatives to spare on these rows.'),
  cost: anything<object>('{ falsePositive, falseNegative }').optional().describe('Costs of wrong decisions.'),
  guaranteedSensitivity: number({ above: 0, below: 1 })
    .optional()
    .describe('Share of new positives to find with the given confidence.'),
  fixed: number({ min: 0, max: 1 }).optional().describe('The threshold itself.'),
  confidence: number({ above: 0, below: 1 }).default(0.95).describe('Confidence of the guarantee.'),
});
const costOptions = optionTable('the cost rule', {
  falsePositive: number({ above: 0 }).describe('Cost of treating a negative.'),
  falseNegative: number({ above: 0 }).describe('Cost of missing a positive.'),
});

export const chooseThresholdOptions = optionTable('chooseThreshold', {
  ...binaryRowOptions,
  groups: arrayLike<Label>('id[]')
    .optional()
    .describe('Patient of each row, for the guarantee: it is then about finding every positive row of a patient.'),
});
export type ChooseThresholdOptions = InputOf<typeof chooseThresholdOptions>;

/** A threshold and what it does on the rows that it was chosen on: too optimistic for new rows. */
export interface ChosenThreshold {
  /** Positive from here on: p >= threshold. */
  readonly threshold: number;
  readonly rule: ThresholdRule;
  /** On these rows; null without a positive or a negative one. */
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  /** Weights of the classes. */
  readonly positives: number;
  readonly negatives: number;
  /** What the guarantee rests on: units with a positive row, and how many of them may be missed. */
  readonly guarantee?: {
    readonly unit: string;
    readonly nUnits: number;
    readonly missed: number;
    /** Confidence reached, at least the one asked for. */
    readonly confidence: number;
  };
}

const ROUNDING = 1e-12;

/**
 * Chooses the threshold of a decision. Choose it on training rows or inner folds and apply it to others: on the rows
 * that it was chosen on, accuracy is optimistic. Candidates are the probabilities that occur, and one just above the
 * highest, which finds nobody. Of equally good ones the lowest is taken: it finds more patients with the outcome.
 *
 * The guaranteed rule is an order statistic: with n independent positives, the k-th smallest probability misses a share
 * that follows Beta(k, n - k + 1); the largest k that meets the guarantee is taken. For sensitivity .80 / .90 / .95
 * with confidence .95 it needs at least 14 / 29 / 59 positives. With `groups` a patient counts once, with the smallest
 * probability of its positive rows.
 *
 * Source: Youden 1950, Cancer 3:32; cost, Metz 1978, Seminars in Nuclear Medicine 8:283; order statistics, Wilks 1941,
 * Annals of Mathematical Statistics 12:91.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError without a class that the rule needs and with too few positives for a guarantee;
 * InvalidOptionError for an unknown rule, and for weights or groups that the rule cannot use
 * @example
 * const { threshold } = chooseThreshold(yTrue, yProba, 'youden');
 * console.log(threshold);
 */
export function chooseThreshold(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  rule: ThresholdRule,
  options?: ChooseThresholdOptions,
): ChosenThreshold {
  const rowOptions = chooseThresholdOptions.resolve(options);
  const checked = checkedRule(rule);
  const guaranteed = checked.kind === 'guaranteedSensitivity';
  if (guaranteed && rowOptions.sampleWeight) {
    rejectUnusedOption('chooseThreshold', 'sampleWeight', 'a guarantee counts independent patients');
  }
  if (!guaranteed && rowOptions.groups)
    rejectUnusedOption('chooseThreshold', 'groups', 'only a guarantee counts patients');
  const rows = binaryRows(yTrue, yProba, rowOptions);
  const candidates = candidatesOf(rows);
  // The lowest threshold finds all, the highest spares all.
  const { found: positives } = candidates[0];
  const { spared: negatives } = candidates[candidates.length - 1];
  if (positives === 0 && !NEEDLESS.has(checked.kind)) throw lacking('positive');
  if (negatives === 0 && (checked.kind === 'specificity' || checked.kind === 'youden')) throw lacking('negative');
  const guarantee = guaranteed ? orderStatistic(rows, checked.share, checked.confidence) : undefined;
  // A candidate always fits: the first finds everybody, the last nobody.
  const chosen = (
    guarantee
      ? candidates.find(({ threshold }) => threshold === guarantee.threshold)
      : bestOf(candidates, checked, positives, negatives)
  ) as Candidate;
  return {
    threshold: checked.kind === 'fixed' ? checked.share : chosen.threshold,
    rule,
    sensitivity: positives > 0 ? chosen.found / positives : null,
    specificity: negatives > 0 ? chosen.spared / negatives : null,
    positives,
    negatives,
    ...(guarantee ? { guarantee: guarantee.facts } : {}),
  };
}

const NEEDLESS: ReadonlySet<CheckedRule['kind']> = new Set(['specificity', 'cost', 'fixed']);

const lacking = (side: string) =>
  new InvalidDataError(sentence('yTrue', `hold ${side} rows for this rule`, phrase('none')), { code: 'one_class' });

/** Costs are those of a positive row that is missed and of a negative one that is treated. */
type CheckedRule =
  | { readonly kind: 'youden' }
  | { readonly kind: 'cost'; readonly costs: readonly [notFound: number, notSpared: number] }
  | { readonly kind: Exclude<(typeof KINDS)[number], 'cost'>; readonly share: number; readonly confidence: number };

const KINDS = ['sensitivity', 'specificity', 'cost', 'guaranteedSensitivity', 'fixed'] as const;

export function checkedRule(rule: unknown): CheckedRule {
  if (rule === 'youden') return { kind: rule };
  const one = `be 'youden' or have one of ${KINDS.join(', ')}`;
  if (!isPlainObject(rule)) {
    const way = typeof rule === 'number' ? `Use { fixed: ${rule} } for a threshold of your own.` : undefined;
    throw new InvalidOptionError(sentence('A threshold rule', one, rule, way));
  }
  const { options, changed } = ruleOptions.parse(rule);
  const [kind, ...more] = KINDS.filter((name) => changed.has(name));
  if (kind === undefined || more.length > 0) {
    const text = kind ? [kind, ...more].join(', ') : 'none';
    throw new InvalidOptionError(sentence('A threshold rule', one, phrase(text)));
  }
  if (changed.has('confidence') && kind !== 'guaranteedSensitivity') {
    rejectUnusedOption('a threshold rule', 'confidence', 'nothing is guaranteed');
  }
  if (kind !== 'cost') return { kind, share: options[kind] as number, confidence: options.confidence };
  const { falsePositive, falseNegative } = costOptions.resolve(options.cost);
  return { kind, costs: [falseNegative, falsePositive] };
}

interface Candidate {
  readonly threshold: number;
  /** Weight of the positive rows from the threshold on, and of the negative ones below it. */
  readonly found: number;
  readonly spared: number;
}

function candidatesOf({ table }: BinaryRows): Candidate[] {
  const { yProba: scores } = table;
  const runs: { threshold: number; below: readonly [number, number] }[] = [];
  const order = ascendingOrder(scores);
  const { positives, negatives } = concordance({ ...table, scores }, (from, _to, ...below) => {
    runs.push({ threshold: scores[order[from]], below: [below[0], below[1]] });
  });
  runs.push({ threshold: justAbove(scores[order[order.length - 1]]), below: [positives, negatives] });
  return runs.map(({ threshold, below }) => ({ threshold, found: positives - below[0], spared: below[1] }));
}

/** The next larger double of a number from 0 to 1. */
const justAbove = (p: number) => p + Math.max(Number.MIN_VALUE, 2 ** (Math.floor(Math.log2(p || 1e-300)) - 52));

function bestOf(candidates: readonly Candidate[], rule: CheckedRule, positives: number, negatives: number) {
  // A threshold between two candidates divides the rows as the upper one does; beyond the last nobody is found.
  if (rule.kind === 'fixed') return candidates.find(({ threshold }) => threshold >= rule.share) ?? candidates.at(-1);
  const close = ROUNDING * (positives + negatives);
  if (rule.kind === 'sensitivity') return candidates.findLast(({ found }) => found >= rule.share * positives - close);
  if (rule.kind === 'specificity') return candidates.find(({ spared }) => spared >= rule.share * negatives - close);
  const [ofFound, ofSpared] = rule.kind === 'cost' ? rule.costs : [1 / positives, 1 / negatives];
  const gain = ({ found, spared }: Candidate) => ofFound * found + ofSpared * spared;
  const most = candidates.reduce((max, each) => Math.max(max, gain(each)), 0);
  return candidates.find((each) => gain(each) >= most * (1 - ROUNDING));
}

function orderStatistic({ table, y, units, unit }: BinaryRows, wanted: number, confidence: number) {
  const smallest = new Map<number, number>();
  units.forEach((id, row) => {
    if (y[row] === 1) smallest.set(id, Math.min(table.yProba[row], smallest.get(id) ?? Infinity));
  });
  const scores = Float64Array.from(smallest.values()).sort();
  const n = scores.length;
  // Probability that at least the wanted share of new positives lies above the k-th smallest.
  const reached = (k: number) => incompleteBeta(1 - wanted, k, n - k + 1);
  if (reached(1) < confidence) {
    const least = Math.ceil(Math.log(1 - confidence) / Math.log(wanted) - 1e-9);
    const positives = unit === 'patient' ? 'patients with a positive row' : 'positive rows';
    const must = `rest on ${least} or more ${positives} to guarantee a sensitivity of ${wanted} with confidence ${confidence}`;
    const way = `Use { sensitivity: ${wanted} } for one without a guarantee.`;
    throw new InvalidDataError(sentence('A threshold', must, phrase(String(n)), way), { code: 'too_few_positives' });
  }
  let k = 1;
  while (k < n && reached(k + 1) >= confidence) k++;
  return { threshold: scores[k - 1], facts: { unit, nUnits: n, missed: k - 1, confidence: reached(k) } };
}
