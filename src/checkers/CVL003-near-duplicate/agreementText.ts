/** In which columns two rows agree, and in which they do not: so that a reader can judge whether they are one. */
import { nameText } from '../../core/foreignText.js';
import type { Column, Features } from '../features/columns.js';

/** So many columns are named. */
const NAMED = 3;

/** How far apart two cells are: the share of the rows between them, or whether they differ. */
interface Gap {
  readonly name: string;
  readonly apart: number;
  readonly equal: boolean;
}

/**
 * ` (they agree most in ..., and differ most in ...)`, for two rows of a table; empty where its columns are not several. Cells that
 * agree are the more telling the fewer rows lie between them; labels that are equal tell little and are not named.
 */
export function agreementText({ columns }: Pick<Features, 'columns'>, first: number, second: number): string {
  const gaps = columns.flatMap((column): Gap[] => {
    const apart = gapOf(column, first, second);
    const equal = column.values[first] === column.values[second];
    return apart === undefined ? [] : [{ name: nameText(column.name), apart, equal }];
  });
  if (gaps.length < 2) return '';
  gaps.sort((a, b) => a.apart - b.apart);
  const agree = gaps.slice(0, Math.min(NAMED, gaps.length - 1)).map(({ name }) => name);
  const differ = gaps
    .slice(agree.length)
    .filter(({ equal }) => !equal)
    .slice(-NAMED)
    .reverse()
    .map(({ name }) => name);
  const also = differ.length > 0 ? `, and differ most in ${listed(differ)}` : '';
  return ` (they agree most in ${listed(agree)}${also})`;
}

function gapOf({ kind, values }: Column, first: number, second: number): number | undefined {
  const [a, b] = [values[first], values[second]];
  if (Number.isNaN(a) && Number.isNaN(b)) return undefined;
  if (kind === 'category' || Number.isNaN(a) || Number.isNaN(b)) return a === b ? undefined : 1;
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  let between = 0;
  for (let row = 0; row < values.length; row++) if (values[row] >= low && values[row] <= high) between++;
  return a === b && between === values.length ? undefined : between / values.length;
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
