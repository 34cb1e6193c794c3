import { plainText } from '../core/foreignText.js';
import { boolean, type InputOf, optionTable } from '../core/options.js';
import type { CheckResult } from './check.js';

export const toRowsOptions = optionTable('toRows', {
  all: boolean().default(false).describe('Also checks that passed, do not apply or were not evaluated, one row each.'),
});
export type ToRowsOptions = InputOf<typeof toRowsOptions>;

/** One example of a finding, or a finding without examples. Plain values alone, and no ids of patients. */
export interface FindingRow {
  /** Code of the check, for example `CVL002`. */
  readonly check: string;
  readonly type: string;
  readonly kind: CheckResult['kind'];
  readonly status: CheckResult['status'];
  readonly severity: CheckResult['severity'];
  readonly fold: string | null;
  /** Row numbers as the caller has them: within their own set when two sets were given. */
  readonly trainRow: number | null;
  readonly testRow: number | null;
  readonly feature: string | null;
  /** What the check measured of this example; `scoreName` says what that is. */
  readonly score: number | null;
  readonly scoreName: string | null;
  /** How much of the data the finding concerns: 6 of 1,148 rows. */
  readonly count: number | null;
  readonly of: number | null;
  readonly unit: string | null;
  readonly message: string;
  readonly fix: string;
}

/** What checks name the number of an example by, the first that is there. */
const SCORES = ['similarity', 'score', 'differenceInPoints', 'differenceInSd', 'days', 'timeUnits'];
const NAMES = ['feature', 'variable'];

/** Failed checks first, then those that could not be completed, and those to be reviewed. */
const FINDINGS: readonly CheckResult['status'][] = ['failed', 'error', 'needs_review'];

/** A row for each example, in order of the checks; a finding without examples is one row. */
export function findingRows(checks: readonly CheckResult[], input: ToRowsOptions = {}): FindingRow[] {
  const { all } = toRowsOptions.resolve(input);
  const silent = all ? checks.filter(({ status }) => !FINDINGS.includes(status)) : [];
  const found = FINDINGS.flatMap((wanted) => checks.filter(({ status }) => status === wanted));
  return [
    ...found.flatMap((check) => examplesIn(check).map((example) => rowOf(check, example))),
    ...silent.map((check) => rowOf(check, {})),
  ];
}

type Example = Readonly<Record<string, unknown>>;

/** What a check of anyone's calls `examples` may be anything. */
function examplesIn({ evidence: { examples } }: CheckResult): readonly Example[] {
  const found = Array.isArray(examples) ? examples.filter((each) => typeof each === 'object' && each !== null) : [];
  return found.length > 0 ? found : [{}];
}

function rowOf(
  { code, type, kind, status, severity, fold, concerns, message, fix }: CheckResult,
  example: Example,
): FindingRow {
  const scoreName = SCORES.find((name) => numberIn(example[name]) !== null) ?? null;
  return {
    check: code,
    type,
    kind,
    status,
    severity,
    fold: textIn(example.fold) ?? fold ?? null,
    trainRow: numberIn(example.train),
    testRow: numberIn(example.test),
    feature: NAMES.map((name) => textIn(example[name])).find((name) => name !== null) ?? null,
    score: scoreName === null ? null : numberIn(example[scoreName]),
    scoreName,
    count: concerns?.count ?? null,
    of: concerns?.of ?? null,
    unit: concerns?.unit ?? null,
    message,
    fix,
  };
}

const numberIn = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
const textIn = (value: unknown) => (typeof value === 'string' ? plainText(value) : null);
