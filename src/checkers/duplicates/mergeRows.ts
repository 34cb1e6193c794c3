/** Groups that keep duplicates together: what `mergeDuplicates` loads when it is called. */
import { InfeasibleSplitError, InvalidOptionError, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { type Labels, type LabelsInput, labelsOf } from '../../core/labels.js';
import { anything, custom, type InputOf, integer, type OptionsOf, optionTable } from '../../core/options.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import { type RowsInput, rowsOf } from '../../core/rows.js';
import { checkLength, type Groups, groupsOf } from '../../core/sideData.js';
import { wrapText } from '../../core/summaryText.js';
import { runOptions } from '../../runner/runOptions.js';
import { foldsOf } from '../../splitters/foldsOf.js';
import { GroupKFold } from '../../splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../../splitters/grouped/stratifiedGroupKFold.js';
import { MultilabelStratifiedGroupKFold } from '../../splitters/multilabel/multilabelStratifiedGroupKFold.js';
import { splitDataOptions } from '../../splitters/splitter.js';
import { idHasher } from '../checkInput.js';
import { type Features, readFeatures } from '../features.js';
import { judgeShape } from '../judgeOptions.js';
import type { MergedDuplicates } from '../mergeDuplicates.js';
import { blankRows } from './blankRows.js';
import { Components } from './components.js';
import { equalContent } from './equalContent.js';

type Pair = readonly [number, number];

const isPairs = (value: unknown) => Array.isArray(value) && value.every((pair) => pair?.length === 2);

export const mergeDuplicatesOptions = optionTable('mergeDuplicates', {
  y: anything<LabelsInput>('array').optional().describe('Labels, which choose the splitter.'),
  task: runOptions.shape.task,
  groups: splitDataOptions.shape.groups,
  near: custom<boolean | readonly Pair[]>(
    'boolean | [row, row][]',
    'be true, false or pairs of row numbers',
    (value) => typeof value === 'boolean' || isPairs(value),
  )
    .default(true)
    .describe('Also join near-duplicates: those that are found, or the pairs given.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds of the splitter that is proposed.'),
  randomState: integer({ min: 0, max: 0xffffffff }).default(42).describe('Seed of that splitter.'),
  revealIds: judgeShape.revealIds,
});

export type MergeDuplicatesOptions = InputOf<typeof mergeDuplicatesOptions>;

/** A group above this share of the rows makes folds of very different sizes. */
const MOST = 0.5;

/** See {@link mergeDuplicates}. */
export async function mergeRows(X: RowsInput, options: MergeDuplicatesOptions): Promise<MergedDuplicates> {
  const settings = mergeDuplicatesOptions.resolve(options);
  const rows = rowsOf(X);
  const n = rows.length;
  const labels = settings.y === undefined ? undefined : labelsOf(settings.y, { task: settings.task });
  if (labels) checkLength(labels, n, 'y');
  const patients = settings.groups && groupsOf(settings.groups, n);
  const features = await readFeatures(rows);

  const equal = equalContent(features, patients?.codes).codes;
  const { pairs, why = '' } = await nearPairsOf(settings, features, patients);
  const copies = joined(n, pairs, equal);
  const { codes: groups, sizes } = joined(n, pairs, equal, patients?.codes);

  const clusters = copies.sizes.filter((size) => size > 1);
  const mergedPatients = patients ? sharing(patients, groups, sizes.length, settings.revealIds) : [];
  const blank = blankRows(features).filter((is, row) => is === 1 && equal[row] >= 0).length;
  const { splitter, note } = propose(groups, sizes.length, labels, settings);
  const merged = {
    groups,
    nGroups: sizes.length,
    clusters: { count: clusters.length, largest: largestOf(clusters) },
    mergedPatients,
    splitter,
    code: splitter ? `new ${splitter.toJSON()}.split(X${labels ? ', y' : ''}, { groups: merged.groups })` : '',
    notes: [note.trim(), why, swallowed(sizes, n), emptyNote(blank)].filter((text) => text !== ''),
  };
  return { ...merged, summary: () => summaryOf(merged, n) };
}

function joined(n: number, pairs: readonly Pair[], ...codes: readonly (Int32Array | undefined)[]) {
  const components = new Components(n);
  for (const [a, b] of pairs) components.join(a, b);
  for (const each of codes) if (each) components.joinEqual(each);
  return components.codes();
}

type Settings = OptionsOf<typeof mergeDuplicatesOptions>;

/** The pairs given, or those that CVL003 accuses; and why these could not be told. */
async function nearPairsOf({ near, randomState }: Settings, features: Features, patients: Groups | undefined) {
  const { n } = features;
  if (typeof near !== 'boolean') {
    const odd = near.flat().find((row) => !Number.isInteger(row) || row < 0 || row >= n);
    if (odd === undefined) return { pairs: near };
    throw new InvalidOptionError(sentence('A row of `near`', `be an integer from 0 to ${n - 1}`, odd));
  }
  if (!near) return { pairs: [] };
  const { nearPairs } = await import('../near/nearPairs.js');
  const found = nearPairs(features, {
    codes: patients?.codes,
    units: patients?.count ?? n,
    crossPairs: (n * (n - 1)) / 2,
    random: randomSource(deriveSeed(randomState, 'near_duplicate')),
  });
  const why = found.reason ? `Near-duplicates were not looked for. ${found.reason}` : '';
  return { pairs: found.pairs.map(({ first, second }): Pair => [first, second]), why };
}

/** The ids of patients that share a group, for each group of several. */
function sharing({ codes, ids }: Groups, groups: Int32Array, count: number, reveal: boolean): string[][] {
  const nameOf = reveal ? String : idHasher();
  const members = Array.from({ length: count }, () => new Set<number>());
  codes.forEach((patient, row) => {
    members[groups[row]].add(patient);
  });
  return members.filter(({ size }) => size > 1).map((patients) => Array.from(patients, (code) => nameOf(ids[code])));
}

/** A splitter that these groups and labels allow, and what had to be given up for it. */
function propose(groups: Int32Array, count: number, y: Labels | undefined, { nSplits, randomState }: Settings) {
  if (count < 2)
    return { splitter: null, note: 'All rows are in one group, so that there are no folds of whole groups.' };
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
  regression: undefined,
};

function swallowed(sizes: readonly number[], n: number): string {
  const largest = largestOf(sizes);
  if (sizes.length < 2 || largest <= MOST * n) return '';
  return `One group holds ${largest} of ${n} rows: where rows of few values coincide, they are no duplicates, and the groups should stay as they were.`;
}

const emptyNote = (blank: number) =>
  blank === 0 ? '' : `${counted(blank, 'row')} without content were joined: better leave them out.`;

function summaryOf({ nGroups, clusters, mergedPatients, code, notes }: Omit<MergedDuplicates, 'summary'>, n: number) {
  const { count, largest } = clusters;
  const patients = mergedPatients.reduce((sum, { length }) => sum + length, 0);
  const lines = [
    count === 0
      ? `No duplicates among ${counted(n, 'row')}, in ${counted(nGroups, 'group')} as before.`
      : `${counted(count, 'cluster')} of duplicates among ${counted(n, 'row')}, the largest of ${largest} rows, kept together in ${counted(nGroups, 'group')}.`,
    patients > 0 ? `${patients} patients share rows and now form ${counted(mergedPatients.length, 'group')}.` : '',
    ...notes,
  ];
  const folds = code ? [`  Folds: ${code}`] : [];
  return [...lines.filter((line) => line !== '').map((line) => wrapText(line)), ...folds].join('\n');
}

const largestOf = (sizes: readonly number[]) => sizes.reduce((most, size) => Math.max(most, size), 0);
