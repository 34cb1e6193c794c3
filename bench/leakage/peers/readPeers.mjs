/** What the comparison and the suite have both done: scenarios with their cases. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `[{ ...scenario, versions, cases: [{ status, fired: { rule: boolean }, errors }] }]` of the scenarios that have files in the
 * folder `results` of the suite and in that of the comparison beside it. Cases that only one of them judged are left out.
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
