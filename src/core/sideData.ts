/** What comes beside `X` and `y`: groups, times, places, weights. Checked once, at the door. */
import { InvalidDataError, sentence } from './errors.js';
import { encode, type Label } from './labels.js';

/** Arrays of the same length as `X` that splitters and checks may need. */
export interface SideData {
  /** Id of the patient (or other unit) that each row belongs to. */
  readonly groups?: ArrayLike<Label>;
  /** Numbers, `Date`s or ISO strings. */
  readonly timestamps?: ArrayLike<number | Date | string>;
  /** When each label is known; an interval [timestamp, labelEndTime] is what purging protects. */
  readonly labelEndTimes?: ArrayLike<number | Date | string>;
  /** `[x, y]` or `[lat, lon]` per row. */
  readonly coordinates?: ArrayLike<ArrayLike<number>>;
  /** Level name to ids, for example `{ site: [...], patient: [...] }`. */
  readonly hierarchy?: Readonly<Record<string, ArrayLike<Label>>>;
  readonly environment?: Readonly<Record<string, ArrayLike<number>>>;
}

/** Ids as codes 0 ... count-1 in ascending order of the ids. */
export interface Groups {
  readonly codes: Int32Array;
  readonly ids: readonly Label[];
  readonly count: number;
}

/** What can be told apart by its value; two objects that look alike would count as two patients. */
const ID_TYPES: readonly string[] = ['string', 'number', 'boolean', 'bigint'];

/** Codes of `groups`; a missing or NaN id is an {@link InvalidDataError} that names the row. */
export function groupsOf(groups: ArrayLike<Label>, n: number, name = 'groups'): Groups {
  checkLength(groups, n, name);
  let mixed = false;
  for (let row = 0; row < n; row++) {
    const id = groups[row];
    if (id === '' || Number.isNaN(id) || !ID_TYPES.includes(typeof id)) {
      throw new InvalidDataError(sentence(`${name} row ${row}`, 'be an id (a number or a string)', id), {
        code: 'missing_group',
      });
    }
    mixed ||= typeof id !== typeof groups[0];
  }
  const { classes, codes } = encode(mixed ? Array.from(groups, String) : groups);
  return { codes, ids: classes, count: classes.length };
}

/** Throws unless `values` has as many entries as `X` has rows; the message names both numbers. */
export function checkLength(values: unknown, n: number, name: string): void {
  const length = (values as ArrayLike<unknown> | null)?.length;
  if (!Number.isInteger(length)) throw new InvalidDataError(sentence(name, 'be an array', values));
  if (length !== n) {
    throw new InvalidDataError(sentence(name, `have as many values as X has rows, ${n}`, { text: String(length) }), {
      code: 'length_mismatch',
    });
  }
}

/** Checks the lengths of everything in `data`, and that times are times and places are places. */
export function checkSideData(data: SideData, n: number): void {
  for (const name of ['groups', 'timestamps', 'labelEndTimes', 'coordinates'] as const) {
    if (data[name] !== undefined) checkLength(data[name], n, name);
  }
  for (const name of ['timestamps', 'labelEndTimes'] as const) {
    checkRows(data[name], name, 'be a finite number, a valid Date or an ISO string', (time) =>
      Number.isFinite(timeOf(time)),
    );
  }
  checkRows(
    data.coordinates,
    'coordinates',
    'be two finite numbers',
    (place) => place?.length === 2 && Number.isFinite(place[0]) && Number.isFinite(place[1]),
  );
  for (const name of ['hierarchy', 'environment'] as const) {
    for (const [level, ids] of Object.entries(data[name] ?? {})) checkLength(ids, n, `${name}.${level}`);
  }
}

/** A number as it is, a Date or ISO string in milliseconds since 1970 (UTC); NaN for anything else. */
function timeOf(time: unknown): number {
  if (typeof time === 'number') return time;
  return time instanceof Date ? time.getTime() : typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

function checkRows<T>(
  values: ArrayLike<T> | undefined,
  name: string,
  must: string,
  holds: (value: T) => boolean,
): void {
  if (values === undefined) return;
  for (let row = 0; row < values.length; row++) {
    if (!holds(values[row])) throw new InvalidDataError(sentence(`${name} row ${row}`, must, values[row]));
  }
}

/** Weights as numbers >= 0 with a positive sum; anything else is an {@link InvalidDataError}. */
export function weightsOf(weights: ArrayLike<number>, n: number, name = 'sampleWeight'): Float64Array {
  checkLength(weights, n, name);
  const out = Float64Array.from(weights);
  const bad = out.findIndex((weight) => !Number.isFinite(weight) || weight < 0);
  if (bad >= 0) throw new InvalidDataError(sentence(`${name} row ${bad}`, 'be a finite number >= 0', weights[bad]));
  if (!out.some((weight) => weight > 0)) {
    throw new InvalidDataError(sentence(name, 'hold at least one weight above 0', { text: 'only zeros' }));
  }
  return out;
}
