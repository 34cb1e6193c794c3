/** Results on folds with the keys of the single checks: what `comprehensiveCheck` gives by name. */

import { type NearInput, similarityTold } from './CVL003-near-duplicate/nearPairs.js';
import type { TargetFeature } from './CVL009-feature-target/featureTarget.js';
import type { CheckResult } from './check.js';
import type { FeatureTargetLeakage, HierarchicalLeakage, NearDuplicates, SingleCheck } from './singleChecks.js';

/** CVL009; `features` are all that were found. */
export function featureTargetOf(
  result: CheckResult,
  features: readonly TargetFeature[],
  threshold: number,
): CheckResult & FeatureTargetLeakage {
  const { features: of } = result.evidence as { features?: number };
  return { ...single(result, { count: features.length, of, threshold }), features };
}

/** CVL003; `pairs` are the examples of the evidence. The threshold is the least similarity that chance does not give. */
export function nearDuplicatesOf(result: CheckResult): CheckResult & NearDuplicates {
  const { pairs = 0, testRows = 0, rows } = result.evidence as Partial<Record<string, number>>;
  const { inputs = [] } = result.evidence as { readonly inputs?: readonly NearInput[] };
  const found = examplesIn<{ train: number; test: number; similarity: number }>(result);
  return {
    ...single(result, { count: pairs, share: testRows, of: rows, threshold: similarityTold(inputs) }),
    pairs: found.map(({ train, test, similarity }) => ({ trainIndex: train, testIndex: test, similarity })),
  };
}

/** CVL008; `overlapping` are the examples of the evidence: levels above the patients are parents. */
export function hierarchicalOf(result: CheckResult): CheckResult & HierarchicalLeakage {
  const { torn = 0, tornRows = 0, testRows } = result.evidence as Partial<Record<string, number>>;
  const ids = examplesIn<Record<string, unknown>>(result).flatMap(({ fold, train, test, ...levels }) =>
    Object.values(levels).map(String),
  );
  const above = result.severity === 'high';
  return {
    ...single(result, { count: torn, share: tornRows, of: testRows, threshold: null }),
    overlapping: { groups: above ? [] : ids, parents: above ? ids : [] },
  };
}

const examplesIn = <T>({ evidence: { examples = [] } }: CheckResult) => examples as readonly T[];

interface Found extends Pick<SingleCheck, 'count' | 'threshold'> {
  /** What the fraction counts, where that is not what was found. */
  readonly share?: number;
  /** All of them; undefined where nothing could be evaluated. */
  readonly of: number | undefined;
}

function single(result: CheckResult, { count, share = count, of, threshold }: Found): CheckResult & SingleCheck {
  const open = of === undefined || result.status === 'not_evaluated' || result.status === 'not_applicable';
  return {
    ...result,
    hasLeakage: result.status === 'failed',
    count,
    fraction: open ? null : share / Math.max(1, of),
    threshold,
  };
}
