/** Finds the first design of the decision table that these data allow, by splitting them. */
import { classCounts } from '../checkers/CVB001-class-balance/classCounts.js';
import { foldShares } from '../checkers/CVB001-class-balance/foldShares.js';
import { InfeasibleSplitError, InvalidDataError, messageOf, phrase, sentence } from '../core/errors.js';
import { type Labels, type LabelsInput, rowNumbers } from '../data/labels.js';
import { patientsOf, type SideData } from '../data/sideData.js';
import { type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import { splitterRegistry } from '../splitters/registry.js';
import type { IterableSplitter } from '../splitters/splitter.js';
import { type DesignData, siteLevel } from './designFacts.js';
import { type DesignFacts, type DesignRow, designsFor } from './designTable.js';

/** Folds that are tried, most first. */
const MOST_FOLDS = 5;
const LEAST_FOLDS = 2;

/** A design, and the proof that the data allow it. */
export interface ChosenDesign {
  readonly row: DesignRow;
  readonly splitter: IterableSplitter;
  /** The options, as they are written in code. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly plan: FoldPlan;
  /** The side data that the splitter is given. */
  readonly inputs: readonly (keyof SideData)[];
  /** Rows of the table that were better, and what stood in their way: a sentence without its full stop. */
  readonly passedOver: readonly { readonly row: DesignRow; readonly because: string }[];
  /** Folds of which a side has one class alone. */
  readonly oneClass: number;
}

interface Asked {
  readonly facts: DesignFacts;
  readonly randomState: number | string | null;
  /** The labels as the caller wrote them, for a splitter is given these. */
  readonly labels: LabelsInput;
}

/**
 * The first design that splits the data. It has the most folds, of five at most, in which every fold trains on and tests
 * two classes; else the most that can be made. Groups are two or more to a fold, where there are so many.
 *
 * @throws {InfeasibleSplitError} no design of the table can be made
 */
export function chooseDesign(data: DesignData, { facts, ...asked }: Asked): ChosenDesign {
  const passedOver: { row: DesignRow; because: string }[] = [];
  for (const row of designsFor(facts)) {
    let best: Omit<ChosenDesign, 'passedOver'> | undefined;
    let because = '';
    for (let nSplits = mostFolds(row, facts, data); nSplits >= LEAST_FOLDS; nSplits--) {
      try {
        const made = madeOf(row, facts, data, { ...asked, nSplits });
        if (!best || made.oneClass === 0) best = made;
        if (best.oneClass === 0) break;
      } catch (error) {
        if (!(error instanceof InfeasibleSplitError || error instanceof InvalidDataError)) throw error;
        because ||= firstSentence(messageOf(error));
      }
    }
    if (best) return { ...best, passedOver };
    passedOver.push({ row, because });
  }
  const [{ because }] = passedOver.slice(-1);
  throw new InfeasibleSplitError(
    sentence('The data of recommendCv', 'allow two folds', phrase(because), 'Collect more rows.'),
  );
}

/** What must hold, of an error whose rows and ways out are another matter; without its full stop. */
const firstSentence = (message: string): string => message.replace(/( \(rows: .*\))?\. Got .*$|\.$/s, '');

function mostFolds({ keeps }: DesignRow, { repeated, site }: DesignFacts, { X, data }: DesignData): number {
  const n = X.length;
  if (keeps.includes('site') && site !== null) {
    // Each site may be a fold: there are few of them.
    return Math.min(MOST_FOLDS, siteLevel(data, n)?.count ?? LEAST_FOLDS);
  }
  const whole = repeated ? Math.floor((patientsOf(data, n)?.count ?? n) / 2) : Math.floor(n / 2);
  return Math.max(LEAST_FOLDS, Math.min(MOST_FOLDS, whole));
}

/** Rows of the rarest class (label) that has some; Infinity where there are none. */
export function rarestCount(y: Labels): number {
  const counts = classCounts(y)?.of(rowNumbers(y.length)) ?? [];
  return Array.from(counts).reduce((least, count) => (count > 0 && count < least ? count : least), Infinity);
}

function madeOf(
  row: DesignRow,
  facts: DesignFacts,
  { X, y, data }: DesignData,
  { nSplits, randomState, labels }: Omit<Asked, 'facts'> & { readonly nSplits: number },
): Omit<ChosenDesign, 'passedOver'> {
  const entry = splitterRegistry.get(row.splitter);
  const { shape } = entry.options;
  const options: Record<string, unknown> = {
    nSplits,
    ...('shuffle' in shape ? { shuffle: true } : {}),
    ...('randomState' in shape ? { randomState } : {}),
    ...row.options?.(facts),
  };
  const splitter = entry.create(options);
  const reads = splitter.reads ?? [];
  const inputs = reads.filter(
    (name): name is keyof SideData =>
      name !== 'y' && data[name] !== undefined && (name !== 'groups' || row.keeps.includes('patients')),
  );
  const given = Object.fromEntries(inputs.map((name) => [name, data[name]]));
  const plan = foldsOf(splitter, X.length, labels, given);
  return { row, splitter, options, plan, inputs, oneClass: oneClassFolds(plan, y) };
}

/** Folds that cannot train on, or cannot test, two classes; none where y has no classes, and of several labels. */
function oneClassFolds(plan: FoldPlan, y: Labels): number {
  if (y.task !== 'binary' && y.task !== 'multiclass') return 0;
  const counts = classCounts(y);
  if (!counts) return 0;
  const several = counts.classes.length - 2;
  return foldShares(plan, counts).filter(({ missingClasses }) =>
    (['train', 'test'] as const).some((side) => missingClasses.filter((each) => each.side === side).length > several),
  ).length;
}
