import { UNFINDABLE } from './judgeCandidates.js';
import type { Linkage } from './linkage.js';

/** Of these rows a copy is found, for all that a message says. */
const NEARLY_ALL = 0.95;

/** What a single copy may differ in and be found, in words. */
export function reachOf(found: Linkage): string {
  if (found.columns.length === 0) return '';
  const rest =
    ' Rows are too much alike here to compare all that differ in one or two cells: such copies may be missed.';
  return found.complete ? powerText(found) : `${powerText(found)}${rest}`;
}

function powerText({ power }: Linkage): string {
  const most = power.findLastIndex((share) => share >= NEARLY_ALL);
  if (most > 0) {
    const cells = most > 1 ? 'any two of its cells' : 'any one of its cells';
    return ` A single copy would be found though ${cells} differ${most > 1 ? '' : 's'} or ${most > 1 ? 'are' : 'is'} missing.`;
  }
  const [exact, one = 0] = power.map((share) => Math.round(100 * share));
  if (most === 0) {
    const changed = one >= 100 * UNFINDABLE ? ` (${one} % of them though any one cell differs)` : '';
    return ` A single exact copy would be found, of nearly every row${changed}.`;
  }
  return exact > 0
    ? ` A single exact copy would be found of ${exact} % of the rows; what the others hold comes twice by chance.`
    : ' A single copy could not be told from chance in these data; many copies might.';
}
