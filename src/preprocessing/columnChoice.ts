import {
  InvalidDataError,
  InvalidOptionError,
  invalidData,
  messageOf,
  phrase,
  sentence,
  show,
  suggestion,
} from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { nameText } from '../core/foreignText.js';
import { checkedShape, fields, text } from '../core/shape.js';
import type { Table } from './table.js';

/** A column, for functions that choose. */
export interface ColumnFacts {
  readonly name: string;
  /** `numeric`: its cells are numbers or missing. `categorical`: anything else. */
  readonly type: 'numeric' | 'categorical';
}

/** Names or places (negative: from the end); a type; a regular expression of names; a function that gives names or places. */
export type ColumnChoice =
  | string
  | number
  | readonly (string | number)[]
  | RegExp
  | ((columns: readonly ColumnFacts[]) => readonly (string | number)[]);

const TYPES: readonly unknown[] = ['numeric', 'categorical'];

export function chosenPlaces(table: Table, choice: ColumnChoice, entry: string): number[] {
  const { names } = table;
  const subject = `The columns of ${show(entry)} in ColumnTransformer`;
  const facts = () =>
    names.map((name, at) => ({
      name,
      type: table.columns[at] instanceof Float64Array ? ('numeric' as const) : ('categorical' as const),
    }));
  if (typeof choice === 'string' && TYPES.includes(choice) && !names.includes(choice)) {
    return facts().flatMap(({ type }, at) => (type === choice ? [at] : []));
  }
  if (choice instanceof RegExp) return names.flatMap((name, at) => (name.search(choice) >= 0 ? [at] : []));
  const chosen = typeof choice === 'function' ? choice(facts()) : choice;
  const places = (Array.isArray(chosen) ? chosen : [chosen]).map((each: unknown) => placeOf(each, names, subject));
  const twice = firstTwice(places);
  if (twice === undefined) return places;
  throw invalidData('duplicate_column', subject, 'be different ones', `${show(names[twice])} twice`);
}

function placeOf(column: unknown, names: readonly string[], subject: string): number {
  const place =
    typeof column === 'number' ? (column < 0 ? names.length + column : column) : names.indexOf(column as string);
  if (Number.isInteger(place) && place >= 0 && place < names.length) return place;
  const way = typeof column === 'string' ? suggestion(column, names) : `There are ${names.length} columns.`;
  throw invalidData('unknown_column', subject, 'be columns of X', show(column), way);
}

export function choiceInWords(choice: ColumnChoice): string {
  if (typeof choice === 'function') return 'a function';
  return choice instanceof RegExp ? nameText(String(choice)) : show(choice);
}

export function choiceToJSON(choice: ColumnChoice): unknown {
  if (choice instanceof RegExp) return { pattern: choice.source, flags: choice.flags };
  if (typeof choice !== 'function') return choice;
  const subject = 'Columns to be written as JSON';
  const must = 'be plain data before `fit`';
  throw new InvalidOptionError(sentence(subject, must, phrase('a function')), { code: 'not_plain' });
}

export function choiceFromJSON(json: unknown): ColumnChoice {
  const isColumn = (each: unknown) => typeof each === 'string' || Number.isSafeInteger(each);
  if (isColumn(json) || (Array.isArray(json) && json.every(isColumn))) return json as ColumnChoice;
  const { pattern, flags } = checkedShape<Record<'pattern' | 'flags', string>>(PATTERN, json, SAVED);
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    const must = 'be a regular expression';
    throw new InvalidDataError(sentence(SAVED, must, phrase(messageOf(cause))), { code: 'other_json', cause });
  }
}

const SAVED = 'The columns of a step that is read';
const PATTERN = fields({ pattern: text, flags: text });
