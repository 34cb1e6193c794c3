import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { numberOf, readNumbers } from '../core/readNumbers.js';
import { encode } from './encode.js';
import { gather, type Label, rowNumbers } from './labels.js';

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
  readonly hierarchy?: Readonly<Record<string, ArrayLike<Label | null>>>;
  readonly environment?: Readonly<Record<string, ArrayLike<number>>>;
}

/** Ids as codes 0 ... count-1 in ascending order of the ids. */
export interface Groups {
  readonly codes: Int32Array;
  readonly ids: readonly Label[];
  readonly count: number;
}

/** Whether equal ids are equal as values: two objects that look alike would count as two patients. */
const ID_TYPES: readonly string[] = ['string', 'number', 'boolean', 'bigint'];

/** Codes of `groups`; a missing or NaN id is an {@link InvalidDataError} that names the row. */
export function groupsOf(groups: ArrayLike<Label | null>, n: number, name = 'groups', like?: string): Groups {
  checkLength(groups, n, name, like);
  const kinds = new Set<string>();
  for (let row = 0; row < n; row++) {
    const id = groups[row];
    if (!isId(id) || !ID_TYPES.includes(typeof id)) {
      throw new InvalidDataError(sentence(`${name} row ${row}`, 'be an id (a number or a string)', kindOf(id)), {
        code: 'missing_group',
      });
    }
    kinds.add(typeof id);
  }
  // JSON has no 64-bit integers: ids that are some become numbers where all can, else text.
  const isBig = kinds.has('bigint');
  const numbers = isBig && kinds.size === 1 ? Array.from(groups, numberOf) : [Number.NaN];
  const plain = numbers.some(Number.isNaN) ? (isBig || kinds.size > 1 ? Array.from(groups, String) : groups) : numbers;
  const { classes, codes } = encode<Label>(plain as ArrayLike<Label>);
  return { codes, ids: classes, count: classes.length };
}

/** Codes of ids of which some may be missing; rows without an {@link isId} get -1. */
export function knownGroups(ids: ArrayLike<Label | null>, n: number, name?: string): Groups {
  const known = rowNumbers(n).filter((row) => isId(ids[row]));
  if (known.length === n) return groupsOf(ids, n, name);
  const codes = new Int32Array(n).fill(-1);
  if (known.length === 0) return { codes, ids: [], count: 0 };
  const present = Array.from(known, (row) => ids[row]);
  const found = groupsOf(present, known.length, name);
  for (const [at, row] of known.entries()) codes[row] = found.codes[at];
  return { ...found, codes };
}

/** Not null, undefined, NaN or a blank text. */
export const isId = (id: unknown) =>
  typeof id === 'string' ? id.trim() !== '' : id !== null && id !== undefined && !Number.isNaN(id);

export const MIN_UNITS = 10;

/** What counts as independent, with the code of each row; rows themselves have none. */
export interface Units {
  readonly unit: string;
  readonly codes?: Int32Array;
  /** Those that have a row of weight above 0. */
  readonly count: number;
  /** Names a coarser level that was passed over. */
  readonly note?: string;
}

type PatientIds = { readonly [K in 'groups' | 'hierarchy']?: SideData[K] | undefined };

/** Ids of the patients: the groups, or without groups the patients of the hierarchy. */
export const patientIdsOf = ({ groups, hierarchy }: PatientIds): ArrayLike<Label> | undefined =>
  groups ?? (hierarchy?.patient as ArrayLike<Label> | undefined);

/** Codes of the patients where any are named; throws what {@link groupsOf} throws, by the name that the ids were given. */
export function patientsOf(sideData: PatientIds, n: number): Groups | undefined {
  const ids = patientIdsOf(sideData);
  return ids && groupsOf(ids, n, sideData.groups ? 'groups' : 'hierarchy.patient');
}

/** The coarsest units of which there are ten or more: levels above the patients, else the patients, else the rows. */
export function unitsOf(data: SideData, n: number, weight?: ArrayLike<number> | null): Units {
  const { hierarchy = {} } = data;
  const patients = patientsOf(data, n);
  const weighed = weight && rowNumbers(n).filter((row) => weight[row] > 0);
  const counting = <U extends Units>(units: U): U =>
    weighed ? { ...units, count: new Set(units.codes ? gather(units.codes, weighed) : weighed).size } : units;
  const finest: Units = counting(patients ? { unit: 'patient', ...patients } : { unit: 'row', count: n });
  const levels = Object.entries(hierarchy)
    .map(([unit, level]): Units => counting({ unit, ...unitsWith(level, n, `hierarchy.${unit}`) }))
    .filter(({ count }) => count < finest.count)
    .sort((a, b) => a.count - b.count);
  const found = levels.find(({ count }) => count >= MIN_UNITS) ?? finest;
  const [coarsest = found] = levels;
  if (coarsest.count === found.count) return found;
  const few = counted(coarsest.count, coarsest.unit);
  const note = `${few}, too few to count as independent: the interval is about new ${found.unit}s of these ${coarsest.unit}s.`;
  return { ...found, note };
}

function unitsWith(ids: ArrayLike<Label | null>, n: number, name: string): Pick<Groups, 'codes' | 'count'> {
  let { codes, count } = knownGroups(ids, n, name);
  codes = codes.map((code) => (code < 0 ? count++ : code));
  return { codes, count };
}

/** Throws unless `values` has as many entries as `X` has rows, or as `like` says; the message names both numbers. */
export function checkLength(values: unknown, n: number, name: string, like = 'X has rows'): void {
  const length = (values as ArrayLike<unknown> | null)?.length;
  if (!Number.isInteger(length)) throw new InvalidDataError(sentence(name, 'be an array', kindOf(values)));
  if (length !== n) {
    throw new InvalidDataError(sentence(name, `have as many values as ${like}, ${n}`, phrase(String(length))), {
      code: 'length_mismatch',
    });
  }
}

/** That times are times, where there are any, that no label is known before its row, and that places are places. */
export function checkSideData(data: SideData, n: number): void {
  for (const name of ['groups', 'timestamps', 'labelEndTimes', 'coordinates'] as const) {
    if (data[name] !== undefined) checkLength(data[name], n, name);
  }
  // A missing time or place matters only to splitters and checks that read it.
  const starts = data.timestamps && timesWhereKnown(data.timestamps, n);
  const ends = data.labelEndTimes && timesWhereKnown(data.labelEndTimes, n, 'labelEndTimes');
  if (starts && ends) checkLabelEnds(starts, ends);
  const { coordinates = [] } = data;
  for (let row = 0; row < coordinates.length; row++) {
    const place = coordinates[row];
    if (!hasPlace(place) || (place?.length === 2 && Number.isFinite(place[0]) && Number.isFinite(place[1]))) continue;
    throw new InvalidDataError(sentence(`coordinates row ${row}`, 'be two finite numbers', kindOf(place)));
  }
  for (const name of ['hierarchy', 'environment'] as const) {
    for (const [level, ids] of Object.entries(data[name] ?? {})) checkLength(ids, n, `${name}.${level}`);
  }
}

/** Missing times are passed over, and so are ends in another kind of time: who reads both refuses them. */
function checkLabelEnds(starts: Times, ends: Times): void {
  if (ends.dates !== starts.dates) return;
  const early = ends.values.findIndex((end, row) => end < starts.values[row]);
  if (early < 0) return;
  const subject = `labelEndTimes row ${early}`;
  throw new InvalidDataError(sentence(subject, 'be at or after its timestamp', phrase('an earlier time')));
}

export interface Times {
  readonly values: Float64Array;
  /** True for Dates and ISO strings, whose values are milliseconds since 1970 (UTC); numbers have a unit of their own. */
  readonly dates: boolean;
}

/** A day of {@link Times} that are dates. Leap seconds do not count, as in every JavaScript date. */
export const MILLISECONDS_PER_DAY = 86_400_000;

/** All numbers, or all Dates and ISO 8601 strings; without an offset these are UTC, so that folds are the same everywhere. */
export function timesOf(times: ArrayLike<unknown>, n: number, name = 'timestamps'): Times {
  const found = timesWhereKnown(times, n, name);
  const missing = found.values.findIndex(Number.isNaN);
  if (missing >= 0) throw noTime(name, missing, found, times[missing]);
  return { values: found.values, dates: found.dates };
}

/** As {@link timesOf}, but a missing time (null, undefined, NaN, '' or an invalid Date) is NaN. */
export function timesWhereKnown(times: ArrayLike<unknown>, n: number, name = 'timestamps'): KnownTimes {
  checkLength(times, n, name);
  const values = new Float64Array(n).fill(Number.NaN);
  let first = 0;
  while (first < n && !isId(times[first])) first++;
  const dates = first < n && typeof times[first] !== 'number';
  for (let row = first; row < n; row++) {
    const time = times[row];
    if (!hasTime(time)) continue;
    values[row] = dates ? dateOf(time) : typeof time === 'number' ? time : Number.NaN;
    if (!Number.isFinite(values[row])) throw noTime(name, row, { dates, first }, time);
  }
  return { values, dates, first };
}

interface KnownTimes extends Times {
  /** The first row with a time. */
  readonly first: number;
}

const hasTime = (time: unknown) => isId(time) && !(time instanceof Date && Number.isNaN(time.getTime()));

/** Whether a row has a place: it is missing where it is null, undefined, '' or NaN, or one of its two numbers is. */
export const hasPlace = (place: ArrayLike<number> | null | undefined): boolean =>
  isId(place) && !(place?.length === 2 && (!isId(place[0]) || !isId(place[1])));

function noTime(name: string, row: number, { dates, first }: Pick<KnownTimes, 'dates' | 'first'>, time: unknown) {
  const kinds = dates ? 'a valid Date or an ISO 8601 string' : 'a finite number';
  const any = 'be a finite number, a valid Date or an ISO 8601 string';
  const must = row <= first ? any : `be ${kinds}, as row ${first} is`;
  return new InvalidDataError(sentence(`${name} row ${row}`, must, kindOf(time)));
}

const ISO_8601 =
  /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-(\d\d))?)?([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

function dateOf(time: unknown): number {
  if (time instanceof Date) return time.getTime();
  const parts = typeof time === 'string' ? ISO_8601.exec(time) : null;
  if (!parts) return Number.NaN;
  const [text, day, clock = '', offset = '', hour, minute = '00'] = parts;
  const date = text.slice(0, text.length - clock.length);
  // Date.parse turns February 30 into March 1. Only such days are checked again, since parsing takes most of the time.
  if (Number(day) > 28 && new Date(date).getUTCDate() !== Number(day)) return Number.NaN;
  if (clock === '') return Date.parse(date);
  // Date.parse reads `+05:30` alone, not `+05` and `+0530`.
  return Date.parse(`${date}T${clock.slice(1, clock.length - offset.length)}${hour ? `${hour}:${minute}` : 'Z'}`);
}

/** A product of four weights outside this range would overflow, or become 0. */
const LARGEST_WEIGHT = 1e50;

/** Weights as numbers >= 0 with a positive sum; anything else is an {@link InvalidDataError}. */
export function weightsOf(weights: ArrayLike<number>, n: number, name = 'sampleWeight', like?: string): Float64Array {
  checkLength(weights, n, name, like);
  const out = readNumbers(weights, name, {
    must: 'be 0 or from 1e-50 to 1e50',
    holds: (weight) => weight === 0 || (weight <= LARGEST_WEIGHT && weight >= 1 / LARGEST_WEIGHT),
    range: [1e-50, 1e50],
  });
  if (!out.some((weight) => weight > 0)) {
    throw new InvalidDataError(sentence(name, 'hold at least one weight above 0', phrase('only zeros')));
  }
  return out;
}

export function takeSideData(data: SideData, rows: Int32Array): SideData {
  const take = (values: ArrayLike<unknown>) => Array.from(rows, (row) => values[row]);
  const present = Object.entries(data as Readonly<Record<string, object | undefined>>).flatMap(([name, values]) => {
    if (values === undefined) return [];
    if ('length' in values && typeof values.length === 'number') return [[name, take(values as ArrayLike<unknown>)]];
    return [[name, Object.fromEntries(Object.entries(values).map(([level, ids]) => [level, take(ids)]))]];
  });
  return Object.fromEntries(present);
}
