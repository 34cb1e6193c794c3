import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { custom, type InputOf, oneOf, optionTable } from '../core/options.js';
import { cell, fields, list } from '../core/shape.js';
import { isMissing } from '../data/tableColumns.js';
import {
  type Category,
  categoriesIn,
  categoriesOption,
  checkCategories,
  placesOf,
  unknownCategory,
} from './categories.js';
import { defineTransformer } from './defineTransformer.js';

const anyNumber = () => custom<number>('number', 'be a number or NaN', (v) => typeof v === 'number');

const options = optionTable('OrdinalEncoder', {
  categories: categoriesOption,
  handleUnknown: oneOf('error', 'useEncodedValue')
    .default('error')
    .describe("A category that was not there in `fit`: 'useEncodedValue' gives `unknownValue`."),
  unknownValue: anyNumber().optional().describe('The code of such a category, or NaN.'),
  encodedMissingValue: anyNumber().default(Number.NaN).describe('The code of missing cells.'),
});

export type OrdinalEncoderOptions = InputOf<typeof options>;

interface State {
  readonly categories: readonly (readonly Category[])[];
}

/**
 * The place of each cell among the sorted categories of its column, from 0; give `categories` where they have an order of
 * their own. Missing cells stay missing. As scikit-learn's `OrdinalEncoder`.
 */
export class OrdinalEncoder extends defineTransformer({
  options,
  check({ handleUnknown, unknownValue }) {
    if ((handleUnknown === 'useEncodedValue') === (unknownValue !== undefined)) return;
    const subject = `The \`unknownValue\` option of ${options.owner}`;
    const must = "go with handleUnknown: 'useEncodedValue'";
    throw new InvalidOptionError(sentence(subject, must, phrase('one of them alone')));
  },
  fit({ names, columns }, { categories }): State {
    if (categories) checkCategories(categories, columns.length, options.owner);
    return {
      categories: categories ?? columns.map((column, at) => categoriesIn(column, names[at], options.owner).values),
    };
  },
  state: (width) => fields({ categories: list(list(cell), width) }),
  transform(table, { categories }, { handleUnknown, unknownValue, encodedMissingValue }) {
    const columns = table.columns.map((column, at) => {
      const places = placesOf(categories[at].filter((value) => value !== null));
      let unknown = 0;
      const codes = Float64Array.from({ length: table.length }, (_, row) => {
        const place = places.get(column[row]);
        if (place !== undefined) return place;
        if (isMissing(column[row])) return encodedMissingValue;
        unknown++;
        if (handleUnknown === 'useEncodedValue') return unknownValue as number;
        throw unknownCategory(options.owner, table.names[at], row, "Pass handleUnknown: 'useEncodedValue'.");
      });
      if (unknown > 0) table.note?.(table.names[at], 'unknown', unknown);
      return codes;
    });
    return { ...table, columns };
  },
  makesMissing: ({ unknownValue }) => Number.isNaN(unknownValue),
})<OrdinalEncoderOptions> {
  /** Categories of each column, in the order of their codes; null stands for missing cells. */
  get categories(): readonly (readonly Category[])[] {
    return this.fitted.categories;
  }
}
