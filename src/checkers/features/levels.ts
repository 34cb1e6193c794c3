/** The levels of a hierarchy and where they stand: above the patients (site, scanner) or within them (visit, slice). */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { type Label, rowNumbers } from '../../data/labels.js';
import { type Groups, knownGroups, type SideData } from '../../data/sideData.js';
import { crossed } from '../../splitters/spatial/blocks.js';
import { nameWords, patientLevelOf } from './nameWords.js';

export interface HierarchyLevel extends Groups {
  /** As texts show it: see {@link nameText}. */
  readonly name: string;
  /** `unplaced` where nobody says who the patients are. */
  readonly place: 'above' | 'patient' | 'within' | 'unplaced';
  /** Above: patients with several ids of the level. Within: ids that several patients share. */
  readonly crossing: number;
  /** Patients share the ids (visit 1, 2, 3), which were read together with the patient's. */
  readonly restarts?: true;
  /** One id for each patient: what is said of the patients says it all. */
  readonly same?: true;
  /** So it would be, but ids are missing: those that are known do not tell where it stands. */
  readonly unclear?: true;
  /** Where it is listed in `hierarchy` contradicts its ids. */
  readonly misplaced?: true;
}

/**
 * The levels in the order given, with the patients: the level called `patient`, else one whose name says patient
 * (`subject_id`), else `groups`. A level is within patients when each of its ids has one patient, above when each
 * patient has one id. One that is neither is where `hierarchy` lists it (outermost first), unless its ids say otherwise:
 * hardly a patient has several, or they start anew in each patient. Not listed, it is above when its name says a place
 * (site, scanner), else within when most patients have several. Ids within patients that several share are read together
 * with the patient. Without patients a place is above them all the same.
 */
export function hierarchyLevels({ hierarchy = {}, groups }: SideData, n: number): HierarchyLevel[] {
  const names = Object.keys(hierarchy);
  const own = patientLevelOf(hierarchy);
  const ids = own === undefined ? groups : hierarchy[own];
  if (!ids) {
    return names.map((name) => ({
      name: nameText(name),
      ...knownGroups(hierarchy[name], n),
      place: isPlace(name) ? 'above' : 'unplaced',
      crossing: 0,
    }));
  }
  const patients: HierarchyLevel = {
    name: nameText(own ?? 'patient'),
    ...knownGroups(ids, n),
    place: 'patient',
    crossing: 0,
  };
  if (own === undefined) return [...names.map((name) => placed(name, undefined)), patients];
  const rank = names.indexOf(own);
  return names.map((name, at) => (at === rank ? patients : placed(name, at < rank ? 'above' : 'within')));

  function placed(name: string, listed: Listed): HierarchyLevel {
    return placedLevel(nameText(name), knownGroups(hierarchy[name], n), patients, listed);
  }
}

type Listed = 'above' | 'within' | undefined;

function placedLevel(name: string, level: Groups, patients: Groups, listed: Listed): HierarchyLevel {
  const shared = severalOf(level, patients);
  const spread = severalOf(patients, level);
  const at = (place: 'above' | 'within', rest: Partial<HierarchyLevel> = {}): HierarchyLevel => ({
    name,
    ...level,
    place,
    crossing: 0,
    ...(listed && listed !== place && level.count > 1 ? { misplaced: true } : {}),
    ...rest,
  });
  if (shared === 0 && spread === 0) {
    const known = ![level, patients].some(({ codes }) => codes.includes(-1));
    if (known) return { name, ...level, place: 'within', crossing: 0, same: true };
    return at(listed === 'above' || isPlace(name) ? 'above' : 'within', { unclear: true });
  }
  if (shared === 0) return at('within');
  const isPart = nameWords(name).some((word) => PARTS.has(word));
  const few = 2 * shared <= level.count;
  if (spread === 0) return isPart && few ? at('within', { crossing: shared }) : at('above');
  // Numbers that start anew (visit 1, 2, 3) are shared by most patients; a few shared ids are what they look like.
  const most = 2 * spread > patients.count;
  const many = level.count > patients.count;
  const anew = !(few && many) && startingAnew(level, patients) > (most ? 0.5 : 0.9);
  const several = anew || (few && (most || many || isPart));
  const within = listed === 'within' ? several || 10 * spread > patients.count : several && !isPlace(name);
  if (!within) return at('above', { crossing: spread });
  return few && !anew
    ? at('within', { crossing: shared })
    : at('within', { ...withinPatients(level, patients), restarts: true });
}

const PLACES = new Set(
  'site scanner hospital clinic ward centre center batch plate device machine region country'.split(' '),
);

/** What a patient has, and no other. */
const PARTS = new Set('study series exam examination accession visit encounter admission'.split(' '));

/** `site`, `scanner_id`, `imagingCentre`: a word of the name says that patients share it. */
const isPlace = (name: string): boolean => nameWords(name).some((word) => PLACES.has(word));

/** How many ids of `a` occur with several ids of `b`. */
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

/**
 * The share of the patients that have the first ids of the level (visits 1 and 2), as few would by a choice among shared
 * ones (readers).
 */
function startingAnew(level: Groups, patients: Groups): number {
  const order = rowNumbers(level.count).sort((a, b) => compareIds(level.ids[a], level.ids[b]));
  const rank = new Int32Array(level.count);
  order.forEach((code, at) => {
    rank[code] = at;
  });
  const ranks = Array.from({ length: patients.count }, () => new Set<number>());
  level.codes.forEach((code, row) => {
    if (code >= 0 && patients.codes[row] >= 0) ranks[patients.codes[row]].add(rank[code]);
  });
  const known = ranks.filter((own) => own.size > 0);
  return known.filter((own) => Math.max(...own) === own.size - 1).length / known.length;
}

const compareIds = (a: Label, b: Label) => `${a}`.localeCompare(`${b}`, 'en', { numeric: true });

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

/** No regular plural, or one already: `tooth`, `child`, `series`, `patients`. */
const IRREGULAR = /(tooth|foot|child|man|mouse|[^s]s)$/i;

/** `sites`, `batches`, `biopsies`, `ids of tooth`. */
export function pluralOf(name: string): string {
  if (IRREGULAR.test(name)) return `ids of ${name}`;
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name.replace(/([^aeiou])y$/, '$1ie')}s`;
}

/** `1 site`, `4 batches`. */
export const countedLevel = (n: number, name: string): string => counted(n, name, pluralOf(name));
