/** What the leakage suite found: counts by scenario, by check and by kind, with their intervals and goals. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * Lower 95 % limits for all cases of a check, and for each kind of planted leak that has a name (`corpus`). A kind of
 * clean data has too few cases for a limit: there the share itself is held against its goal.
 */
export const GOALS = { planted: 0.95, clean: 0.98, cleanCorpus: 0.97 };

export const accuses = (status) => status === 'failed' || status === 'needs_review';

/** A row of the data file per scenario, and its id: counts over the chunks. */
export function summarise(scenarios, tasks) {
  const files = grouped(tasks, ({ id }) => id);
  return scenarios.map(({ id, check, type, kind, n, effect, corpus, goal }) => {
    const statuses = (files.get(id) ?? [])
      .filter(({ file }) => existsSync(file))
      .flatMap(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
    const fired = statuses.filter(accuses).length;
    const notEvaluated = statuses.filter((status) => status === 'not_evaluated').length;
    const what = effect ?? null;
    const counts = goal !== false;
    return {
      id,
      check,
      type,
      kind,
      n,
      what,
      corpus: corpus ?? null,
      cases: statuses.length,
      fired,
      notEvaluated,
      counts,
    };
  });
}

/** Limits of a share. Wilson 1927, Journal of the American Statistical Association 22:209. */
export function wilson(count, n) {
  const z = 1.959964;
  const p = count / n;
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** In the order of first appearance; `Map.groupBy` is younger than Node 20. */
export function grouped(items, keyOf) {
  const found = new Map();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
}

/** How often a check was right on all cases of one kind that a goal is set for; null without any. */
export function rightOf(rows, kind) {
  const judged = rows.filter((each) => each.kind === kind && each.counts && each.cases > 0);
  const cases = judged.reduce((sum, each) => sum + each.cases, 0);
  if (cases === 0) return null;
  const fired = judged.reduce((sum, each) => sum + each.fired, 0);
  const right = kind === 'planted' ? fired : cases - fired;
  const [low, high] = wilson(right, cases);
  return { kind, cases, right, share: right / cases, low, high };
}

/** `{ check, type, rows, planted, clean }` of each check that has cases, by code. */
export function byCheck(summaries) {
  const judged = summaries.filter(({ cases }) => cases > 0);
  return [...grouped(judged, ({ check }) => check)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([check, rows]) => ({
      check,
      type: rows[0].type,
      rows,
      planted: rightOf(rows, 'planted'),
      clean: rightOf(rows, 'clean'),
    }));
}

/** The same by check, kind and `corpus`, for scenarios that name one. */
export function byCorpus(checks) {
  return checks.flatMap(({ check, type, rows }) =>
    ['planted', 'clean'].flatMap((kind) =>
      [
        ...grouped(
          rows.filter((each) => each.corpus && each.kind === kind),
          (each) => each.corpus,
        ),
      ].flatMap(([corpus, alike]) => {
        const right = rightOf(alike, kind);
        return right ? [{ check, type, corpus, ...right }] : [];
      }),
    ),
  );
}

/** Whether the goal is met; where all is right and the limit alone is too low, the cases are too few to say so. */
export function verdictOf({ kind, right, cases, share, low, corpus }) {
  const met = corpus && kind === 'clean' ? share >= GOALS.cleanCorpus : low >= GOALS[kind];
  if (met) return 'met';
  return right === cases ? 'too few cases' : 'not met';
}
