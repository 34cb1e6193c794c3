/** `compliance` and `checklists`: which guidelines the reports have evidence for. */
import { InvalidOptionError, phrase, sentence, show, suggestion } from '../core/errors.js';
import { CHECKLIST_NAMES, type ChecklistName } from '../core/knownNames.js';
import { custom } from '../core/options.js';
import type { GuidelineEvidence } from '../report/evidence/guidelineEvidence.js';
import type { ReportModel } from '../report/reportModel.js';

/** The guidelines behind each value of `compliance`. */
const COMPLIANCES = {
  FDA: ['GMLP', 'FDA'],
  CE: ['Annex IV', 'GMLP'],
} as const satisfies Record<string, readonly ChecklistName[]>;
export type Compliance = keyof typeof COMPLIANCES;
/** Names are also known in lower case. */
type AnyCase<T extends string> = T | Lowercase<T>;

const checklistOf = (name: unknown): ChecklistName | undefined =>
  typeof name === 'string' ? CHECKLIST_NAMES.find((each) => each.toLowerCase() === name.toLowerCase()) : undefined;

const isRepeated = (list: readonly unknown[], at: number) =>
  list.slice(0, at).some((each) => checklistOf(each) === checklistOf(list[at]));

const firstWrong = (list: readonly unknown[]) =>
  list.findIndex((each, at) => checklistOf(each) === undefined || isRepeated(list, at));

export const evidenceShape = {
  compliance: custom<AnyCase<Compliance>>(
    "'FDA' | 'CE'",
    "be 'FDA' or 'CE'",
    (v) => typeof v === 'string' && v.toUpperCase() in COMPLIANCES,
  )
    .nullable()
    .default(null)
    .describe(
      "Adds evidence for the author's own filing to the reports: 'FDA', good machine learning practice and the draft guidance of January 2025; 'CE', Annex IV of the EU AI Act and good machine learning practice. It claims nothing and needs the checks.",
    ),
  checklists: {
    ...custom<readonly AnyCase<ChecklistName>[]>(
      'name[]',
      'be a list of names of guidelines, each once',
      (v) => Array.isArray(v) && firstWrong(v) < 0,
    )
      .default([])
      .instead((v) => {
        const wrong = Array.isArray(v) ? v[firstWrong(v)] : undefined;
        if (checklistOf(wrong)) return 'Leave out the second.';
        return suggestion(typeof wrong === 'string' ? wrong : '', CHECKLIST_NAMES);
      })
      .describe(
        `Guidelines for which the reports have evidence, of ${CHECKLIST_NAMES.map((name) => `'${name}'`).join(', ')}; needs the checks.`,
      ),
    wrong: (v: unknown) => (Array.isArray(v) ? phrase(`${show(v[firstWrong(v)])} in place ${firstWrong(v)}`) : v),
  },
};

interface Asked {
  readonly compliance: AnyCase<Compliance> | null;
  readonly checklists: readonly AnyCase<ChecklistName>[];
}

/** Evidence comes from the checks: throws {@link InvalidOptionError} where it is asked for and they are off. */
export function refuseWithoutChecks({
  compliance,
  checklists,
  ...checks
}: Asked & { readonly checkLeakage: boolean | 'strict'; readonly checkBalance: boolean }): void {
  const asked = compliance !== null ? 'compliance' : checklists.length > 0 ? 'checklists' : undefined;
  const off = (['checkLeakage', 'checkBalance'] as const).find((name) => checks[name] === false);
  if (!asked || !off) return;
  throw new InvalidOptionError(
    sentence(
      `The \`${asked}\` option of CVKitValidator`,
      'have the checks on, since its evidence comes from them',
      phrase(`\`${off}: false\``),
      `Leave out \`${off}\`.`,
    ),
  );
}

/** What the manifest records, and what makes the evidence of a result; null where none was asked for. */
export async function askedEvidence({ compliance, checklists }: Asked): Promise<{
  readonly asked: { readonly compliance: Compliance | null; readonly checklists: readonly ChecklistName[] };
  readonly evidenceOf: ((result: ReportModel) => GuidelineEvidence) | null;
}> {
  const mode = (compliance?.toUpperCase() ?? null) as Compliance | null;
  const own = checklists.map((name) => checklistOf(name) as ChecklistName);
  const asked = { compliance: mode, checklists: own };
  const names = [...new Set([...(mode ? COMPLIANCES[mode] : []), ...own])];
  if (names.length === 0) return { asked, evidenceOf: null };
  const { evidenceOf } = await import('../report/evidence/evidenceOf.js');
  return { asked, evidenceOf: (result) => evidenceOf(result, names) };
}
