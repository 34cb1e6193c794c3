/** Models and transformers that tell which rows reached them: column 0 of X is the number of the row. */

/** What one model was asked, in the order in which it was. */
import type { Params } from '../../src/core/tuningTrial.js';
export interface Seen {
  /** Id of its fold, such as `fold-0`, or `fold-0_trial-3_inner-1` within a search. */
  readonly fold: string;
  readonly params: Params;
  readonly fitted: number[];
  readonly predicted: number[];
  /** Ids of the transformers that had prepared the rows. */
  readonly preparedBy: Set<number>;
}

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
const rowsOf = (X: number[][]) => X.map(([row]) => row);

/** `make`: the `modelFn` of models that log themselves in `seen`; `params.slope` decides how they rank rows. */
export function rowSpy() {
  const seen: Seen[] = [];
  class SpyModel {
    readonly #log: Seen;
    readonly #slope: number;
    #shift = 0;

    constructor(fold: string, params: Params) {
      this.#slope = Number(params.slope ?? 1);
      this.#log = { fold, params, fitted: [], predicted: [], preparedBy: new Set() };
      seen.push(this.#log);
    }

    #note(X: number[][]): number[] {
      for (const [, , preparedBy] of X) if (preparedBy !== undefined) this.#log.preparedBy.add(preparedBy);
      return rowsOf(X);
    }

    fit(X: number[][], y: number[]): void {
      this.#log.fitted.push(...this.#note(X));
      // What it learns depends on the rows and on their labels.
      this.#shift = X.reduce((sum, [, value], at) => sum + value * (y[at] ? 1 : -1), 0) / X.length;
    }

    predictProba(X: number[][]): number[][] {
      this.#log.predicted.push(...this.#note(X));
      return X.map(([, value]) => sigmoid(this.#slope * value + this.#shift)).map((p) => [1 - p, p]);
    }

    predict(X: number[][]): number[] {
      return this.predictProba(X).map(([, p]) => Number(p > 0.5));
    }
  }
  const make = (params: Params, { fold }: { readonly fold: string }) => new SpyModel(fold, params);
  /** The logs of models that saw rows; a model that was made to be looked at saw none. */
  const used = () => seen.filter(({ fitted, predicted }) => fitted.length + predicted.length > 0);
  return { make, seen, used };
}

/** A transformer whose third column tells which fit of it prepared a row; `fits` holds the rows of each. */
export function transformerSpy() {
  const fits: number[][] = [];
  class SpyStep {
    /** Not private: steps are copied for each fold. */
    id = -1;

    fit(X: number[][]): void {
      this.id = fits.push(rowsOf(X)) - 1;
    }

    transform(X: number[][]): number[][] {
      return X.map(([row, value]) => [row, value, this.id]);
    }
  }
  return { make: () => new SpyStep(), fits };
}
