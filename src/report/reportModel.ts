/** What reports read of a result: plain data, so that a report can be made of more than one kind of result. */
import type { CvBalance } from '../checkers/CVB001-class-balance/balanceOf.js';
import type { CheckResult } from '../checkers/check.js';
import type { Verdict } from '../checkers/verdict.js';
import type { ChecklistName } from '../core/knownNames.js';
import type { AveragedAndPooled } from '../intervals/averagedAndPooled.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import type { FoldDetails } from '../runner/foldResult.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { RunMetadata } from '../runner/runMetadata.js';

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

/** One item of a guideline and what a result says to it. */
export interface EvidenceItem {
  /** The number, as published: `12a`. The FDA's draft has none: topics in our own words, as `subgroups`. */
  readonly id: string;
  /** What it asks for: a short form in our own words. */
  readonly name: string;
  /** `filled`: nothing is known to remain. `in part`: the text says what remains. `author`: the run says nothing to it. */
  readonly status: 'filled' | 'in part' | 'author';
  /** Lines of whole sentences; the last says what is left to the author, where anything is. */
  readonly text: string;
  /** Where the figures of the text stand: paths into the result and its JSON, as `manifest.n` or `checks[2].message`. */
  readonly where: readonly string[];
}

export interface EvidenceSection {
  readonly checklist: ChecklistName;
  readonly title: string;
  /** Source and standing of the guideline. */
  readonly about: readonly string[];
  /** `2 filled, 3 in part and 5 left to the author, of 10 items`. */
  readonly counts: string;
  readonly items: readonly EvidenceItem[];
}

/** What a result says to guidelines: material for the author's own filing. */
export interface GuidelineEvidence {
  readonly note: string;
  readonly sections: readonly EvidenceSection[];
}
