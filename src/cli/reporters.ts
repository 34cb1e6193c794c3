/** What checks found in the form that a reader or a machine asks for. */
import colours from 'picocolors';
import type { CheckResult } from '../checkers/check.js';
import { type FindingRow, findingRows } from '../checkers/findingRows.js';
import { levelOf, sarifOf } from '../checkers/sarif.js';
import { markupText, plainText } from '../core/foreignText.js';
import { wrapText } from '../core/summaryText.js';
import type { ShownFlags } from './flags.js';
import { inFlags } from './words.js';

/** What has checks: a validation, or a report of leakage checks. */
export interface Reported {
  readonly checks: readonly CheckResult[];
  readonly verdict: { readonly open: readonly string[] };
  summary(options?: { readonly details?: boolean }): string;
  toJSON(): unknown;
}

/** Where the rows came from. */
export interface Place {
  readonly file: string;
  readonly lineOf?: (row: number) => number;
}

/** In the form that `--reporter` names. */
export function reported(found: Reported, place: Place, { reporter = 'text', details = false }: ShownFlags): string {
  switch (reporter) {
    case 'json':
      return JSON.stringify(found.toJSON(), null, 1);
    case 'sarif':
      return JSON.stringify(sarifOf(found.checks, { artifact: place.file }, place.lineOf), null, 1);
    case 'github':
      return annotations(found, place);
    case 'junit':
      return junit(found.checks, place);
    default:
      return painted(inWordsOf(place, found.summary(...(details ? [{ details }] : [])))) + linesOf(found, place);
  }
}

/** Sentences name rows by their number, editors by their line. */
function linesOf({ checks }: Reported, { file, lineOf }: Place): string {
  const named = findingRows(checks).flatMap(({ trainRow, testRow }) => [trainRow, testRow]);
  const rows = [...new Set(named)].filter((row) => row !== null).slice(0, MOST_LINES);
  if (!lineOf || rows.length === 0 || Number.isNaN(lineOf(rows[0]))) return '';
  const places = rows.map((row) => `row ${row} is line ${lineOf(row)}`);
  return `\n\n${wrapText(`Rows are counted from 0. In ${plainText(file)} ${places.join(', ')}.`, '  ')}`;
}

const MOST_LINES = 8;

/** Of a table on the command line; who writes a study or a program knows the options. */
export const inWordsOf = ({ lineOf }: Place, text: string) => (lineOf ? inFlags(text) : text);

/** The verdict in its colour, where a terminal shows colours. */
function painted(text: string): string {
  const { isColorSupported, green, yellow, red, bold } = process.stdout.isTTY ? colours : colours.createColors(false);
  if (!isColorSupported) return text;
  const paint = { PASSED: green, FAILED: red };
  return text.replace(/^(.*?: )(PASSED|FAILED|NEEDS REVIEW|NOT FULLY VERIFIED)/, (_, head: string, verdict: string) => {
    return head + bold((paint[verdict as keyof typeof paint] ?? yellow)(verdict));
  });
}

/** Notes of SARIF are notices on GitHub. */
const LEVELS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** Workflow commands of GitHub Actions: an annotation at the line of the row. */
function annotations({ checks, verdict }: Reported, { file, lineOf }: Place): string {
  const lines = findingRows(checks).map((row) => {
    const line = lineOf?.(row.testRow ?? row.trainRow ?? Number.NaN);
    const at = line === undefined || Number.isNaN(line) ? '' : `,line=${line}`;
    const title = property(`${row.check} ${row.type}`);
    const text = [placed(row, lineOf), inFlags([row.message, row.fix].filter(Boolean).join(' '))]
      .filter(Boolean)
      .join(' ');
    return `::${row.status === 'error' ? 'error' : LEVELS[levelOf(row)]} file=${property(file)}${at},title=${title}::${data(text)}`;
  });
  // What the exit code 3 is about.
  const open = checks.filter(({ type }) => verdict.open.includes(type));
  const notices = open.map(({ code, type, message, fix }) => {
    const text = inFlags(`Not evaluated: ${message} ${fix}`.trim());
    return `::notice file=${property(file)},title=${property(`${code} ${type}`)}::${data(text)}`;
  });
  return [...lines, ...notices].join('\n');
}

function placed({ trainRow, testRow, feature }: FindingRow, lineOf: Place['lineOf']): string {
  const named = (side: string, row: number | null) =>
    row === null ? [] : [`${side} row ${Number.isNaN(lineOf?.(row) ?? Number.NaN) ? row : `in line ${lineOf?.(row)}`}`];
  const parts = [...named('Training', trainRow), ...named('test', testRow), ...(feature === null ? [] : [feature])];
  return parts.length === 0 ? '' : `${parts.join(', ')}:`;
}

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(plainText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** JUnit's XML as CI servers read it: a test case for each check. */
function junit(checks: readonly CheckResult[], { file }: Place): string {
  const counts = (...statuses: CheckResult['status'][]) =>
    checks.filter(({ status }) => statuses.includes(status)).length;
  const cases = checks.map((check) => {
    const { code, type, status, severity, message, fix } = check;
    const text = markupText(message);
    const inside: Readonly<Partial<Record<CheckResult['status'], string>>> = {
      failed: `<failure type="${severity}" message="${text}">${markupText(fix ?? '')}</failure>`,
      error: `<error message="${text}"/>`,
      not_evaluated: `<skipped message="${text}"/>`,
      not_applicable: `<skipped message="${text}"/>`,
      needs_review: `<system-out>Needs review: ${text} ${markupText(fix ?? '')}</system-out>`,
    };
    const head = `    <testcase classname="${markupText(file)}" name="${code} ${markupText(type)}"`;
    const body = inside[status];
    return body ? `${head}>\n      ${body}\n    </testcase>` : `${head}/>`;
  });
  const facts =
    `tests="${checks.length}" failures="${counts('failed')}" errors="${counts('error')}" ` +
    `skipped="${counts('not_evaluated', 'not_applicable')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="cvkit" ${facts}>`,
    `  <testsuite name="${markupText(file)}" ${facts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}
