/** What CVL002 says of copies, of rows that may be none, and of what would be found. */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import type { Finding } from '../check.js';
import { EXAMPLES } from '../overlap.js';
import type { DuplicateDetails, Facts } from './duplicateDetails.js';
import { UNFINDABLE } from './judgeCandidates.js';
import type { Linkage } from './linkage.js';

interface Seen {
  /** Why they may be no copies, in a sentence; empty where there is no doubt. */
  readonly doubt: string;
  /** Every fold tests one row, of which a share would say nothing. */
  readonly single: boolean;
  /** Columns in which copies differ; whether some differ in how cells are written alone. */
  readonly columns: readonly string[];
  readonly same?: boolean;
  readonly written: boolean;
}

/** What is said of copies. */
export function copied(
  noun: string,
  evidence: Facts,
  { doubt, single, columns, same, written }: Seen,
): Finding<DuplicateDetails> {
  const { rows, clusters, largestShare, contradicting = 0, blank = 0 } = evidence;
  const most = single ? '' : `, up to ${rounded(100 * largestShare)} % of a test set`;
  const share = `in ${counted(clusters, 'cluster')}${most}`;
  const also = [
    written ? ' Some of them differ in how cells are written (case, blanks, rounding to float32).' : '',
    contradicting > 0 ? ` ${contradicting} of them have a copy with another label.` : '',
    blankText(blank, noun),
  ].join('');
  const but = same ? ` in all but ${named(columns)}` : '';
  const where = `equal${but} to ${noun}s on the other side of a fold (${share})`;
  const differ =
    columns.length > 0 && !same
      ? ` Some pairs differ in ${columns.length === 1 ? 'a column' : 'a column or two'}: ${named(columns)}${columns.length > EXAMPLES ? ` and ${columns.length - EXAMPLES} more` : ''}.`
      : '';
  if (doubt) return review(evidence, `${counted(rows, noun)} ${be(rows)} ${where}. ${doubt}${differ}${also}`, LOOK);
  return {
    status: 'failed',
    severity: 'high',
    fold: evidence.folds[0],
    message: `${counted(rows, noun)} ${be(rows)} ${differ ? `copies of ${noun}s on the other side of a fold (${share})` : where}.${differ}${also}`,
    evidence,
    fix: 'Remove the copies, or keep them on one side: mergeDuplicates makes groups of them and of patients, and proposes a splitter.',
  };
}

export const LOOK =
  'Look at the examples: rows of one patient need one id in `patientIds`, and copies must go; rows of different patients may stay.';

export const TELL_APART = 'Give columns that tell rows apart: a time, or measures with all their decimals.';

export const review = (evidence: Facts, message: string, fix: string): Finding<DuplicateDetails> => ({
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

const blankText = (blank: number, noun: string) =>
  blank > 0 ? ` Besides, ${counted(blank, noun)} without content ${be(blank)} on both sides.` : '';

/** From this share of the rows on a message says that a copy is found. */
const NEARLY_ALL = 0.95;

/** What a single copy may differ in and be found, in words. */
export function reachOf(found: Linkage): string {
  if (found.columns.length === 0) return '';
  const rest =
    ' Rows are too much alike here to compare all that differ in one or two cells: such copies may be missed.';
  return found.complete ? powerText(found) : `${powerText(found)}${rest}`;
}

function powerText({ power }: Linkage): string {
  const most = power.findLastIndex((share) => share >= NEARLY_ALL);
  if (most > 0) {
    const cells = most > 1 ? 'any two of its cells' : 'any one of its cells';
    return ` A single copy would be found though ${cells} differ${most > 1 ? '' : 's'} or ${most > 1 ? 'are' : 'is'} missing.`;
  }
  const [exact, one = 0] = power.map((share) => Math.round(100 * share));
  if (most === 0) {
    const changed = one >= 100 * UNFINDABLE ? ` (${one} % of them though any one cell differs)` : '';
    return ` A single exact copy would be found, of nearly every row${changed}.`;
  }
  return exact > 0
    ? ` A single exact copy would be found of ${exact} % of the rows; what the others hold comes twice by chance.`
    : ' A single copy could not be told from chance in these data; many copies might.';
}

export const be = (count: number) => (count === 1 ? 'is' : 'are');
const rounded = (value: number) => Number(value.toPrecision(2));
