/**
 * Rows with one answer to all questions (straight-lining) are equal though none is a copy: Meade & Craig 2012,
 * Psychological Methods 17:437.
 */
import { type CellColumn, levelKey } from './cells.js';

/** Questions have so many answers, and a questionnaire so many of them. */
const [FEWEST, MOST] = [3, 12];
const QUESTIONS = 5;
/** The share of the questions that have the one answer. */
const NEARLY_ALL = 0.9;

interface Question {
  readonly place: number;
  answerOf(row: number): string | number | undefined;
}

/** The answers of rows to what may be questions: columns of a few values. */
export class OneAnswer {
  readonly #questions: readonly Question[];

  /** @param counts number of different values of each column */
  constructor(columns: readonly CellColumn[], counts: readonly number[]) {
    this.#questions = columns.flatMap((column, place) => {
      if (column.free || counts[place] < FEWEST || counts[place] > MOST) return [];
      const keyOf = answersOf(column);
      return [{ place, answerOf: (row: number) => keyOf(column.values[row]) }];
    });
  }

  /** The places of the columns in which a row gives one answer to nearly all questions; none where it gives several. */
  placesOf(row: number): number[] {
    const questions = this.#questions;
    if (questions.length < QUESTIONS) return [];
    const byAnswer = new Map<string | number, number[]>();
    let most: number[] = [];
    for (const { place, answerOf } of questions) {
      const answer = answerOf(row);
      if (answer === undefined) continue;
      const places = byAnswer.get(answer) ?? [];
      byAnswer.set(answer, places);
      places.push(place);
      if (places.length > most.length) most = places;
    }
    return most.length >= NEARLY_ALL * questions.length ? most : [];
  }
}

/** What a value of a column says as an answer. Dummies have no text but their place. */
function answersOf({ columns, folded }: CellColumn): (value: number) => string | number | undefined {
  if (columns.length > 1) return (value) => (Number.isNaN(value) ? undefined : `dummy ${value}`);
  if (!folded) return (value) => (Number.isNaN(value) ? undefined : value);
  const keys = (columns[0].levels ?? []).map(levelKey);
  return (value) => keys[value];
}
