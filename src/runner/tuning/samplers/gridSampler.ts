import { InvalidOptionError, phrase, sentence } from '../../../core/errors.js';
import { nameText } from '../../../core/foreignText.js';
import { MOST_DRAWS } from '../../../core/numbers.js';
import { deriveSeed, permutation, randomSource } from '../../../core/random.js';
import { type Distribution, distributionText, type Params, type ParamValue, valuesOf } from '../distribution.js';
import type { Sampler, StudyView, TrialView } from '../sampler.js';
import { type ParamGrid, recordSpace } from '../space.js';

/**
 * Tries every combination of values once, the last parameter changing fastest. Ranges need a step.
 *
 * @example
 * new GridSampler({ C: [0.1, 1, 10], penalty: ['none', 'l2'] });
 */
export class GridSampler implements Sampler {
  readonly name = 'grid';
  readonly looksBack = false;
  readonly #names: readonly string[];
  readonly #values: readonly (readonly ParamValue[])[];
  readonly #order: Int32Array | undefined;
  /** Number of combinations. */
  readonly size: number;

  /**
   * @param space name to list of choices, or to a range with a step
   * @param options `shuffle`: a seed, for an order at random; for grids that are too large to be tried whole
   * @throws {InvalidOptionError} `invalid_space`: no parameters, a range without a step.
   */
  constructor(space: ParamGrid, { shuffle }: { readonly shuffle?: number | string } = {}) {
    const distributions = Object.entries(recordSpace(space));
    this.#names = distributions.map(([name]) => name);
    this.#values = distributions.map(([name, distribution]) => counted(name, distribution));
    this.size = this.#values.reduce((product, { length }) => product * length, 1);
    if (this.size > MOST_DRAWS) {
      const way = "Use sampler: 'random' or 'tpe'.";
      throw new InvalidOptionError(
        sentence('A grid', `have at most ${MOST_DRAWS} combinations`, phrase(String(this.size)), way),
        { code: 'invalid_space' },
      );
    }
    this.#order = shuffle === undefined ? undefined : permutation(randomSource(deriveSeed(shuffle, 'grid')), this.size);
  }

  sampleTogether(study: StudyView): Params {
    const { keys, others } = this.#tried(study);
    let skip = others;
    for (let at = 0; at < this.size; at++) {
      const params = this.#combination(this.#order ? this.#order[at] : at);
      if (!keys.has(this.#key(params)) && skip-- === 0) return params;
    }
    return this.#combination(0);
  }

  sample(_study: StudyView, _trial: TrialView, name: string): ParamValue {
    throw new InvalidOptionError(
      sentence(
        `The parameter '${nameText(name)}'`,
        'be part of the grid',
        phrase(`a grid of ${this.#names.map((each) => nameText(each)).join(', ')}`),
      ),
      { code: 'invalid_space' },
    );
  }

  isExhausted(study: StudyView): boolean {
    const { keys, others } = this.#tried(study);
    return keys.size + others >= this.size;
  }

  /** Combinations that earlier trials have, whatever came of them; `others`: trials that did not ask for all parameters. */
  #tried({ trials }: StudyView): { readonly keys: ReadonlySet<string>; readonly others: number } {
    const complete = trials.filter(({ params }) => this.#names.every((name) => Object.hasOwn(params, name)));
    return { keys: new Set(complete.map(({ params }) => this.#key(params))), others: trials.length - complete.length };
  }

  #key(params: Params): string {
    return JSON.stringify(this.#names.map((name) => params[name]));
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

function counted(name: string, distribution: Distribution): readonly ParamValue[] {
  const values = valuesOf(distribution);
  if (values) return values;
  throw new InvalidOptionError(
    sentence(
      `The parameter '${nameText(name)}' of a grid`,
      'have values that can be counted',
      phrase(`the range ${distributionText(distribution)}`),
      'Give a list or a `step`.',
    ),
    { code: 'invalid_space' },
  );
}
