/** How a table is read: what the reader of the page chooses, as options of `readTable`. */

/** Columns that are no features. */
export type Role = 'target' | 'groups' | 'timestamps' | 'sites';

/** What a column without a role is taken as; '' where the cells decide. */
export type Use = '' | 'drop' | Type;
type Type = 'categorical' | 'numeric';

/** Of the file, not of its columns. */
export interface FileOptions {
  readonly encoding?: 'utf-8' | 'windows-1252' | 'utf-16le';
  readonly decimal?: '.' | ',';
  readonly delimiter?: ',' | ';' | '\t' | '|' | ' ';
  readonly alsoMissing?: readonly string[];
  readonly skip?: number;
}

/** Options that were chosen, and no others: a format refuses those that it does not have. */
export interface Reading extends FileOptions, Readonly<Partial<Record<Role, string>>> {
  /** Of two classes that are texts: the one that scores are about. */
  readonly positiveLabel?: string;
  readonly drop?: readonly string[];
  readonly types?: Readonly<Record<string, Type>>;
}

export const ROLES: readonly Role[] = ['target', 'groups', 'timestamps', 'sites'];

/** With these the names of the columns are others. */
const OF_HEADER: readonly (keyof FileOptions)[] = ['encoding', 'delimiter', 'skip'];
const OF_FILE: readonly string[] = [...OF_HEADER, 'decimal', 'alsoMissing'];

export function useOf({ drop = [], types = {} }: Reading, column: string): Use {
  if (drop.includes(column)) return 'drop';
  return Object.hasOwn(types, column) ? types[column] : '';
}

/** A column has one role or one use; '' takes the role from the column that has it. */
export function withRole(reading: Reading, role: Role, column: string): Reading {
  const next = chosen(column === '' ? { ...reading, [role]: undefined } : { ...free(reading, column), [role]: column });
  const { positiveLabel: _, ...others } = next;
  // The positive class is one of the outcome that was.
  return next.target === reading.target ? next : others;
}

export function withUse(reading: Reading, column: string, use: Use): Reading {
  const { drop = [], types, ...others } = free(reading, column);
  if (use === 'drop') return { ...others, drop: [...drop, column], types };
  return { ...others, drop, types: use === '' ? types : { ...types, [column]: use } };
}

export const withPositive = (reading: Reading, positiveLabel: string): Reading =>
  chosen({ ...reading, positiveLabel: positiveLabel === '' ? undefined : positiveLabel });

export function withFile(
  reading: Reading,
  part: { readonly [Name in keyof FileOptions]: FileOptions[Name] | undefined },
) {
  const next = chosen({ ...reading, ...part });
  if (!OF_HEADER.some((name) => name in part)) return next;
  return Object.fromEntries(Object.entries(next).filter(([name]) => OF_FILE.includes(name))) as Reading;
}

/** Without the role or the use of a column. */
function free(reading: Reading, column: string) {
  const { drop = [], types = {}, ...others } = reading;
  const role = ROLES.find((each) => others[each] === column);
  const { [column]: _, ...otherTypes } = types;
  return {
    ...chosen({ ...others, ...(role ? { [role]: undefined } : {}) }),
    drop: drop.filter((each) => each !== column),
    types: otherTypes,
  };
}

const chosen = (options: Readonly<Record<string, unknown>>): Reading =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
