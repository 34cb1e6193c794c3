/** What a result says to the guidelines that were asked for. Loaded with the first of them. */
import { counted } from '../../core/format.js';
import type { ChecklistName } from '../../core/knownNames.js';
import type { EvidenceItem, GuidelineEvidence, ReportModel } from '../reportModel.js';
import { TO_DO } from '../sections.js';
import { GUIDELINES, type Guideline } from './guidelines.js';
import { combine, stated } from './statement.js';

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
  const {
    text,
    where,
    remaining: open,
  } = combine([...by.map((statement) => statement(result)), stated('', [], remaining)]);
  const todo = `${TO_DO}${open ? `: ${open}` : ''}.`;
  if (text === '') return { id, name, status: 'author', text: todo, where: [] };
  return open
    ? { id, name, status: 'in part', text: `${text}\n${todo}`, where }
    : { id, name, status: 'filled', text, where };
}

function filledText(items: readonly EvidenceItem[]): string {
  const count = (status: EvidenceItem['status']) => items.filter((item) => item.status === status).length;
  return `${count('filled')} filled, ${count('in part')} in part and ${count('author')} left to the author, of ${counted(items.length, 'item')}`;
}
