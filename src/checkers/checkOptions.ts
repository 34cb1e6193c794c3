import { phrase, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import {
  anything,
  boolean,
  custom,
  isPlainObject,
  listOf,
  number,
  type OptionsOf,
  type OptionTable,
  oneOf,
  seed,
} from '../core/options.js';
import type { RowsInput } from '../data/rows.js';

/**
 * What the folds stand for. `iid`: test rows are drawn like training rows. `prospective`: they come later in time.
 * `deployment`: they come from elsewhere (other sites, scanners, regions), so that shift is expected.
 */
export const DESIGNS = ['iid', 'prospective', 'deployment'] as const;
export type Design = (typeof DESIGNS)[number];

export const seedOption = seed().default(42).describe('Seed of permutations.');

export const featureThresholdOption = number({ above: 0, max: 1 })
  .default(0.95)
  .describe(
    'Correlation of a feature with the label above which it is to be reviewed. Another value than the default decides: a correlation above it fails.',
  );

/** Checks that an author may call not applicable, with the input that raises their question. */
export const INPUT_OF = {
  temporal: 'timestamps',
  spatial_proximity: 'coordinates',
  hierarchical: 'hierarchy',
  site_confounding: 'hierarchy',
} as const;
export type Question = keyof typeof INPUT_OF;
const QUESTIONS = Object.keys(INPUT_OF) as Question[];

const isReason = (reason: unknown) => typeof reason === 'string' && reason.trim() !== '';

/** What the author alone can know of the data; recorded and printed as the author's word. */
export const declaredShape = {
  notApplicable: listOf<Question>('type', `be a list of ${QUESTIONS.join(', ')}`, (v) =>
    QUESTIONS.includes(v as Question),
  )
    .default([])
    .describe("Checks whose question does not arise with these data, on the author's word: their input is not given."),
  independentRows: boolean()
    .default(false)
    .describe("Each row is its own patient, on the author's word: no `patientIds` are needed."),
  preparedInside: boolean()
    .default(false)
    .describe(
      "Whatever was fitted to prepare X (scaling, filling, selection of features, drawing or making of rows as by SMOTE) was fitted inside the folds or not at all, on the author's word.",
    ),
  acknowledged: custom<Readonly<Record<string, string>>>(
    'record of check -> reason',
    "be an object of a reason for each check, such as { CVB001: 'rare outcome by design' }",
    (v) => isPlainObject(v) && Object.values(v).every(isReason),
    {
      wrong(v) {
        const [code, reason] = (isPlainObject(v) && Object.entries(v).find(([, each]) => !isReason(each))) || [];
        return code === undefined ? v : phrase(`${show(reason)} for ${nameText(code)}`);
      },
    },
  )
    .default({})
    .describe(
      "Why a check that needs a review, or that could not be made, may stand: { CVB001: 'rare outcome by design' }, by code. Printed as the author's word. A check that failed cannot be acknowledged.",
    ),
};

export type Declared = OptionsOf<OptionTable<typeof declaredShape>>;

export const NOTHING_DECLARED = Object.fromEntries(
  Object.entries(declaredShape).map(([name, { defaultValue }]) => [name, defaultValue]),
) as unknown as Declared;

export const checkShape = {
  design: oneOf(...DESIGNS)
    .optional()
    .describe(
      "What the folds stand for: 'iid', test rows are drawn like training rows; 'prospective', they come later; 'deployment', they come from elsewhere. By default what the splitter claims.",
    ),
  spatialThreshold: number({ above: 0 })
    .optional()
    .describe('Distance below which rows count as neighbours in space; by default the fitted autocorrelation range.'),
  embeddings: anything<RowsInput>('rows')
    .optional()
    .describe("A model's vectors of the rows, in which near-duplicates are looked for in place of the raw features."),
  revealIds: boolean()
    .default(false)
    .describe('Print ids in the evidence as they are, not as salted hashes.', 'only prints'),
  ...declaredShape,
};
