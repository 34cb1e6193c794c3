import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { type Evidence, type Finding, notApplicable, notDetectable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { EXAMPLES } from '../overlap.js';
import { type FoldUnits, MIN_FOLD_UNITS, type TestShares } from './foldUnits.js';
import { maxStatisticTest, shiftScores } from './maxStatisticTest.js';
import { LEAST_DIFFERENT, type UnitTable, type VariableFacts } from './unitTable.js';

const MORE = 'Use fewer folds, or more data.';
/** Units that are matched may differ by so many percentage points in a fold: what a class may anywhere (BalanceChecker). */
const MATCHED = 10;
/** A test that would find nothing smaller is not made: standard deviations, and percentage points. */
const TOO_LARGE = { sd: 3, points: 100 };
/** "Would have been found" means in 95 of 100 cases. */
const POWER = 0.95;

/** What may differ between the sides of a fold. */
type Kind = 'mean' | NonNullable<VariableFacts['kind']>;
const kindOf = ({ kind }: VariableFacts): Kind => kind ?? 'mean';

interface Shift<More extends Evidence> {
  readonly check: string;
  readonly noun: string;
  /** The shares of each kind in the error rate for all folds and variables of a call. */
  readonly alphas: Readonly<Partial<Record<Kind, number>>>;
  /** Further evidence, and a sentence about it. */
  readonly evidence: More;
  readonly remark?: string | undefined;
  /** What to do when nothing is declared, a full sentence. */
  readonly fix: string;
}

/** What a check of shift compared and found. */
export type ShiftDetails = {
  /** What was exchanged: patients, rows, or units of a level above. */
  readonly unit: string;
  readonly units: number;
  readonly sampledUnits?: number;
  readonly folds: number;
  readonly ofFolds?: number;
  readonly rare?: readonly string[];
  /** What would have been found in 95 of 100 cases. */
  readonly detectableInSd?: number;
  readonly detectableInPoints?: number;
  readonly detectableSpreadInSd?: number;
  readonly detectableCorrelation?: number;
  /** Features whose spread was compared, and pairs whose correlation was. */
  readonly spreads?: number;
  readonly correlations?: number;
  readonly pValue?: number;
  readonly permutations?: number;
  /** Variables that differ, and the first folds in which any does. */
  readonly differing?: number;
  readonly differingFolds?: readonly string[];
  readonly examples?: readonly {
    readonly variable: string;
    readonly fold: string;
    /** Of a correlation left out. */
    readonly differenceInSd?: number;
    readonly differenceInPoints?: number;
    readonly correlationDifference?: number;
    readonly pValue?: number;
  }[];
};

/**
 * Judges the means of units: `not_applicable` with the largest difference where one is expected, `not_evaluated` where
 * chance cannot be told from shift, else what {@link maxStatisticTest} says.
 */
export async function assessShift<More extends Evidence>(
  input: CheckInput,
  units: FoldUnits,
  table: UnitTable,
  shift: Shift<More>,
): Promise<Finding<ShiftDetails & More>> {
  const { noun, alphas, remark } = shift;
  const { variables, rare } = table;
  const { unit, count } = units;
  const means = variables.filter(({ kind }) => !kind);
  const facts = {
    ...unitFacts(units),
    ...(rare.length > 0 ? { rare: rare.slice(0, EXAMPLES) } : {}),
    ...shift.evidence,
  };
  const split = units.folds.some(({ shares }) => shares.some((share) => share < 1));
  const keepWhole = split ? `Keep all rows of a ${unit} on one side: GroupKFold, or StratifiedGroupKFold.` : undefined;
  const cannotTell = split ? undecided : notDetectable;
  if (means.length === 0) {
    const alike = `Fewer than ${LEAST_DIFFERENT} ${unit}s differ from the others in ${unit === 'row' ? '' : 'the mean of '}any ${noun}`;
    // Matched sets: whole units with one mix of the classes, in whichever folds.
    const smallest = Math.min(...units.folds.map(({ units: { length } }) => Math.min(length, count - length)));
    const most = table.mixed === undefined || split ? Infinity : (100 * table.mixed) / smallest;
    if (most <= MATCHED) {
      const message = `${alike}, and the others hold one mix of each: no fold can differ by more than ${most.toFixed(1)} points.`;
      return passed(sentences(message, remark), facts);
    }
    return cannotTell(`${alike}, so there is nothing to compare.`, keepWhole ?? MORE, facts);
  }
  const expected = expectedShift(input, units);
  if (expected !== null) {
    const [largest] = differencesOf(table, units.folds, shiftScores(table, units.folds))
      .filter(({ variable }) => !variables[variable].kind)
      .sort((a, b) => Math.abs(b.sd) - Math.abs(a.sd));
    const described =
      largest && `The largest difference${alphas.spread ? ' of a mean' : ''}: ${inWords(largest, table)}.`;
    const message = `Test rows may well differ from the others here: ${expected}.`;
    const examples = largest ? { examples: [plain(largest, table)] } : {};
    return notApplicable(sentences(message, described, remark), { ...facts, ...examples });
  }
  const folds = units.folds.filter(({ enough }) => enough);
  if (folds.length === 0) {
    return cannotTell(
      `No fold has ${MIN_FOLD_UNITS} ${unit}s on both sides that it tests in different shares, so chance cannot be told from shift.`,
      keepWhole ?? 'Use fewer folds.',
      facts,
    );
  }
  const compared = comparedText(units, folds.length, variables, noun);
  const { size, others, tooLarge, possible, detectable } = detectableIn(table, folds, alphas);
  if (tooLarge) {
    const message = split
      ? `The folds test much the same share of every ${unit}, so chance cannot be told from shift (${compared}).`
      : `Differences below ${size} in a fold are not detectable at this n (${compared}).`;
    return cannotTell(sentences(message, remark), keepWhole ?? MORE, {
      ...facts,
      ...(split ? {} : detectable),
    });
  }
  const weights = Float64Array.from(variables, (variable) => 1 / criticalZ(variables, kindOf(variable), folds, alphas));
  const alpha = Object.values(alphas).reduce((sum, share) => sum + share, 0);
  const test = await maxStatisticTest(table, folds, input.random(shift.check), { alpha, weights });
  const { pValue, permutations } = test;
  const what = `p ${pText(pValue)}; ${compared}`;
  const pOf = ({ variable, z }: Difference) => test.pOf(Math.abs(z) * weights[variable]);
  const different = pValue <= alpha ? differencesOf(table, folds, test.z).filter((each) => pOf(each) <= alpha) : [];
  const beyond = unexplained(different, variables);
  const measured = { ...facts, ...detectable, pValue, permutations };
  if (beyond.length > 0) return found(input, { table, beyond, pOf, shift, what, facts: measured, keepWhole });
  if (!possible) {
    const message = `Too few ${unit}s: a difference must be ${size} or more to be found, and in these folds it cannot be so large (${compared}).`;
    return notDetectable(sentences(message, remark), MORE, measured);
  }
  const message = `No ${noun} differs between the test rows of a fold and the others beyond chance (${what}); below ${size} a difference${others ? ' of means' : ''} may not be detectable at this n${others}.`;
  return passed(sentences(message, remark), measured);
}

/** `12 features, spread of 5 of them, 10 pairs, 4 of 5 folds, 80 patients`. */
function comparedText(units: FoldUnits, folds: number, variables: readonly VariableFacts[], noun: string): string {
  const { nFolds, count, total, unit } = units;
  const [means, spreads, pairs] = (['mean', 'spread', 'correlation'] as const).map(
    (kind) => variables.filter((variable) => kindOf(variable) === kind).length,
  );
  return [
    counted(means, noun),
    spreads > 0 && spreads < means && `spread of ${spreads} of them`,
    pairs > 0 && counted(pairs, 'pair'),
    folds < nFolds ? `${folds} of ${counted(nFolds, 'fold')}` : counted(folds, 'fold'),
    count < total ? `${wholeNumber(count)} of ${counted(total, unit)}, drawn at random` : counted(count, unit),
  ]
    .filter(Boolean)
    .join(', ');
}

/** A shifted mean changes spread and correlations, and another spread changes correlations: these are not listed again. */
function unexplained(differences: readonly Difference[], variables: readonly VariableFacts[]): Difference[] {
  const explained = new Set<string>();
  return (['mean', 'spread', 'correlation'] as const).flatMap((kind) => {
    const ofKind = differences.filter(({ variable }) => {
      const facts = variables[variable];
      return kindOf(facts) === kind && !featuresOf(facts).some((name) => explained.has(name));
    });
    for (const { variable } of ofKind) for (const name of featuresOf(variables[variable])) explained.add(name);
    return ofKind;
  });
}

const featuresOf = ({ name, features = [name] }: VariableFacts) => features;

interface Found<More extends Evidence> {
  readonly table: UnitTable;
  /** Differences beyond chance, means first, the largest of each kind first. */
  readonly beyond: readonly Difference[];
  readonly pOf: (difference: Difference) => number;
  readonly shift: Shift<More>;
  /** The p of all, and what was compared. */
  readonly what: string;
  readonly facts: ShiftDetails & More;
  /** What to do first where folds split units. */
  readonly keepWhole: string | undefined;
}

function found<More extends Evidence>(
  { trainRows, drawnAlike = false }: CheckInput,
  { table, beyond, pOf, shift, what, facts, keepWhole }: Found<More>,
): Finding<ShiftDetails & More> {
  const { noun, remark, fix } = shift;
  const names = [...new Set(beyond.flatMap(({ variable }) => featuresOf(table.variables[variable])))];
  const further = names.length - featuresOf(table.variables[beyond[0].variable]).length;
  const more =
    further > 0 ? `${counted(further, `further ${noun}`)} ${further === 1 ? 'differs' : 'differ'}, too.` : undefined;
  return {
    status: drawnAlike ? 'failed' : 'needs_review',
    severity: drawnAlike ? 'medium' : 'low',
    fold: beyond[0].fold.id,
    message: sentences(
      `Test rows differ from the others beyond chance: ${inWords(beyond[0], table)} (${what}).`,
      more,
      remark,
    ),
    evidence: {
      ...facts,
      differing: names.length,
      differingFolds: [...new Set(beyond.map(({ fold }) => fold.id))].slice(0, 10),
      examples: beyond.slice(0, EXAMPLES).map((each) => ({ ...plain(each, table), pValue: pOf(each) })),
    },
    concerns: { count: names.length, of: table.variables.filter(({ kind }) => !kind).length, unit: noun },
    fix: keepWhole ?? (trainRows ? OF_TWO_SETS : fix),
  };
}

const OF_TWO_SETS =
  "Draw both sets at random from the same patients, or declare `design: 'prospective'` or `'deployment'`.";

/** The z that Bonferroni's bound asks of one variable of a kind. */
function criticalZ(
  variables: readonly VariableFacts[],
  kind: Kind,
  folds: readonly TestShares[],
  alphas: Shift<Evidence>['alphas'],
): number {
  const tests = folds.length * variables.filter((variable) => kindOf(variable) === kind).length;
  return normalQuantile(1 - (alphas[kind] as number) / (2 * tests));
}

/**
 * What would be found in 95 of 100 cases, by {@link criticalZ}. Too large is judged for a unit that is tested as a whole
 * against one that is not: where all are tested in much the same share, nothing shows.
 */
function detectableIn(table: UnitTable, folds: readonly TestShares[], alphas: Shift<Evidence>['alphas']) {
  const { variables, scales } = table;
  const error = Math.max(...folds.map((fold) => standardError(fold, table)));
  const kindIn = (kind: Kind) => {
    const places = [...variables.keys()].filter((at) => kindOf(variables[at]) === kind);
    if (places.length === 0) return undefined;
    const z = criticalZ(variables, kind, folds, alphas) + normalQuantile(POWER);
    return {
      z,
      sd: z * error,
      scale: places.reduce((most, at) => Math.max(most, scales[at]), 0),
      tested: places.length,
    };
  };
  const mean = kindIn('mean') as NonNullable<ReturnType<typeof kindIn>>;
  const [spread, correlation] = [kindIn('spread'), kindIn('correlation')];
  const detectable = {
    detectableInSd: mean.sd,
    ...(spread ? { detectableSpreadInSd: spread.sd, spreads: spread.tested } : {}),
    ...(correlation
      ? { detectableCorrelation: Math.min(2, correlation.sd * correlation.scale), correlations: correlation.tested }
      : {}),
  };
  const limits = [
    spread && `below ${spread.sd.toFixed(2)} SD one of spread`,
    correlation && `below ${detectable.detectableCorrelation?.toFixed(2)} one of correlations`,
  ].filter(Boolean);
  const others = limits.length > 0 ? `, ${limits.join(', ')}` : '';
  const ofWhole = mean.z / Math.min(...folds.map(({ spread }) => spread));
  if (!variables.every(({ share }) => share)) {
    return { detectable, size: `${mean.sd.toFixed(2)} SD`, others, tooLarge: ofWhole > TOO_LARGE.sd, possible: true };
  }
  const scale = 100 * mean.scale;
  const shown = folds.flatMap((fold) => Array.from(scales, (each) => largestPoints(fold, table.count, each)));
  return {
    detectable: { ...detectable, detectableInPoints: mean.sd * scale },
    size: `${Math.ceil(mean.sd * scale)} points`,
    others,
    tooLarge: ofWhole * scale > TOO_LARGE.points,
    possible: mean.sd * scale <= Math.max(...shown),
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
  const { name, share, kind } = table.variables[difference.variable];
  const size = share
    ? `${signed(pointsOf(difference, table), 0)} points`
    : kind === 'correlation'
      ? signed(correlationOf(difference, table), 2)
      : `${signed(difference.sd, 2)} SD`;
  return `${nameText(name, 100)} by ${size} in ${difference.fold.id}`;
}

/** The mean product of two normal scores is their correlation. */
const correlationOf = ({ variable, sd }: Difference, { scales }: UnitTable) => sd * scales[variable];

function plain(difference: Difference, table: UnitTable) {
  const { name, share, kind } = table.variables[difference.variable];
  return {
    variable: name,
    fold: difference.fold.id,
    ...(kind === 'correlation'
      ? { correlationDifference: correlationOf(difference, table) }
      : { differenceInSd: difference.sd }),
    ...(share ? { differenceInPoints: pointsOf(difference, table) } : {}),
  };
}

const unitFacts = ({ unit, count, total, folds, nFolds }: FoldUnits) => ({
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

// How far the test units of a fold lie from the others.

/** A difference between the test units of a fold and the others, in standard deviations of the units' means. */
interface Difference {
  readonly variable: number;
  readonly fold: TestShares;
  readonly z: number;
  readonly sd: number;
}

function differencesOf(table: UnitTable, folds: readonly TestShares[], z: Float64Array): Difference[] {
  const width = table.variables.length;
  const found: Difference[] = [];
  for (let at = 0; at < z.length; at++) {
    const fold = folds[Math.floor(at / width)];
    const sd = fold.spread > 1e-6 ? z[at] * standardError(fold, table) : 0;
    if (z[at] !== 0) found.push({ variable: at % width, fold, z: z[at], sd });
  }
  return found.sort((a, b) => Math.abs(b.z) - Math.abs(a.z));
}

/**
 * Standard deviation, when units change places, of the difference between the mean of the test units and that of the
 * others, where a unit counts on either side with its share of rows there. For whole units it is 1 / spread.
 */
function standardError({ shares, spread }: TestShares, { count }: Pick<UnitTable, 'count'>): number {
  const tested = shares.reduce((sum, share) => sum + share, 0);
  return (spread * count) / (tested * (count - tested));
}

const pText = (p: number): string => (p < 0.001 ? '< 0.001' : `= ${p < 0.01 ? p.toFixed(3) : p.toFixed(2)}`);
