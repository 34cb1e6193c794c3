/** The single checks of `DataLeakageChecker`: one question each, outside folds. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { counted, wholeNumber } from '../core/format.js';
import { anything, type InputOf, number, oneOf, optionTable } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { featureNamesOption } from '../data/featureNames.js';
import { type LabelsInput, labelsOf } from '../data/labels.js';
import { pseudonyms } from '../data/pseudonyms.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, checkSideData } from '../data/sideData.js';
import { runOptions } from '../runner/runOptions.js';
import { splitDataOptions } from '../splitters/splitter.js';
import { askedShape } from './askedOptions.js';
import { nearDuplicatesBetween } from './CVL003-near-duplicate/nearDuplicatesBetween.js';
import { similarityText, similarityTold } from './CVL003-near-duplicate/nearPairs.js';
import { idsOnBothSides, type SharedIds, type TwoSetsOfIds } from './CVL008-hierarchical/idsOnBothSides.js';
import { judgeFeatureTarget, type TargetFeature } from './CVL009-feature-target/featureTarget.js';
import {
  judgePreprocessing,
  type PreprocessingEvidence,
  type PreprocessingOptions,
  type SplitIndices,
} from './CVL010-preprocessing/assessPreprocessing.js';
import type { Finding } from './check.js';
import type { CheckerSettings } from './dataLeakageChecker.js';
import { readFeatures } from './features/features.js';
import { SPELL } from './features/respelled.js';

/** What every single check answers. */
export interface SingleCheck extends Pick<Finding, 'status' | 'message' | 'evidence' | 'fix'> {
  /** The check failed. What is only to be reviewed does not count. */
  readonly hasLeakage: boolean;
  /** How many features, steps of a preparation, pairs or ids were found. */
  readonly count: number;
  /** Their share of all features or steps, or the share of test rows concerned; null where nothing could be evaluated. */
  readonly fraction: number | null;
  /** What was compared with; null where the check is exact. */
  readonly threshold: number | null;
}

export const featureTargetOptions = optionTable('checkFeatureTargetLeakage', {
  featureNames: featureNamesOption,
  threshold: askedShape.featureThreshold,
  groups: splitDataOptions.shape.groups,
  task: runOptions.shape.task,
});
export type FeatureTargetOptions = InputOf<typeof featureTargetOptions>;

export interface FeatureTargetLeakage extends SingleCheck {
  /** Features that give the label away, or almost: the strongest evidence first. */
  readonly features: readonly TargetFeature[];
}

/** See {@link DataLeakageChecker.checkFeatureTargetLeakage}. */
export async function checkFeatureTargetLeakage(
  X: RowsInput,
  y: LabelsInput,
  input: FeatureTargetOptions,
): Promise<FeatureTargetLeakage> {
  const { threshold, featureNames, groups, task } = featureTargetOptions.resolve(input);
  const rows = rowsOf(X, 'X', featureNames);
  const labels = labelsOf(y, { task });
  checkLength(labels, rows.length, 'y');
  const data = groups ? { groups } : {};
  checkSideData(data, rows.length);
  const all = await readFeatures(rows);
  const { finding, features } = await judgeFeatureTarget({
    y: labels,
    data,
    featureThreshold: threshold,
    features: async () => all,
  });
  const open = finding.status === 'not_evaluated' || finding.status === 'not_applicable';
  const fraction = open ? null : features.length / all.columns.length;
  return { ...single(finding), count: features.length, fraction, threshold, features };
}

/** See {@link DataLeakageChecker.checkPreprocessing}. */
export async function checkPreprocessing(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<SingleCheck> {
  const finding = await judgePreprocessing(XOriginal, XProcessed, splitIndices, input, 'checkPreprocessing');
  const { steps, fittedToAllRows, tolerance = null } = finding.evidence as Partial<PreprocessingEvidence>;
  const count = fittedToAllRows?.length ?? 0;
  return {
    ...single(finding),
    count,
    fraction: steps ? count / Math.max(1, steps.length) : null,
    threshold: tolerance,
  };
}

/**
 * See {@link DataLeakageChecker.checkPreprocessingLeakage}.
 *
 * @throws {InvalidDataError} where it cannot tell
 */
export async function checkPreprocessingLeakage(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<boolean> {
  const { status, message, fix } = await judgePreprocessing(XOriginal, XProcessed, splitIndices, input);
  if (status !== 'not_evaluated') return status === 'failed';
  const must = 'be made from XOriginal by steps that can be done again';
  throw new InvalidDataError(`${sentence('XProcessed', must, phrase('something else'))} ${message} ${fix}`.trim(), {
    code: 'unknown_preprocessing',
  });
}

export const nearDuplicatesOptions = optionTable('checkNearDuplicates', {
  similarityThreshold: number({ above: 0, max: 1 })
    .default(0.99)
    .describe(
      'Least similarity of a pair that is listed. Another value than the default decides by itself, as a cosine unless `metric` is set.',
    ),
  metric: oneOf('euclidean', 'cosine')
    .default('euclidean')
    .describe(
      "'euclidean', 1 - d^2 over its mean, of standardised rows; 'cosine', of these, from their middle, or of a model's vectors as they are.",
    ),
  embeddingsTrain: anything<RowsInput>('rows').optional().describe("A model's vectors of the training rows."),
  embeddingsTest: anything<RowsInput>('rows').optional().describe("A model's vectors of the test rows."),
  randomState: askedShape.randomState.describe('Seed of what is sampled to see how far apart rows usually are.'),
});
export type NearDuplicatesOptions = InputOf<typeof nearDuplicatesOptions>;

export interface NearDuplicates extends SingleCheck {
  /** The most similar first; rows are numbered within their set. */
  readonly pairs: readonly { readonly trainIndex: number; readonly testIndex: number; readonly similarity: number }[];
}

/** See {@link DataLeakageChecker.checkNearDuplicates}. */
export async function checkNearDuplicates(
  XTrain: RowsInput,
  XTest: RowsInput,
  input: NearDuplicatesOptions,
): Promise<NearDuplicates> {
  const { options, written } = nearDuplicatesOptions.parse(input);
  const { randomState, embeddingsTrain, embeddingsTest, ...asked } = options;
  // A threshold of the caller's own is one of cosines, and decides.
  const decides = asked.similarityThreshold !== nearDuplicatesOptions.shape.similarityThreshold.defaultValue;
  const metric = decides && !written.has('metric') ? 'cosine' : asked.metric;
  const [train, test] = [
    setOf(XTrain, 'XTrain', embeddingsTrain, 'embeddingsTrain'),
    setOf(XTest, 'XTest', embeddingsTest, 'embeddingsTest'),
  ];
  const embedded = embeddingsTrain !== undefined;
  const found = await nearDuplicatesBetween(train, test, {
    ...asked,
    metric,
    decides,
    embedded,
    randomState: randomState ?? freshSeed(),
  });
  const { pairs, inputs, tested, reason, odd, truncated, fix = '' } = found;
  const rows = new Set(pairs.map(({ testIndex }) => testIndex)).size;
  const threshold = asked.similarityThreshold;
  if (decides) {
    const like = metric === 'cosine' ? 'cosine' : 'similarity';
    return {
      pairs,
      count: pairs.length,
      threshold,
      evidence: { tested, metric },
      hasLeakage: rows > 0,
      status: rows > 0 ? 'failed' : 'passed',
      fraction: rows / tested,
      message: `${wholeNumber(rows)} of ${counted(tested, 'test row')} ${rows === 1 ? 'has' : 'have'} a ${like} of at least ${threshold} with a training row; chance was not asked.${truncated ? ' There are more: the search ended.' : ''}`,
      fix: rows > 0 ? APART : '',
    };
  }
  const limit = Math.max(threshold, similarityTold(inputs) ?? 0);
  const detectable = Math.min(...inputs.map((each) => each.detectable));
  const evidence = inputs.length > 0 ? { tested, limit, detectable } : { tested };
  const about = { pairs, count: pairs.length, threshold, evidence };
  if (reason && rows === 0) {
    const status = odd ? 'needs_review' : 'not_evaluated';
    return { ...about, hasLeakage: false, status, fraction: odd ? rows / tested : null, message: reason, fix };
  }
  const notes = inputs.map(({ note = '' }) => note && ` ${note}`).join('');
  const chance =
    limit > threshold + 1e-9
      ? `Chance brings rows of these data to a similarity of ${similarityText(limit)}; pairs from ${threshold} up to there are not given.`
      : `Pairs were looked for from a similarity of ${threshold}.`;
  return {
    ...about,
    hasLeakage: rows > 0,
    status: rows > 0 ? 'failed' : 'passed',
    fraction: rows / tested,
    message:
      rows > 0
        ? `${rows} of ${counted(tested, 'test row')} ${rows === 1 ? 'is' : 'are'} almost a training row. ${chance}${notes}`
        : `No test row is almost a training row. ${chance}${notes}`,
    fix: rows > 0 ? APART : '',
  };
}

const APART = 'Keep such rows on one side: mergeDuplicates makes groups of them.';

/** The rows of a set, or the vectors that stand in for them. */
function setOf(X: RowsInput, name: string, embeddings: RowsInput | undefined, vectorsName: string) {
  const rows = rowsOf(X, name);
  if (embeddings === undefined) return rows;
  const vectors = rowsOf(embeddings, vectorsName);
  checkLength(vectors, rows.length, vectorsName, `${name} has rows`);
  return vectors;
}

export interface HierarchicalLeakage extends SingleCheck {
  /** Ids in both sets, as salted hashes unless they were to be revealed. Without parents `parents` is empty. */
  readonly overlapping: SharedIds['overlapping'];
}

/** See {@link DataLeakageChecker.checkHierarchicalLeakage}. */
export function checkHierarchicalLeakage({ revealIds }: CheckerSettings, given: TwoSetsOfIds): HierarchicalLeakage {
  const { overlapping, count, fraction, respelled } = idsOnBothSides(given, revealIds ? String : pseudonyms());
  const { groups, parents } = overlapping;
  const found = count > 0;
  const shared = [
    groups.length > 0 ? counted(groups.length, 'group') : '',
    parents.length > 0 ? counted(parents.length, 'parent') : '',
  ].filter(Boolean);
  const withParents = given.parentGroupsTrain !== undefined;
  const message = found
    ? `${shared.join(' and ')} ${count === 1 ? 'is' : 'are'} in both sets.`
    : `No group${withParents ? ' or parent of a group' : ''} is in both sets.`;
  const differ = respelled === 1 ? 'id of one set differs from one' : 'ids of one set differ from ids';
  return {
    hasLeakage: found,
    status: found ? 'failed' : respelled > 0 ? 'needs_review' : 'passed',
    count,
    fraction,
    threshold: null,
    evidence: {
      groups: groups.length,
      ...(withParents ? { parents: parents.length } : {}),
      ...(respelled > 0 ? { respelled } : {}),
    },
    message: respelled > 0 ? `${message} ${respelled} ${differ} of the other in spelling alone.` : message,
    fix: found
      ? `Draw the sets from whole ${parents.length > 0 ? 'parents' : 'groups'}: HierarchicalGroupKFold.`
      : respelled > 0
        ? SPELL
        : '',
    overlapping,
  };
}

const single = ({ status, message, evidence, fix }: Finding) => ({
  hasLeakage: status === 'failed',
  status,
  message,
  evidence,
  fix,
});
