/** What checks of a result are made from. */
import type { Features } from '../../checkers/features/columns.js';
import type { Labels } from '../../data/labels.js';
import type { Rows } from '../../data/rows.js';
import type { Interval } from '../../intervals/interval.js';
import type { Score } from '../../metrics/metric.js';
import type { CVResults } from '../../runner/cvResults.js';

/** The rows of a run. */
export interface FeatureRows {
  readonly X: Rows;
  readonly y: Labels;
  /** Read once for all that asks. */
  readonly features: () => Promise<Features>;
}

/** A result, before anything is said of it. */
export interface AssessedResult {
  readonly cv: CVResults;
  readonly intervals: Readonly<Record<string, Interval>>;
  readonly baseline: Readonly<Record<string, Score>> | null;
  /** The interval of a further metric. */
  readonly intervalsOf: (metric: string) => Interval;
  /** Left out where predictions alone are known. */
  readonly rows?: FeatureRows | undefined;
}
