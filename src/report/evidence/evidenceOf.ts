/** What a result says to the guidelines that were asked for. Loaded with the first of them. */
import { counted } from '../../core/format.js';
import type { ChecklistName } from '../../core/knownNames.js';
import type { ReportModel } from '../reportModel.js';
import { TO_DO } from '../sections.js';
import { GUIDELINES, type Guideline } from './guidelines.js';
import { combine } from './statement.js';

/** One item of a guideline and what a result says to it. */
export interface EvidenceItem {
  /** The number, as published: `12a`. The FDA's draft has none: topics in our own words, as `subgroups`. */
  readonly id: string;
  /** What it asks for: a short form in our own words. */
  readonly name: string;
  /** `filled`: nothing is known to remain. `in part`: the text says what remains. `author`: the run says nothing to it. */
  readonly status: 'filled' | 'in part' | 'author';
  /** Lines of whole sentences; the last says what is left to the author, where anything is. */
  readonly text: string;
  /** Where the figures of the text stand: paths into the result and its JSON, as `manifest.n` or `checks[2].message`. */
  readonly where: readonly string[];
}

export interface EvidenceSection {
  readonly checklist: ChecklistName;
  readonly title: string;
  /** Source and standing of the guideline. */
  readonly about: readonly string[];
  /** `2 filled, 3 in part and 5 left to the author, of 10 items`. */
  readonly counts: string;
  readonly items: readonly EvidenceItem[];
}

/** What a result says to guidelines: material for the author's own filing. */
export interface GuidelineEvidence {
  readonly note: string;
  readonly sections: readonly EvidenceSection[];
}

const NOTE =
  "This is evidence for the author's own filing and claims nothing: no rating, no judgement, no statement that a requirement is met. Items are named by short forms in our own words; the published text rules.";

/** The sections of the guidelines of these names, in this order. */
export const evidenceOf = (result: ReportModel, names: readonly ChecklistName[]): GuidelineEvidence => ({
  note: NOTE,
  sections: names.map((checklist) => {
    const { title, source, standing, items } = GUIDELINES[checklist];
    const answers = items.map((item) => answered(item, result));
    return { checklist, title, about: [source, ...standing], counts: filledText(answers), items: answers };
  }),
});

function answered([id, name, by = [], remaining]: Guideline['items'][number], result: ReportModel): EvidenceItem {
  const statements = [...by.map((statement) => statement(result)), { text: '', where: [], remaining }];
  const { text, where, remaining: open } = combine(statements);
  if (text === '') return { id, name, status: 'author', text: `${TO_DO}${open ? `: ${open}` : ''}.`, where: [] };
  return open
    ? { id, name, status: 'in part', text: [text, `${TO_DO}: ${open}.`].join('\n'), where }
    : { id, name, status: 'filled', text, where };
}

function filledText(items: readonly EvidenceItem[]): string {
  const count = (status: EvidenceItem['status']) => items.filter((item) => item.status === status).length;
  return `${count('filled')} filled, ${count('in part')} in part and ${count('author')} left to the author, of ${counted(items.length, 'item')}`;
}
