/** Where a cell of a row stands, in words of messages. */
import { nameText } from '../src/core/foreignText.js';

/** `column 'age'`, `column 3`, or the place `at [0, 7, 0]` in an image. `cell`: its number within the row. */
export function cellName(cell: number, rowShape: readonly number[], names: readonly string[] | undefined): string {
  if (rowShape.length === 1) return names ? `column '${nameText(names[cell])}'` : `column ${cell}`;
  const place: number[] = [];
  for (let axis = rowShape.length - 1, rest = cell; axis >= 0; axis--) {
    place.unshift(rest % rowShape[axis]);
    rest = Math.floor(rest / rowShape[axis]);
  }
  return `at [${place.join(', ')}]`;
}
