import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { gather, type Label } from '../../data/labels.js';
import { groupsOf } from '../../data/sideData.js';
import { type Check, type Finding, passed } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { contradictingRows } from '../features/contradictingRows.js';
import { firstRows } from '../features/equalRows.js';
import { type Column, type Features, tableOf } from '../features/features.js';
import { EXAMPLES, overlapOf, type SplitExample, splitExamples } from '../overlap.js';
import { blankRows } from './blankRows.js';
import type { Verdict } from './copiesOrChance.js';
import { equalContent, weigh } from './equalContent.js';
import { isOffGrid } from './isOffGrid.js';

/** What CVL002 counted: of the clusters of equal rows that have rows on both sides of a fold. */
export type DuplicateDetails = {
  readonly rows: number;
  readonly clusters: number;
  /** Largest share of a test set. */
  readonly largestShare?: number;
  /** Rows that have an equal one with another label. */
  readonly contradicting?: number;
  /** Rows without content. */
  readonly blank?: number;
  /** Columns that were left out of the comparison. */
  readonly ignored?: readonly string[];
  /** Pairs of equal rows in all data, and how many of them chance gives. */
  readonly pairs?: number;
  readonly expectedPairs?: number;
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

/**
 * CVL002: no row has the content of a row on the other side of a fold. Exact, over every fold, by a 64-bit hash.
 * Whether equal rows are copies or rows of few values that coincide is weighed by {@link copiesOrChance}.
 *
 * Source: Barz & Denzler 2020, J. Imaging 6(6):41 (copies of test images in the training set inflate the accuracy).
 */
export const duplicateRows: Check<DuplicateDetails> = {
  code: 'CVL002',
  type: 'duplicate',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL002.md',
  description: 'A row or an image has the same content as one on the other side of a fold.',
  needs: ['X'],
  async assess(input) {
    const { folds } = input;
    const units = wholeUnits(input);
    const { features, codes, count, ignored } = equalContent(await input.features(), units);
    const parts = input.X?.parts && Object.keys(input.X.parts);
    const noun = features.images && !parts ? 'image' : 'row';
    const split = new Set(overlapOf(folds, codes, count).split.map(({ code }) => code));
    if (split.size === 0) {
      const looked = `${counted(features.n, noun)}${parts ? ` of ${parts.join(' and ')}` : ''}, ${counted(folds.length, 'fold')}`;
      const message = `No ${noun} is equal to one on the other side of a fold (${looked}).`;
      return passed(message, { rows: 0, clusters: 0, folds: folds.length });
    }
    const blank = blankRows(features);
    const splitRows = (wanted: 0 | 1) =>
      codes.map((code, row) => (split.has(code) && blank[row] === wanted ? code : -1));
    const [full, empty] = [splitRows(0), splitRows(1)];
    const blanks = rowsIn(empty);
    if (rowsIn(full) === 0) {
      return review(
        facts(input, empty, count, { blank: blanks }),
        `${counted(blanks, noun)} without content ${be(blanks)} on both sides of a fold: ${EMPTY[noun]}.`,
        `Look at why these ${noun}s are empty, and leave them out.`,
      );
    }
    const evidence = facts(input, full, count, {
      ...(blanks > 0 ? { blank: blanks } : {}),
      ...(ignored[0] ? { ignored } : {}),
    });
    const single = folds.length === folds.n * folds.repeats;
    const verdict = features.images ? simplicityOf(features, full) : weigh(features, units, blank);
    // Dear with many rows, and spoken of only where the verdict is no copy.
    const fine =
      verdict !== 'simple' && verdict?.copies === false ? continuousIn(features, codes).map(({ name }) => name) : [];
    return {
      ...copied(noun, evidence, verdict, { single, fine }),
      concerns: { count: rowsIn(full), of: folds.n, unit: noun },
    };
  },
};

/** One pixel changes an image of two colours by so much, of its low frequencies, where it shows little. */
const SIMPLE = 0.01;

/** Whether the rows with a code are images of two colours that show little, and nothing else. */
function simplicityOf(features: Features, codes: Int32Array): 'simple' | undefined {
  const { images = [] } = features;
  const isSimple = (row: number) => images.every(({ perceptual }) => perceptual.pixelStep[row] > SIMPLE);
  return tableOf(features).length === 0 && codes.every((code, row) => code < 0 || isSimple(row)) ? 'simple' : undefined;
}

/** The columns of numbers with all their decimals, equal rows taken once: chance alone hardly makes these agree. */
function continuousIn(features: Features, codes: Int32Array): Column[] {
  const rows = firstRows(codes);
  return tableOf(features).filter((column) => isOffGrid({ ...column, values: gather(column.values, rows) }));
}

const EMPTY = { row: 'every value is missing', image: 'all pixels are the same' };

/** The patient of each row, where no fold splits one: equal rows of one patient do not count then. */
function wholeUnits({ folds, data }: CheckInput): Int32Array | undefined {
  const groups = data.groups && groupsOf(data.groups as ArrayLike<Label>, folds.n);
  return groups && overlapOf(folds, groups.codes, groups.count).split.length === 0 ? groups.codes : undefined;
}

/** What is counted where there are clusters. */
type Facts = DuplicateDetails & { readonly largestShare: number; readonly folds: readonly string[] };

/** What is counted of the clusters that folds split; `codes` are -1 for all other rows. */
function facts(input: CheckInput, codes: Int32Array, count: number, more: Pick<Facts, 'blank' | 'ignored'>): Facts {
  const overlap = overlapOf(input.folds, codes, count);
  return {
    rows: rowsIn(codes),
    clusters: overlap.split.length,
    largestShare: overlap.largestShare,
    ...(input.y ? { contradicting: contradictingRows(input.y, codes) } : {}),
    ...more,
    folds: overlap.folds.slice(0, 10),
    examples: splitExamples(overlap, input),
  };
}

interface Seen {
  /** Every fold tests one row, of which a share would say nothing. */
  readonly single: boolean;
  /** Names of the continuous columns in which equal rows agree. */
  readonly fine: readonly string[];
}

/** @param verdict on rows of a table; `simple` for images that may coincide */
function copied(
  noun: string,
  evidence: Facts,
  verdict: Verdict | 'simple' | undefined,
  { single, fine }: Seen,
): Finding<DuplicateDetails> {
  const { rows, clusters, largestShare, contradicting = 0, blank = 0, ignored = [] } = evidence;
  const most = single ? '' : `, up to ${rounded(100 * largestShare)} % of a test set`;
  const share = `in ${counted(clusters, 'cluster')}${most}`;
  const also = [
    contradicting > 0 ? ` ${contradicting} of them have an equal ${noun} with another label.` : '',
    blank > 0 ? ` Besides, ${counted(blank, noun)} without content ${be(blank)} on both sides.` : '',
  ].join('');
  const where = `equal${ignored[0] ? ` in all but ${named(ignored)}` : ''} to ${noun}s on the other side of a fold (${share})`;
  const look = `Look at the examples: ${noun}s of one patient need one id in \`patientIds\`, and copies must go; ${noun}s of different patients may stay.`;
  if (verdict === 'simple') {
    const chance = 'They may be copies, or coincide as images of two colours do that show little.';
    return review(evidence, `${counted(rows, noun)} ${be(rows)} ${where}. ${chance}${also}`, look);
  }
  if (verdict?.copies === false) {
    const { pairs, expected } = verdict;
    const byChance = fine.length === 0 && pairs <= expected + 2 * Math.sqrt(expected);
    const chance = byChance
      ? 'With so few different values that is no more than chance gives'
      : fine.length > 0
        ? `They may be copies: they agree in all decimals of ${named(fine)}, as copies do and values that were computed from equal ones`
        : 'They may be copies, or coincide as rows of few values or of a common pattern do';
    const facts = { ...evidence, pairs, expectedPairs: expected };
    const message = `${counted(rows, noun)} ${be(rows)} ${where}. ${chance}: ${counted(pairs, 'pair')} in all data, about ${wholeNumber(rounded(expected))} by chance.${also}`;
    return byChance && blank === 0 ? passed(message, facts) : review(facts, message, look);
  }
  return {
    status: 'failed',
    severity: 'high',
    fold: evidence.folds[0],
    message: `${counted(rows, noun)} ${be(rows)} ${where}.${also}`,
    evidence: { ...evidence, ...(verdict ? { pairs: verdict.pairs, expectedPairs: verdict.expected } : {}) },
    fix: 'Remove the copies, or keep them on one side: mergeDuplicates makes groups of them and of patients, and proposes a splitter.',
  };
}

const review = (evidence: Facts, message: string, fix: string): Finding<DuplicateDetails> => ({
  status: 'needs_review',
  severity: 'low',
  fold: evidence.folds[0],
  message,
  evidence,
  fix,
});

const named = (columns: readonly string[]) =>
  columns
    .slice(0, EXAMPLES)
    .map((name) => `\`${nameText(name)}\``)
    .join(', ');
const rowsIn = (codes: Int32Array) => codes.reduce((sum, code) => sum + (code >= 0 ? 1 : 0), 0);
const be = (count: number) => (count === 1 ? 'is' : 'are');
const rounded = (value: number) => Number(value.toPrecision(2));
