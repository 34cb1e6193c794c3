/** What a result says to the guidelines that were asked for. Loaded with the first of them. */
import { counted } from '../../core/format.js';
import type { ChecklistName } from '../../core/knownNames.js';
import type { ReportModel } from '../reportModel.js';
import { annexIV } from './annexIV.js';
import { claim } from './claim.js';
import { fdaDraft } from './fdaDraft.js';
import { gmlp } from './gmlp.js';
import { combine, type Guideline, type GuidelineItem } from './guideline.js';
import { type EvidenceItem, type GuidelineEvidence, TO_DO } from './guidelineEvidence.js';
import { probastAI } from './probastAI.js';
import { stardAI } from './stardAI.js';
import { tripodAI } from './tripodAI.js';

export const GUIDELINES: Readonly<Record<ChecklistName, Guideline>> = {
  'TRIPOD+AI': tripodAI,
  CLAIM: claim,
  'STARD-AI': stardAI,
  'PROBAST+AI': probastAI,
  GMLP: gmlp,
  FDA: fdaDraft,
  'Annex IV': annexIV,
};

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

function answered({ id, name, by = [], left }: GuidelineItem, result: ReportModel): EvidenceItem {
  const said = combine(by.map((maker) => maker(result)));
  const open = combine([said, { text: '', where: [], left }]).left;
  if (said.text === '') {
    return { id, name, status: 'author', text: `${TO_DO}${open ? `: ${open}` : ''}.`, where: [] };
  }
  return {
    id,
    name,
    status: open ? 'in part' : 'filled',
    text: open ? `${said.text}\n${TO_DO}: ${open}.` : said.text,
    where: said.where,
  };
}

function filledText(items: readonly EvidenceItem[]): string {
  const count = (status: EvidenceItem['status']) => items.filter((item) => item.status === status).length;
  return `${count('filled')} filled, ${count('in part')} in part and ${count('author')} left to the author, of ${counted(items.length, 'item')}`;
}
