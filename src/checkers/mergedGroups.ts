import { Components } from '../core/components.js';
import { InfeasibleSplitError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { power, sum } from '../core/numbers.js';
import { anything, custom, type InputOf, integer, optionTable } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { wrapText } from '../core/summaryText.js';
import { type Labels, type LabelsInput, labelsOf, taskOption } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, type Groups, groupsOf } from '../data/sideData.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { GroupKFold } from '../splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { MultilabelStratifiedGroupKFold } from '../splitters/multilabel/multilabelStratifiedGroupKFold.js';
import { splitDataOptions } from '../splitters/splitter.js';
import { blankRows } from './CVL002-duplicate/blankRows.js';
import { linkage } from './CVL002-duplicate/linkage.js';
import { joinNear, type Pair } from './CVL003-near-duplicate/joinNear.js';
import { checkShape, seedOption } from './checkOptions.js';
import { contentHash } from './features/contentHash.js';
import { equalRows } from './features/equalRows.js';
import { readFeatures } from './features/features.js';

const isPairs = (value: unknown) => Array.isArray(value) && value.every((pair) => pair?.length === 2);

export const mergeDuplicatesOptions = optionTable('mergeDuplicates', {
  y: anything<LabelsInput>('array').optional().describe('Labels, which choose the splitter.'),
  task: taskOption(),
  groups: splitDataOptions.shape.groups,
  near: custom<boolean | readonly Pair[]>(
    'boolean | [row, row][]',
    'be true, false or pairs of row numbers',
    (value) => typeof value === 'boolean' || isPairs(value),
  )
    .default(true)
    .describe('Also join near-duplicates: those that are found, or the pairs given.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds of the splitter that is proposed.'),
  randomState: seedOption.describe('Seed of that splitter, and of what is sampled to find near-duplicates.'),
  revealIds: checkShape.revealIds,
});

export type MergeDuplicatesOptions = InputOf<typeof mergeDuplicatesOptions>;

/** Groups that keep duplicates together, and folds of them. */
export interface MergedDuplicates {
  /** Group of each row, a number of its own: pass it as `groups` or `patientIds`. */
  readonly groups: Int32Array;
  readonly nGroups: number;
  /** Groups that duplicates made: how many, and the rows of the largest. */
  readonly clusters: { readonly count: number; readonly largest: number };
  /** Patients that duplicates joined, as salted hashes: one list per group. */
  readonly mergedPatients: readonly (readonly string[])[];
  /** A splitter that keeps the groups whole, with as many folds as asked for, or as there are groups. */
  readonly splitter: GroupKFold | StratifiedGroupKFold | MultilabelStratifiedGroupKFold;
  /** The folds as a line of JavaScript. */
  readonly code: string;
  /** What one should know about the groups: full sentences. */
  readonly notes: readonly string[];
  summary(): string;
}

/** A group above this share of the rows makes folds of very different sizes. */
const MOST = 0.5;

export async function mergedGroups(X: RowsInput, input: MergeDuplicatesOptions): Promise<MergedDuplicates> {
  const options = mergeDuplicatesOptions.resolve(input);
  const settings = { ...options, randomState: options.randomState ?? freshSeed() };
  const rows = rowsOf(X);
  const n = rows.length;
  const labels = options.y === undefined ? undefined : labelsOf(options.y, { task: options.task });
  if (labels) checkLength(labels, n, 'y');
  const patients = options.groups && groupsOf(options.groups, n);
  if (n === 1) {
    throw new InfeasibleSplitError(sentence('X', 'hold two rows or more, to be split', phrase('one row'), MORE));
  }
  const { features, coincident, blank, copied } = await findCopies(rows, patients?.codes);
  const [copies, together] = [new Components(n), new Components(n)];
  if (patients) together.joinEqual(patients.codes);
  for (const components of [copies, together]) components.joinEqual(copied);
  const why = await joinNear(settings, features, [copies, together]);

  const { codes: groups, sizes } = together.codes();
  const clusters = copies.codes().sizes.filter((size) => size > 1);
  if (sizes.length < 2) {
    const one = phrase(`one, of all ${n} rows`);
    throw new InfeasibleSplitError(sentence('The groups of mergeDuplicates', 'be two or more', one, LOOK));
  }
  const { splitter, note } = propose(groups, sizes.length, labels, settings);
  // Not from 0: 0, 99 and 12345 often stand for unknown patients, and 2000 ... 2999 for none of them.
  const first = 2 * power(10, String(sizes.length).length);
  const merged = {
    groups: groups.map((group) => first + group),
    nGroups: sizes.length,
    clusters: { count: clusters.length, largest: largestOf(clusters) },
    mergedPatients: patients ? sharing(patients, groups, sizes.length, settings.revealIds) : [],
    splitter,
    code: `new ${splitter.toJSON()}.split(X${labels ? ', y' : ''}, { groups: merged.groups })`,
    notes: [note.trim(), why, swallowed(sizes, n), notJoined(sum(coincident), sum(blank))].filter(Boolean),
  };
  return { ...merged, summary: () => summaryOf(merged, n) };
}

function sharing({ codes, ids }: Groups, groups: Int32Array, count: number, reveal: boolean): string[][] {
  const nameOf = reveal ? String : pseudonyms();
  const members = Array.from({ length: count }, () => new Set<number>());
  codes.forEach((patient, row) => {
    members[groups[row]].add(patient);
  });
  return members.filter(({ size }) => size > 1).map((patients) => Array.from(patients, (code) => nameOf(ids[code])));
}

/** A splitter that these groups and labels allow, and what had to be given up for it. */
function propose(
  groups: Int32Array,
  count: number,
  y: Labels | undefined,
  { nSplits, randomState }: { readonly nSplits: number; readonly randomState: number | string },
) {
  const options = { nSplits: Math.min(nSplits, count), randomState };
  const fewer = count < nSplits ? `There are only ${count} groups, hence as many folds. ` : '';
  const Stratified = y && STRATIFIED[y.task];
  if (!Stratified) return { splitter: new GroupKFold(options), note: fewer };
  const splitter = new Stratified(options);
  try {
    foldsOf(splitter, groups.length, y, { groups });
    return { splitter, note: fewer };
  } catch (error) {
    if (!(error instanceof InfeasibleSplitError)) throw error;
    return {
      splitter: new GroupKFold(options),
      note: `${fewer}The classes cannot be spread over these folds: ${error.message}`,
    };
  }
}

const STRATIFIED = {
  binary: StratifiedGroupKFold,
  multiclass: StratifiedGroupKFold,
  multilabel: MultilabelStratifiedGroupKFold,
  survival: StratifiedGroupKFold,
  regression: undefined,
};

const MORE = 'Pass all rows that are to be split.';
const LOOK = 'Look at what joins them: a patient id, or rows of few values that are equal and no copies.';

function swallowed(sizes: readonly number[], n: number): string {
  const largest = largestOf(sizes);
  return largest <= MOST * n ? '' : `One group holds ${largest} of ${n} rows. ${LOOK}`;
}

function notJoined(coincident: number, empty: number): string {
  const few = `${counted(coincident, 'row')} with an equal one were not joined: of so few values, or of a common pattern, they may coincide.`;
  const blank = `${counted(empty, 'row')} without content were not joined: better leave them out.`;
  return [coincident > 0 ? few : '', empty > 0 ? blank : ''].filter(Boolean).join(' ');
}

function summaryOf({ nGroups, clusters, mergedPatients, code, notes }: Omit<MergedDuplicates, 'summary'>, n: number) {
  const { count, largest } = clusters;
  const patients = mergedPatients.reduce((sum, { length }) => sum + length, 0);
  const lines = [
    count === 0
      ? `No duplicates to join among ${counted(n, 'row')}, in ${counted(nGroups, 'group')} as before.`
      : `${counted(count, 'cluster')} of duplicates among ${counted(n, 'row')}, the largest of ${largest} rows, kept together in ${counted(nGroups, 'group')}.`,
    patients > 0 ? `${patients} patients share rows and now form ${counted(mergedPatients.length, 'group')}.` : '',
    ...notes,
  ];
  return [...lines.filter((line) => line !== '').map((line) => wrapText(line)), `  Folds: ${code}`].join('\n');
}

const largestOf = (sizes: readonly number[]) => sizes.reduce((most, size) => Math.max(most, size), 0);

/** Of images those of equal pixels are copies. `units`: unit of each row, which stays whole anyway. */
async function findCopies(X: Rows, units: Int32Array | undefined) {
  const features = await readFeatures(X);
  const { codes: equal } = equalRows(contentHash(features));
  const blank = blankRows(features).map((one, row) => (equal[row] >= 0 ? one : 0));
  if (features.images) {
    const copied = equal.map((code, row) => (blank[row] === 1 ? -1 : code));
    return { features, copied, coincident: new Uint8Array(features.n), blank };
  }
  const { codes: copied, coincident } = await linkage(features, units);
  return { features, copied, coincident: coincident.map((one, row) => (blank[row] === 1 ? 0 : one)), blank };
}
