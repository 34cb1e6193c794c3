/** What is searched on noise. */
import { randomSource } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';

export const WIDTH = 20;
const SUBSETS = 50;
const MOST_COLUMNS = 4;

/** 100 configurations: 50 choices of one to four of the columns, each with a weak and a strong penalty. */
const GRID = { subset: Array.from({ length: SUBSETS }, (_, at) => at), C: [0.1, 10] };

const draws = randomSource(19);
const CHOSEN = GRID.subset.map((at) => {
  const columns = new Set();
  while (columns.size < 1 + (at % MOST_COLUMNS)) columns.add(Math.floor(draws.random() * WIDTH));
  return [...columns];
});

/** Logistic regression of some of the columns. */
class OfColumns {
  #columns;
  #model;

  constructor({ subset, C }) {
    this.#columns = CHOSEN[subset];
    this.#model = new LogisticRegression({ C });
  }

  #of = (X) => X.map((row) => this.#columns.map((column) => row[column]));

  fit(X, y) {
    this.#model.fit(this.#of(X), y);
  }

  predict(X) {
    return this.#model.predict(this.#of(X));
  }

  predictProba(X) {
    return this.#model.predictProba(this.#of(X));
  }
}

/** 100 sets of scores, which no labels have touched. */
const UNTRAINED_GRID = { score: Array.from({ length: 100 }, (_, at) => at) };

/** Numbers without a pattern, made of the row and the configuration alone. */
class Untrained {
  #score;

  constructor({ score }) {
    this.#score = score;
  }

  fit(X, y) {
    if (X.length !== y.length) throw new Error('As many labels as rows.');
  }

  predict(X) {
    return this.predictProba(X).map(([, p]) => Number(p > 0.5));
  }

  predictProba(X) {
    return X.map(([first, second]) => {
      const drawn = Math.abs(43758.5453 * Math.sin(1e4 * first + 1e3 * second + 12.9898 * this.#score)) % 1;
      return [1 - drawn, drawn];
    });
  }
}

export const CASES = {
  'Logistic regression of 1 to 4 of 20 columns': { Model: OfColumns, paramGrid: GRID },
  'Scores that nobody trained': { Model: Untrained, paramGrid: UNTRAINED_GRID },
};
