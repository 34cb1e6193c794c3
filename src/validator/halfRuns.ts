/** Whether models of halves are trained for the intervals, and how many: what `ciFits` asks for. */

import { overlapOf } from '../checkers/overlap.js';
import { Components } from '../core/components.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted, formatDuration } from '../core/format.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { deriveSeed, randomSource, shuffle } from '../core/random.js';
import { gather, rowNumbers } from '../data/labels.js';
import { groupsOf, patientsOf, type SideData, unitsOf } from '../data/sideData.js';
import { unfitForFurtherRuns } from '../intervals/correctedT.js';
import { MIN_PER_CLASS, unfitForTraining } from '../intervals/foldInterval.js';
import type { Halves, Interval } from '../intervals/interval.js';
import { countedUnits, intervalFolds, sideOf, testedUnits, type UnitData } from '../intervals/intervalFolds.js';
import type { IntervalMethodName } from '../intervals/methodNames.js';
import { MIN_HALVINGS } from '../intervals/trainingPart.js';
import { isInfluential } from '../intervals/unitBlocks.js';
import { unitStrata } from '../intervals/unitVariance.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import type { Session } from '../runner/session.js';
import { countingFolds, type FoldPlan, hasInner } from '../splitters/foldsOf.js';
import { innerFolds } from '../splitters/iid/nestedCV.js';
import type { Fold, Splitter } from '../splitters/splitter.js';
import { type CiFits, NO_CI_FITS } from './ciFits.js';
import type { RunAgain } from './refits.js';
import type { validatorOptions } from './validatorOptions.js';

/** Halvings that 'auto' makes, and up to how many units and rows. */
const AUTO = { halvings: 10, units: 5000, rows: 100_000 };

/** Seconds of further fits that are announced. */
const LONG = 5;

/** What the intervals take of the halves. */
export interface HalfRuns {
  readonly halves?: Halves;
  /** Why there are none, or how to have them. */
  readonly noHalves?: string;
  readonly facts: CiFits;
}

type Validator = Parsed<typeof validatorOptions.shape>;
interface Design {
  readonly splitter: Splitter;
  readonly problem: Problem;
}

/** Whether the caller himself wants halves. */
export const asksForHalves = ({ options, changed }: Validator) => changed.has('ciFits') && options.ciFits !== 0;

/** Refuses halves that were asked for and would have no effect, or cannot be in a design whatever the data are. */
export function refuseHalves(
  validator: Validator,
  methods: ReadonlySet<IntervalMethodName>,
  { estimator, claims }: Splitter,
): void {
  if (!asksForHalves(validator)) return;
  rejectWithoutDefault(methods, 'ciFits');
  if (validator.options.ciRefits !== null) unused('`ciRefits` estimates what training adds');
  if (estimator) unused('this estimate has an interval by `ciRefits` alone');
  refuseDesign(unfitForFurtherRuns(claims));
}

/** Refuses, before anything is trained, halves that were asked for and cannot be with these folds. */
export function refuseHalvesOf(validator: Validator, { plan, folds, call, ...problem }: Prepared): void {
  if (!asksForHalves(validator)) return;
  const some = someFolds({ plan, folds });
  if (some) unused(some);
  refuseDesign(unfitPlan(plan, problem, call.runner.options.cvSplitter));
}

/** Says that the caller chose some of the folds; undefined for all of them. */
export const someFolds = ({ plan, folds }: Pick<Prepared, 'plan' | 'folds'>): string | undefined =>
  folds.length < plan.length ? `\`folds\` runs ${folds.length} of ${plan.length} folds` : undefined;

const unused = (why: string) => rejectUnusedOption('CVKitValidator', 'ciFits', why);

function refuseDesign(got: string | undefined): void {
  if (got === undefined) return;
  const subject = 'The folds of `ciFits`';
  const must = 'be random parts of the data, each row tested once per repeat, or one given test set';
  const instead = 'Use such folds, or ciFits: 0: the interval is then about the models of these folds.';
  throw new InvalidOptionError(sentence(subject, must, phrase(got), instead), { code: 'interval_method' });
}

/** Refuses an option that the default interval alone uses, where no score has it. */
export function rejectWithoutDefault(methods: ReadonlySet<IntervalMethodName>, option: string): void {
  if (usesHalves(methods)) return;
  rejectUnusedOption('CVKitValidator', option, "no score has the ciMethod 'bootstrap' or 'analytic'");
}

const usesHalves = (methods: ReadonlySet<IntervalMethodName>) => methods.has('bootstrap') || methods.has('analytic');

interface Run extends Design {
  readonly cv: CVResults;
  readonly session: Session;
  readonly seed: number | string;
  readonly runAgain: RunAgain;
}

/** Trains the halves once the validation itself has run, or says why not. */
export async function halfRuns(
  validator: Validator,
  methods: ReadonlySet<IntervalMethodName>,
  run: Run,
): Promise<HalfRuns> {
  const none = (noHalves?: string, facts = NO_CI_FITS): HalfRuns => ({ ...(noHalves ? { noHalves } : {}), facts });
  const { options } = validator;
  if (!usesHalves(methods) || options.ciRefits !== null || run.splitter.estimator) return none();
  const { cv, splitter, problem, seed } = run;
  const why = unfitFor(run);
  if (why !== undefined) return none(why);
  const kind = halvesKind(cv.plan, problem);
  if (kind === undefined) return none(NO_PARTITION);
  const few = tooFew(cv.plan, problem);
  if (few !== undefined) return none(few);
  const count = options.ciFits === 'auto' ? automatic(run) : options.ciFits;
  const random = kind === 'test_set' || (cv.plan.claims.partition === true && !cv.plan.claims.given);
  if (count === 0 || (options.ciFits === 'auto' && !random)) {
    const ciFitsOffer = offer(cv);
    const offered = `\`ciFits: ${ciFitsOffer.ciFits}\` estimates it with ${ciFitsOffer.fits} more fits on half of the data`;
    return none(random ? offered : `${offered}, if these folds are random parts of the data`, {
      ...NO_CI_FITS,
      ciFitsOffer,
    });
  }
  const design = new HalvesDesign(kind, cv.plan, problem, {
    count,
    seed,
    sampling: options.sampling,
    inner: splitter.nested?.inner,
  });
  const startedAt = performance.now();
  const trained = await run.runAgain({
    cvSplitter: design,
    problem,
    randomState: deriveSeed(seed, 'ciFits'),
    title: `${design.getNSplits()} more fits for the interval`,
    announced: announced(cv, count),
  });
  const halves = design.halvesOf(trained, sideOf(problem));
  const usable = halves.halvings.filter((pair) => pair.every(({ table }) => table !== undefined)).length;
  return {
    halves,
    ...(usable < MIN_HALVINGS
      ? { noHalves: `of ${counted(count, 'halving')}, ${count - usable} had a model that failed` }
      : {}),
    facts: {
      ...NO_CI_FITS,
      ciFitsMade: {
        fits: trained.folds.length,
        failed: trained.folds.filter(({ status }) => status === 'failed').length,
        seconds: (performance.now() - startedAt) / 1000,
      },
    },
  };
}

/** Why models of halves cannot tell what training adds. What an interval says of it itself is left to it. */
function unfitFor({ cv, problem, splitter }: Run): string | undefined {
  if (cv.metadata.fixedModel !== null && cv.foldDetails.every(({ adjustment }) => !adjustment?.from)) {
    return 'nothing is trained';
  }
  if (!cv.scorers.some(({ metric }) => metric && isInfluential(metric))) return 'no score has an influence function';
  const failed = cv.folds.filter(({ status }) => status === 'failed').length;
  if (failed > 0) return `${counted(failed, 'fold')} failed`;
  const few = cv.plan.length === 1 ? tooFew(cv.plan, problem) : undefined;
  if (few !== undefined) return few;
  const { folds, unit } = intervalFolds(cv, sideOf(problem));
  return unfitForTraining({ folds, unit, design: cv.plan.claims }) ?? unfitUnits(cv.plan, problem, splitter);
}

/** Ten halvings where fits are cheap: models without epochs, of so many patients and rows, without a search inside. */
function automatic({ session, splitter, problem: { X, data, weight } }: Run): number {
  const cheap =
    !session.adapter.capabilities.epochs &&
    !splitter.nested &&
    X.length <= AUTO.rows &&
    unitsOf(data, X.length, weight).count <= AUTO.units;
  return cheap ? AUTO.halvings : 0;
}

/** What the fewest halves would take. */
const offer = (cv: CVResults) => ({
  ciFits: MIN_HALVINGS,
  fits: 2 * MIN_HALVINGS,
  seconds: expectedSeconds(cv, MIN_HALVINGS),
});

/** From the time of the folds: half of the data cost 5/8 of the training set of one of five folds. */
function expectedSeconds({ foldDetails, plan }: CVResults, halvings: number): number {
  const folds = foldDetails.length;
  const perFold = foldDetails.reduce((sum, fold) => sum + fold.seconds, 0) / folds;
  const share = plan.length === 1 ? 0.5 : (0.5 * folds) / plan.repeats / (folds / plan.repeats - 1);
  return 2 * halvings * share * perFold;
}

/** What is said before fits that take long. */
function announced(cv: CVResults, halvings: number): string | undefined {
  const seconds = expectedSeconds(cv, halvings);
  if (seconds < LONG) return undefined;
  return `${2 * halvings} more fits for the interval follow, about ${formatDuration(seconds)}. With \`ciFits: 0\` there are none, and the interval is about the models of these folds.`;
}

// Why models of halves cannot tell what training adds with some folds.

/**
 * Halves keep the units of the interval whole, and together are all rows. Folds that split units ask another question; so do
 * folds of whole sites where patients are the unit, and models that are trained on some of the other rows alone. Inner folds are
 * made anew in halves.
 */
function unfitUnits(plan: FoldPlan, { data, weight }: Problem, { nested }: Splitter): string | undefined {
  const { codes, unit } = unitsOf(data, plan.n, weight);
  const split = codes ? overlapOf(countingFolds(plan, weight), codes, plan.n).split : [];
  if (split.length > 0) return `folds that split ${unit}s, the unit of the interval`;
  if (plan.length > 1 && leavesOut(plan, weight)) return 'folds that train on some of the other rows alone';
  if (hasInner(plan.at(0)) && !nested)
    return 'inner folds of a splitter that does not say how it makes them (`nested`)';
  const { wholeLevel: level } = plan.claims;
  if (level === undefined) return undefined;
  // Groups without a hierarchy are the level.
  const ids = data.hierarchy?.[level] ?? data.groups;
  return codes && ids && within(groupsOf(ids, plan.n).codes, codes) ? undefined : `folds of whole ${level}s`;
}

/** Whether rows of one code in `a` have one code in `b`. */
function within(a: Int32Array, b: Int32Array): boolean {
  const first = new Map<number, number>();
  return a.every((code, row) => {
    if (!first.has(code)) first.set(code, b[row]);
    return first.get(code) === b[row];
  });
}

/** Whether a fold neither tests nor trains on a row that counts. */
function leavesOut(plan: FoldPlan, weight: Problem['weight']): boolean {
  for (const { test, train } of plan.sides()) {
    if (!train) continue;
    const used = new Uint8Array(plan.n);
    for (const rows of [test, train]) for (const row of rows) used[row] = 1;
    if (used.some((is, row) => is === 0 && weight?.[row] !== 0)) return true;
  }
  return false;
}

/** Folds that turn out to test one unit each, or no partition. */
function unfitPlan(plan: FoldPlan, problem: Problem, splitter: Splitter): string | undefined {
  const tested = testedUnits({ plan, folds: [...rowNumbers(plan.length)] }, sideOf(problem));
  const found = unfitForFurtherRuns(plan.claims, tested) ?? (halvesKind(plan, problem) ? undefined : NO_PARTITION);
  return found ?? unfitUnits(plan, problem, splitter);
}

const NO_PARTITION = 'folds that are no partition of the rows';

/** Too few units in a class among those that are tested, or in the one training set that is halved; or too few to halve. */
function tooFew(plan: FoldPlan, problem: Problem): string | undefined {
  const [{ train, test }] = plan;
  if (plan.length > 1) {
    const all = rowNumbers(plan.n);
    return fewIn(all, plan, problem) ?? fewApart(all, plan, problem);
  }
  for (const [set, rows] of Object.entries({ training: train, test })) {
    const few = fewIn(rows, plan, problem);
    if (few !== undefined) return `in the ${set} set ${few}`;
  }
  const few = fewApart(train, plan, problem);
  return few && `in the training set ${few}`;
}

/** Units that share patients stay together in halves. */
function fewApart(given: Int32Array, plan: FoldPlan, problem: Problem): string | undefined {
  const { unit, counts, unitsOfRows } = countedUnits(plan, sideOf(problem));
  const wholes = wholeUnits(problem, plan.n);
  const count = wholes && new Set(gather(wholes, given.filter(counts))).size;
  if (count === undefined || count >= MIN_PER_CLASS || count === new Set(unitsOfRows(given)).size) return undefined;
  return `only ${counted(count, 'group')} of ${unit}s that share no patient, fewer than ${MIN_PER_CLASS}`;
}

function fewIn(given: Int32Array, plan: FoldPlan, problem: Problem): string | undefined {
  const { task, classes, codes } = problem.y;
  const { unit, counts, unitsOfRows } = countedUnits(plan, sideOf(problem));
  const rows = given.filter(counts);
  const table = codes.length > 0 ? { task, classes, yTrue: gather(codes, rows), length: rows.length } : undefined;
  return unfitForTraining({ folds: [{ units: unitsOfRows(rows), ...(table ? { table } : {}) }], unit });
}

// The folds behind `ciFits`: models of half of the units each.

interface Settings {
  /** Number of halvings. */
  readonly count: number;
  readonly seed: number | string;
  /** Under case-control sampling each class is halved; in a cohort classes fall as they may. */
  readonly sampling: Interval['sampling'];
  /** The inner splitter of a nested design. */
  readonly inner?: Splitter | undefined;
}

type Data = Pick<Problem, 'X' | 'y' | 'data' | 'weight'>;

/**
 * Random halves of the units (patients, else rows), two folds for each halving: train on the one, test on the other. Of a
 * design with one fold the training units are halved, and both models are tested on the test rows of that fold. Units
 * whose rows all have weight 0 are in no half. Halving r is the same whatever the number of halvings.
 */
export class HalvesDesign implements Splitter {
  readonly repeatable = true;
  readonly claims = {};
  readonly kind: Halves['kind'];
  readonly #settings: Settings;
  readonly #data: Data;
  readonly #test: Int32Array | undefined;
  /** Rows that are halved, with the code of their unit. */
  readonly #rows: Int32Array;
  readonly #units: Int32Array;
  /** Units by stratum. */
  readonly #strata: readonly Int32Array[];

  /** @param kind what {@link halvesKind} says of the plan */
  constructor(kind: Halves['kind'], plan: FoldPlan, data: Data, settings: Settings) {
    const { y, weight } = data;
    const codes = wholeUnits(data, plan.n);
    const [only] = plan;
    this.kind = kind;
    this.#settings = settings;
    this.#data = data;
    this.#test = kind === 'test_set' ? only.test : undefined;
    const given = kind === 'test_set' ? only.train : rowNumbers(plan.n);
    const unitOf = (row: number) => (codes ? codes[row] : row);
    const counting = given.filter((row) => !weight || weight[row] > 0);
    const counted = new Set(counting.map(unitOf));
    this.#rows = given.filter((row) => counted.has(unitOf(row)));
    this.#units = this.#rows.map(unitOf);
    const byClass = settings.sampling === 'case_control' && y.codes.length > 0;
    const unitsCounting = counting.map(unitOf);
    const strata = byClass ? unitStrata(gather(y.codes, counting), unitsCounting) : new Int32Array(counting.length);
    const members = new Map<number, Set<number>>();
    unitsCounting.forEach((unit, at) => {
      members.set(strata[at], (members.get(strata[at]) ?? new Set()).add(unit));
    });
    this.#strata = Array.from(members.values(), (units) => Int32Array.from(units).sort());
  }

  getNSplits(): number {
    return 2 * this.#settings.count;
  }

  *split(): Generator<Fold> {
    for (let halving = 0; halving < this.#settings.count; halving++) {
      const inFirst = this.#half(halving);
      const [first, second] = [true, false].map((side) =>
        this.#rows.filter((_, at) => inFirst.has(this.#units[at]) === side),
      );
      const sides = this.#test ? [first, second] : [second, first];
      for (const [side, train] of sides.entries()) {
        const fold = {
          id: `halving-${halving}_half-${side}`,
          repeat: halving,
          train,
          test: this.#test ?? (side === 0 ? first : second),
        };
        const { inner } = this.#settings;
        yield inner ? { ...fold, inner: innerFolds(inner, () => fold, this.#data) } : fold;
      }
    }
  }

  /** The units of the first half. Classes of odd size take turns with the unit that is left over. */
  #half(halving: number): Set<number> {
    const random = randomSource(deriveSeed(this.#settings.seed, 'ciFits', halving));
    const first = new Set<number>();
    let place = 0;
    for (const units of this.#strata) {
      for (const unit of shuffle(random, units.slice())) if (place++ % 2 === 0) first.add(unit);
    }
    return first;
  }

  /** What the models of the halves said, from the run that has this design as its splitter. */
  halvesOf({ folds, plan }: Pick<CVResults, 'folds' | 'plan'>, side: UnitData): Halves {
    const made = intervalFolds({ folds, plan }, side).folds;
    const at = new Map(folds.map((fold, place) => [fold.fold.index, place]));
    const test = (index: number) => {
      const place = at.get(index);
      if (place === undefined) return { units: new Int32Array(), error: 'a callback ended the run' };
      const { table, units } = made[place];
      const fold = folds[place];
      return table ? { table, units } : { units, error: fold.status === 'failed' ? fold.error.message : 'it failed' };
    };
    return {
      kind: this.kind,
      sampling: this.#settings.sampling,
      halvings: Array.from({ length: this.#settings.count }, (_, halving) => [
        test(2 * halving),
        test(2 * halving + 1),
      ]),
    };
  }
}

/** Codes of what halves keep whole: units, and with them the patients who have rows in several, as at two sites. */
function wholeUnits({ data, weight }: Pick<Data, 'data' | 'weight'>, n: number): Int32Array | undefined {
  const { codes } = unitsOf(data, n, weight);
  const patients = patientsOf(data, n);
  if (!codes || !patients) return codes;
  const together = new Components(n);
  together.joinEqual(codes);
  together.joinEqual(patients.codes);
  return Int32Array.from(together.codes().codes);
}

/**
 * What kind of halves a design allows: `crossed` where every row is tested once per repeat, `test_set` for one fold,
 * undefined for others.
 */
export function halvesKind(plan: FoldPlan, data: SideData & { readonly weight?: ArrayLike<number> | null }) {
  if (plan.length === 1) return 'test_set';
  const { weight } = data;
  const byRepeat = new Map<number, Uint8Array>();
  for (const { test, repeat } of plan) {
    const times = byRepeat.get(repeat) ?? new Uint8Array(plan.n);
    byRepeat.set(repeat, times);
    // More than twice is as wrong as twice.
    for (const row of test) times[row] = Math.min(times[row] + 1, 2);
  }
  const tested = [...byRepeat.values()].map((times) => times.every((count, row) => count === 1 || weight?.[row] === 0));
  return tested.every(Boolean) ? 'crossed' : undefined;
}
