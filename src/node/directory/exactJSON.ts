/** Plain data as JSON, exact to the last bit. */
const SPECIAL: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
const NUMBER = '$number';
const DATE = '$date';

/** JSON that holds every number: -0 as it is, and what JSON has no number for as `{ "$number": "NaN" }`; dates as `{ "$date": ... }`. */
export function exactJSON(value: unknown): string {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? String(value) : `{"${NUMBER}":"${value}"}`;
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const parts: string[] = [];
    for (const each of value as ArrayLike<unknown> & Iterable<unknown>) parts.push(exactJSON(each ?? null));
    return `[${parts.join(',')}]`;
  }
  if (value instanceof Date) return `{"${DATE}":${exactJSON(value.getTime())}}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).flatMap(([name, each]) =>
    each === undefined ? [] : [`${JSON.stringify(name)}:${exactJSON(each)}`],
  );
  return `{${fields.join(',')}}`;
}

// To ask for each value takes longer than to read them all.
export const fromExactJSON = (text: string): unknown =>
  text.includes(`{"${NUMBER}"`) || text.includes(`{"${DATE}"`) ? JSON.parse(text, revived) : JSON.parse(text);

const revived = (_name: string, value: unknown): unknown => {
  const fields = value as Record<string, unknown> | null;
  const named = fields?.[NUMBER];
  if (typeof named === 'string' && Object.hasOwn(SPECIAL, named)) return SPECIAL[named];
  return typeof fields?.[DATE] === 'number' ? new Date(fields[DATE] as number) : value;
};
