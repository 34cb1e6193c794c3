/** Environmental variables of each row: clusters of places by what they are like, and buffers between values. */

import { InvalidDataError, phrase, sentence, suggestion } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { SplitInput } from '../splitInput.js';
import { requireInput } from '../splitInput.js';
import type { Buffer } from './bufferedFolds.js';
import { type Points, pointsFromColumns, standardized } from './points.js';

/**
 * Coordinates and variables side by side, in units that can be compared: each variable with mean 0 and standard
 * deviation 1, the coordinates divided by one standard deviation for both axes, so that the map keeps its shape.
 */
export function joined(owner: string, input: SplitInput, places: Points, names: readonly string[]): Points {
  const map = inCommonUnit(places);
  const variables = standardized(columnsOf(owner, input, names));
  const width = map.width + variables.width;
  const values = new Float64Array(input.n * width);
  for (let row = 0; row < input.n; row++) {
    values.set(rowOf(map, row), row * width);
    values.set(rowOf(variables, row), row * width + map.width);
  }
  return { values, width };
}

/** Rows are too near when they differ by less than its width in every variable. */
export function boxBuffer(owner: string, input: SplitInput, widths: Readonly<Record<string, number>>): Buffer {
  const names = Object.keys(widths);
  const { values, width } = columnsOf(owner, input, names);
  const inWidths = values.map((value, at) => value / widths[names[at % width]]);
  return { space: { values: inWidths, width }, metric: 'chebyshev', radius: 1 };
}

const rowOf = ({ values, width }: Points, row: number) => values.subarray(row * width, (row + 1) * width);

/** All axes centred, and divided by the standard deviation of all of them together. */
function inCommonUnit({ values, width }: Points): Points {
  const means = new Float64Array(width);
  for (let i = 0; i < values.length; i++) means[i % width] += (values[i] * width) / values.length;
  const centred = values.map((value, i) => value - means[i % width]);
  return { values: standardized({ values: centred, width: 1 }).values, width };
}

/** The named variables of `environment`, one column each. */
function columnsOf(owner: string, { n, data }: SplitInput, names: readonly string[]): Points {
  const environment = requireInput(owner, 'environment', data.environment);
  const missing = names.find((name) => !Object.hasOwn(environment, name));
  if (missing !== undefined) {
    throw new InvalidDataError(
      sentence(
        `environment of ${owner}`,
        `hold the variable '${nameText(missing)}'`,
        phrase('none of that name'),
        suggestion(missing, Object.keys(environment)),
      ),
    );
  }
  return pointsFromColumns(Object.fromEntries(names.map((name) => [name, environment[name]])), n, 'environment');
}
