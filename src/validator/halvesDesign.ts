/** The folds behind `ciFits`: models of half of the units each. */
import { Components } from '../core/components.js';
import { deriveSeed, randomSource, shuffle } from '../core/random.js';
import { gather, rowNumbers } from '../data/labels.js';
import { patientsOf, type SideData, unitsOf } from '../data/sideData.js';
import type { Halves, Interval } from '../intervals/interval.js';
import { intervalFolds, type UnitData } from '../intervals/intervalFolds.js';
import { unitStrata } from '../intervals/unitVariance.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Problem } from '../runner/readData.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { innerFolds } from '../splitters/nested.js';
import type { Fold, Splitter } from '../splitters/splitter.js';

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
export function wholeUnits({ data, weight }: Pick<Data, 'data' | 'weight'>, n: number): Int32Array | undefined {
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
