/** What a result says to one question of a guideline. */
import type { ReportModel } from '../reportModel.js';

export interface Statement {
  /** Whole sentences with the figures, in lines; empty where the result holds nothing on it. */
  readonly text: string;
  /** Where the figures stand: paths into the result and its JSON, as `manifest.n` or `checks[2].message`. */
  readonly where: readonly string[];
  /** What remains for the author, or why the run cannot tell: a phrase without a full stop. */
  readonly remaining?: string | undefined;
}

/** Serves many items, so that no sentence is written twice. */
export type StatementBuilder = (result: ReportModel) => Statement;

/** What does not hold is left out. */
type IfHolds = string | false | null | undefined;

/** Sentences, or parts of them that hold, with their places and what remains. */
export const stated = (
  text: string | readonly IfHolds[],
  where: readonly IfHolds[],
  remaining?: IfHolds,
): Statement => ({
  text: typeof text === 'string' ? text : present(text).join(' '),
  where: present(where),
  remaining: remaining || undefined,
});

export const NOTHING: Statement = { text: '', where: [] };

export const notReported = (remaining: string): Statement => ({ ...NOTHING, remaining });

/** One text of several, each line once; what is missing everywhere is missing. */
export const combine = (parts: readonly Statement[]): Statement => ({
  text: unique(parts.flatMap(({ text }) => text.split('\n'))).join('\n'),
  where: unique(parts.flatMap(({ where }) => where)),
  remaining: unique(parts.flatMap(({ remaining = '' }) => remaining.split('; '))).join('; ') || undefined,
});

export const present = (texts: readonly IfHolds[]): string[] => texts.filter((text) => !!text) as string[];

const unique = (texts: readonly string[]) => [...new Set(present(texts))];

/** Paths to the entries of these names; the field alone where these are all. */
export const pathsTo = (field: string, names: readonly string[], all: object): string[] =>
  names.length === Object.keys(all).length ? [field] : names.map((name) => pathTo(field, name));

/** `scores.roc_auc`, or `scores["a b"]` where the name is no word. */
export const pathTo = (field: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${field}.${name}` : `${field}[${JSON.stringify(name)}]`;
