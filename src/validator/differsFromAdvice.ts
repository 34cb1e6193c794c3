/** Where the folds of a validation lack what `recommendCv` would have kept: one line, or none. */
import type { CheckResult } from '../checkers/check.js';
import type { Design } from '../checkers/checkOptions.js';
import { InfeasibleSplitError } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { wholeNumber } from '../core/format.js';
import { type FoldPlan, nameOf } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { chooseDesign, rarestCount } from './chooseDesign.js';
import { type DesignData, designFacts } from './designFacts.js';
import { type DesignFacts, type DesignRow, designsFor, KEPT, type Kept } from './designTable.js';

/** Up to so many rows the recommended design is tried, so that none is named that the data do not allow. */
const TRIED_ROWS = 10_000;
/** A test fold with fewer rows of the rarest class than this may well lack it. */
const FEW_OF_A_CLASS = 5;

interface Run {
  readonly splitter: Splitter;
  readonly plan: FoldPlan;
  readonly design: Design | undefined;
  /** What the checks found on these folds; empty where they are off. */
  readonly checks: readonly CheckResult[];
}

/**
 * `recommendCv would use GroupKFold (4.0 rows per patient); this run used KFold`. Null where the folds keep what the
 * recommended ones keep, as the splitter promises or a check has found: other numbers of folds, seeds and repeats are a
 * matter of taste. Reads no row of X.
 */
export function differsFromAdvice(data: DesignData, run: Run): string | null {
  const { design, splitter } = run;
  const facts = designFacts(data, design);
  const lacking = lackOf(designsFor(facts)[0], facts, data, run);
  if (lacking === undefined) return null;
  const row = data.X.length <= TRIED_ROWS ? feasible(data, facts) : designsFor(facts)[0];
  const lack = row && lackOf(row, facts, data, run);
  if (!row || !lack) return null;
  const options = Object.entries(row.options?.(facts) ?? {}).filter(([name]) => name !== 'nRepeats');
  const written = options.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${nameText(value)}'` : value}`,
  );
  const advised = written.length > 0 ? `${row.splitter}({ ${written.join(', ')} })` : row.splitter;
  const used = nameText(nameOf(splitter));
  return `recommendCv would use ${advised} (${because(lack, facts, data)}); this run used ${used}`;
}

function feasible(data: DesignData, facts: DesignFacts): DesignRow | undefined {
  try {
    return chooseDesign(data, { facts, randomState: 0, labels: data.y }).row;
  } catch (error) {
    if (error instanceof InfeasibleSplitError) return undefined;
    throw error;
  }
}

/** The worst thing that the recommended design keeps and this one does not. */
const lackOf = ({ keeps }: DesignRow, facts: DesignFacts, data: DesignData, run: Run): Kept | undefined =>
  KEPT.find((kept) => keeps.includes(kept) && isLacking(kept, facts, data, run));

const CHECKS: Partial<Record<Kept, CheckResult['type']>> = {
  patients: 'patient',
  order: 'temporal',
  places: 'spatial_proximity',
};

function isLacking(kept: Kept, { repeated, site }: DesignFacts, { X, y }: DesignData, run: Run): boolean {
  const { plan, splitter, checks, design } = run;
  const { claims } = plan;
  const status = checks.find(({ type }) => type === CHECKS[kept])?.status;
  // A check has the last word on these very folds.
  if (status === 'passed' || status === 'not_applicable') return false;
  // Folds of which nothing is known are not judged.
  const unknown = splitter.claims === undefined || nameOf(splitter) === 'PredefinedSplit';
  switch (kept) {
    case 'patients':
      return repeated && (status === 'failed' || (!unknown && !claims.disjointGroups));
    case 'order':
      // Times alone promise nothing: the checks ask for order under this design alone, and so does this line.
      return design === 'prospective' && !unknown && !claims.timeOrdered;
    case 'site':
      return !unknown && claims.wholeLevel !== site;
    case 'places':
      return status === 'failed' || (!unknown && !claims.separated);
    case 'classes': {
      const drawn = claims.partition && !claims.exhaustive && !claims.stratified;
      const random = !claims.timeOrdered && !claims.keepsTies && !claims.separated && claims.wholeLevel === undefined;
      const perFold = (rarestCount(y) * plan.repeats) / plan.length;
      return !unknown && drawn === true && random && perFold < FEW_OF_A_CLASS && X.length > plan.length;
    }
  }
}

function because(lack: Kept, { site }: DesignFacts, { X, y, data }: DesignData): string {
  const n = X.length;
  switch (lack) {
    case 'patients':
      return `${(n / new Set(Array.from(data.groups ?? [])).size).toFixed(1)} rows per patient`;
    case 'order':
      return "the design is 'prospective'";
    case 'site':
      return `the design is 'deployment', at another ${nameText(site ?? 'site')}`;
    case 'places':
      return 'rows have coordinates';
    case 'classes':
      return `the rarest class has ${wholeNumber(rarestCount(y))} of ${wholeNumber(n)} rows`;
  }
}
