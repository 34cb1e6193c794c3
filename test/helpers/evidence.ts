/** What tests ask of evidence: whether the places that it names exist, and hold what is quoted. */

import { formatNumber, percentOf, points, wholeNumber } from '../../src/core/format.js';
import { TO_DO } from '../../src/report/evidence/guidelineEvidence.js';

/** The value at a path such as `checks[2].message` or `scores["a b"]`; throws where there is none. */
export function valueAt(root: unknown, path: string): unknown {
  const steps = [...path.matchAll(/\.?([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy)];
  if (steps.map(([whole]) => whole).join('') !== path) throw new Error(`no path: ${path}`);
  return steps.reduce((value: unknown, [, word, place, quoted]) => {
    const key = word ?? place ?? JSON.parse(quoted);
    if (typeof value !== 'object' || value === null || !(key in value)) throw new Error(`nothing at ${path}`);
    return (value as Record<string, unknown>)[key];
  }, root);
}

/** Every number and text at and below a value, lengths of lists among them. */
function leaves(value: unknown, found: (number | string)[] = []): (number | string)[] {
  if (typeof value === 'number' || typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) {
    // Counts of entries: of folds that stopped early, for example.
    for (let n = 0; n <= Math.min(value.length, 2000); n++) found.push(n);
    for (const each of value) leaves(each, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      found.push(key);
      leaves(each, found);
    }
  }
  return found;
}

/** Numbers that are ours. */
const WORDS = /SHA-256|P\(|\b0 \/ 1\b/g;

/** The numbers in a text that stand nowhere at these places. */
export function unfounded(text: string, where: readonly string[], root: unknown): string[] {
  const known = leaves(where.map((path) => valueAt(root, path)));
  const numbers = known.filter((each) => typeof each === 'number');
  const texts = known.filter((each) => typeof each === 'string').join(' ');
  const shown = new Set(
    numbers.flatMap((v) => [
      formatNumber(v),
      wholeNumber(v),
      String(v),
      percentOf(v).slice(0, -2),
      points(v),
      v.toFixed(1),
    ]),
  );
  const said = text.replace(WORDS, '').match(/(?<![\w.])-?\d(?:[\w,.]|(?<=\de)-)*\b/g) ?? [];
  return said.filter((each) => !shown.has(each.replace(/,$/, '')) && !texts.includes(each));
}

/** What is said of an item, without what is left to the author. */
export const saidIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith(TO_DO))
    .join('\n');

/** What is left to the author. */
export const leftIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(TO_DO))
    .join('\n');
