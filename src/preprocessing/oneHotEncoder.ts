import { custom, type InputOf, integer, isPlainObject, oneOf, optionTable } from '../core/options.js';
import { cell, fields, list, orNull, type Shape, text, whole } from '../core/shape.js';
import type { Column } from '../data/rows.js';
import {
  type Category,
  categoriesIn,
  categoriesOption,
  checkCategories,
  placesOf,
  unknownCategory,
} from './categories.js';
import { defineTransformer } from './defineTransformer.js';
import type { Table } from './table.js';

const options = optionTable('OneHotEncoder', {
  categories: categoriesOption,
  handleUnknown: oneOf('error', 'ignore', 'infrequent')
    .default('error')
    .describe(
      "A category that was not there in `fit`: 'ignore' gives 0 in all columns, 'infrequent' counts it as an infrequent one.",
    ),
  drop: oneOf('first', 'ifBinary')
    .nullable()
    .default(null)
    .describe('Leave out the column of the first category, always or where there are two.'),
  minFrequency: custom<number>(
    'number',
    'be a count of rows >= 1 or a share between 0 and 1',
    (v) => typeof v === 'number' && (Number.isInteger(v) ? v >= 1 : v > 0 && v < 1),
  )
    .nullable()
    .default(null)
    .describe('Categories with fewer rows (a smaller share of rows) are infrequent: they share one column.'),
  maxCategories: integer({ min: 1 })
    .nullable()
    .default(null)
    .describe('Columns for each column at most, that of the infrequent categories included.'),
});

export type OneHotEncoderOptions = InputOf<typeof options>;

interface Encoded {
  readonly values: readonly Category[];
  /** Column of each category among those that come out, before one is dropped. */
  readonly columnOf: readonly number[];
  readonly names: readonly string[];
  /** Place of the column of infrequent categories; null where there are none. */
  readonly infrequent: number | null;
  readonly dropped: number | null;
}
interface State {
  readonly columns: readonly Encoded[];
}

const encodedShape: Shape = (value, at) => {
  const { values, names } = (isPlainObject(value) ? value : {}) as Partial<Encoded>;
  const place = whole(names?.length);
  const columnOf = list(place, values?.length);
  return fields({ values: list(cell), columnOf, names: list(text), infrequent: orNull(place), dropped: orNull(place) })(
    value,
    at,
  );
};

/**
 * A column of 0 and 1 for each category of each column: sorted, missing cells (NaN, null, undefined, '') as a category of
 * their own, last. As scikit-learn's `OneHotEncoder` with `sparse_output=False`; the column of infrequent categories is
 * called `<column>_infrequent`, that of missing cells `<column>_nan`.
 */
export class OneHotEncoder extends defineTransformer({
  options,
  fit({ names, columns, length }, written): State {
    const { categories } = written;
    if (categories) checkCategories(categories, columns.length, options.owner);
    return {
      columns: columns.map((column, at) => {
        const found = categories
          ? counted(column, [...categories[at]], { name: names[at], refuse: written.handleUnknown === 'error' })
          : categoriesIn(column, names[at], options.owner);
        return encodedOf(names[at], found, length, written);
      }),
    };
  },
  state: (width) => fields({ columns: list(encodedShape, width) }),
  transform(table, { columns }, { handleUnknown }) {
    const parts = columns.map((encoded, at) => encode(table, at, encoded, handleUnknown));
    return {
      length: table.length,
      names: parts.flatMap((part) => part.names),
      columns: parts.flatMap((part) => part.columns),
    };
  },
})<OneHotEncoderOptions> {
  /** Categories of each column; null stands for missing cells. */
  get categories(): readonly (readonly Category[])[] {
    return this.fitted.columns.map(({ values }) => values);
  }

  /** Categories of each column that share one column. */
  get infrequentCategories(): readonly (readonly Category[])[] {
    return this.fitted.columns.map(({ values, columnOf, infrequent }) =>
      values.filter((_, place) => infrequent !== null && columnOf[place] === infrequent),
    );
  }
}

type Found = Readonly<ReturnType<typeof categoriesIn>>;

function counted(column: Column, values: Category[], { name, refuse }: { name: string; refuse: boolean }): Found {
  const places = placesOf(values);
  const counts = values.map(() => 0);
  for (let row = 0; row < column.length; row++) {
    const place = places.get(column[row]);
    if (place !== undefined) counts[place]++;
    else if (refuse) throw unknownCategory(options.owner, name, row, 'Add it to `categories`.');
  }
  return { values, counts };
}

type Written = Pick<Required<OneHotEncoderOptions>, 'drop' | 'minFrequency' | 'maxCategories'>;

function encodedOf(name: string, { values, counts }: Found, n: number, { drop, ...limits }: Written): Encoded {
  const rare = infrequentOf(counts, n, limits);
  const frequent = values.flatMap((_, place) => (rare[place] ? [] : [place]));
  const infrequent = frequent.length < values.length ? frequent.length : null;
  const width = frequent.length + (infrequent === null ? 0 : 1);
  const columnOf = values.map((_, place) => (rare[place] ? frequent.length : frequent.indexOf(place)));
  const names = frequent.map((place) => `${name}_${values[place] ?? 'nan'}`);
  if (infrequent !== null) names.push(`${name}_infrequent`);
  const dropped = drop === 'first' || (drop === 'ifBinary' && width === 2) ? 0 : null;
  return { values, columnOf, names, infrequent, dropped };
}

/** The rule of scikit-learn: of equally frequent categories the first ones are infrequent. */
function infrequentOf(
  counts: readonly number[],
  n: number,
  { minFrequency, maxCategories }: Omit<Written, 'drop'>,
): boolean[] {
  const frequency = minFrequency ?? 0;
  const least = frequency < 1 ? frequency * n : frequency;
  const rare = counts.map((count) => count < least);
  const width = rare.filter((each) => !each).length + 1;
  if ((maxCategories ?? width) >= width) return rare;
  const order = counts.map((_, place) => place).sort((a, b) => counts[a] - counts[b] || a - b);
  for (const place of order.slice(0, counts.length - ((maxCategories as number) - 1))) rare[place] = true;
  return rare;
}

function encode(
  { names, columns, length, note }: Table,
  at: number,
  { values, columnOf, names: out, infrequent, dropped }: Encoded,
  handleUnknown: 'error' | 'ignore' | 'infrequent',
) {
  const places = placesOf(values);
  const encoded = out.map(() => new Float64Array(length));
  const column = columns[at];
  let unknown = 0;
  for (let row = 0; row < length; row++) {
    const place = places.get(column[row]);
    if (place === undefined) unknown++;
    if (place !== undefined) encoded[columnOf[place]][row] = 1;
    else if (handleUnknown === 'error') {
      throw unknownCategory(options.owner, names[at], row, "Pass handleUnknown: 'ignore' or 'infrequent'.");
    } else if (handleUnknown === 'infrequent' && infrequent !== null) encoded[infrequent][row] = 1;
  }
  if (unknown > 0) note?.(names[at], 'unknown', unknown);
  const kept = (_: unknown, place: number) => place !== dropped;
  return { names: out.filter(kept), columns: encoded.filter(kept) };
}
