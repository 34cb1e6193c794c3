/** A check is a coded object that assesses the folds that are scored. Silence is never "passed". */

import { type CheckStatus, SEVERITIES, type Severity, STATUSES } from '../core/checkOutcome.js';
import { InvalidDataError, messageOf, sentence } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import type { SideData } from '../data/sideData.js';
import type { CheckInput } from './checkInput.js';
import { withoutZeroWeight } from './withoutZeroWeight.js';

/** `shift`: a finding about how the folds differ, which is no leak by itself. `result`: about scores, after training. */
export type CheckKind = 'leakage' | 'shift' | 'balance' | 'result';

/** How much of the data a finding concerns: 6 of 1,148 rows. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** What is counted, in the singular: `row`, `test row`, `feature`. */
  readonly unit: string;
}

/**
 * What a check counted, and up to five `examples`: row numbers, names of features; ids of patients only as salted hashes.
 * Each check names its own keys in a type of details, from which its sentences are made.
 */
export type Evidence = Readonly<Record<string, unknown>>;

/** What a check found; `Details` are the keys of its evidence. */
export interface CheckResult<Details extends Evidence = Evidence> {
  /** Stable, for example `CVL001`. */
  readonly code: string;
  readonly type: string;
  readonly kind: CheckKind;
  readonly status: CheckStatus;
  readonly severity: Severity;
  /** Id of the first fold concerned. */
  readonly fold?: string;
  /** What was found, in one or two sentences. */
  readonly message: string;
  /** The details of the check; what could not be evaluated has few of them, or none. */
  readonly evidence: Readonly<Partial<Details>>;
  /** How much of the data the finding concerns, where that can be counted. */
  readonly concerns?: Share;
  /**
   * `not_evaluated` because data like these cannot show it, whatever else is passed: it does not count against the
   * verdict.
   */
  readonly notDetectable?: true;
  /** What to do about it; empty when nothing. */
  readonly fix: string;
  /** Why the author lets a finding stand, or a check that was not made: see the option of this name. */
  readonly acknowledged?: string;
  /** The `leakageChecker` that the caller gave made it, and no check that cvkit knows. */
  readonly madeBy?: 'leakageChecker';
  /** The page that explains the check, for example `docs/checks/CVL001.md`. */
  readonly page?: string;
  /** What the check threw, with status `error`. */
  readonly cause?: unknown;
}

/** What `assess` gives back: the finding without the facts that the check declares anyway. */
export type Finding<Details extends Evidence = Evidence> = Omit<
  CheckResult<Details>,
  'code' | 'type' | 'kind' | 'page' | 'cause'
>;

/** `slow`: 0.2 s or more for 5,000 rows of 64 features (bench/leakage/speed.mjs). `fast`: a few passes over the data. */
export type CheckCost = 'fast' | 'slow';

/** One coded question about folds and data, built in or of your own: see `registerCheck`. */
export interface Check<Details extends Evidence = Evidence> {
  readonly code: string;
  readonly type: string;
  readonly kind: CheckKind;
  readonly cost: CheckCost;
  /** One sentence for the documents. */
  readonly description: string;
  /** Address of the page that explains it. */
  readonly page?: string;
  /** Without these inputs the check is `not_evaluated`, or what `whenMissing` says. */
  readonly needs: readonly ('X' | 'y' | keyof SideData)[];
  /** What it means that an input beside `X` and `y` is missing: does the question arise at all? */
  whenMissing?(input: CheckInput): Finding | Promise<Finding>;
  assess(input: CheckInput): Finding<Details> | Promise<Finding<Details>>;
}

export type CheckFacts = Pick<Check, 'code' | 'type' | 'kind' | 'page'>;
export const factsOf = ({ code, type, kind, page }: CheckFacts): CheckFacts => ({
  code,
  type,
  kind,
  ...(page === undefined ? {} : { page }),
});

/** The result of one check among those of a run, with its details by name: what `assess` of that check gave. */
export const resultOf = <Details extends Evidence>(
  check: Check<Details>,
  results: readonly CheckResult[],
): CheckResult<Details> => results.find(({ code }) => code === check.code) as CheckResult<Details>;

/** Results of checks that were run here: a checker of the caller's may hand them on. */
const ownResults = new WeakSet<CheckResult>();

/** The results of the caller's checker: what was not made by {@link runChecks} says so. */
export const withMaker = (results: readonly CheckResult[]): CheckResult[] =>
  results.map((result) => (ownResults.has(result) ? result : { ...result, madeBy: 'leakageChecker' }));

/** One after the other: they share what they read, and large data fill the memory once. None stops another. */
export async function runChecks(
  checks: readonly Check[],
  all: CheckInput,
  starts?: (check: Check) => unknown,
): Promise<CheckResult[]> {
  const input = withoutZeroWeight(all);
  const results: CheckResult[] = [];
  for (const check of checks) {
    await starts?.(check);
    const result = input
      ? await runCheck(check, input)
      : notEvaluated(check, 'No fold has rows of weight above 0 on both sides.', 'Give some rows weight.');
    ownResults.add(result);
    results.push(result);
  }
  return results;
}

/** A missing input is `not_evaluated`, or what the check says; a crash is `error`. */
export async function runCheck(check: Check, input: CheckInput): Promise<CheckResult> {
  const missing = check.needs.filter((need) =>
    isMissing(need === 'X' || need === 'y' ? input[need] : input.data[need]),
  );
  const asks = missing.some((need) => need !== 'X' && need !== 'y');
  try {
    if (missing.length === 0) return { ...factsOf(check), ...inPlainText(await check.assess(input)) };
    if (asks && check.whenMissing) return { ...factsOf(check), ...inPlainText(await check.whenMissing(input)) };
  } catch (error) {
    return crashed(check, error);
  }
  const named = missing.map((need) => `\`${need}\``).join(' and ');
  return notEvaluated(check, `The ${check.type} check needs ${named}.`, `Pass ${named}.`);
}

/** Checked, for a check may be anyone's. Names of columns may hold anything: none of it reaches a terminal as it is. */
function inPlainText(finding: Finding): Finding {
  refuseBadResult(finding, FINDING_FIELDS);
  return { ...finding, message: plainText(finding.message), fix: plainText(finding.fix) };
}

const FINDING_FIELDS = { message: 'string', evidence: 'object', fix: 'string' };
export const RESULT_FIELDS = { code: 'string', type: 'string', kind: 'string', ...FINDING_FIELDS };

/** Throws {@link InvalidDataError} for what is no result of a check. */
export function refuseBadResult(result: Partial<CheckResult>, fields: Readonly<Record<string, string>>): void {
  if (!STATUSES.includes(result?.status as CheckStatus)) {
    throw new InvalidDataError(sentence('The status of a check', `be one of ${STATUSES.join(', ')}`, result?.status));
  }
  for (const [field, kind] of Object.entries(fields)) {
    const value = result[field as keyof CheckResult];
    if (typeof value === kind && value !== null) continue;
    const must = `be ${kind === 'object' ? 'an object' : 'text'}`;
    throw new InvalidDataError(sentence(`\`${field}\` of a check`, must, value));
  }
  if (!SEVERITIES.includes(result.severity as Severity)) {
    throw new InvalidDataError(
      sentence('`severity` of a check', `be one of ${SEVERITIES.join(', ')}`, result.severity),
    );
  }
}

/** Nothing, or a hierarchy without a level. */
const isMissing = (value: unknown) => value === undefined || (isPlainObject(value) && Object.keys(value).length === 0);

export const crashed = (check: CheckFacts, cause: unknown): CheckResult => ({
  ...factsOf(check),
  status: 'error',
  severity: 'none',
  message: `The ${check.type} check could not be completed: ${messageOf(cause)}`,
  evidence: {},
  fix: 'Report this, with the message above.',
  cause,
});

export const notEvaluated = (check: CheckFacts, message: string, fix: string): CheckResult => ({
  ...factsOf(check),
  ...undecided(message, fix),
});

type With<E extends Evidence> = Omit<Finding, 'evidence'> & { readonly evidence: E };

/** A finding of a check that could not tell: an input is missing, or there are too few rows for what it looks for. */
export const undecided = <E extends Evidence = Record<never, never>>(
  message: string,
  fix: string,
  evidence: E = {} as E,
): With<E> => ({ status: 'not_evaluated', severity: 'none', message, evidence, fix });

/** A finding of a check that data like these can tell nothing, whatever else is passed: it does not count. */
export const notDetectable = <E extends Evidence = Record<never, never>>(
  message: string,
  fix: string,
  evidence?: E,
): With<E> => ({ ...undecided(message, fix, evidence), notDetectable: true });

export const passed = <E extends Evidence = Record<never, never>>(message: string, evidence: E = {} as E): With<E> => ({
  status: 'passed',
  severity: 'none',
  message,
  evidence,
  fix: '',
});

/** A finding of a check that has nothing to assess in this design. */
export const notApplicable = <E extends Evidence = Record<never, never>>(message: string, evidence?: E): With<E> => ({
  ...passed(message, evidence),
  status: 'not_applicable',
});
