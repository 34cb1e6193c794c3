import { phrase } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { deriveSeed, permutation, randomSource } from '../../core/random.js';
import { recordable } from '../../core/recordable.js';
import type { Distribution, Params, ParamValue } from '../../core/tuningTrial.js';
import { countOf, distributionText, invalidSpace, parameterText, valuesOf } from '../distribution.js';
import type { Sampler, StudyView, TrialView } from '../sampler.js';
import { type ParamGrid, recordSpace } from '../space.js';

/**
 * Tries every combination of values once, the last parameter changing fastest. Ranges need a step.
 *
 * @example
 * const sampler = new GridSampler({ C: [0.1, 1, 10], penalty: ['none', 'l2'] });
 * const study = new Study({ direction: 'minimize', sampler, randomState: 1 });
 * await study.optimize((trial) => {
 *   const C = trial.suggestCategorical('C', [0.1, 1, 10]);
 *   return trial.suggestCategorical('penalty', ['none', 'l2']) === 'l2' ? C : 2 * C;
 * }, { nTrials: 6 });
 * console.log(study.trials.length, study.bestParams);
 */
export class GridSampler implements Sampler {
  readonly name: string;
  readonly looksBack = false;
  readonly #names: readonly string[];
  readonly #values: readonly (readonly ParamValue[])[];
  /** By parameter: the place of each value in its list. */
  readonly #places: readonly ReadonlyMap<string, number>[];
  readonly #order: Int32Array | undefined;
  readonly size: number;

  /**
   * @param space name to list of choices, or to a range with a step
   * @param options `shuffle`: a seed, for an order at random; for grids that are too large to be tried whole. `name`: what
   *   summaries call it
   * @throws {InvalidOptionError} `invalid_space`: no parameters, a range without a step.
   */
  constructor(
    space: ParamGrid,
    { shuffle, name = 'grid' }: { readonly shuffle?: number | string; readonly name?: string } = {},
  ) {
    this.name = name;
    recordable(this, { space, shuffle });
    const distributions = Object.entries(recordSpace(space));
    this.#names = distributions.map(([name]) => name);
    this.size = distributions.reduce((product, [name, distribution]) => product * counted(name, distribution), 1);
    if (this.size > MOST_DRAWS) {
      const must = `have at most ${MOST_DRAWS} combinations`;
      throw invalidSpace('A grid', must, phrase(String(this.size)), "Use sampler: 'random' or 'tpe'.");
    }
    this.#values = distributions.map(([, distribution]) => valuesOf(distribution) as readonly ParamValue[]);
    this.#places = this.#values.map((values) => new Map(values.map((value, at) => [JSON.stringify(value), at])));
    this.#order = shuffle === undefined ? undefined : permutation(randomSource(deriveSeed(shuffle, 'grid')), this.size);
  }

  sampleTogether(study: StudyView, { params: fixed }: Pick<TrialView, 'params'>): Params {
    const { tried, others } = this.#tried(study);
    const names = this.#names.filter((name) => Object.hasOwn(fixed, name));
    let skip = others;
    for (let at = 0; at < this.size; at++) {
      const place = this.#order ? this.#order[at] : at;
      if (tried.has(place)) continue;
      const params = this.#combination(place);
      // A trial that was put in line with some of its values takes a combination that has these.
      if (names.some((name) => JSON.stringify(params[name]) !== JSON.stringify(fixed[name]))) continue;
      if (skip-- === 0) return params;
    }
    return this.#combination(0);
  }

  sample(_study: StudyView, _trial: TrialView, name: string): ParamValue {
    const got = phrase(`a grid of ${this.#names.map((each) => nameText(each)).join(', ')}`);
    throw invalidSpace(parameterText(name), 'be part of the grid', got);
  }

  isExhausted(study: StudyView): boolean {
    const { tried, others } = this.#tried(study);
    return tried.size + others >= this.size;
  }

  /** Combinations that earlier trials have, whatever came of them; `others`: trials that did not ask for all parameters. */
  #tried({ trials }: StudyView): { readonly tried: ReadonlySet<number>; readonly others: number } {
    const complete = trials.filter(({ params }) => this.#names.every((name) => Object.hasOwn(params, name)));
    const places = complete.map(({ params }) => this.#placeOf(params)).filter((place) => place !== undefined);
    return { tried: new Set(places), others: trials.length - complete.length };
  }

  /** Undefined for values that are not of the grid, which a trial that was put in line may have. */
  #placeOf(params: Params): number | undefined {
    let place = 0;
    for (const [at, name] of this.#names.entries()) {
      const own = this.#places[at].get(JSON.stringify(params[name]));
      if (own === undefined) return undefined;
      place = place * this.#values[at].length + own;
    }
    return place;
  }

  #combination(place: number): Params {
    let rest = place;
    const chosen: [string, ParamValue][] = [];
    for (let at = this.#names.length - 1; at >= 0; at--) {
      const values = this.#values[at];
      chosen.unshift([this.#names[at], values[rest % values.length]]);
      rest = Math.floor(rest / values.length);
    }
    return Object.fromEntries(chosen);
  }
}

function counted(name: string, distribution: Distribution): number {
  const count = countOf(distribution);
  if (Number.isFinite(count)) return count;
  const got = phrase(`the range ${distributionText(distribution)}`);
  const way = 'Give a list or a `step`.';
  throw invalidSpace(`${parameterText(name)} of a grid`, 'have values that can be counted', got, way);
}
