/** Tables of docs/leakage-benchmark.md and docs/leakage-peers.md, and the picture, all from docs/leakage-benchmark.json. */
import { recordsOf } from '../../bench/leakage/dataFile.mjs';
import { picture } from '../../bench/leakage/picture.mjs';
import { byCheck, byCorpus, grouped, verdictOf } from '../../bench/leakage/summary.mjs';
import { markdownTable } from './markdown.mjs';

const LOWEST = 5;
const whole = (value) => value.toLocaleString('en-US');

export function leakagePieces(data) {
  const [peers, tables, plants] = [data.peers, data.tables, data.plants].map(recordsOf);
  const checks = byCheck(recordsOf(data.scenarios));
  return {
    'leakage run': runLine(data.scenarios, checks),
    'leakage checks': checkTable(checks),
    'leakage kinds': kindTable(byCorpus(checks)),
    'leakage plants': plantTable(tables, plants),
    'leakage tables': realTable(tables, plants),
    'leakage findings': findingLines(tables),
    'leakage peers': peerTable(peers),
    'leakage peers summary': peerLines(data.peers, peers),
  };
}

export const leakagePicture = (data) => picture(byCheck(recordsOf(data.scenarios)), recordsOf(data.peers));

function runLine({ date, seed }, checks) {
  const rights = checks.flatMap((each) => [each.planted, each.clean]).filter(Boolean);
  const goals = [...rights, ...byCorpus(checks)].map(verdictOf);
  const cases = (kind) =>
    whole(
      checks.flatMap(({ rows }) => rows.filter((row) => row.kind === kind)).reduce((sum, row) => sum + row.cases, 0),
    );
  return (
    `Run of ${date}, seed ${seed}: ${cases('planted')} planted and ${cases('clean')} clean sets. ` +
    `${goals.filter((verdict) => verdict === 'met').length} of ${goals.length} goals are met.`
  );
}

const shareCells = (found) =>
  found
    ? [
        `${found.share.toFixed(4)} (${whole(found.right)} of ${whole(found.cases)})`,
        `${found.low.toFixed(3)} to ${found.high.toFixed(3)}`,
      ]
    : ['—', '—'];

const checkTable = (checks) =>
  markdownTable(
    ['check', 'sensitivity', '95 % interval', 'specificity', '95 % interval'],
    checks.map(({ check, type, planted, clean }) => [`${check} ${type}`, ...shareCells(planted), ...shareCells(clean)]),
  );

/** The kinds of leaks that are found least, and the kinds of clean data that are accused most. */
function kindTable(kinds) {
  const lowest = (kind) =>
    kinds
      .filter((each) => each.kind === kind)
      .toSorted((a, b) => a.share - b.share)
      .slice(0, LOWEST);
  return markdownTable(
    ['sets', 'check', 'kind of data', 'sensitivity or specificity', '95 % interval'],
    ['planted', 'clean'].flatMap((kind) =>
      lowest(kind).map((each) => [kind, `${each.check} ${each.type}`, each.corpus, ...shareCells(each)]),
    ),
  );
}

function plantTable(tables, plants) {
  const accused = tables.filter(({ findings }) => findings.length > 0).length;
  const lines = [...grouped(plants, ({ plant }) => plant)].map(([plant, alike]) => {
    const missed = alike.filter(({ found }) => !found);
    const reasons = [...grouped(missed, ({ status }) => status)].map(
      ([status, { length }]) => `${length} \`${status}\``,
    );
    return [plant, alike[0].check, `${alike.length - missed.length} of ${alike.length}`, reasons.join(', ') || '—'];
  });
  return markdownTable(
    ['in the table', 'check', 'tables with a finding', 'the others'],
    [['nothing, as it is', 'all', `${accused} of ${tables.length}`, '—'], ...lines],
  );
}

/** Every table: what it has, and the status of the check that must find each plant. */
function realTable(tables, plants) {
  const names = [...new Set(plants.map(({ plant }) => plant))];
  return markdownTable(
    ['table', 'rows', 'features', 'rows equal to another patient', ...names],
    tables.map(({ table, rows, features, agreeing }) => [
      table,
      whole(rows),
      features,
      whole(agreeing),
      ...names.map((name) => {
        const each = plants.find((one) => one.table === table && one.plant === name);
        return each ? (each.found ? each.status : `**${each.status}**`) : '—';
      }),
    ]),
  );
}

const findingLines = (tables) =>
  tables.flatMap(({ table, findings }) => findings.map((each) => `- ${table}: ${each}`)).join('\n') || 'No findings.';

/** Mean of sensitivity and specificity, over those that there are. */
function rightOf({ planted, clean }, found, accused) {
  const shares = [...(planted ? [found / planted] : []), ...(clean ? [1 - accused / clean] : [])];
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
const lead = (row) => rightOf(row, row.ruleFound, row.ruleAccused) - rightOf(row, row.cvkitFound, row.cvkitAccused);

const peerTable = (peers) =>
  markdownTable(
    ['check', 'rule', 'planted', 'cvkit found', 'rule found', 'clean', 'cvkit accused', 'rule accused', 'better'],
    peers.map((row) => [
      `${row.check} ${row.type}`,
      row.rule,
      row.planted,
      row.cvkitFound,
      row.ruleFound,
      row.clean,
      row.cvkitAccused,
      row.ruleAccused,
      lead(row) > 0 ? 'rule' : lead(row) === 0 ? 'equal' : 'cvkit',
    ]),
  );

function peerLines({ date, versions, cases, largest }, peers) {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version ?? '(not installed)'}`);
  const count = (rows) => `${rows.length} of ${peers.length}`;
  const checks = [...new Set(peers.map(({ check }) => check))];
  const packages = { trustcv: /^trustcv/, deepchecks: /^deepchecks/, 'cleanlab or cleanvision': /^clean/ };
  const without = Object.entries(packages).map(([name, start]) => {
    const lacking = checks.filter((check) => !peers.some((row) => row.check === check && start.test(row.rule)));
    return `- No rule of ${name} for: ${lacking.join(', ') || 'none'}.`;
  });
  return [
    `Run of ${date}: ${names.join(', ')}; the first ${cases} sets of each scenario of at most ${whole(largest)} rows.`,
    '',
    `- Rules that are better than the check of cvkit: ${count(peers.filter((row) => lead(row) > 0))}; equal: ${count(peers.filter((row) => lead(row) === 0))}.`,
    `- Rules that find more planted leaks: ${count(peers.filter((row) => row.ruleFound > row.cvkitFound))}.`,
    `- Rules that accuse fewer clean sets: ${count(peers.filter((row) => row.ruleAccused < row.cvkitAccused))}.`,
    `- Rules that ended in an error on a set: ${count(peers.filter(({ raised }) => raised > 0))}; such a rule counts as silent.`,
    ...without,
  ].join('\n');
}
