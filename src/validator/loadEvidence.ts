import type { ChecklistName } from '../core/knownNames.js';
import type { GuidelineEvidence, ReportModel } from '../report/reportModel.js';
import { type Compliance, checklistOf, GUIDELINES_OF, type RequestedGuidelines } from './evidenceOptions.js';

/** What the manifest records, and what makes the evidence of a result; null where none was asked for. */
export async function loadEvidence({ compliance, checklists }: RequestedGuidelines): Promise<{
  readonly requested: { readonly compliance: Compliance | null; readonly checklists: readonly ChecklistName[] };
  readonly evidenceOf: ((result: ReportModel) => GuidelineEvidence) | null;
}> {
  const mode = (compliance?.toUpperCase() ?? null) as Compliance | null;
  const own = checklists.map((name) => checklistOf(name) as ChecklistName);
  const requested = { compliance: mode, checklists: own };
  const names = [...new Set([...(mode ? GUIDELINES_OF[mode] : []), ...own])];
  if (names.length === 0) return { requested, evidenceOf: null };
  const { evidenceOf } = await import('../report/evidence/evidenceOf.js');
  return { requested, evidenceOf: (result) => evidenceOf(result, names) };
}
