/** What tests ask of evidence: whether the places that it names exist, and hold what is quoted. */

import { formatNumber, percentOf, points, wholeNumber } from '../../src/core/format.js';
import { pathTo } from '../../src/report/evidence/statement.js';
import { TO_DO } from '../../src/report/sections.js';

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

/** Every number and text at and below a value, keys among them. */
function leaves(value: unknown, found: (number | string)[] = []): (number | string)[] {
  if (typeof value === 'number' || typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const each of value) leaves(each, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      found.push(key);
      leaves(each, found);
    }
  }
  return found;
}

/** What a report holds, as far as counts are made of it. */
interface Counted {
  readonly foldDetails?: readonly {
    readonly status: string;
    readonly stoppedEarly: boolean;
    readonly keptEpoch: unknown;
  }[];
  readonly outOfFold?: { readonly yTrue: readonly unknown[]; readonly yPred: readonly unknown[] };
  readonly manifest?: { readonly positiveLabel: unknown };
}

const many = <T>(list: readonly T[], holds: (each: T, at: number) => boolean) => list.filter(holds).length;

/** The counts that a sentence may make of what stands at a place, each by its name; no others. */
const COUNTS: Readonly<Record<string, (value: never, root: Counted) => Readonly<Record<string, number>>>> = {
  foldDetails: (folds: NonNullable<Counted['foldDetails']>) => ({
    completed: many(folds, ({ status }) => status === 'completed'),
    stoppedEarly: many(folds, ({ stoppedEarly }) => stoppedEarly),
    kept: many(folds, ({ keptEpoch }) => keptEpoch !== null),
  }),
  'outOfFold.yTrue': (truth: readonly unknown[], { outOfFold, manifest }) => {
    const said = outOfFold?.yPred ?? [];
    const isPositive = (label: unknown) => label === manifest?.positiveLabel;
    const cell = (isOne: boolean, saidOne: boolean) =>
      many(truth, (label, at) => isPositive(label) === isOne && isPositive(said[at]) === saidOne);
    return {
      predictions: truth.length,
      wrong: many(truth, (label, at) => label !== said[at]),
      found: cell(true, true),
      missed: cell(true, false),
      right: cell(false, false),
      falseAlarms: cell(false, true),
    };
  },
  'outOfFold.row': (rows: readonly number[]) => ({ rows: new Set(rows).size }),
  'outOfFold.group': (ids: readonly unknown[]) => ({ patients: new Set(ids).size }),
  'manifest.verifiedFolds': (ids: readonly string[]) => ({ verified: ids.length }),
  'checks[].evidence.counts': (counts: object) => ({ moreClasses: Object.keys(counts).length - 8 }),
  'balance.folds': ([fold]: readonly { readonly trainProportions: object }[]) => ({
    moreClasses: Object.keys(fold.trainProportions).length - 8,
  }),
  'scores.': (values: readonly { readonly value: unknown }[]) => ({
    folds: values.length,
    undefined: many(values, ({ value }) => value === null),
  }),
};

/** What of a fold may be quoted: its place in the order and its seconds, for example, are no counts of rows. */
const QUOTED = ['nTrain', 'nFitted', 'nValidation', 'nTest', 'epochs'] as const;

const quotedAt = (root: object, path: string): (number | string)[] => {
  const value = valueAt(root, path);
  if (path !== 'foldDetails') return leaves(value);
  const folds = value as readonly Partial<Record<(typeof QUOTED)[number], number>>[];
  return leaves(folds.map((fold) => QUOTED.map((field) => fold[field])));
};

const countsAt = (root: object, path: string): number[] => {
  const kind = path.replace(/\[\d+\]/, '[]').replace(/^scores[.[].*/, 'scores.');
  const value = valueAt(root, path);
  if (path === 'scores') return Object.keys(value as object).flatMap((name) => countsAt(root, pathTo('scores', name)));
  return Object.values(COUNTS[kind]?.(value as never, root as Counted) ?? {});
};

/** Numbers that are ours. */
const WORDS = /SHA-256|P\(|\b0 \/ 1\b/g;
const NUMBERS = /(?<![\w.])-?\d(?:[\w,.]|(?<=\de)-)*\b/g;
/** So many digits are no accident where a text holds them. */
const DIGITS = 8;

/** The numbers in a text that stand nowhere at these places, and are no count that {@link COUNTS} names for them. */
export function unfounded(text: string, where: readonly string[], root: object): string[] {
  const known = where.flatMap((path) => quotedAt(root, path));
  const numbers = [
    ...known.filter((each) => typeof each === 'number'),
    ...where.flatMap((path) => countsAt(root, path)),
  ];
  const texts = known.filter((each) => typeof each === 'string').join(' ');
  const shown = new Set([
    ...(texts.match(NUMBERS) ?? []),
    ...numbers.flatMap((v) => [
      formatNumber(v),
      wholeNumber(v),
      String(v),
      percentOf(v).slice(0, -2),
      points(v),
      v.toFixed(1),
    ]),
  ]);
  const said = text.replace(WORDS, '').match(NUMBERS) ?? [];
  return said.filter((each) => !shown.has(each.replace(/,$/, '')) && !(each.length >= DIGITS && texts.includes(each)));
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
