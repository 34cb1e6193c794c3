/** Checks by name: which are made (`only`), and which raise (`raiseOn`). */
import { InvalidOptionError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { listOf } from '../core/options.js';
import type { CheckResult } from './check.js';
import { RESULT_CHECKS } from './resultChecks.js';

const isText = (value: unknown) => typeof value === 'string';

/** Which names there are is known when the checks are asked. */
export const onlyOption = listOf<string>('type', 'be a list of codes or types of checks', isText)
  .optional()
  .describe('Make these checks alone, by type or code.');

export const raiseOnOption = listOf<string>('type', 'be a list of codes or types of checks, or of statuses', isText)
  .optional()
  .describe(
    "Throws a LeakageError, with the report as its `cause`, when one of these checks (types or codes; without any, every check) failed or could not be completed. 'needs_review' or 'not_evaluated' in the list count as well.",
  );

/** Statuses that raise whatever is listed; the others only where they are listed. */
const ALWAYS: readonly CheckResult['status'][] = ['failed', 'error'];
export const RAISING = [...ALWAYS, 'needs_review', 'not_evaluated'] as const;

type Named = Pick<CheckResult, 'code' | 'type'>;
const isNamed = (names: readonly string[], { code, type }: Named) => names.includes(code) || names.includes(type);

/** Those that are named by code or type. Throws {@link InvalidOptionError} for a name that none has, with the nearest. */
export function namedChecks<C extends Named>(
  {
    subject,
    names,
    others = [],
    later = [],
  }: {
    readonly subject: string;
    readonly names: readonly string[];
    readonly others?: readonly string[];
    readonly later?: readonly Named[];
  },
  checks: readonly C[],
): C[] {
  const all: readonly Named[] = [...checks, ...later];
  const known = [...all.flatMap(({ type, code }) => [type, code]), ...others];
  const at = names.findIndex((name) => !known.includes(name));
  if (at >= 0) {
    const respelled = known.filter((name) => name.toLowerCase() === names[at].trim().toLowerCase());
    const must = `name checks by code or type${others.length > 0 ? `, or statuses (${others.join(', ')})` : ''}`;
    const way = suggestion(names[at], respelled.length > 0 ? respelled : [...all.map(({ type }) => type), ...others]);
    throw new InvalidOptionError(sentence(subject, must, phrase(`'${nameText(names[at])}' in place ${at}`), way));
  }
  return checks.filter((check) => isNamed(names, check));
}

/** The results that raise, the worst status first. */
export function raising(subject: string, names: readonly string[], results: readonly CheckResult[]): CheckResult[] {
  const named = namedChecks({ subject, names, others: RAISING }, results);
  const relevant = named.length > 0 ? named : results;
  const statuses = RAISING.filter((status) => ALWAYS.includes(status) || names.includes(status));
  return statuses.flatMap((wanted) =>
    relevant.filter((each) => each.status === wanted && !each.notDetectable && each.acknowledged === undefined),
  );
}

function whyIdle({ status, notDetectable }: CheckResult): string {
  if (notDetectable) return ' because data like these cannot show it, which does not hold the verdict up';
  return status === 'failed' || status === 'error' ? ', which cannot be acknowledged' : '';
}

const ACKNOWLEDGEABLE: readonly CheckResult['status'][] = ['needs_review', 'not_evaluated'];

/**
 * Results with the author's reasons, and what these had no effect on. Throws {@link InvalidOptionError} for a name that
 * none has.
 */
export function acknowledgedIn(
  owner: string,
  acknowledged: Readonly<Record<string, string>>,
  results: readonly CheckResult[],
): { readonly results: CheckResult[]; readonly unused: string[] } {
  const reasons = new Map(Object.entries(acknowledged));
  const named = namedChecks(
    {
      subject: `The \`acknowledged\` option of ${owner}`,
      names: [...reasons.keys()],
      // Checks of the result come after training.
      later: Object.values(RESULT_CHECKS),
    },
    results,
  );
  const standing = named.filter((each) => ACKNOWLEDGEABLE.includes(each.status) && !each.notDetectable);
  return {
    results: results.map((result) => {
      const reason = reasons.get(result.code) ?? reasons.get(result.type);
      if (standing.includes(result) && reason !== undefined) return { ...result, acknowledged: nameText(reason, 300) };
      if (result.status !== 'needs_review') return result;
      const code = /^\w+$/.test(result.code) ? result.code : `'${nameText(result.code)}'`;
      const way = `If it may stand, pass \`acknowledged: { ${code}: 'why' }\`.`;
      return { ...result, fix: `${result.fix} ${way}`.trim() };
    }),
    unused: named
      .filter((each) => !standing.includes(each))
      .map(
        (each) =>
          `\`acknowledged\` has no effect on ${nameText(each.code)}: its status is ${each.status}${whyIdle(each)}.`,
      ),
  };
}
