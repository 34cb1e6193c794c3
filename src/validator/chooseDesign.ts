/** What the decision table asks of the data, and the first of its designs that they allow, found by splitting them. */

import { foldShares } from '../checkers/CVB001-class-balance/foldShares.js';
import type { Design } from '../checkers/checkOptions.js';
import { InfeasibleSplitError, InvalidDataError, messageOf, phrase, sentence } from '../core/errors.js';
import { counted, wholeNumber } from '../core/format.js';
import { classCounts } from '../data/classCounts.js';
import { classText, type Label, type Labels, type LabelsInput, rowNumbers } from '../data/labels.js';
import {
  type Groups,
  groupsOf,
  hasPlace,
  knownGroups,
  patientIdsOf,
  patientsOf,
  type SideData,
} from '../data/sideData.js';
import { unitsOfClasses } from '../intervals/effectiveUnits.js';
import type { Problem } from '../runner/readData.js';
import { type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import { splitterRegistry } from '../splitters/registry.js';
import type { IterableSplitter } from '../splitters/splitter.js';
import { type DesignFacts, type DesignRow, designsFor, FEW_ROWS } from './designTable.js';

export type DesignData = Pick<Problem, 'X' | 'y' | 'data'>;

/** Where no design is named, times mean that order counts, and places that they are to be kept apart. */
export function designFacts({ X, y, data }: DesignData, design: Design | undefined): DesignFacts {
  const n = X.length;
  const patients = patientsOf(data, n);
  const repeated = patients !== undefined && patients.count < n;
  const ordered = data.timestamps !== undefined && (design === 'prospective' || design === undefined);
  // Folds by place need the place of every row.
  const placed = data.coordinates !== undefined && Array.from(data.coordinates).every(hasPlace);
  const places = placed && !ordered && (design === undefined || design === 'deployment');
  return {
    task: y.task,
    masks: y.shape !== undefined,
    repeated,
    ordered,
    labelEnds: data.labelEndTimes !== undefined,
    site: design === 'deployment' ? (siteLevel(data, n)?.level ?? null) : null,
    separated: places && (!repeated || movingPatients(patients as Groups, data.coordinates as Places) === 0),
    small: n < FEW_ROWS,
  };
}

type Places = NonNullable<SideData['coordinates']>;

/** For each group whose rows differ the first one and the first that differs from it, as they are met. */
export function mixedGroups(
  { codes, count }: Groups,
  differ: (first: number, row: number) => boolean,
  counts: (row: number) => boolean = () => true,
): [first: number, other: number][] {
  const first = new Int32Array(count).fill(-1);
  const isMixed = new Uint8Array(count);
  const mixed: [number, number][] = [];
  for (let row = 0; row < codes.length; row++) {
    const group = codes[row];
    if (group < 0 || isMixed[group] === 1 || !counts(row)) continue;
    if (first[group] < 0) first[group] = row;
    else if (differ(first[group], row)) {
      isMixed[group] = 1;
      mixed.push([first[group], row]);
    }
  }
  return mixed;
}

export function movingPatients(patients: Groups, places: Places): number {
  const differ = (a: number, b: number) => places[a][0] !== places[b][0] || places[a][1] !== places[b][1];
  return mixedGroups(patients, differ, (row) => hasPlace(places[row])).length;
}

export function rowsPerPatient(n: number, patients: number): string {
  const mean = Number((n / patients).toFixed(1));
  return mean === 1 ? 'hardly more than 1 row per patient' : `${mean} rows per patient`;
}

/** The coarsest level above the patients (without patients, above the rows) that has two units or more. */
export function siteLevel(data: SideData, n: number): { readonly level: string; readonly count: number } | undefined {
  const { hierarchy = {} } = data;
  const ids = patientIdsOf(data);
  const finest = ids ? groupsOf(ids, n).count : n;
  return Object.entries(hierarchy)
    .filter(([, level]) => level !== ids)
    .map(([level, of]) => ({ level, count: knownGroups(of as ArrayLike<Label>, n).count }))
    .filter(({ count }) => count >= 2 && count < finest)
    .sort((a, b) => a.count - b.count)[0];
}

const MOST_FOLDS = 5;
const LEAST_FOLDS = 2;

export interface ChosenDesign {
  readonly row: DesignRow;
  readonly splitter: IterableSplitter;
  /** The options, as they are written in code. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly plan: FoldPlan;
  readonly inputs: readonly (keyof SideData)[];
  /** Rows of the table that were better, and what stood in their way. */
  readonly passedOver: readonly PassedOver[];
  /** Folds of which a side has one class alone. */
  readonly oneClass: number;
}

interface PassedOver {
  readonly row: DesignRow;
  /** A sentence without its full stop. */
  readonly because: string;
  /** Folds can be made, but not such that each trains on enough. */
  readonly feasible: boolean;
}

type FeasibleDesign = Omit<ChosenDesign, 'passedOver'>;

interface DesignRequest {
  readonly facts: DesignFacts;
  readonly randomState: number | string | null;
  /** The labels as the caller wrote them, for a splitter is given these. */
  readonly labels: LabelsInput;
}

/**
 * The first design whose folds each train on enough: on half of a block of n / (folds + 1) rows or more, and on every class
 * that is in two units or more; else the first one that splits the data. Five folds, fewer where a fold could not train on
 * and test two classes.
 */
export function chooseDesign(data: DesignData, { facts, ...request }: DesignRequest): ChosenDesign {
  const passedOver: PassedOver[] = [];
  let spare: ChosenDesign | undefined;
  // Those that one fold can train on while another one tests them.
  const expected = (unitsPerClass(data)?.units ?? []).flatMap((count, at) => (count >= 2 ? [at] : []));
  for (const row of designsFor(facts)) {
    let best: FeasibleDesign | undefined;
    let thin: FeasibleDesign | undefined;
    let because = '';
    for (let nSplits = mostFolds(row, facts, data); nSplits >= LEAST_FOLDS; nSplits--) {
      try {
        const design = splitBy(row, facts, data, { ...request, nSplits });
        const flaw = flawOf(design.plan, data.y, expected);
        because ||= flaw;
        if (flaw) thin = !thin || (thin.oneClass > 0 && design.oneClass === 0) ? design : thin;
        else if (!best || design.oneClass === 0) best = design;
        if (best?.oneClass === 0) break;
      } catch (error) {
        if (!(error instanceof InfeasibleSplitError || error instanceof InvalidDataError)) throw error;
        because ||= firstSentence(messageOf(error));
      }
    }
    if (best) return { ...best, passedOver };
    if (thin) spare ??= { ...thin, passedOver: [...passedOver] };
    passedOver.push({ row, because, feasible: thin !== undefined });
  }
  if (spare) return spare;
  const [{ because }] = passedOver.slice(-1);
  const subject = 'The data of recommendCv';
  throw new InfeasibleSplitError(sentence(subject, 'allow two folds', phrase(because), 'Collect more rows.'));
}

/** What must hold, of an error whose rows and ways out are another matter; without its full stop. */
function firstSentence(message: string): string {
  const [must] = message.split('. Got ', 1);
  if (must === message) return message.replace(/\.$/, '');
  return must.endsWith(')') ? must.split(' (rows: ', 1)[0] : must;
}

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

/** The patients (without ids: the rows) of each class; undefined where y has no classes. */
export function unitsPerClass({ X, y, data }: DesignData) {
  const counts = y.task === 'binary' || y.task === 'multiclass' ? classCounts(y) : undefined;
  if (!counts) return undefined;
  const patients = patientsOf(data, X.length);
  const coded = { codes: patients?.codes ?? rowNumbers(X.length), classes: { length: patients?.count ?? X.length } };
  const units = Array.from(unitsOfClasses(y.codes, counts.classes.length, coded));
  return { counts, noun: patients ? 'patient' : 'row', units };
}

/** What a fold lacks to train on, as a sentence without its full stop; '' where none lacks anything. */
function flawOf(plan: FoldPlan, y: Labels, expected: readonly number[]): string {
  const floor = plan.n / (plan.length / plan.repeats + 1) / 2;
  const counts = expected.length > 0 ? classCounts(y) : undefined;
  for (const { id, train } of plan) {
    if (train.length < floor) {
      const least = wholeNumber(Math.ceil(floor));
      return `${id} would train on ${counted(train.length, 'row')}, fewer than ${least}, half of an equal block`;
    }
    const trained = counts?.of(train);
    const lacking = expected.find((at) => trained?.[at] === 0);
    if (counts && lacking !== undefined) {
      return `${id} would train on no row of class ${classText(counts.classes, lacking)}`;
    }
  }
  return '';
}

function splitBy(
  row: DesignRow,
  facts: DesignFacts,
  { X, y, data }: DesignData,
  { nSplits, randomState, labels }: Omit<DesignRequest, 'facts'> & { readonly nSplits: number },
): FeasibleDesign {
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
  const side = Object.fromEntries(inputs.map((name) => [name, data[name]]));
  const plan = foldsOf(splitter, X.length, labels, side);
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
