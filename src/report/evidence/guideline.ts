/** What a guideline is here, and what a result says to its items. */
import type { ReportModel } from '../reportModel.js';

/** What a result says to one question. */
export interface Statement {
  /** Whole sentences with the figures, in lines; empty where the result holds nothing on it. */
  readonly text: string;
  /** Where the figures stand: paths into the result and its JSON, as `manifest.n` or `checks[2].message`. */
  readonly where: readonly string[];
  /** What remains for the author, or why the run cannot tell: a phrase without a full stop. */
  readonly left?: string | undefined;
}

/** Looks for what a result says; a maker serves many items, so that no sentence is written twice. */
export type StatementBuilder = (result: ReportModel) => Statement;

/** One row of a guideline. */
export interface GuidelineItem {
  /** The number, as published: `12a`. A draft without numbers has topics in our own words: `subgroups`. */
  readonly id: string;
  /** What it asks for: a short form in our own words. */
  readonly name: string;
  /** What a run can say to it; left out, the item is the author's alone. */
  readonly by?: readonly StatementBuilder[];
  /** What no run can say, and the item asks for as well. */
  readonly left?: string;
}

export interface Guideline {
  readonly title: string;
  /** Who published it, and where. */
  readonly source: string;
  /** What a reader must know of it: its standing, where that may change with the date of it, and how it was read. */
  readonly standing: readonly string[];
  readonly items: readonly GuidelineItem[];
}

/** Nothing can be said, and why. */
export const notReported = (left: string): Statement => ({ text: '', where: [], left });

/** One text of several, each line once; what is missing everywhere is missing. */
export const combine = (parts: readonly Statement[]): Statement => ({
  text: unique(parts.flatMap(({ text }) => text.split('\n'))).join('\n'),
  where: unique(parts.flatMap(({ where }) => where)),
  left: unique(parts.flatMap(({ left = '' }) => left.split('; '))).join('; ') || undefined,
});

const unique = (texts: readonly string[]) => [...new Set(texts.filter((text) => text !== ''))];

/** Paths to the entries of these names; the field alone where these are all. */
export const pathsTo = (field: string, names: readonly string[], all: object): string[] =>
  names.length === Object.keys(all).length ? [field] : names.map((name) => pathTo(field, name));

/** `scores.roc_auc`, or `scores["a b"]` where the name is no word. */
export const pathTo = (field: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${field}.${name}` : `${field}[${JSON.stringify(name)}]`;
