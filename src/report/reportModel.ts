/** What reports read of a result: plain data, so that a report can be made of more than one kind of result. */
import type { CvBalance } from '../checkers/CVB001-class-balance/balanceOf.js';
import type { CheckResult } from '../checkers/check.js';
import type { Verdict } from '../checkers/verdict.js';
import type { ClinicalResults } from '../clinical/measures/clinicalResults.js';
import type { ChecklistName } from '../core/knownNames.js';
import type { AveragedAndPooled } from '../intervals/averagedAndPooled.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import type { FoldDetails } from '../runner/foldResult.js';
import type { PermutationImportance } from '../runner/importanceOptions.js';
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
  readonly outOfFold: Pick<OutOfFold, 'row' | 'group' | 'yTrue' | 'yPred' | 'yProba' | 'weight' | 'event'>;
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
  /** Values at the threshold of the model, of a binary task. */
  readonly atThreshold?: Readonly<Partial<Record<ClinicalMeasure, Interval>>> | null;
  readonly tableOne?: TableOne | null;
  readonly importance?: PermutationImportance | null;
  /** What the result has for guidelines, where that was asked for; made of the other fields. */
  readonly evidence?: GuidelineEvidence | null;
}

export type ClinicalMeasure = Exclude<keyof ClinicalResults, 'counts'>;

/** A predictor, or a level of one, over the columns of {@link TableOne}. */
export interface TableOneRow {
  readonly feature: string;
  /** Of a category; null for numbers, for what is missing. */
  readonly level: string | null;
  readonly what: 'mean' | 'share' | 'missing';
  /** Null where fewer than ten patients have it, or where it would follow from what is shown. */
  readonly cells: readonly (
    | { readonly mean: number; readonly sd: number }
    | { readonly count: number; readonly share: number }
    | null
  )[];
}

/** Table 1: predictors by outcome, or by the two sides of a single fold. Counts are of rows; what is hidden goes by patients. */
export interface TableOne {
  readonly columns: readonly { readonly name: string; readonly n: number }[];
  readonly rows: readonly TableOneRow[];
  readonly minCell: number;
  /** Predictors beyond those that are shown. */
  readonly omitted: number;
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

/** A part of the evidence, with its items. */
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
