/** Where the folds of a validation lack what `recommendCv` would have kept: one line, or none. */
import type { TemporalDetails } from '../checkers/CVL004-temporal/temporalOrder.js';
import type { CheckResult } from '../checkers/check.js';
import type { Design } from '../checkers/checkOptions.js';
import { InfeasibleSplitError } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { wholeNumber } from '../core/format.js';
import { patientsOf } from '../data/sideData.js';
import { idleTimes } from '../runner/metadataOf.js';
import { type FoldPlan, nameOf } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { chooseDesign, type DesignData, designFacts, rarestCount, rowsPerPatient } from './chooseDesign.js';
import { type DesignFacts, type DesignRow, designsFor, designText, PROTECTED, type Protected } from './designTable.js';

/** A test fold with fewer rows of the rarest class than this may well lack it. */
const FEW_OF_A_CLASS = 5;

interface Run {
  readonly splitter: Splitter;
  readonly plan: FoldPlan;
  readonly design: Design | undefined;
  /** What the checks found on these folds; empty where they are off. */
  readonly checks: readonly CheckResult[];
}

export interface Advice {
  readonly text: string;
  /** What its folds do not keep, the worst first. */
  readonly lacking: readonly Protected[];
}

/**
 * Null where the folds keep what the recommended ones keep, as the splitter promises or a check has found. The
 * recommended design is tried, so that none is named that the data do not allow. Reads no row of X.
 */
export function differsFromAdvice(data: DesignData, run: Run): Advice | null {
  const facts = designFacts(data, run.design);
  // Most runs lack nothing, and need no other folds to be made.
  if (lackOf(designsFor(facts)[0], facts, data, run).length === 0) return null;
  const row = feasible(data, facts, run.splitter);
  const lacking = row ? lackOf(row, facts, data, run) : [];
  if (!row || lacking.length === 0) return null;
  const [advised, used] = [designText(row, facts), nameText(nameOf(run.splitter))];
  // A check may fail for these folds, too: it says itself what to change.
  if (isSplitAs(row, facts, run.splitter)) return null;
  const reasons = lacking.map((lack) => because(lack, facts, data, run)).join(', ');
  const ways = run.design === undefined ? lacking.flatMap((lack) => WAYS[lack] ?? []) : [];
  return {
    text: [`recommendCv would use ${advised} (${reasons})`, `this run used ${used}`, ...ways].join('; '),
    lacking,
  };
}

/** What to say where the assumption is wrong that `recommendCv` makes without a design. */
const WAYS: Partial<Record<Protected, string>> = {
  order: "pass `design: 'iid'` if order does not count",
  places: "pass `design: 'iid'` if the model is for these very places",
};

/** The runner's warning about unused times, where the advice asks whether order counts, or the caller has said so. */
export function settledWarnings({ data }: DesignData, { splitter, design }: Run, advice: Advice | null): string[] {
  const isDeclared = design !== undefined && !splitter.reads?.includes('timestamps');
  return isDeclared || advice?.lacking.includes('order') ? idleTimes(splitter, data) : [];
}

const optionsOf = (splitter: Splitter): Readonly<Record<string, unknown>> =>
  (splitter as { readonly options?: Readonly<Record<string, unknown>> }).options ?? {};

function isSplitAs(row: DesignRow, facts: DesignFacts, splitter: Splitter): boolean {
  const options = optionsOf(splitter);
  const needed = Object.entries(row.options?.(facts) ?? {}).filter(([name]) => name !== 'nRepeats');
  return nameOf(splitter) === row.splitter && needed.every(([name, value]) => options[name] === value);
}

/** The design that `recommendCv` would choose with the seed of the run's folds, where they have one. */
function feasible(data: DesignData, facts: DesignFacts, splitter: Splitter): DesignRow | undefined {
  const { randomState } = optionsOf(splitter);
  const seed = typeof randomState === 'number' || typeof randomState === 'string' ? randomState : 0;
  try {
    return chooseDesign(data, { facts, randomState: seed, labels: data.y }).row;
  } catch (error) {
    if (error instanceof InfeasibleSplitError) return undefined;
    throw error;
  }
}

const lackOf = ({ keeps }: DesignRow, facts: DesignFacts, data: DesignData, run: Run): Protected[] =>
  PROTECTED.filter((kept) => keeps.includes(kept) && isLacking(kept, facts, data, run));

const CHECKS: Partial<Record<Protected, CheckResult['type']>> = {
  patients: 'patient',
  order: 'temporal',
  places: 'spatial_proximity',
};

function isLacking(kept: Protected, { repeated, site }: DesignFacts, { X, y, data }: DesignData, run: Run): boolean {
  const { plan, splitter, checks } = run;
  const { claims } = plan;
  const check = checks.find(({ type }) => type === CHECKS[kept]);
  const status = check?.status;
  // A check has the last word on these very folds. CVL004 counts without a declared design, too, but does not judge.
  if (kept === 'order' && check && status === 'not_applicable') {
    return ((check.evidence as TemporalDetails).trainingRows ?? 0) > 0;
  }
  if (status === 'passed' || status === 'not_applicable') return false;
  // Folds of which nothing is known are not judged.
  const unknown = splitter.claims === undefined || claims.given;
  switch (kept) {
    case 'patients':
      return repeated && (status === 'failed' || (!unknown && !claims.disjointGroups));
    case 'order':
      return status === 'failed' || (!unknown && !claims.timeOrdered);
    case 'site':
      return !unknown && claims.wholeLevel !== site;
    case 'places':
      // Blocks and buffers that are too small are still the right kind: CVL006 says how wide they must be.
      if (claims.separated && splitter.reads?.includes('coordinates')) return false;
      return status === 'failed' || (!unknown && !claims.separated);
    case 'classes': {
      const drawn = claims.partition && !claims.exhaustive && !claims.stratified;
      const random = !claims.timeOrdered && !claims.keepsTies && !claims.separated && claims.wholeLevel === undefined;
      const perFold = (rarestCount(y) * plan.repeats) / plan.length;
      // Where each row or patient is a fold of its own, there is nothing to spread.
      const units = (claims.disjointGroups && patientsOf(data, X.length)?.count) || X.length;
      const isDealt = units > plan.length / plan.repeats;
      return !unknown && drawn === true && random && perFold < FEW_OF_A_CLASS && isDealt;
    }
  }
}

function because(
  lack: Protected,
  { site, labelEnds }: DesignFacts,
  { X, y, data }: DesignData,
  { design }: Run,
): string {
  const n = X.length;
  switch (lack) {
    case 'patients':
      return rowsPerPatient(n, patientsOf(data, n)?.count ?? n);
    case 'order':
      if (design !== undefined) return "the design is 'prospective'";
      return labelEnds ? 'times and label end times are given' : 'times are given';
    case 'site':
      return `the design is 'deployment', at another ${nameText(site ?? 'site')}`;
    case 'places':
      return 'coordinates are given';
    case 'classes':
      return `the rarest class has ${wholeNumber(rarestCount(y))} of ${wholeNumber(n)} rows`;
  }
}
