/** From what was asked for to what makes it; loaded with the first call. */
import type { ChecklistName } from '../core/knownNames.js';
import type { GuidelineEvidence } from '../report/evidence/evidenceOf.js';
import type { ReportModel } from '../report/reportModel.js';
import { type AskedGuidelines, type Compliance, checklistOf, GUIDELINES_OF } from './evidenceOptions.js';

/** What the manifest records, and what makes the evidence of a result; null where none was asked for. */
export async function loadEvidence({ compliance, checklists }: AskedGuidelines): Promise<{
  readonly asked: { readonly compliance: Compliance | null; readonly checklists: readonly ChecklistName[] };
  readonly evidenceOf: ((result: ReportModel) => GuidelineEvidence) | null;
}> {
  const mode = (compliance?.toUpperCase() ?? null) as Compliance | null;
  const own = checklists.map((name) => checklistOf(name) as ChecklistName);
  const asked = { compliance: mode, checklists: own };
  const names = [...new Set([...(mode ? GUIDELINES_OF[mode] : []), ...own])];
  if (names.length === 0) return { asked, evidenceOf: null };
  const { evidenceOf } = await import('../report/evidence/evidenceOf.js');
  return { asked, evidenceOf: (result) => evidenceOf(result, names) };
}
