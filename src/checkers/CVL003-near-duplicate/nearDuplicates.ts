import { nameText } from '../../core/foreignText.js';
import { counted, wholePercent } from '../../core/format.js';
import { knownGroups, patientsOf } from '../../data/sideData.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';
import { copiesAmong } from '../CVL002-duplicate/duplicateRows.js';
import { type Check, type CheckResult, notDetectable, passed, type Share, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import type { Column, Features } from '../features/columns.js';
import { readFeatures, tableOf } from '../features/features.js';
import { differingBits } from '../features/images/perceptual.js';
import { lowFrequenciesOf } from '../features/images/readImages.js';
import { EXAMPLES, type SplitExample, shareOf } from '../overlap.js';
import { answered, type SingleCheck } from '../singleCheck.js';
import { acrossFolds, crossPairs } from './acrossFolds.js';
import { type NearInput, nearPairs } from './nearPairs.js';
import { MOVED } from './pictures/searchPictures.js';
import type { TrialCopies } from './searchPoints.js';
import { mayOverlap, overlaps, sharedAcross, windowsOf, withoutWindows } from './windows.js';

/** What CVL003 looked at and found. */
export type NearDuplicateDetails = {
  readonly rows: number;
  /** Each input of the model: how many features were compared, and what would be found. */
  readonly inputs: readonly {
    readonly name?: string;
    readonly features: number;
    /** Noise, in standard deviations per feature (of its normal scores), with which 95 % of single copies are found; 0 for images. */
    readonly detectable: number;
    /** Share of the rows of which copies can be told at all, if not of all. */
    readonly judged?: number;
    /** Similarity that chance does not reach. */
    readonly leastSimilarity: number;
    /** Of images: copies that were made of some of them, and those of them that would be found; also those with a black square. */
    readonly trial?: TrialCopies;
  }[];
  /** Rows that are windows of one recording or tiles of one slide: pairs across the sides of a fold, and the first. */
  readonly overlaps?: number;
  readonly overlap?: SplitExample & { readonly shift: readonly number[]; readonly share: number };
  /** Pairs across the sides of a fold, and the test rows among them. */
  readonly pairs?: number;
  readonly testRows?: number;
  readonly examples?: readonly (SplitExample & {
    readonly similarity: number;
    readonly input?: string;
    readonly differingBits?: number;
  })[];
};

/**
 * CVL003: no test row is almost a training row of another patient. A pair is accused when fewer than .01 pairs in all
 * the folds would come as near by chance, judged by the distances that neighbours have in these data.
 *
 * Source: Barz & Denzler 2020, Journal of Imaging 6(6):41 (near-duplicates between training and test sets).
 */
export const nearDuplicates: Check<NearDuplicateDetails> = {
  code: 'CVL003',
  type: 'near_duplicate',
  kind: 'leakage',
  cost: 'slow',
  page: 'docs/checks/CVL003.md',
  description: 'A test row is almost a training row of another patient: nearer to it than chance explains.',
  needs: ['X'],
  async assess(input) {
    const { folds, embeddings } = input;
    const { features, windows, options } = await searchOf(input);
    const search = await nearPairs(features, options);
    const overlapping = windows ? await overlaps(windows, options.codes) : [];
    const shared = sharedAcross(input, overlapping);
    const across = acrossFolds(folds, search.pairs);
    const { inputs } = search;
    const evidence = { rows: folds.n, inputs: inputs.map(inputFacts) };
    if (shared && (shared.finding.status === 'failed' || across.length === 0)) {
      const { finding, rows } = shared;
      const more = new Set([...across, ...rows].map(({ test }) => test)).size - finding.evidence.testRows;
      const also =
        more > 0 ? ` ${counted(more, 'other test row')} ${more === 1 ? 'is' : 'are'} almost a training row.` : '';
      return {
        ...finding,
        message: `${finding.message}${also}`,
        evidence: { ...evidence, ...finding.evidence, ...(across.length > 0 ? { pairs: across.length } : {}) },
        concerns: concernedBy([...across, ...rows], folds),
      };
    }
    if (search.reason && !search.tightClusters) {
      return (search.notDetectable ? notDetectable : undecided)(search.reason, search.fix ?? '', evidence);
    }
    if (search.reason && across.length === 0) {
      const { reason: message, fix = '' } = search;
      return { status: 'needs_review', severity: 'low', message, evidence, fix };
    }
    const whose = options.codes ? ' of another patient' : '';
    const { X } = input;
    const limit = X && !embeddings && mayOverlap(X, features) ? withoutWindows(X) : undefined;
    const unseen = limit ? ` Overlapping windows are not looked for ${limit}.` : '';
    const reach = `${inputs.map((each) => reachOf(each, folds.n)).join(' ')}${unseen}`;
    if (across.length === 0) return passed(`No test row is almost a training row${whose}. ${reach}`, evidence);
    const testRows = new Set(across.map(({ test }) => test)).size;
    const examples = across.slice(0, EXAMPLES).map(({ pair, fold, train, test }) => {
      const { similarity, input: place } = search.pairs[pair];
      const image = inputs[place].images ? features.images![place] : undefined;
      const [a, b] = [train, test].map((row) => image && lowFrequenciesOf(image, row));
      return {
        fold,
        train: input.rowOf(train),
        test: input.rowOf(test),
        similarity,
        ...(inputs[place].name ? { input: inputs[place].name } : {}),
        ...(a && b ? { differingBits: differingBits(a, b) } : {}),
      };
    });
    const [{ similarity }] = examples;
    const [{ pair, train, test }] = across;
    const agreement = inputs[search.pairs[pair].input].images
      ? ''
      : agreementText({ columns: tableOf(features) }, train, test);
    return {
      status: 'failed',
      severity: 'high',
      fold: across[0].fold,
      message: `${counted(testRows, 'test row')} ${testRows === 1 ? 'is' : 'are'} almost a training row${whose}: nearer to it than chance explains in these data. The closest pair has a similarity of ${similarityText(similarity)}${agreement}.${shared ? ` ${shared.finding.message}` : ''} ${reach}`,
      evidence: { ...shared?.finding.evidence, ...evidence, pairs: across.length, testRows, examples },
      concerns: concernedBy([...across, ...(shared?.rows ?? [])], folds),
      fix: `Look at the pairs: if they are copies, keep one of each or give both rows one patient id (\`mergeDuplicates\`), and split again; keep synthesised or augmented rows in the training folds, or out of the data where no model is trained.${shared ? ` ${shared.finding.fix}` : ''}`,
    };
  },
};

const inputFacts = ({ name, features, detectable, judged = 1, leastSimilarity, trial }: NearInput) => ({
  ...(name ? { name } : {}),
  features,
  detectable,
  ...(judged < 1 ? { judged } : {}),
  leastSimilarity,
  ...(trial ? { trial } : {}),
});

async function searchOf(input: CheckInput) {
  const { X, folds, data, embeddings } = input;
  const features = embeddings ? await readFeatures(embeddings) : await input.features();
  const patients = patientsOf(data, folds.n);
  const levels = Object.entries(data.hierarchy ?? {}).map(([name, level]) => ({
    name,
    ...knownGroups(level, folds.n),
  }));
  return {
    features,
    windows: X && !embeddings ? windowsOf(X, features) : undefined,
    options: {
      codes: patients?.codes,
      units: patients?.count ?? folds.n,
      crossPairs: crossPairs(folds),
      levels,
      random: input.random('near_duplicate'),
      // What CVL002 reports is not reported twice.
      ...(embeddings || features.images ? {} : { known: (await copiesAmong(input, features)).codes }),
    },
  };
}

function concernedBy(across: readonly { readonly test: number }[], folds: FoldPlan): Share {
  const [concerned, tested] = [new Uint8Array(folds.n), new Uint8Array(folds.n)];
  for (const { test } of across) concerned[test] = 1;
  for (const { test } of folds.sides()) for (const row of test) tested[row] = 1;
  return shareOf(concerned, tested);
}

/** A value that was measured again differs by more than this, in standard deviations of its feature: three digits are written. */
const MEASURED = 1e-3;

function reachOf(input: NearInput, n: number): string {
  const { name, images, detectable, judged = 1, trial, reason, note } = input;
  const where = name ? `${nameText(name)}: ` : '';
  const also = note ? ` ${note}` : '';
  if (reason) return `${where}${reason}`;
  if (!images) {
    const some =
      judged < 0.995
        ? ` of about ${wholePercent(judged)} of the rows; the others lack values, or agree with too many once they are rounded`
        : '';
    return `${where}Detection limit: a copy with noise up to ${detectable.toPrecision(2)} SD per feature is found in about 95 % of cases${some}.${detectable < MEASURED ? ' What was measured again differs by more.' : ''}${also}`;
  }
  const found = trial ? ` ${trialText(trial)}` : '';
  return `${where}${counted(n, 'image')} were aligned with the ones that look most alike, as they are, mirrored and in a standard position, and their details compared.${found}${also}`;
}

function trialText({ found, of, covered }: TrialCopies): string {
  const moved = `Of ${of} copies that were made of these images, ${MOVED}, ${found} would be found`;
  const also = covered ? `; of ${covered.of} with a black square, ${covered.found}` : '';
  return `${moved}${also}. Of copies that were changed more, or taken anew with more noise, fewer would be found.`;
}

/** Pairs must be this similar to be told from chance, in any input; null where none was judged. */
export const leastSimilarityOf = (inputs: readonly Pick<NearInput, 'leastSimilarity'>[]): number | null =>
  inputs.length > 0 ? Math.max(...inputs.map(({ leastSimilarity }) => leastSimilarity)) : null;

/** A similarity with two digits of what it is off from 1. */
export const similarityText = (similarity: number): string =>
  String(Number((1 - Number((1 - similarity).toPrecision(2))).toPrecision(12)));

/** Rows of training and test that are nearly equal. */
export interface NearDuplicates extends SingleCheck {
  /** The most similar first; rows are numbered within their set. */
  readonly pairs: readonly { readonly trainIndex: number; readonly testIndex: number; readonly similarity: number }[];
}

/**
 * A result on folds as `checkNearDuplicates` answers it; `pairs` are the examples of its evidence. The threshold is the least
 * similarity that chance does not give.
 */
export function nearDuplicatesOf(result: CheckResult<NearDuplicateDetails>): CheckResult & NearDuplicates {
  const { pairs = 0, testRows = 0, rows, inputs = [], examples = [] } = result.evidence;
  return {
    ...answered(result, { count: pairs, share: testRows, of: rows, threshold: leastSimilarityOf(inputs) }),
    pairs: examples.map(({ train, test, similarity }) => ({ trainIndex: train, testIndex: test, similarity })),
  };
}

// In which columns two rows agree, and in which they do not: so that a reader can judge whether they are one.

const NAMED = 3;

/** How far apart two cells are: the share of the rows between them, or whether they differ. */
interface Gap {
  readonly name: string;
  readonly distance: number;
  readonly equal: boolean;
}

/**
 * ` (they agree most in ..., and differ most in ...)`, for two rows of a table; empty where its columns are not several. Cells that
 * agree are the more telling the fewer rows lie between them; labels that are equal tell little and are not named.
 */
export function agreementText({ columns }: Pick<Features, 'columns'>, first: number, second: number): string {
  const gaps = columns.flatMap((column): Gap[] => {
    const distance = gapOf(column, first, second);
    const equal = column.values[first] === column.values[second];
    return distance === undefined ? [] : [{ name: nameText(column.name), distance, equal }];
  });
  if (gaps.length < 2) return '';
  gaps.sort((a, b) => a.distance - b.distance);
  const agree = gaps.slice(0, Math.min(NAMED, gaps.length - 1)).map(({ name }) => name);
  const differ = gaps
    .slice(agree.length)
    .filter(({ equal }) => !equal)
    .slice(-NAMED)
    .reverse()
    .map(({ name }) => name);
  const also = differ.length > 0 ? `, and differ most in ${listed(differ)}` : '';
  return ` (they agree most in ${listed(agree)}${also})`;
}

function gapOf({ kind, values }: Column, first: number, second: number): number | undefined {
  const [a, b] = [values[first], values[second]];
  if (Number.isNaN(a) && Number.isNaN(b)) return undefined;
  if (kind === 'category' || Number.isNaN(a) || Number.isNaN(b)) return a === b ? undefined : 1;
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  let between = 0;
  for (let row = 0; row < values.length; row++) if (values[row] >= low && values[row] <= high) between++;
  return a === b && between === values.length ? undefined : between / values.length;
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
