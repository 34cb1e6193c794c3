/** Where the folds of a validation lack what `recommendCv` would have kept: one line, or none. */
import type { TemporalDetails } from '../checkers/CVL004-temporal/temporalOrder.js';
import type { CheckResult } from '../checkers/check.js';
import type { Design } from '../checkers/checkOptions.js';
import { InfeasibleSplitError } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { wholeNumber } from '../core/format.js';
import { isSeed } from '../core/random.js';
import { patientsOf } from '../data/sideData.js';
import { idleTimes } from '../runner/metadataOf.js';
import { type FoldPlan, nameOf } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { chooseDesign, type DesignData, designFacts, rarestCount, rowsPerPatient } from './chooseDesign.js';
import { type DesignFacts, type DesignRow, designsFor, designText, PROTECTED, type Protected } from './designTable.js';

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
  const known = { ...data, ...run, facts };
  // Most runs lack nothing, and need no other folds to be made.
  if (lackOf(designsFor(facts)[0], known).length === 0) return null;
  const row = feasible(data, facts, run.splitter);
  const lacking = row ? lackOf(row, known) : [];
  // A check may fail for the advised folds, too: it says itself what to change.
  if (!row || lacking.length === 0 || isSplitAs(row, facts, run.splitter)) return null;
  const reasons = lacking.map((lack) => PROTECTIONS[lack].because(known)).join(', ');
  const ways = run.design === undefined ? lacking.flatMap((lack) => PROTECTIONS[lack].way ?? []) : [];
  const advised = `recommendCv would use ${designText(row, facts)} (${reasons})`;
  return { text: [advised, `this run used ${nameText(nameOf(run.splitter))}`, ...ways].join('; '), lacking };
}

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
  const seed = isSeed(randomState) ? (randomState ?? 0) : 0;
  try {
    return chooseDesign(data, { facts, randomState: seed, labels: data.y }).row;
  } catch (error) {
    if (error instanceof InfeasibleSplitError) return undefined;
    throw error;
  }
}

const lackOf = ({ keeps }: DesignRow, known: Known): Protected[] =>
  PROTECTED.filter((kept) => keeps.includes(kept) && isLacking(kept, known));

type Known = DesignData & Run & { readonly facts: DesignFacts };

interface Protection {
  /** The check that has the last word on these very folds. */
  readonly check?: CheckResult['type'];
  /** Whether the folds are such that it is kept, whatever a check says of them. */
  readonly isKept?: (known: Known) => boolean;
  readonly isPromised: (known: Known) => boolean | undefined;
  because(known: Known): string;
  /** What to say where the assumption is wrong that `recommendCv` makes without a design. */
  readonly way?: string;
}

/** A test fold with fewer rows of the rarest class than this may well lack it. */
const FEW_OF_A_CLASS = 5;

const PROTECTIONS: Readonly<Record<Protected, Protection>> = {
  patients: {
    check: 'patient',
    isKept: ({ facts }) => !facts.repeated,
    isPromised: ({ plan }) => plan.claims.disjointGroups,
    because: ({ X, data }) => rowsPerPatient(X.length, patientsOf(data, X.length)?.count ?? X.length),
  },
  order: {
    check: 'temporal',
    isPromised: ({ plan }) => plan.claims.timeOrdered,
    because: ({ design, facts }) =>
      design !== undefined
        ? "the design is 'prospective'"
        : `times ${facts.labelEnds ? 'and label end times ' : ''}are given`,
    way: "pass `design: 'iid'` if order does not count",
  },
  site: {
    isPromised: ({ plan, facts }) => plan.claims.wholeLevel === facts.site,
    because: ({ facts }) => `the design is 'deployment', at another ${nameText(facts.site ?? 'site')}`,
  },
  places: {
    check: 'spatial_proximity',
    // Blocks and buffers that are too small are still the right kind: CVL006 says how wide they must be.
    isKept: ({ plan, splitter }) => plan.claims.separated === true && splitter.reads?.includes('coordinates') === true,
    isPromised: ({ plan }) => plan.claims.separated,
    because: () => 'coordinates are given',
    way: "pass `design: 'iid'` if the model is for these very places",
  },
  classes: {
    isPromised: ({ X, y, data, plan: { claims, repeats, length } }) => {
      const drawn = claims.partition && !claims.exhaustive && !claims.stratified;
      const random = !claims.timeOrdered && !claims.keepsTies && !claims.separated && claims.wholeLevel === undefined;
      // Where each row or patient is a fold of its own, there is nothing to spread.
      const units = (claims.disjointGroups && patientsOf(data, X.length)?.count) || X.length;
      return !drawn || !random || (rarestCount(y) * repeats) / length >= FEW_OF_A_CLASS || units <= length / repeats;
    },
    because: ({ X, y }) => `the rarest class has ${wholeNumber(rarestCount(y))} of ${wholeNumber(X.length)} rows`,
  },
};

function isLacking(kept: Protected, known: Known): boolean {
  const { check: type, isKept, isPromised } = PROTECTIONS[kept];
  const check = known.checks.find((each) => each.type === type);
  // CVL004 counts without a declared design, too, but does not judge.
  if (kept === 'order' && check?.status === 'not_applicable') {
    return ((check.evidence as TemporalDetails).trainingRows ?? 0) > 0;
  }
  if (check?.status === 'passed' || check?.status === 'not_applicable' || isKept?.(known)) return false;
  // Folds of which nothing is known are not judged.
  const unknown = known.splitter.claims === undefined || known.plan.claims.given;
  return check?.status === 'failed' || (!unknown && !isPromised(known));
}
