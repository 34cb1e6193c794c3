/** What a run directory, or a JSON file of a result or manifest, says of a run: in words, and as plain data of a bounded size. */
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import type { Files } from '../core/io.js';
import { isPlainObject } from '../core/options.js';
import { isThere } from '../core/wholeFile.js';
import { statusOf } from './commands/status.js';
import { jsonIn } from './ownFiles.js';

/** Fields of a manifest that say how a run was made; neither classes nor names of folds, which may be names. */
const FACTS = [
  ...['cvkit', 'runtime', 'method', 'methodReason', 'splitter', 'design', 'nSplits', 'repeats', 'foldsRun'],
  ...['foldsFailed', 'n', 'nGroups', 'task', 'adapter', 'model', 'randomState', 'ciMethod', 'ciLevel', 'nBootstrap'],
];
const OF_INTERVAL = ['estimate', 'lower', 'upper', 'level', 'method', 'estimand', 'unit', 'nUnits', 'reason'];
const OF_CHECK = ['code', 'type', 'status', 'severity', 'message', 'fix'];

const [MOST_FIELDS, LONGEST] = [100, 1000];

type Fields = Readonly<Record<string, unknown>>;
type Plain = Record<string, string | number | boolean | null>;

/** Texts on one line and not longer than they are for people; what is no plain value is left out. */
function plainOf(value: unknown, names: readonly string[] = Object.keys(Object(value))): Plain {
  const fields = isPlainObject(value) ? (value as Fields) : {};
  const found = names.slice(0, MOST_FIELDS).map((name) => [plainText(name), plainValue(fields[name])] as const);
  return Object.fromEntries(found.filter(([, each]) => each !== undefined)) as Plain;
}

function plainValue(value: unknown): Plain[string] | undefined {
  if (typeof value === 'string') return plainText(value).slice(0, LONGEST);
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? value : undefined;
}

const listOf = (value: unknown, names: readonly string[]): Plain[] =>
  Array.isArray(value) ? value.slice(0, MOST_FIELDS).map((each) => plainOf(each, names)) : [];

const textsOf = (value: unknown) =>
  Array.isArray(value)
    ? value
        .slice(0, MOST_FIELDS)
        .filter((each) => typeof each === 'string')
        .map(plainValue)
    : [];

/** @param place of a run directory, or of a JSON file; what is in it is not trusted, and nothing of it is loaded as code */
export async function shownRun(place: string, isFolder: boolean): Promise<{ text: string; facts: Fields }> {
  const status = isFolder ? await statusOf(place) : null;
  const file = isFolder ? join(place, 'result.json') : place;
  const isFinished = !isFolder || (await isThere(nodeFiles as Files, file));
  const facts = { ...(status ? { status } : {}), ...(isFinished ? resultIn(await jsonIn(file)) : {}) };
  return { text: textOf(facts), facts };
}

function resultIn(found: unknown) {
  const json = (isPlainObject(found) ? found : {}) as Fields;
  const manifest = (isPlainObject(json.manifest) ? json.manifest : json) as Fields;
  if (typeof manifest.cvkit !== 'string' || typeof manifest.splitter !== 'string') {
    const must = 'be a run directory, or JSON of a result or manifest of cvkit';
    throw new InvalidDataError(sentence('What `read_run` reads', must, phrase('other JSON')), { code: 'no_result' });
  }
  const intervals = Object.entries(isPlainObject(json.confidenceIntervals) ? json.confidenceIntervals : {});
  return {
    verdict: plainOf(json.verdict, ['status', 'text']),
    estimates: plainOf(json.estimates),
    meanScores: plainOf(json.meanScores),
    stdScores: plainOf(json.stdScores),
    intervals: Object.fromEntries(
      intervals.slice(0, MOST_FIELDS).map(([name, each]) => [plainText(name), plainOf(each, OF_INTERVAL)]),
    ),
    checks: listOf(json.checks, OF_CHECK).filter(({ status }) => status !== 'passed'),
    recommendations: textsOf(json.recommendations),
    manifest: plainOf(manifest, FACTS),
  };
}

function textOf(
  facts: { readonly status?: Awaited<ReturnType<typeof statusOf>> } & Partial<ReturnType<typeof resultIn>>,
) {
  const { status, verdict, estimates = {}, meanScores = {}, intervals = {}, checks = [], manifest } = facts;
  const scores = Object.keys(estimates).length > 0 ? estimates : meanScores;
  const lines = Object.entries(scores).map(([name, value]) => {
    const { lower, upper, level, method, nUnits, unit } = intervals[name] ?? {};
    const hasLimits = typeof lower === 'number' && typeof upper === 'number';
    const limits = hasLimits ? `, ${100 * Number(level)} % ${formatNumber(lower)} to ${formatNumber(upper)}` : '';
    const from = hasLimits ? ` (${method} of ${nUnits} ${unit}s)` : '';
    return `  ${name}: ${typeof value === 'number' ? formatNumber(value) : 'no value'}${limits}${from}`;
  });
  const folds = status && `${status.finished}${status.folds === null ? '' : ` of ${status.folds}`} folds finished`;
  return [
    ...(status ? [`State: ${status.state}; ${folds}`] : []),
    ...(verdict?.text ? [`Verdict: ${verdict.text}`] : []),
    ...(manifest ? [`Run: ${manifest.design ?? manifest.splitter}; ${manifest.n} rows; model ${manifest.model}`] : []),
    ...(lines.length > 0 ? ['Scores:', ...lines] : []),
    ...checks.map(({ code, type, status: found, message }) => `${code} ${type}: ${found}. ${message}`),
  ].join('\n');
}
