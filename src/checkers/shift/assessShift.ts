import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { type Evidence, type Finding, notApplicable, notDetectable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { EXAMPLES } from '../overlap.js';
import { type Difference, detectableZ, differencesOf, pText, standardError } from './differences.js';
import { type FoldUnits, LEAST_UNITS, type TestShares } from './foldUnits.js';
import { type MaxStatistic, maxStatisticTest, shiftScores } from './maxStatisticTest.js';
import { LEAST_APART, type UnitTable } from './unitTable.js';

const MORE = 'Use fewer folds, or more data.';
/** Units that are matched may differ by so many percentage points in a fold: what a class may anywhere (BalanceChecker). */
const MATCHED = 10;
/** A test that would find nothing smaller is not made: standard deviations, and percentage points. */
const TOO_LARGE = { sd: 3, points: 100 };

interface Shift<More extends Evidence> {
  readonly check: string;
  /** What is compared: `feature`. */
  readonly noun: string;
  /** One error rate for all folds and variables of a call. */
  readonly alpha: number;
  /** Further evidence, and a sentence about it. */
  readonly evidence: More;
  readonly remark?: string | undefined;
  /** What else is compared between the sides of folds that can be judged; told which variables differ in their mean. */
  readonly further?: (folds: readonly TestShares[], differing: readonly string[]) => Further<Evidence>;
  /** What to do when nothing is declared, a full sentence. */
  readonly fix: string;
}

/** What a further comparison found: beside the means, spread and correlations. */
export interface Further<Details extends Evidence> {
  readonly evidence: Details;
  /** What is beyond chance, the first named first: `spread of age 2.4 times that of the others in fold-2`. */
  readonly found: readonly { readonly words: string; readonly p: string; readonly fold: string }[];
  /** What was not found, and what could not be, as full sentences. */
  readonly otherwise: string;
}

/** What a check of shift compared and found. */
export type ShiftDetails = {
  /** What was exchanged: patients, rows, or units of a level above. */
  readonly unit: string;
  readonly units: number;
  /** Units that were looked at, where there are many. */
  readonly sampledUnits?: number;
  readonly folds: number;
  /** All folds, where only some were looked at. */
  readonly ofFolds?: number;
  /** Variables that are too rare to be compared. */
  readonly rare?: readonly string[];
  /** What would have been found in 95 of 100 cases. */
  readonly detectableInSd?: number;
  readonly detectableInPoints?: number;
  readonly pValue?: number;
  readonly permutations?: number;
  /** Variables that differ, and the first folds in which any does. */
  readonly differing?: number;
  readonly differingFolds?: readonly string[];
  readonly examples?: readonly {
    readonly variable: string;
    readonly fold: string;
    readonly differenceInSd: number;
    readonly differenceInPoints?: number;
    readonly pValue?: number;
  }[];
};

/**
 * Judges the means of units: `not_applicable` with the largest difference where one is expected, `not_evaluated` where
 * chance cannot be told from shift, else what {@link maxStatisticTest} says.
 */
export function assessShift<More extends Evidence>(
  input: CheckInput,
  units: FoldUnits,
  table: UnitTable,
  shift: Shift<More>,
): Finding<ShiftDetails & More> {
  const { noun, alpha, remark } = shift;
  const { variables, rare } = table;
  const { unit, count } = units;
  const facts = {
    ...lookedAt(units),
    ...(rare.length > 0 ? { rare: rare.slice(0, EXAMPLES) } : {}),
    ...shift.evidence,
  };
  const split = units.folds.some(({ shares }) => shares.some((share) => share < 1));
  const keepWhole = split ? `Keep all rows of a ${unit} on one side: GroupKFold, or StratifiedGroupKFold.` : undefined;
  if (variables.length === 0) {
    const alike = `Fewer than ${LEAST_APART} ${unit}s differ from the others in ${unit === 'row' ? '' : 'the mean of '}any ${noun}`;
    // Matched sets: whole units with one mix of the classes, in whichever folds.
    const smallest = Math.min(...units.folds.map(({ units: { length } }) => Math.min(length, count - length)));
    const most = table.mixed === undefined || split ? Infinity : (100 * table.mixed) / smallest;
    if (most <= MATCHED) {
      const message = `${alike}, and the others hold one mix of each: no fold can differ by more than ${most.toFixed(1)} points.`;
      return passed(sentences(message, remark), facts);
    }
    return (split ? undecided : notDetectable)(`${alike}, so there is nothing to compare.`, keepWhole ?? MORE, facts);
  }
  const expected = expectedShift(input, units);
  if (expected !== null) {
    const [largest] = differencesOf(table, units.folds, shiftScores(table, units.folds)).sort(
      (a, b) => Math.abs(b.sd) - Math.abs(a.sd),
    );
    const described =
      largest && `The largest difference${shift.further ? ' of a mean' : ''}: ${inWords(largest, table)}.`;
    const message = `Test rows may well differ from the others here: ${expected}.`;
    const examples = largest ? { examples: [plain(largest, table)] } : {};
    const others = shift.further && 'Spread and correlations are not tested where a shift is expected.';
    return notApplicable(sentences(message, described, others, remark), { ...facts, ...examples });
  }
  const folds = units.folds.filter(({ enough }) => enough);
  if (folds.length === 0) {
    return (split ? undecided : notDetectable)(
      `No fold has ${LEAST_UNITS} ${unit}s on both sides that it tests in different shares, so chance cannot be told from shift.`,
      keepWhole ?? 'Use fewer folds.',
      facts,
    );
  }
  const ofFolds =
    folds.length < units.nFolds ? `${folds.length} of ${counted(units.nFolds, 'fold')}` : counted(folds.length, 'fold');
  const ofUnits =
    count < units.total
      ? `${wholeNumber(count)} of ${counted(units.total, unit)}, drawn at random`
      : counted(count, unit);
  const looked = `${counted(variables.length, noun)}, ${ofFolds}, ${ofUnits}`;
  const { size, tooLarge, possible, ...detectable } = detectableIn(table, folds, alpha);
  if (tooLarge) {
    const message = split
      ? `The folds test much the same share of every ${unit}, so chance cannot be told from shift (${looked}).`
      : `Differences below ${size} in a fold are not detectable at this n (${looked}).`;
    return (split ? undecided : notDetectable)(sentences(message, remark), keepWhole ?? MORE, {
      ...facts,
      ...(split ? {} : detectable),
    });
  }
  const test = maxStatisticTest(table, folds, input.random(shift.check), { alpha });
  const { pValue, permutations } = test;
  const what = `p ${pText(pValue)}; ${looked}`;
  const beyond =
    pValue <= alpha ? differencesOf(table, folds, test.z).filter(({ z }) => test.pOf(Math.abs(z)) <= alpha) : [];
  const names = [...new Set(beyond.map(({ variable }) => variables[variable].name))];
  const further = shift.further?.(folds, names);
  const measured = { ...facts, ...detectable, pValue, permutations, ...further?.evidence };
  if (beyond.length > 0 || further?.found.length) {
    return found(input, { table, beyond, names, test, further, shift, what, looked, facts: measured, keepWhole });
  }
  if (!possible) {
    const message = `Too few ${unit}s: a difference must be ${size} or more to be found, and in these folds it cannot be so large (${looked}).`;
    return notDetectable(sentences(message, remark), MORE, measured);
  }
  const differs = further ? `The mean of no ${noun} differs` : `No ${noun} differs`;
  const message = `${differs} between the test rows of a fold and the others beyond chance (${what}); below ${size} a difference may not be detectable at this n.`;
  return passed(sentences(message, further?.otherwise, remark), measured);
}

interface Found<More extends Evidence> {
  readonly table: UnitTable;
  /** Differences of means beyond chance, the largest first, and the variables that they are of. */
  readonly beyond: readonly Difference[];
  readonly names: readonly string[];
  readonly test: MaxStatistic;
  readonly further: Further<Evidence> | undefined;
  readonly shift: Shift<More>;
  /** Its p and what was looked at, and that alone. */
  readonly what: string;
  readonly looked: string;
  readonly facts: ShiftDetails & More;
  /** What to do first where folds split units. */
  readonly keepWhole: string | undefined;
}

function found<More extends Evidence>(
  { trainRows, drawnAlike = false }: CheckInput,
  { table, beyond, names, test, further, shift, what, looked, facts, keepWhole }: Found<More>,
): Finding<ShiftDetails & More> {
  const { noun, remark, fix } = shift;
  const byMeans = beyond.length > 0;
  const more =
    names.length > 1
      ? `${counted(names.length - 1, `further ${noun}`)} ${names.length === 2 ? 'differs' : 'differ'}, too.`
      : undefined;
  const others = further?.found ?? [];
  const said = [
    ...(byMeans ? [`${inWords(beyond[0], table)} (${what})`] : []),
    ...others.map(({ words, p }, at) => `${words} (p ${p}${byMeans || at > 0 ? '' : `; ${looked}`})`),
  ];
  const unlike = byMeans || !further ? undefined : `No ${noun} differs in its mean (p ${pText(test.pValue)}).`;
  const twoSets = trainRows !== undefined;
  const ids = [...beyond.map(({ fold }) => fold.id), ...others.map(({ fold }) => fold)];
  return {
    status: drawnAlike ? 'failed' : 'needs_review',
    severity: drawnAlike ? 'medium' : 'low',
    fold: ids[0],
    message: sentences(
      `Test rows differ from the others beyond chance: ${said.join('; ')}.`,
      more,
      unlike,
      further?.otherwise,
      remark,
    ),
    evidence: {
      ...facts,
      differing: names.length,
      differingFolds: [...new Set(ids)].slice(0, 10),
      examples: beyond
        .slice(0, EXAMPLES)
        .map((each) => ({ ...plain(each, table), pValue: test.pOf(Math.abs(each.z)) })),
    },
    ...(byMeans ? { concerns: { count: names.length, of: table.variables.length, unit: noun } } : {}),
    fix: keepWhole ?? (twoSets ? OF_TWO_SETS : fix),
  };
}

const OF_TWO_SETS =
  "Draw both sets at random from the same patients, or declare `design: 'prospective'` or `'deployment'`.";

/**
 * What would be found in 95 of 100 cases: Bonferroni's bound of the permutation's critical value. Too large is judged for
 * a unit that is tested as a whole against one that is not: where all are tested in much the same share, nothing shows.
 */
function detectableIn(table: UnitTable, folds: readonly TestShares[], alpha: number) {
  const tests = folds.length * table.variables.length;
  const z = detectableZ(tests, alpha);
  const sd = z * Math.max(...folds.map((fold) => standardError(fold, table)));
  const ofWhole = z / Math.min(...folds.map(({ spread }) => spread));
  if (!table.variables.every(({ share }) => share)) {
    return { detectableInSd: sd, size: `${sd.toFixed(2)} SD`, tooLarge: ofWhole > TOO_LARGE.sd, possible: true };
  }
  const scale = 100 * table.scales.reduce((most, each) => Math.max(most, each), 0);
  const size = `${Math.ceil(sd * scale)} points`;
  const shown = folds.flatMap((fold) => Array.from(table.scales, (each) => largestPoints(fold, table.count, each)));
  return {
    detectableInSd: sd,
    detectableInPoints: sd * scale,
    size,
    tooLarge: ofWhole * scale > TOO_LARGE.points,
    possible: sd * scale <= Math.max(...shown),
  };
}

/** The largest difference of a share between tested units and others: all or none of the units that have it are tested. */
function largestPoints({ shares }: TestShares, count: number, scale: number): number {
  const tested = shares.reduce((sum, share) => sum + share, 0);
  const having = (count * (1 - Math.sqrt(Math.max(0, 1 - 4 * scale ** 2)))) / 2;
  const differenceOf = (among: number) => Math.abs(among / tested - (having - among) / (count - tested));
  return 100 * Math.max(differenceOf(Math.min(tested, having)), differenceOf(Math.max(0, tested - (count - having))));
}

/** A unit without a value counts as the mean, so the size is approximate there, but no share goes beyond 100 points. */
const pointsOf = ({ variable, sd }: Difference, { scales }: UnitTable) =>
  Math.max(-100, Math.min(100, 100 * sd * scales[variable]));

/** `age by +1.42 SD in fold-2`. */
function inWords(difference: Difference, table: UnitTable): string {
  const { name, share } = table.variables[difference.variable];
  const size = share ? `${signed(pointsOf(difference, table), 0)} points` : `${signed(difference.sd, 2)} SD`;
  return `${nameText(name, 100)} by ${size} in ${difference.fold.id}`;
}

/** A flat record for the evidence. */
const plain = (difference: Difference, table: UnitTable) => {
  const { name, share } = table.variables[difference.variable];
  return {
    variable: name,
    fold: difference.fold.id,
    differenceInSd: difference.sd,
    ...(share ? { differenceInPoints: pointsOf(difference, table) } : {}),
  };
};

const lookedAt = ({ unit, count, total, folds, nFolds }: FoldUnits) => ({
  unit,
  units: total,
  ...(count < total ? { sampledUnits: count } : {}),
  folds: folds.length,
  ...(folds.length < nFolds ? { ofFolds: nFolds } : {}),
});

const signed = (value: number, digits: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(digits)}`;
const sentences = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ');

/**
 * Why test rows are expected to differ from training rows, as a clause, or null: the folds follow time, lie apart,
 * stand for other patients than those trained on, or test whole sites, so that a difference is no surprise.
 */
export function expectedShift({ folds: { claims }, design }: CheckInput, { coarse, lone, unit }: FoldUnits) {
  const { timeOrdered, keepsTies, purged, separated } = claims;
  if (timeOrdered || keepsTies || purged) return 'the folds are periods of time';
  if (separated) return 'test rows lie apart from the others in space or by their features';
  if (design === 'prospective') return 'the test rows stand for later patients';
  if (design === 'deployment') return 'the test rows stand for other places';
  if (coarse !== undefined) return `folds test whole units of the level '${nameText(coarse)}'`;
  return lone ? `each fold tests one ${nameText(unit)}` : null;
}
