/** What a row is to a fold, and how that is drawn. */
import type { DrawnFold } from './figure.js';
import { element, words } from './svg.js';

export type Role = 'train' | 'test' | 'inner test' | 'purged' | 'embargoed' | 'buffered' | 'unused';

/** Colours that people with any kind of colour vision can tell apart (after Okabe & Ito 2008), light for what is not used. */
export const COLOURS: Readonly<Record<Role, string>> = {
  train: '#56b4e9',
  test: '#d55e00',
  'inner test': '#009e73',
  purged: '#222222',
  embargoed: '#cc79a7',
  buffered: '#7e57c2',
  unused: '#eeeeee',
};

const ROLES = Object.keys(COLOURS) as Role[];

/** How high a role lies where rows may cover each other: test rows on top of what surrounds them. */
const HEIGHTS: Readonly<Record<Role, number>> = {
  unused: 0,
  train: 1,
  embargoed: 2,
  purged: 3,
  buffered: 4,
  'inner test': 5,
  test: 6,
};

/** The roles from the lowest to the highest. */
export const LAYERS: readonly Role[] = ROLES.toSorted((a, b) => HEIGHTS[a] - HEIGHTS[b]);

/** Role of every row. */
export function rolesOf({ train, test, excluded = {}, isInner }: DrawnFold, n: number): Role[] {
  const roles = new Array<Role>(n).fill('unused');
  const mark = (rows: Int32Array, role: Role) => {
    for (const row of rows) roles[row] = role;
  };
  for (const [reason, rows] of Object.entries(excluded)) mark(rows, reason as keyof typeof excluded);
  mark(train, 'train');
  mark(test, isInner ? 'inner test' : 'test');
  return roles;
}

/** A key of the colours that occur, in one line beginning at (x, y). */
export function legend(used: ReadonlySet<Role>, x: number, y: number): string {
  let at = x;
  const entries = ROLES.filter((role) => used.has(role)).map((role) => {
    const square = element('rect', { x: at, y: y - 10, width: 12, height: 12, fill: COLOURS[role], stroke: '#999999' });
    const label = words(role === 'unused' ? 'not used' : role, { x: at + 17, y });
    at += 40 + 7 * (role === 'unused' ? 8 : role.length);
    return square + label;
  });
  return entries.join('');
}
