import { headText, nameText } from './foreignText.js';
import { counted } from './format.js';
import { groupBy } from './groupBy.js';
import { wrapText } from './summaryText.js';

/** `not_evaluated`: an input is missing. `error`: the check itself failed, which is never a pass. */
export const STATUSES = ['passed', 'failed', 'needs_review', 'not_evaluated', 'not_applicable', 'error'] as const;
export type CheckStatus = (typeof STATUSES)[number];

export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The answer of a check: status, severity, message, evidence and what to do. */
export interface CheckOutcome {
  readonly code: string;
  readonly type: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
}

interface Shown {
  readonly code: string;
  readonly type: string;
  readonly status: string;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly fix: string;
  readonly notDetectable?: boolean;
  readonly acknowledged?: string;
}

const FINDINGS = ['failed', 'error', 'needs_review'];
const SILENT = ['passed', 'not_applicable'];

/** Findings first, then what passed, then what was not evaluated. Without `all` a line first says how many passed, in their place. */
export function checkLines(checks: readonly Shown[], { all = true, hint = '' } = {}): string[] {
  const inOrder = (order: readonly string[]) =>
    order.flatMap((wanted) => checks.filter(({ status }) => status === wanted));
  const [open, beyond] = [false, true].map((which) =>
    inOrder(['not_evaluated']).filter(({ notDetectable = false }) => notDetectable === which),
  );
  return [
    ...(all || inOrder(SILENT).length === 0 ? [] : [wrapText(`${silentText(checks)}${hint}.`)]),
    ...inOrder(FINDINGS).flatMap(linesOf),
    ...(all ? inOrder(SILENT).flatMap(linesOf) : []),
    ...(open.length > 0 ? [wrapText(`Not evaluated: ${openTexts(open).join('; ')}.`)] : []),
    ...(beyond.length > 0 ? [wrapText(`Cannot be found in data like these: ${openTexts(beyond).join('; ')}.`)] : []),
  ];
}

function silentText(checks: readonly Shown[]): string {
  const [passed, idle] = SILENT.map((wanted) => checks.filter(({ status }) => status === wanted).length);
  return [
    `${counted(passed, 'check')} passed`,
    ...(idle > 0 ? [`${idle} ${idle === 1 ? 'does' : 'do'} not apply`] : []),
  ].join(', ');
}

function linesOf(check: Shown): string[] {
  const { code, type, status, message, fix, acknowledged } = check;
  const word = acknowledged === undefined ? '' : `, acknowledged by the author (${acknowledged})`;
  return [
    wrapText(`${code} ${type}: ${status.replaceAll('_', ' ')}${word}. ${message}`),
    ...examplesOf(check).map((example) => wrapText(example, '    ')),
    ...(fix && !word ? [wrapText(fix, '    Fix: ')] : []),
  ];
}

/** The examples of a finding: "fold-0, training row 3, test row 17, patient #1a2b3c4d". */
export function examplesOf({ status, evidence: { examples } }: Pick<Shown, 'status' | 'evidence'>): string[] {
  return Array.isArray(examples) && !SILENT.includes(status) ? examples.map(exampleText) : [];
}

function exampleText(example: unknown): string {
  if (typeof example !== 'object' || example === null) return shown(example);
  return Object.entries(example)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) =>
      key === 'fold' ? headText(String(value)) : named(WORDS[key] ?? nameText(spaced(key)), shown(value)),
    )
    .join(', ');
}

/** `feature age`, and `feature 3`, the name of a feature without one, as it is. */
const named = (noun: string, name: string) => (name.startsWith(`${noun} `) ? name : `${noun} ${name}`);

const WORDS: Record<string, string> = { train: 'training row', test: 'test row' };
const spaced = (key: string) => key.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
const shown = (value: unknown) =>
  typeof value === 'number' ? `${Number(value.toPrecision(4))}` : nameText(String(value), 200);

/** `temporal (pass `timestamps`)`, `duplicate, near_duplicate (turned off)`: what has one reason stands together. */
function openTexts(open: readonly Shown[]): string[] {
  const alike = groupBy(open, reasonOf);
  return Array.from(alike, ([reason, checks]) => `${checks.map(({ type }) => type).join(', ')} (${reason})`);
}

const reasonOf = ({ message, fix, acknowledged }: Shown) =>
  acknowledged !== undefined
    ? `acknowledged by the author: ${acknowledged}`
    : withoutEnd(fix.startsWith('Pass') ? fix.replace(/^Pass/, 'pass') : message);
const withoutEnd = (text: string) => text.replace(/\.$/, '');
