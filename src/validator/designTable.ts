/** `recommendCv` and the validator's own default read this table, so that they cannot disagree; docs/choosing.md shows it. */
import { show } from '../core/errors.js';
import type { Task } from '../data/labels.js';
import { splitterRegistry } from '../splitters/registry.js';
import type { SplitterFacts } from '../splitters/splitter.js';
import { methodName } from './methods.js';

export interface DesignFacts {
  readonly task: Task;
  /** `y` is masks, which are no labels to balance. */
  readonly masks: boolean;
  /** Patients are known, and some have several rows. */
  readonly repeated: boolean;
  /** Test rows are to be later than training rows, and times are known. */
  readonly ordered: boolean;
  /** Labels are known later than their rows. */
  readonly labelEnds: boolean;
  /** The level of the hierarchy whose units are to be new to the model; null where there is none. */
  readonly site: string | null;
  /** Places are to be kept apart, and no patient has rows at several places. */
  readonly separated: boolean;
  /** So few rows that one draw of the folds says little. */
  readonly small: boolean;
}

/** What folds may protect, in the order in which the lack of it matters. */
export const PROTECTED = ['patients', 'order', 'site', 'places', 'classes'] as const;
export type Protected = (typeof PROTECTED)[number];

export interface DesignRow {
  /** The condition in words. */
  readonly when: string;
  holds(facts: DesignFacts): boolean;
  /** The family of the splitter. */
  readonly category: SplitterFacts['family'];
  readonly splitter: string;
  /** Options besides the number of folds, the shuffle and the seed. */
  options?(facts: DesignFacts): Readonly<Record<string, unknown>>;
  readonly keeps: readonly Protected[];
  /** The condition as a clause, for "chosen because ...". */
  why(facts: DesignFacts): string;
  /** What the design does about it: a full sentence. */
  readonly reason: string;
}

const hasClasses = ({ task, masks }: DesignFacts) =>
  (task === 'binary' || task === 'multiclass' || task === 'survival') && !masks;
/** What stratified folds spread. */
const spread = ({ task }: DesignFacts) => (task === 'survival' ? 'events' : 'classes');
const hasLabels = ({ task, masks }: DesignFacts) => task === 'multilabel' && !masks;

/**
 * Source: Roberts et al. 2017, Ecography 40:913 (folds follow the structure across which the model will predict: groups,
 * time, space); Kohavi 1995, IJCAI (stratified folds). A design that cannot be made of the data gives way to the next
 * row that holds, so every row says what it needs, and none below tears patients that one above keeps whole.
 */
const ROWS: readonly Omit<DesignRow, 'category'>[] = [
  {
    when: 'times are given and order counts, and patients repeat',
    holds: ({ ordered, repeated }) => ordered && repeated,
    splitter: 'PurgedGroupTimeSeriesSplit',
    options: () => ({ groupExclusive: true }),
    keeps: ['patients', 'order'],
    why: () => 'the model is to predict later rows and patients repeat',
    reason:
      'Each fold trains on earlier rows whose labels were known by then, and on no patient whom it tests: in use the model meets later rows, of people it has not seen.',
  },
  {
    when: 'times are given and order counts, and labels are known later than their rows',
    holds: ({ ordered, repeated, labelEnds }) => ordered && !repeated && labelEnds,
    splitter: 'PurgedGroupTimeSeriesSplit',
    keeps: ['order'],
    why: () => 'the model is to predict later rows',
    reason: 'Each fold trains on earlier rows whose labels were known by then, and tests later ones.',
  },
  {
    when: 'times are given and order counts',
    holds: ({ ordered, repeated }) => ordered && !repeated,
    splitter: 'TimeSeriesSplit',
    keeps: ['order'],
    why: () => 'the model is to predict later rows',
    reason: 'Each fold trains on earlier rows and tests later ones, as the model will be used.',
  },
  {
    when: "`design: 'deployment'`, and `hierarchy` names sites",
    holds: ({ site }) => site !== null,
    splitter: 'HierarchicalGroupKFold',
    options: ({ site }) => ({ hierarchyLevel: site }),
    keeps: ['patients', 'site'],
    why: ({ site }) => `the model is to be used at another ${site}`,
    reason: 'No fold tests a site that it trained on: the model is to be used at others.',
  },
  {
    when: "coordinates are given, `design` is not 'iid', and no patient has rows at several places",
    holds: ({ separated }) => separated,
    splitter: 'SpatialBlockCV',
    keeps: ['patients', 'places'],
    why: () => 'the model is to predict other places',
    reason:
      'Neighbouring rows resemble each other, so whole blocks of the map are tested: the model is to predict other places.',
  },
  {
    when: 'y has several labels per row, and patients repeat',
    holds: (facts) => hasLabels(facts) && facts.repeated,
    splitter: 'MultilabelStratifiedGroupKFold',
    keeps: ['patients', 'classes'],
    why: () => 'y has several labels per row and patients repeat',
    reason: 'Patients stay whole, and each label is spread over the folds.',
  },
  {
    when: 'y has several labels per row',
    holds: (facts) => hasLabels(facts) && !facts.repeated,
    splitter: 'MultilabelStratifiedKFold',
    keeps: ['classes'],
    why: () => 'y has several labels per row',
    reason: 'Each label, and each pair where it can be, is spread over the folds.',
  },
  {
    when: 'y has classes or events, and patients repeat',
    holds: (facts) => hasClasses(facts) && facts.repeated,
    splitter: 'StratifiedGroupKFold',
    keeps: ['patients', 'classes'],
    why: () => 'patients repeat',
    reason:
      'Rows of one patient resemble each other, so patients stay whole; the classes (or events) are spread over the folds.',
  },
  {
    when: 'patients repeat',
    holds: ({ repeated }) => repeated,
    splitter: 'GroupKFold',
    keeps: ['patients'],
    why: () => 'patients repeat',
    reason: 'Rows of one patient resemble each other, so patients stay whole.',
  },
  {
    when: 'y has classes or events, and there are fewer than 200 rows',
    holds: (facts) => hasClasses(facts) && facts.small,
    splitter: 'RepeatedKFold',
    options: () => ({ stratify: true, nRepeats: 10 }),
    keeps: ['classes'],
    why: (facts) => `y has ${spread(facts)} and there are few rows`,
    reason:
      'The classes (or events) are spread over the folds, and ten draws of the folds are averaged, since of few rows each draw gives another score.',
  },
  {
    when: 'y has classes or events',
    holds: hasClasses,
    splitter: 'StratifiedKFold',
    keeps: ['classes'],
    why: (facts) => `y has ${spread(facts)} and no patient is known to repeat`,
    reason: 'Rows count as independent, and the classes (or events) are spread over the folds.',
  },
  {
    when: 'y is numbers or masks, and there are fewer than 200 rows',
    holds: ({ small }) => small,
    splitter: 'RepeatedKFold',
    options: () => ({ nRepeats: 10 }),
    keeps: [],
    why: ({ masks }) => `y is ${masks ? 'masks' : 'numbers'} and there are few rows`,
    reason:
      'Rows count as independent; ten draws of the folds are averaged, since of few rows each draw gives another score.',
  },
  {
    when: 'y is numbers or masks',
    holds: () => true,
    splitter: 'KFold',
    keeps: [],
    why: ({ masks }) => (masks ? 'y is masks' : 'y is numbers'),
    reason: 'Rows count as independent, and nothing is known that folds should follow or balance.',
  },
];

export const designTable: readonly DesignRow[] = ROWS.map((row) => ({
  ...row,
  category: splitterRegistry.get(row.splitter).family,
}));

/** The splitter with the options that make it what it is: `HierarchicalGroupKFold({ hierarchyLevel: 'site' })`. */
export function designText({ splitter, options }: DesignRow, facts: DesignFacts): string {
  const written = Object.entries(options?.(facts) ?? {}).filter(([name]) => name !== 'nRepeats');
  if (written.length === 0) return splitter;
  return `${splitter}({ ${written.map(([name, value]) => `${name}: ${show(value)}`).join(', ')} })`;
}

export const FEW_ROWS = 200;

/** The rows that hold, best first; with `repeated` those alone that keep patients whole. */
export const designsFor = (facts: DesignFacts): DesignRow[] =>
  designTable.filter((row) => row.holds(facts) && (!facts.repeated || row.keeps.includes('patients')));

/** The method when the caller named none: the row for data of which nothing else is known. */
export function defaultMethod(task: Task, repeatedGroups: boolean, masks = false): { method: string; why: string } {
  const nothing = { ordered: false, labelEnds: false, site: null, separated: false, small: false };
  const facts = { ...nothing, task, masks, repeated: repeatedGroups };
  const [row] = designsFor(facts);
  return { method: methodName(row.splitter), why: row.why(facts) };
}
