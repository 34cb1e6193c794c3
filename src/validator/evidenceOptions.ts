/** `compliance` and `checklists`: which guidelines the reports have evidence for; loaded with the constructors. */
import { InvalidOptionError, phrase, sentence, show, suggestion } from '../core/errors.js';
import { CHECKLIST_NAMES, type ChecklistName } from '../core/knownNames.js';
import { custom } from '../core/options.js';

const COMPLIANCES = ['FDA', 'CE'] as const;
export type Compliance = (typeof COMPLIANCES)[number];
/** Names are also known in lower case. */
type AnyCase<T extends string> = T | Lowercase<T>;

export const checklistOf = (name: unknown): ChecklistName | undefined =>
  typeof name === 'string' ? CHECKLIST_NAMES.find((each) => each.toLowerCase() === name.toLowerCase()) : undefined;

const isRepeated = (list: readonly unknown[], at: number) =>
  list.slice(0, at).some((each) => checklistOf(each) === checklistOf(list[at]));

const firstWrong = (list: readonly unknown[]) =>
  list.findIndex((each, at) => checklistOf(each) === undefined || isRepeated(list, at));

export const evidenceShape = {
  compliance: custom<AnyCase<Compliance>>(
    "'FDA' | 'CE'",
    "be 'FDA' or 'CE'",
    (v) => typeof v === 'string' && COMPLIANCES.some((each) => each === v.toUpperCase()),
  )
    .nullable()
    .default(null)
    .describe(
      "Adds evidence for the author's own filing to the reports, and claims nothing: 'FDA', checklists GMLP and FDA; 'CE', Annex IV and GMLP. Needs the checks.",
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
      .describe(`Guidelines to add evidence for, of ${CHECKLIST_NAMES.join(', ')}; needs the checks.`),
    wrong: (v: unknown) => (Array.isArray(v) ? phrase(`${show(v[firstWrong(v)])} in place ${firstWrong(v)}`) : v),
  },
};

/** What a caller asks for. */
export interface AskedGuidelines {
  readonly compliance: AnyCase<Compliance> | null;
  readonly checklists: readonly AnyCase<ChecklistName>[];
}

/** Evidence comes from the checks: throws {@link InvalidOptionError} where it is asked for and they are off. */
export function refuseWithoutChecks({
  compliance,
  checklists,
  ...checks
}: AskedGuidelines & { readonly checkLeakage: boolean | 'strict'; readonly checkBalance: boolean }): void {
  const asked = compliance !== null ? 'compliance' : checklists.length > 0 ? 'checklists' : undefined;
  const off = (['checkLeakage', 'checkBalance'] as const).find((name) => checks[name] === false);
  if (!asked || !off) return;
  throw new InvalidOptionError(
    sentence(
      `The \`${asked}\` option of CVKitValidator`,
      'have the checks on, from which evidence comes',
      phrase(`\`${off}: false\``),
      `Leave out \`${off}\`.`,
    ),
  );
}
