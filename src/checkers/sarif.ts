/** Findings as SARIF 2.1.0, which code hosts, editors and dashboards read. */
import { boolean, type InputOf, integer, optionTable, string } from '../core/options.js';
import { VERSION } from '../core/version.js';
import { allBalanceChecks, allLeakageChecks } from './builtInChecks.js';
import type { CheckResult } from './check.js';
import { type FindingRow, findingRows } from './findingRows.js';

export const toSARIFOptions = optionTable('toSARIF', {
  artifact: string()
    .optional()
    .describe('Path or URI of the file that the rows came from; with two sets, of the training rows.'),
  testArtifact: string().optional().describe('The same of the test rows, where two sets came from two files.'),
  firstLine: integer({ min: 1 })
    .default(2)
    .describe('Line of the first row in the file: 2 below a line of column names.'),
  all: boolean().default(false).describe('Also checks that passed, do not apply or were not evaluated.'),
});
export type ToSARIFOptions = InputOf<typeof toSARIFOptions>;

/** A log of the standard: plain JSON values. */
export interface SARIFLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly Readonly<Record<string, unknown>>[];
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const SOURCE = 'https://github.com/cvkit/cvkit';

/** What else than a fault a result may be; the standard gives these no level. */
const KINDS: Readonly<Partial<Record<CheckResult['status'], string>>> = {
  passed: 'pass',
  not_applicable: 'notApplicable',
  not_evaluated: 'open',
};

/**
 * A log with one run: a rule for each check of the report, a result for each example of a finding. `failed` is an error
 * when it is critical or high, else a warning; `needs_review` is a note; a check that threw is a notification. Fingerprints name
 * check, fold, column and rows, so that a host knows a finding again while the file has the same rows.
 *
 * Source: OASIS 2023, Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01.
 */
export function sarifOf(
  checks: readonly CheckResult[],
  input: ToSARIFOptions = {},
  lineOf?: (row: number) => number,
): SARIFLog {
  const { artifact, testArtifact = artifact, firstLine, all } = toSARIFOptions.resolve(input);
  const codes = [...new Set(checks.map(({ code }) => code))];
  const places = { train: artifact, test: testArtifact, lineOf: lineOf ?? ((row: number) => row + firstLine) };
  const crashed = checks.filter(({ status }) => status === 'error');
  const rows = findingRows(checks, { all }).filter(({ status }) => status !== 'error');
  const files = [...new Set([artifact, testArtifact].filter((each) => each !== undefined))];
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'cvkit',
            version: VERSION,
            informationUri: SOURCE,
            rules: codes.map((code) => ruleOf(checks.find((check) => check.code === code) as CheckResult)),
          },
        },
        invocations: [
          {
            executionSuccessful: crashed.length === 0,
            toolExecutionNotifications: crashed.map(({ code, message }) => ({
              level: 'error',
              message: { text: message },
              associatedRule: { id: code, index: codes.indexOf(code) },
            })),
          },
        ],
        ...(files.length > 0 ? { artifacts: files.map((file) => ({ location: { uri: uriOf(file) } })) } : {}),
        results: rows.map((row) => resultOf(row, codes.indexOf(row.check), places)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
}

function ruleOf({ code, type, page }: CheckResult): Readonly<Record<string, unknown>> {
  const known = [...allLeakageChecks(), ...allBalanceChecks()].find((check) => check.code === code);
  const own = page?.startsWith('docs/');
  return {
    id: code,
    name: type,
    shortDescription: { text: known?.description ?? `The check ${type}.` },
    ...(page ? { help: { text: `See ${page}.` } } : {}),
    ...(page && (own || URL.canParse(page)) ? { helpUri: own ? `${SOURCE}/blob/main/${page}` : page } : {}),
  };
}

interface Files {
  readonly train: string | undefined;
  readonly test: string | undefined;
  readonly lineOf: (row: number) => number;
}

function resultOf(row: FindingRow, ruleIndex: number, files: Files): Readonly<Record<string, unknown>> {
  const { check, status, trainRow, testRow, feature, message, fix, ...rest } = row;
  const kind = KINDS[status];
  const placed = (side: 'train' | 'test', at: number | null) => ({
    ...(files[side] === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(files[side]) },
            ...(at === null || Number.isNaN(files.lineOf(at)) ? {} : { region: { startLine: files.lineOf(at) } }),
          },
        }),
    logicalLocations: [
      ...(at === null ? [] : [{ name: `row ${at}`, fullyQualifiedName: `${side} row ${at}`, kind: 'element' }]),
      ...(feature === null ? [] : [{ name: feature, kind: 'member' }]),
    ],
  });
  const first = testRow === null && trainRow !== null ? placed('train', trainRow) : placed('test', testRow);
  const known = Object.entries({ status, trainRow, testRow, feature, ...rest }).filter(([, value]) => value !== null);
  return {
    ruleId: check,
    ruleIndex,
    ...(kind ? { kind, level: 'none' } : { kind: 'fail', level: levelOf(row) }),
    message: { text: [placeText(row), message, fix].filter((text) => text !== '').join(' ') },
    locations: [first],
    partialFingerprints: {
      'cvkitFinding/v1': [check, row.fold, feature, trainRow, testRow].map((part) => part ?? '').join('/'),
    },
    ...(testRow !== null && trainRow !== null
      ? { relatedLocations: [{ id: 0, ...placed('train', trainRow), message: { text: `training row ${trainRow}` } }] }
      : {}),
    properties: Object.fromEntries(known),
  };
}

/** Each result says which rows and column it is about: a list of results shows no more than their texts. */
function placeText({ trainRow, testRow, feature }: FindingRow): string {
  const rows = [
    ...(trainRow === null ? [] : [`training row ${trainRow}`]),
    ...(testRow === null ? [] : [`test row ${testRow}`]),
  ].join(' and ');
  const places = [...(rows ? [rows] : []), ...(feature === null ? [] : [`\`${feature}\``])].join(', ');
  return places === '' ? '' : `${places.charAt(0).toUpperCase()}${places.slice(1)}:`;
}

/** One judgement for every form of annotation. */
export function levelOf({ status, severity }: Pick<FindingRow, 'status' | 'severity'>): 'error' | 'warning' | 'note' {
  if (status === 'needs_review') return 'note';
  return severity === 'critical' || severity === 'high' ? 'error' : 'warning';
}

/** A path as a URI reference, half characters replaced; what is a URI already stays. */
function uriOf(path: string): string {
  if (/^[a-z][a-z\d+.-]+:/i.test(path)) return path;
  const plain = path.replaceAll('\\', '/').replace(/\p{Cs}/gu, '\ufffd');
  const slashed = plain.split('/').map(encodeURIComponent).join('/');
  if (/^[a-z]%3A\//i.test(slashed)) return `file:///${slashed.replace('%3A', ':')}`;
  return slashed.startsWith('/') ? `file://${slashed}` : slashed;
}
