/** `compliance` and `checklists`: which guidelines the reports have evidence for; loaded with the constructors. */
import { InvalidOptionError, phrase, sentence, suggestion } from '../core/errors.js';
import { CHECKLIST_NAMES, type ChecklistName } from '../core/knownNames.js';
import { custom } from '../core/options.js';

export const GUIDELINES_OF = {
  FDA: ['GMLP', 'FDA'],
  CE: ['Annex IV', 'GMLP'],
} as const satisfies Readonly<Record<string, readonly ChecklistName[]>>;
export type Compliance = keyof typeof GUIDELINES_OF;
const COMPLIANCES = Object.keys(GUIDELINES_OF) as Compliance[];
const inWords = COMPLIANCES.map((name) => `'${name}', checklists ${GUIDELINES_OF[name].join(' and ')}`).join('; ');

export const CHECKLISTS_TEXT = `Guidelines to add evidence for, of ${CHECKLIST_NAMES.join(', ')}`;

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
      `Adds evidence for the author's own filing to the reports, and claims nothing: ${inWords}. Needs the checks.`,
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
      .describe(`${CHECKLISTS_TEXT}; needs the checks.`),
    wrong: (v: unknown) => (Array.isArray(v) ? v[firstWrong(v)] : v),
  },
};

export interface RequestedGuidelines {
  readonly compliance: AnyCase<Compliance> | null;
  readonly checklists: readonly AnyCase<ChecklistName>[];
}

export function refuseWithoutChecks({
  compliance,
  checklists,
  ...checks
}: RequestedGuidelines & { readonly checkLeakage: boolean | 'strict'; readonly checkBalance: boolean }): void {
  const option = compliance !== null ? 'compliance' : checklists.length > 0 ? 'checklists' : undefined;
  const off = (['checkLeakage', 'checkBalance'] as const).find((name) => checks[name] === false);
  if (!option || !off) return;
  const subject = `The \`${option}\` option of CVKitValidator`;
  const must = 'have the checks on, from which evidence comes';
  throw new InvalidOptionError(sentence(subject, must, phrase(`\`${off}: false\``), `Leave out \`${off}\`.`));
}
