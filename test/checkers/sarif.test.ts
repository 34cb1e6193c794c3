import { describe, expect, it } from 'vitest';
import { allBalanceChecks, allLeakageChecks } from '../../src/checkers/builtInChecks.js';
import type { CheckResult } from '../../src/checkers/check.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { sarifOf } from '../../src/checkers/sarif.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

type Node = Record<string, unknown>;

/**
 * What the schema of SARIF 2.1.0 (OASIS, errata 01) requires of the parts that are used here: required properties, types,
 * enumerations and lowest values, and of section 3.27.10 that a result that is no failure has the level `none`.
 */
function faults(log: unknown): string[] {
  const found: string[] = [];
  const need = (holds: boolean, what: string) => void (holds || found.push(what));
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const list = (value: unknown, where: string): Node[] => {
    need(Array.isArray(value) && value.every(isNode), `${where} is a list of objects`);
    return Array.isArray(value) ? value.filter(isNode) : [];
  };
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const message = (value: unknown, where: string) => need(isNode(value) && isText(value.text), `${where}.text`);
  const isURI = (value: unknown) => isText(value) && URL.canParse(value as string, 'file:///');
  const among = (value: unknown, allowed: string[], where: string) =>
    need(value === undefined || allowed.includes(value as string), `${where} is one of ${allowed}`);
  const location = (value: Node, where: string) => {
    const { physicalLocation: physical, logicalLocations: logical } = value as Record<string, Node | undefined>;
    if (physical) {
      const { artifactLocation, region } = physical as Record<string, Node | undefined>;
      need(isURI(artifactLocation?.uri), `${where} uri`);
      need(!region || (Number.isInteger(region.startLine) && Number(region.startLine) >= 1), `${where} startLine`);
    }
    if (logical) for (const each of list(logical, `${where} logical`)) need(isText(each.name), `${where} name`);
    need(value.id === undefined || (Number.isInteger(value.id) && Number(value.id) >= -1), `${where} id`);
    if (value.message) message(value.message, `${where}.message`);
  };
  need(isNode(log), 'the log is an object');
  const { version, $schema, runs } = log as Node;
  need(version === '2.1.0', 'version');
  need(isURI($schema), '$schema');
  for (const run of list(runs, 'runs')) {
    const driver = (run.tool as { driver?: Node } | undefined)?.driver ?? {};
    need(isText(driver.name), 'driver.name');
    const rules = list(driver.rules, 'rules');
    for (const rule of rules) {
      need(isText(rule.id), 'rule.id');
      message(rule.shortDescription, 'rule.shortDescription');
      if (rule.help) message(rule.help, 'rule.help');
      need(rule.helpUri === undefined || (isText(rule.helpUri) && URL.canParse(rule.helpUri as string)), 'helpUri');
    }
    need(new Set(rules.map(({ id }) => id)).size === rules.length, 'rules are unique');
    for (const call of list(run.invocations ?? [], 'invocations')) {
      need(typeof call.executionSuccessful === 'boolean', 'executionSuccessful');
      for (const told of list(call.toolExecutionNotifications ?? [], 'notifications'))
        message(told.message, 'notification');
    }
    for (const result of list(run.results, 'results')) {
      message(result.message, 'result.message');
      among(result.level, ['none', 'note', 'warning', 'error'], 'level');
      among(result.kind, ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'], 'kind');
      need((result.kind ?? 'fail') === 'fail' || result.level === 'none', 'no level beside a kind that is no failure');
      need(rules[Number(result.ruleIndex)]?.id === result.ruleId, 'ruleIndex');
      for (const each of list(result.locations, 'locations')) location(each, 'location');
      for (const each of list(result.relatedLocations ?? [], 'related')) location(each, 'related');
    }
  }
  return found;
}

const result = (more: Partial<CheckResult>): CheckResult => ({
  code: 'CVL002',
  type: 'duplicate',
  kind: 'leakage',
  status: 'failed',
  severity: 'high',
  message: 'Copies.',
  evidence: { examples: [{ fold: 'fold-0', train: 3, test: 0 }] },
  fix: 'Merge them.',
  page: 'docs/checks/CVL002.md',
  ...more,
});
const of = (log: ReturnType<typeof sarifOf>) => {
  const [{ results, tool, invocations, artifacts }] = log.runs as unknown as {
    results: Node[];
    tool: { driver: { rules: Node[] } };
    invocations: [{ executionSuccessful: boolean; toolExecutionNotifications: Node[] }];
    artifacts?: Node[];
  }[];
  return { results, rules: tool.driver.rules, invocation: invocations[0], artifacts };
};

describe('sarifOf', () => {
  it('gives a log that the schema takes, whatever the checks say', async () => {
    const X = Array.from({ length: 60 }, (_, row) => [row % 2, Math.sin((row % 50) * 7.3), Math.cos((row % 50) ** 2)]);
    const y = X.map(([copy]) => copy);
    const report = await new DataLeakageChecker().check(X, y, {
      groups: X.map((_, row) => row % 30),
      cv: new KFold({ nSplits: 4, shuffle: true, randomState: 1 }),
    });
    const visits = { artifact: 'my data/visits.csv', all: true };
    for (const options of [{}, visits, { artifact: 'C:\\data\\a.csv' }, { all: true }]) {
      const log = report.toSARIF(options);
      expect(faults(log)).toEqual([]);
      expect(faults(JSON.parse(JSON.stringify(log)))).toEqual([]);
    }
    const { rules, results } = of(report.toSARIF({ all: true }));
    expect(rules.map(({ id }) => id)).toEqual(report.checks.map(({ code }) => code));
    expect(new Set(results.map(({ ruleId }) => ruleId)).size).toBe(rules.length);
  });

  it('points at the line of the row, and at that of the other row of a pair', () => {
    const { results, artifacts } = of(sarifOf([result({})], { artifact: 'data/a b.csv' }));
    expect(artifacts).toEqual([{ location: { uri: 'data/a%20b.csv' } }]);
    const half = of(sarifOf([result({})], { artifact: 'a/\ud800' })).artifacts;
    expect(half).toEqual([{ location: { uri: 'a/%EF%BF%BD' } }]);
    const place = (startLine: number, uri = 'data/a%20b.csv') => ({ artifactLocation: { uri }, region: { startLine } });
    expect(results).toMatchObject([
      {
        ruleId: 'CVL002',
        level: 'error',
        message: { text: 'Training row 3 and test row 0: Copies. Merge them.' },
        locations: [{ physicalLocation: place(2) }],
        relatedLocations: [{ physicalLocation: place(5), message: { text: 'training row 3' } }],
        properties: { status: 'failed', fold: 'fold-0', trainRow: 3, testRow: 0 },
      },
    ]);
    const two = of(sarifOf([result({})], { artifact: 'train.csv', testArtifact: '/x/test.csv', firstLine: 1 })).results;
    expect(two).toMatchObject([
      {
        locations: [{ physicalLocation: place(1, 'file:///x/test.csv') }],
        relatedLocations: [{ physicalLocation: place(4, 'train.csv') }],
      },
    ]);
    const [whole] = of(sarifOf([result({ evidence: {} })], { artifact: 'a.csv' })).results;
    expect(whole.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'a.csv' } }, logicalLocations: [] },
    ]);
    const [feature] = of(sarifOf([result({ evidence: { examples: [{ feature: 'age' }] } })])).results;
    expect(feature.locations).toEqual([{ logicalLocations: [{ name: 'age', kind: 'member' }] }]);
  });

  it('says how bad it is, and what the check could not tell', () => {
    const levelOf = (more: Partial<CheckResult>) => {
      const [{ kind, level }] = of(sarifOf([result(more)], { all: true })).results;
      return `${kind} ${level}`;
    };
    const levels = (['critical', 'medium'] as const).map((severity) => levelOf({ severity }));
    expect(levels).toEqual(['fail error', 'fail warning']);
    const statuses = ['needs_review', 'passed', 'not_evaluated', 'not_applicable'] as const;
    const kinds = statuses.map((status) => levelOf({ status }));
    expect(kinds).toEqual(['fail note', 'pass none', 'open none', 'notApplicable none']);
    const { results, invocation } = of(sarifOf([result({ status: 'error', message: 'It threw.' })]));
    expect(results).toEqual([]);
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', message: { text: 'It threw.' } }],
    });
  });

  it('has a rule for each check, with the sentence and the page of it', () => {
    const checks = [...allLeakageChecks(), ...allBalanceChecks()];
    const rules = of(sarifOf(checks.map(({ code, type, page }) => result({ code, type, page })))).rules;
    expect(rules.map(({ shortDescription }) => (shortDescription as Node).text)).toEqual(
      checks.map(({ description }) => description),
    );
    const own = of(sarifOf([result({ code: 'LAB001', type: 'device', page: 'https://example.org/lab' })])).rules;
    expect(own).toMatchObject([{ id: 'LAB001', helpUri: 'https://example.org/lab' }]);
    expect(faults(sarifOf([result({ code: 'LAB001', page: 'our wiki' })]))).toEqual([]);
  });

  it('and the validator of this test sees what is wrong', () => {
    const log = sarifOf([result({})], { artifact: 'a.csv' });
    const broken = (change: (run: { results: Node[] } & Node) => void) => {
      const copy = structuredClone(log) as unknown as { runs: [{ results: Node[] } & Node] };
      change(copy.runs[0]);
      return faults(copy);
    };
    expect(faults(log)).toEqual([]);
    for (const part of ['tool', 'results']) expect(broken((run) => delete run[part])).not.toEqual([]);
    for (const change of [{ message: undefined }, { kind: 'pass' }, { level: 'high' }, { ruleIndex: 1 }]) {
      expect(broken(({ results: [first] }) => Object.assign(first, change))).not.toEqual([]);
    }
  });
});
