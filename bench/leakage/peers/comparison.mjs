/** cvkit and rules of other packages: counts on the cases that both judged. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accuses } from '../summary.mjs';

/**
 * `[{ ...scenario, versions, cases: [{ status, fired: { rule: boolean }, errors }] }]` of the scenarios that have files in the
 * folder `results` of the suite and in that of the comparison. Cases that only one of them judged are left out.
 */
export const readPeers = (scenarios, results) =>
  scenarios.flatMap((scenario) => {
    const [ours, theirs] = [join(results, `${scenario.id}.0.json`), join(`${results}-peers`, `${scenario.id}.json`)];
    if (!existsSync(ours) || !existsSync(theirs)) return [];
    const statuses = JSON.parse(readFileSync(ours, 'utf8'));
    const { versions, cases } = JSON.parse(readFileSync(theirs, 'utf8'));
    const both = cases.slice(0, statuses.length).map((each, at) => ({ status: statuses[at], ...each }));
    return [{ ...scenario, versions, cases: both }];
  });

/** A row of the data file per check and rule, over scenarios with a goal. A rule that raised counts as silent. */
export function countsOf(scenarios) {
  const rows = new Map();
  for (const { check, type, kind, goal, cases } of scenarios) {
    if (goal === false) continue;
    const word = kind === 'planted' ? 'Found' : 'Accused';
    for (const { status, fired, errors } of cases) {
      for (const [rule, fires] of Object.entries(fired)) {
        const key = `${check}${rule}`;
        const none = { planted: 0, cvkitFound: 0, ruleFound: 0, clean: 0, cvkitAccused: 0, ruleAccused: 0, raised: 0 };
        if (!rows.has(key)) rows.set(key, { check, type, rule, ...none });
        const row = rows.get(key);
        row[kind]++;
        row[`cvkit${word}`] += Number(accuses(status));
        row[`rule${word}`] += Number(fires);
        row.raised += Number(rule in errors);
      }
    }
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
