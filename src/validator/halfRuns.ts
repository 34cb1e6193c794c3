/** Models of halves of the data, for the intervals: what `ciFits` asks for. */

import { counted, formatDuration } from '../core/format.js';
import { deriveSeed, randomSource, shuffle } from '../core/random.js';
import { gather, rowNumbers } from '../data/labels.js';
import { unitsOf } from '../data/sideData.js';
import type { Halves, Interval } from '../intervals/interval.js';
import { intervalFolds, sideOf, type UnitData } from '../intervals/intervalFolds.js';
import { MIN_HALVINGS } from '../intervals/trainingPart.js';
import { unitStrata } from '../intervals/unitVariance.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Problem } from '../runner/readData.js';
import type { Session } from '../runner/session.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { innerFolds } from '../splitters/iid/nestedCV.js';
import type { Fold, Splitter } from '../splitters/splitter.js';
import { halvesKind, usesHalves, type WithResults, wholeUnits, whyNone } from './intervalNeeds.js';

/** Halvings that 'auto' makes, and up to how many units and rows. */
const AUTO = { halvings: 10, units: 5000, rows: 100_000 };

const LONG = 5;

/** Further fits for intervals as a manifest has them. */
export interface CiFits {
  /** Fits on half of the patients that were made; null for none. `failed` of them failed. */
  readonly ciFitsMade: { readonly fits: number; readonly failed: number; readonly seconds: number } | null;
  /** Where none were made and they could be: what the fewest would take, in about so many seconds. */
  readonly ciFitsOffer: { readonly ciFits: number; readonly fits: number; readonly seconds: number } | null;
}

export const NO_CI_FITS: CiFits = { ciFitsMade: null, ciFitsOffer: null };

export interface HalfRuns {
  readonly halves?: Halves;
  /** Why there are none, or how to have them. */
  readonly noHalves?: string;
  readonly facts: CiFits;
}

/** Runs the procedure once more. Folds that fail are recorded. */
export type RunAgain = (run: {
  readonly cvSplitter: Splitter;
  readonly randomState: number | string;
  readonly problem: Problem;
  /** What progress says of the run; without it, it is silent. */
  readonly title?: string;
  /** A sentence that is written before it starts. */
  readonly announced?: string | undefined;
}) => Promise<CVResults>;

interface Run extends WithResults {
  readonly session: Session;
  readonly seed: number | string;
}

export async function halfRuns(run: Run, runAgain: RunAgain): Promise<HalfRuns> {
  const none = (noHalves?: string, facts = NO_CI_FITS): HalfRuns => ({ ...(noHalves ? { noHalves } : {}), facts });
  const { cv, splitter, problem, seed } = run;
  const { ciFits, sampling } = run.options;
  if (!run.fitted && !usesHalves(run)) return none();
  const why = whyNone('ciFits', run);
  if (why !== undefined) return none(why);
  const kind = halvesKind(cv.plan, problem) as Halves['kind'];
  const count = ciFits === 'auto' ? automatic(run) : ciFits;
  const random = kind === 'test_set' || (cv.plan.claims.partition === true && !cv.plan.claims.given);
  if (count === 0 || (ciFits === 'auto' && !random)) {
    const ciFitsOffer = {
      ciFits: MIN_HALVINGS,
      fits: 2 * MIN_HALVINGS,
      seconds: expectedSeconds(cv, MIN_HALVINGS),
    };
    const offered = `\`ciFits: ${MIN_HALVINGS}\` estimates it with ${2 * MIN_HALVINGS} more fits on half of the data`;
    return none(random ? offered : `${offered}, if these folds are random parts of the data`, {
      ...NO_CI_FITS,
      ciFitsOffer,
    });
  }
  const inner = splitter.nested?.inner;
  const design = new HalvesDesign(kind, cv.plan, problem, { count, seed, sampling, inner });
  const startedAt = performance.now();
  const trained = await runAgain({
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

/** Ten halvings where fits are cheap: models without epochs, of so many patients and rows, without a search inside. */
function automatic({ session, splitter, problem: { X, data, weight } }: Run): number {
  const cheap =
    !session.adapter.capabilities.epochs &&
    !splitter.nested &&
    X.length <= AUTO.rows &&
    unitsOf(data, X.length, weight).count <= AUTO.units;
  return cheap ? AUTO.halvings : 0;
}

/** From the time of the folds: half of the data cost 5/8 of the training set of one of five folds. */
function expectedSeconds({ foldDetails, plan }: CVResults, halvings: number): number {
  const folds = foldDetails.length;
  const perFold = foldDetails.reduce((sum, fold) => sum + fold.seconds, 0) / folds;
  const share = plan.length === 1 ? 0.5 : (0.5 * folds) / plan.repeats / (folds / plan.repeats - 1);
  return 2 * halvings * share * perFold;
}

function announced(cv: CVResults, halvings: number): string | undefined {
  const seconds = expectedSeconds(cv, halvings);
  if (seconds < LONG) return undefined;
  return `${2 * halvings} more fits for the interval follow, about ${formatDuration(seconds)}. With \`ciFits: 0\` there are none, and the interval is about the models of these folds.`;
}

interface HalvesSettings {
  readonly count: number;
  readonly seed: number | string;
  readonly sampling: Interval['sampling'];
  readonly inner?: Splitter | undefined;
}

type Data = Pick<Problem, 'X' | 'y' | 'data' | 'weight'>;

/**
 * Random halves of the units, two folds for each halving: train on the one, test on the other. Of a design with one fold
 * the training units are halved, and both models are tested on the test rows of that fold. Units whose rows all have
 * weight 0 are in no half. Halving r is the same whatever the number of halvings.
 */
export class HalvesDesign implements Splitter {
  readonly repeatable = true;
  readonly claims = {};
  readonly kind: Halves['kind'];
  readonly #settings: HalvesSettings;
  readonly #data: Data;
  readonly #test: Int32Array | undefined;
  /** Rows that are halved, with the code of their unit. */
  readonly #rows: Int32Array;
  readonly #units: Int32Array;
  readonly #strata: readonly Int32Array[];

  constructor(kind: Halves['kind'], plan: FoldPlan, data: Data, settings: HalvesSettings) {
    const { y, weight } = data;
    const codes = wholeUnits(data, plan.n);
    const [only] = plan;
    this.kind = kind;
    this.#settings = settings;
    this.#data = data;
    this.#test = kind === 'test_set' ? only.test : undefined;
    const rows = kind === 'test_set' ? only.train : rowNumbers(plan.n);
    const unitOf = (row: number) => (codes ? codes[row] : row);
    const counting = rows.filter((row) => !weight || weight[row] > 0);
    const counted = new Set(counting.map(unitOf));
    this.#rows = rows.filter((row) => counted.has(unitOf(row)));
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
    const tested = intervalFolds({ folds, plan }, side).folds;
    const at = new Map(folds.map((fold, place) => [fold.fold.index, place]));
    const test = (index: number) => {
      const place = at.get(index);
      if (place === undefined) return { units: new Int32Array(), error: 'a callback ended the run' };
      const { table, units } = tested[place];
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
