/** What reports read of a result: plain data, so that a report can be made of more than one kind of result. */
import type { CvBalance } from '../checkers/CVB001-class-balance/balanceOf.js';
import type { CheckResult } from '../checkers/check.js';
import type { Verdict } from '../checkers/verdict.js';
import type { AveragedAndPooled } from '../intervals/averagedAndPooled.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import type { FoldDetails } from '../runner/foldResult.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import type { GuidelineEvidence } from './evidence/evidenceOf.js';

type ByScore<T> = Readonly<Record<string, T>>;

/** The fields have the meaning that they have in `ValidationResult`, which is one of these. */
export interface ReportModel {
  readonly scores: ByScore<readonly Score[]>;
  readonly estimates: ByScore<number | null>;
  readonly meanScores: ByScore<number | null>;
  readonly stdScores: ByScore<number | null>;
  readonly trainScores: ByScore<readonly Score[]> | null;
  readonly apparentScores: ByScore<Score> | null;
  readonly baseline: ByScore<Score> | null;
  readonly averages: ByScore<AveragedAndPooled>;
  readonly confidenceIntervals: ByScore<Interval>;
  readonly ciLevel: number;
  readonly foldDetails: readonly FoldDetails[];
  readonly checks: readonly CheckResult[];
  readonly verdict: Verdict;
  readonly recommendations: readonly string[];
  readonly balance: CvBalance | null;
  readonly outOfFold: Pick<OutOfFold, 'row' | 'group' | 'yTrue' | 'yPred' | 'yProba' | 'weight'>;
  readonly refitted: { readonly note: string } | null;
  readonly manifest: RunMetadata & {
    readonly method: string;
    readonly methodReason: string | null;
    readonly advice?: string | null;
    readonly independentRows: boolean;
    readonly ciFitsMade?: { readonly fits: number; readonly failed: number; readonly seconds: number } | null;
    readonly ciFitsOffer?: { readonly ciFits: number; readonly fits: number; readonly seconds: number } | null;
  };
  /** Made when it is asked for; a plain copy of a result lacks it. */
  readonly calibration?: Readonly<Record<'intercept' | 'slope', Interval>> | null;
  /** What the result has for guidelines, where that was asked for; made of the other fields. */
  readonly evidence?: GuidelineEvidence | null;
}
