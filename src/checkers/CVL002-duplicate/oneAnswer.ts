/**
 * Rows that give one answer to all questions of a questionnaire (straight-lining, a form of careless responding): several
 * people do, and their rows are equal though none is a copy. Meade & Craig 2012, Psychological Methods 17:437.
 */
import { withoutUnseen } from '../features/unseen.js';
import type { CellColumn } from './cells.js';

/** Questions have so many answers, and a questionnaire so many of them. */
const [FEWEST, MOST] = [3, 12];
const QUESTIONS = 5;
/** The share of the questions that have the one answer. */
const NEARLY_ALL = 0.9;

/** The answers of rows to what may be questions: columns of a few values. */
export class OneAnswer {
  readonly #questions: readonly { readonly place: number; answerOf(row: number): number }[];

  /** @param counts number of different values of each column */
  constructor(columns: readonly CellColumn[], counts: readonly number[]) {
    const texts = new Map<string, number>();
    const codeOf = (text: string) => {
      const code = texts.get(text) ?? texts.size;
      texts.set(text, code);
      return code;
    };
    this.#questions = columns.flatMap((column, place) => {
      if (column.free || counts[place] < FEWEST || counts[place] > MOST) return [];
      const { values, folded, columns: parts } = column;
      if (!folded) return [{ place, answerOf: (row: number) => values[row] }];
      // The answers of dummies have no text but their place.
      const levels = (parts[0].levels ?? []).map((level) => codeOf(withoutUnseen(level).trim().toLowerCase()));
      return [{ place, answerOf: (row: number) => levels[values[row]] ?? Number.NaN }];
    });
  }

  /** The places of the columns in which a row gives one answer to nearly all questions; none where it gives several. */
  placesOf(row: number): number[] {
    const questions = this.#questions;
    if (questions.length < QUESTIONS) return [];
    const byAnswer = new Map<number, number[]>();
    for (const { place, answerOf } of questions) {
      const answer = answerOf(row);
      const places = byAnswer.get(answer);
      if (places) places.push(place);
      else byAnswer.set(answer, [place]);
    }
    const most = [...byAnswer.values()].reduce((a, b) => (b.length > a.length ? b : a));
    return most.length >= NEARLY_ALL * questions.length ? most : [];
  }
}
