/** A column of values that have types already, of JSON lines or Parquet. */
import { InvalidDataError, kindOf, sentence, show } from '../../core/errors.js';
import { numbersAmong } from './cellColumn.js';
import type { RawColumn } from './rawTable.js';

/** How `valueColumn` reads: missing marks among texts and numbers, and the kind that an option asks for. */
export interface ValueRules {
  readonly missing: ReadonlySet<string>;
  readonly must: 'number' | 'text' | undefined;
  placeOf(row: number): string;
}

/** Null, undefined and NaN are missing, and so are texts and numbers that are missing marks. Dates must be the only kind in their column. */
export function valueColumn(
  name: string,
  values: ArrayLike<unknown>,
  { missing, must, placeOf }: ValueRules,
): RawColumn {
  const marks = new Map<string, number>();
  const numericMarks = numbersAmong(missing, false);
  const first: Partial<Record<'number' | 'boolean' | 'date' | 'text', number>> = {};
  const cells = new Array<number | boolean | Date | string | null>(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = ofValue(values[row], () => `${placeOf(row)}, column ${show(name)}`);
    const isMark =
      typeof value === 'string'
        ? value === '' || missing.has(value)
        : typeof value === 'number' && numericMarks.has(value);
    if (value === null || isMark) {
      const mark = value === null ? '' : String(value);
      marks.set(mark, (marks.get(mark) ?? 0) + 1);
      cells[row] = null;
      continue;
    }
    cells[row] = value;
    const kind = value instanceof Date ? 'date' : typeof value === 'string' ? 'text' : (typeof value as 'number');
    first[kind] ??= row;
  }
  const kinds = Object.keys(first) as (keyof typeof first)[];
  const notes: string[] = [];
  if (kinds.length > 1) {
    const places = kinds.map((kind) => `${kind} first in ${placeOf(first[kind] as number).toLowerCase()}`);
    notes.push(`Column ${show(name)} holds values of several kinds (${places.join(', ')}) and is read as text.`);
  }
  const [kind = 'number'] = kinds;
  if (must === 'number' && (kinds.length > 1 || kind === 'text')) {
    const row = first.text ?? (first[kinds[1]] as number);
    throw new InvalidDataError(
      sentence(
        `${placeOf(row)}, column ${show(name)}`,
        "hold a number, as `types` says it is 'numeric'",
        kindOf(cells[row]),
      ),
      { code: 'not_numeric' },
    );
  }
  if (kinds.length > 1 || kind === 'text' || must === 'text') {
    return { name, stored: 'text', cells: cells.map(asText), marks, notes };
  }
  const stored = kind === 'number' ? 'numeric' : kind;
  return {
    name,
    stored,
    cells: Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell))),
    marks,
    notes,
  };
}

const asText = (cell: unknown): string | null =>
  cell === null ? null : cell instanceof Date ? cell.toISOString() : String(cell);

function ofValue(value: unknown, where: () => string): number | boolean | Date | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  // A larger integer cannot be told from its neighbours as a number.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  throw new InvalidDataError(
    sentence(where(), 'hold a number, a text, a boolean or a date', kindOf(value), 'Lists and records are no cells.'),
    { code: 'not_a_table' },
  );
}
