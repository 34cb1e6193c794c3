/** The levels of a hierarchy and where they stand: above the patients (site, scanner) or within them (visit, slice). */
import { counted } from '../../core/format.js';
import { type Label, rowNumbers } from '../../core/labels.js';
import type { Groups, SideData } from '../../core/sideData.js';
import { crossed } from '../../splitters/spatial/blocks.js';
import { knownGroups } from './knownGroups.js';

/** One level. Rows without an id have the code -1. */
export interface Level extends Groups {
  readonly name: string;
  /** `unplaced` where nobody says who the patients are. */
  readonly place: 'above' | 'patient' | 'within' | 'unplaced';
  /** Above: patients with several ids of the level. Within: ids that several patients share. */
  readonly crossing: number;
  /** The ids start anew in each patient (visit 1, 2, 3), and were read together with the patient's. */
  readonly restarts?: true;
  /** Where it is listed in `hierarchy` contradicts its ids. */
  readonly misplaced?: true;
}

/**
 * The levels in the order given, with the patients: `hierarchy.patient`, else `groups`. A level is within patients when
 * each of its ids has one patient, above when each patient has one id. One that is neither is above when its name says
 * a place (site, scanner); else its rank in `hierarchy` (outermost first) decides, else whether most patients have
 * several of its ids. Ids within patients that several share must start anew in each. Without patients a place is above them all the same.
 */
export function levelsOf({ hierarchy = {}, groups }: SideData, n: number): Level[] {
  const ids = hierarchy.patient ?? groups;
  const names = Object.keys(hierarchy);
  if (!ids) {
    return names.map((name) => ({
      name,
      ...knownGroups(hierarchy[name], n),
      place: isPlace(name) ? 'above' : 'unplaced',
      crossing: 0,
    }));
  }
  const patients: Level = { name: 'patient', ...knownGroups(ids, n), place: 'patient', crossing: 0 };
  const rank = names.indexOf('patient');
  const placed = names.map((name, at) =>
    at === rank
      ? patients
      : placedLevel(name, knownGroups(hierarchy[name], n), patients, rank < 0 ? undefined : at > rank),
  );
  return rank < 0 ? [...placed, patients] : placed;
}

function placedLevel(name: string, level: Groups, patients: Groups, listedWithin: boolean | undefined): Level {
  const shared = severalOf(level, patients);
  const spread = severalOf(patients, level);
  const nested = (place: 'above' | 'within', misplaced: boolean): Level => ({
    name,
    ...level,
    place,
    crossing: 0,
    ...(misplaced ? { misplaced: true } : {}),
  });
  if (shared === 0) return nested('within', spread > 0 && listedWithin === false);
  if (spread === 0) return nested('above', listedWithin === true);
  const within = !isPlace(name) && (listedWithin ?? (level.count > patients.count || 2 * spread > patients.count));
  if (!within || (2 * shared > level.count && !startsAnew(level, patients))) {
    return { name, ...level, place: 'above', crossing: spread };
  }
  // Numbers that start anew are shared by most patients; a few shared ids are what they look like.
  if (2 * shared <= level.count) return { name, ...level, place: 'within', crossing: shared };
  return { name, ...withinPatients(level, patients), place: 'within', crossing: 0, restarts: true };
}

const PLACES = new Set(
  'site scanner hospital clinic ward centre center batch plate device machine region country'.split(' '),
);

/** `site`, `scanner_id`, `imagingCentre`: a word of the name says that patients share it. */
const isPlace = (name: string): boolean =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some((word) => PLACES.has(word.toLowerCase()));

/** Number of ids of `a` that occur with several ids of `b`. */
function severalOf(a: Groups, b: Groups): number {
  const first = new Int32Array(a.count).fill(-1);
  const several = new Uint8Array(a.count);
  for (let row = 0; row < a.codes.length; row++) {
    const [id, other] = [a.codes[row], b.codes[row]];
    if (id < 0 || other < 0) continue;
    if (first[id] < 0) first[id] = other;
    else if (first[id] !== other) several[id] = 1;
  }
  return several.reduce((sum, one) => sum + one, 0);
}

/** Most patients have the first ids of the level (visits 1 and 2), as no choice among shared ones (readers) would give. */
function startsAnew(level: Groups, patients: Groups): boolean {
  const order = rowNumbers(level.count).sort((a, b) => compareIds(level.ids[a], level.ids[b]));
  const rank = new Int32Array(level.count);
  order.forEach((code, at) => {
    rank[code] = at;
  });
  const ranks = Array.from({ length: patients.count }, () => new Set<number>());
  level.codes.forEach((code, row) => {
    if (code >= 0 && patients.codes[row] >= 0) ranks[patients.codes[row]].add(rank[code]);
  });
  const first = ranks.filter((own) => own.size > 0 && Math.max(...own) === own.size - 1);
  return 2 * first.length > patients.count;
}

const compareIds = (a: Label, b: Label) => `${a}`.localeCompare(`${b}`, 'en', { numeric: true });

/** An id is that of the patient and its own together. */
function withinPatients(level: Groups, patients: Groups): Groups {
  const rows = rowNumbers(level.codes.length).filter((row) => level.codes[row] >= 0 && patients.codes[row] >= 0);
  const both = crossed(
    rows.map((row) => patients.codes[row]),
    rows.map((row) => level.codes[row]),
  );
  const codes = new Int32Array(level.codes.length).fill(-1);
  rows.forEach((row, at) => {
    codes[row] = both.codes[at];
  });
  const ids = both.pairs.map(([patient, id]) => `${patients.ids[patient]}/${level.ids[id]}`);
  return { codes, ids, count: ids.length };
}

/** `sites`, `batches`, `biopsies`. */
export const pluralOf = (name: string): string =>
  /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name.replace(/([^aeiou])y$/, '$1ie')}s`;

/** `1 site`, `4 batches`. */
export const countedLevel = (n: number, name: string): string => counted(n, name, pluralOf(name));
