import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { gather } from '../../data/labels.js';
import { patientIdsOf, patientsOf } from '../../data/sideData.js';
import { type Check, type Finding, notDetectable, passed } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import type { Column, Features } from '../features/columns.js';
import { contentHash } from '../features/contentHash.js';
import { contradictingRows } from '../features/contradictingRows.js';
import { equalRows } from '../features/equalRows.js';
import { tableOf } from '../features/features.js';
import { areMasks } from '../features/images/areMasks.js';
import { EXAMPLES, overlapOf, type SplitExample, splitEvidence } from '../overlap.js';
import { blankRows } from './blankRows.js';
import { FALSE_PAIRS, UNFINDABLE } from './judgeCandidates.js';
import { differencesIn, type Linkage, linkage } from './linkage.js';

/** What CVL002 counted: of the clusters of copies that have rows on both sides of a fold. */
export type DuplicateDetails = {
  readonly rows: number;
  readonly clusters: number;
  /** Largest share of a test set. */
  readonly largestShare?: number;
  /** Rows that have a copy with another label. */
  readonly contradicting?: number;
  /** Rows without content. */
  readonly blank?: number;
  /** Columns in which copies differ, those in which most do first. */
  readonly differing?: readonly string[];
  /** Rows that another equals on the other side, though it may be by chance. */
  readonly coincident?: number;
  /** The share of rows of which a single copy would be found: an exact one, one that differs in one column, in two. */
  readonly power?: readonly number[];
  /** So many of the pairs that are called copies are expected to be alike by chance, at most. */
  readonly expectedPairs?: number;
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

type Facts = DuplicateDetails & { readonly largestShare: number; readonly folds: readonly string[] };

/**
 * CVL002: no row is a copy of a row on the other side of a fold: of images one of equal pixels, of a table one that
 * agrees in more than chance gives, in all columns but one or two at most. See {@link linkage}.
 *
 * Source: Barz & Denzler 2020, J. Imaging 6(6):41 (copies of test images in the training set inflate the accuracy);
 * Fellegi & Sunter 1969, J. American Statistical Association 64:1183 (record linkage).
 */
export const duplicateRows: Check<DuplicateDetails> = {
  code: 'CVL002',
  type: 'duplicate',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL002.md',
  description: 'A row or an image is a copy of one on the other side of a fold.',
  needs: ['X'],
  async assess(input) {
    const features = await input.features();
    const finding = await assessRows(input, features);
    return { ...finding, message: `${finding.message}${unusableCells(features)}` };
  },
};

async function assessRows(input: CheckInput, features: Features): Promise<Finding<DuplicateDetails>> {
  const { folds } = input;
  const parts = input.X?.parts && Object.keys(input.X.parts);
  const noun = features.images && !parts ? 'image' : 'row';
  const blank = blankRows(features);
  const equal = features.images || blank.includes(1) ? equalRows(contentHash(features)).codes : undefined;
  const linked = features.images ? undefined : await copiesAmong(input, features);
  const codes = acrossFolds(input, linked?.codes ?? equal!.map((code, row) => (blank[row] === 1 ? -1 : code)));
  const empty = (equal ?? codes).map((code, row) => (blank[row] === 1 ? code : -1));
  const emptyAcross = acrossFolds(input, empty);
  const [rows, blanks] = [rowsIn(codes), rowsIn(emptyAcross)];
  const compared = linked && linked.columns.length > 0 ? linked : undefined;
  const power = compared ? { power: compared.power } : {};
  if (rows > 0) {
    const expected = linked ? { expectedPairs: linked.expected } : {};
    const evidence = facts(input, codes, { ...(blanks > 0 ? { blank: blanks } : {}), ...power, ...expected });
    const differences = linked ? differencesIn(linked, features, codes) : { columns: [], same: false, written: false };
    const found = { ...evidence, ...(differences.columns[0] ? { differing: differences.columns } : {}) };
    const isSingle = folds.length === folds.n * folds.repeats;
    const doubt = doubtOf(features, linked, evidence, codes);
    const concerns = { count: rows, of: folds.n, unit: noun };
    return { ...copied(noun, found, { doubt, isSingle, ...differences }), concerns };
  }
  const masks = blanks > 0 && !parts && (features.images?.every(areMasks) ?? false);
  if (blanks > 0 && !masks) {
    return review(
      facts(input, emptyAcross, { blank: blanks }),
      `${counted(blanks, noun)} without content ${be(blanks)} on both sides of a fold: ${EMPTY[noun]}.`,
      `Look at why these ${noun}s are empty, and leave them out.`,
    );
  }
  const within = linked && patientIdsOf(input.data) ? '; rows of one patient are not compared' : '';
  const examined = `${counted(features.n, noun)}${parts ? ` of ${parts.join(' and ')}` : ''}, ${counted(folds.length, 'fold')}${within}`;
  const alike = linked ? acrossFolds(input, coincidentCodes(features, linked)) : codes;
  const coincident = rowsIn(alike);
  const none = { rows: 0, clusters: 0, folds: folds.length, ...power };
  const reach = compared ? reachOf(compared) : '';
  if (coincident === 0) {
    const other = within ? `a ${noun} of another patient` : 'one';
    const ofNone = masks ? ` ${counted(blanks, noun)} of one value are on both sides, as empty masks are.` : '';
    const details = masks ? { ...none, blank: blanks } : none;
    const finding = `${noun} is a copy of ${other} on the other side of a fold`;
    return compared && compared.power[0] < HALF
      ? notDetectable(`No ${finding}, as far as can be told (${examined}).${reach}`, TELL_APART, details)
      : passed(`No ${finding} (${examined}).${ofNone}${reach}`, details);
  }
  const found = { ...none, coincident };
  const equalText = `${counted(coincident, noun)} ${be(coincident)} equal to ${noun}s on the other side of a fold`;
  if (linked && linked.power[0] >= HALF) {
    const straight = rowsIn(alike.map((code, row) => (linked.oneAnswer[row] === 1 ? code : -1)));
    const question = straight > 0 ? `, or one answer to all questions, as in ${straight} of them` : '';
    const message = `${equalText}, which chance may explain: what they hold is too common in these data to tell copies by${question} (${examined}).${reach}`;
    return passed(message, found);
  }
  const message = `${equalText}, by chance or as copies: rows of so few or so common values coincide, and a copy among them could not be told (${examined}).`;
  return notDetectable(message, LOOK, found);
}

const overlapIn = (folds: CheckInput['folds'], codes: Int32Array) =>
  overlapOf(folds, codes, 1 + codes.reduce((most, code) => Math.max(most, code), -1));

function acrossFolds({ folds }: CheckInput, codes: Int32Array): Int32Array {
  const split = new Set(overlapIn(folds, codes).split.map(({ code }) => code));
  return codes.map((code) => (split.has(code) ? code : -1));
}

/** Where a single copy could be told of so few rows, what is found may be of a common pattern that the weights do not know. */
const FEW_TOLD = 0.2;
/** So few contents of as many rows each, on average, may be something else than copies. */
const FEW_CONTENTS = 5;
/** From this share of the rows on it is most: of which an exact copy can be told; or who have a partner that differs. */
const HALF = 0.5;

function doubtOf(
  features: Features,
  linked: Linkage | undefined,
  { rows, clusters }: Facts,
  codes: Int32Array,
): string {
  if (!linked)
    return showLittle(features, codes)
      ? 'They may be copies, or coincide as images of two colours do that show little.'
      : '';
  const { pairs, expected } = linked;
  // A single pair that chance gives more often is asked about.
  if (pairs.length === 1 && rows <= 2 && expected > FALSE_PAIRS.sum)
    return `Chance gives one such pair in ${Math.round(1 / expected)} tables like this: they may be a copy, or two people.`;
  if (clusters <= FEW_CONTENTS && rows >= FEW_CONTENTS * clusters)
    return `They hold ${counted(clusters, 'content')} alone: copies, or cells that were filled in, or settings that many share.`;
  if (linked.power[0] < FEW_TOLD)
    return 'A single copy could be told of few rows in these data: they may be copies, or rows of a common pattern.';
  if (rowsIn(linked.codes) >= HALF * features.n && pairs.every(({ differing }) => differing > 0))
    return 'So many may be people of one household, or visits of one patient (pass its id as `groups`), or have settings of one device; or copies that were changed.';
  return '';
}

/** Looked for once, for CVL002 and CVL003. */
const linkages = new WeakMap<Features, Promise<Linkage>>();

/** The copies in the table of an input: rows of one patient are none, whom CVL001 counts where folds split a patient. */
export function copiesAmong({ data, folds }: CheckInput, features: Features): Promise<Linkage> {
  const found = linkages.get(features) ?? linkage(features, patientsOf(data, folds.n)?.codes);
  linkages.set(features, found);
  return found;
}

function coincidentCodes(features: Features, { coincident }: Linkage): Int32Array {
  const rows = Int32Array.from(coincident.keys()).filter((row) => coincident[row] === 1);
  const columns = tableOf(features).map((column) => ({ ...column, values: gather(column.values, rows) }));
  const { codes } = equalRows(contentHash({ n: rows.length, columns }));
  const all = new Int32Array(features.n).fill(-1);
  rows.forEach((row, at) => {
    all[row] = codes[at];
  });
  return all;
}

/** One pixel changes an image of two colours by so much, of its low frequencies, where it shows little. */
const SIMPLE = 0.01;

function showLittle(features: Features, codes: Int32Array): boolean {
  const { images = [] } = features;
  const isSimple = (row: number) => images.every(({ perceptual }) => perceptual.pixelStep[row] > SIMPLE);
  return tableOf(features).length === 0 && codes.every((code, row) => code < 0 || isSimple(row));
}

const EMPTY = { row: 'every value is missing', image: 'all pixels are the same' };

function facts(input: CheckInput, codes: Int32Array, more: Omit<Partial<Facts>, 'rows'>): Facts {
  const overlap = overlapIn(input.folds, codes);
  return {
    rows: rowsIn(codes),
    clusters: overlap.split.length,
    largestShare: overlap.largestShare,
    ...(input.y ? { contradicting: contradictingRows(input.y, codes) } : {}),
    ...more,
    ...splitEvidence(overlap, input),
  };
}

const rowsIn = (codes: Int32Array) => codes.reduce((sum, code) => sum + (code >= 0 ? 1 : 0), 0);

interface Examined extends ReturnType<typeof differencesIn> {
  readonly doubt: string;
  /** Every fold tests one row, of which a share would say nothing. */
  readonly isSingle: boolean;
}

function copied(
  noun: string,
  evidence: Facts,
  { doubt, isSingle, columns, same, written }: Examined,
): Finding<DuplicateDetails> {
  const { rows, clusters, largestShare, contradicting = 0, blank = 0 } = evidence;
  const most = isSingle ? '' : `, up to ${rounded(100 * largestShare)} % of a test set`;
  const share = `in ${counted(clusters, 'cluster')}${most}`;
  const also = [
    written ? ' Some of them differ in how cells are written (case, blanks, rounding to float32).' : '',
    contradicting > 0 ? ` ${contradicting} of them have a copy with another label.` : '',
    blank > 0 ? ` Besides, ${counted(blank, noun)} without content ${be(blank)} on both sides.` : '',
  ].join('');
  const but = same ? ` in all but ${listed(columns, EXAMPLES)}` : '';
  const where = `equal${but} to ${noun}s on the other side of a fold (${share})`;
  const differ =
    columns.length > 0 && !same
      ? ` Some pairs differ in ${columns.length === 1 ? 'a column' : 'a column or two'}: ${listed(columns, EXAMPLES)}.`
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

const LOOK =
  'Look at the examples: rows of one patient need one id in `patientIds`, and copies must go; rows of different patients may stay.';

const TELL_APART = 'Give columns that tell rows apart: a time, or measures with all their decimals.';

const review = (evidence: Facts, message: string, fix: string): Finding<DuplicateDetails> => ({
  status: 'needs_review',
  severity: 'low',
  fold: evidence.folds[0],
  message,
  evidence,
  fix,
});

const listed = (names: readonly string[], most: number) => {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names
    .slice(0, most)
    .map((name) => `\`${nameText(name)}\``)
    .join(', ')}${more}`;
};

/** From this share of the rows on a message says that a copy is found. */
const NEARLY_ALL = 0.95;

function reachOf({ power, complete }: Linkage): string {
  const rest = complete
    ? ''
    : ' Rows are too much alike here to compare all that differ in one or two cells: such copies may be missed.';
  const most = power.findLastIndex((share) => share >= NEARLY_ALL);
  if (most > 0) {
    const what = most > 1 ? 'any two of its cells differ or are' : 'any one of its cells differs or is';
    return ` A single copy would be found though ${what} missing.${rest}`;
  }
  const [exact, one = 0] = power.map((share) => Math.round(100 * share));
  if (most === 0) {
    const changed = one >= 100 * UNFINDABLE ? ` (${one} % of them though any one cell differs)` : '';
    return ` A single exact copy would be found, of nearly every row${changed}.${rest}`;
  }
  return exact > 0
    ? ` A single exact copy would be found of ${exact} % of the rows; what the others hold comes twice by chance.${rest}`
    : ` A single copy could not be told from chance in these data; many copies might.${rest}`;
}

const be = (count: number) => (count === 1 ? 'is' : 'are');
const rounded = (value: number) => Number(value.toPrecision(2));

// Cells that a table may hold and models cannot take: they are read, and the reader is told.

/** The square of a larger number is infinite, and with it any variance. */
const LARGEST = 1e154;
const NAMED = 3;

/**
 * Columns of nested cells, of texts among numbers, and of numbers that are infinite or too large to be squared; ''
 * without any.
 */
function unusableCells(features: Pick<Features, 'columns'>): string {
  const about = (is: (column: Column) => boolean | undefined, what: string) => {
    const names = tableOf(features).flatMap((column) => (is(column) ? [column.name] : []));
    return names.length > 0 ? ` ${listed(names, NAMED)} ${names.length === 1 ? 'has' : 'have'} ${what}.` : '';
  };
  return [
    about(
      ({ nested }) => nested,
      'objects or lists as cells, which are compared as text: give each of their values a column',
    ),
    about(
      ({ texts }) => texts !== undefined,
      'texts among numbers, which count as missing cells: write numbers, or leave them empty',
    ),
    about(
      ({ kind, values }) => kind === 'number' && values.some((value) => Math.abs(value) > LARGEST),
      'numbers that are infinite or above 1e154, of which no mean or variance can be taken: mend them',
    ),
  ].join('');
}
