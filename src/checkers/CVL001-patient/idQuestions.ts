/** What is to be asked about ids of patients: are some of them one, and is one of them many? */
import { counted, wholeNumber } from '../../core/format.js';
import { tally } from '../../data/encode.js';
import type { Label } from '../../data/labels.js';
import { type Groups, knownGroups } from '../../data/sideData.js';
import type { CheckInput } from '../checkInput.js';
import { saysSite } from '../features/nameWords.js';
import { respelled, respelledIds, SPELL } from '../features/respelled.js';
import { EXAMPLES } from '../overlap.js';
import { withoutPrefix } from './prefixes.js';

/** An id as it may be printed, and the first row of it. */
interface AlikeId {
  readonly patient: string;
  readonly row: number;
}

/** Questions about ids, with what is known of each. */
export interface IdQuestions {
  /** The patients if ids that may be one are; undefined where none may be. */
  readonly merged: Groups | undefined;
  /** Sentences, of ids by their pseudonyms. */
  readonly notes: readonly string[];
  readonly fixes: readonly string[];
  readonly evidence: {
    /** Ids that differ from others in spelling alone, and in a prefix or an occasion alone. */
    readonly respelled?: number;
    readonly prefixed?: number;
    /** Pairs of such ids. */
    readonly alike?: readonly (readonly AlikeId[])[];
    /** Rows that share an id which reads like a placeholder. */
    readonly placeholderRows?: number;
    /** Ids that numbers cannot hold exactly. */
    readonly inexact?: number;
  };
}

const DEPENDS = 'The number of patients and the intervals depend on it.';

/** Looks at the ids of the patients of each row. */
export function idQuestions(groups: Groups, { data: { hierarchy }, nameOf, rowOf }: CheckInput): IdQuestions {
  const spelled = respelled(groups);
  const prefixed = apartBySite(spelled ?? groups, withoutPrefix(groups, spelled), hierarchy);
  const merged = prefixed ?? spelled;
  const doubles = spelled ? groups.count - spelled.count : 0;
  const cut = prefixed ? (spelled ?? groups).count - prefixed.count : 0;
  const named = (row: number): AlikeId => ({ patient: nameOf(groups.ids[groups.codes[row]]), row: rowOf(row) });
  const alike = merged ? pairsOf(groups, merged).map((rows) => rows.map(named)) : [];
  const [pair = []] = alike;
  const such =
    pair.length > 0 ? `, such as ${pair.map(({ patient, row }) => `${patient} of row ${row}`).join(' and ')}` : '';
  const join = merged
    ? `If such ids are one, ${counted(groups.count - merged.count, 'patient')} would join another, which makes ${wholeNumber(merged.count)} in place of ${wholeNumber(groups.count)}.`
    : '';
  const held = placeholder(groups);
  const inexact = inexactIds(groups.ids);
  const notes = [
    doubles > 0 ? `${respelledIds(doubles)}${such}.` : '',
    cut > 0
      ? `${counted(cut, 'id')} ${cut === 1 ? 'differs' : 'differ'} from another in a prefix or an occasion alone${doubles > 0 ? '' : such}.`
      : '',
    join,
    held
      ? `${counted(held.rows, 'row')} share the id ${nameOf(groups.ids[held.code])}, which reads like a placeholder, and count as one patient.`
      : '',
    inexact
      ? `${counted(inexact.count, 'id')} ${inexact.count === 1 ? 'is' : 'are'} ${inexact.what}, so that several patients may have become one.`
      : '',
  ];
  const fixes = [
    doubles > 0 ? SPELL : '',
    cut > 0 ? 'If ids that differ in a prefix or an occasion are one patient, pass the patient alone.' : '',
    held ? 'If the patients of these rows are unknown, leave the rows out, or give each an id of its own.' : '',
    inexact ? 'Read such ids as text.' : '',
  ];
  return {
    merged,
    notes: notes.some(Boolean) ? [...notes.filter(Boolean), DEPENDS] : [],
    fixes: fixes.filter(Boolean),
    evidence: {
      ...(doubles > 0 ? { respelled: doubles } : {}),
      ...(cut > 0 ? { prefixed: cut } : {}),
      ...(merged ? { alike } : {}),
      ...(held ? { placeholderRows: held.rows } : {}),
      ...(inexact ? { inexact: inexact.count } : {}),
    },
  };
}

/** Rows of the first ids that are joined, two of each. */
function pairsOf(groups: Groups, merged: Groups): number[][] {
  const [first, seen, pairs] = [new Map<number, number>(), new Set<number>(), new Map<number, number[]>()];
  for (let row = 0; row < groups.codes.length && pairs.size < EXAMPLES; row++) {
    const [code, into] = [groups.codes[row], merged.codes[row]];
    if (seen.has(code)) continue;
    seen.add(code);
    const other = first.get(into);
    if (other === undefined) first.set(into, row);
    else if (!pairs.has(into)) pairs.set(into, [other, row]);
  }
  return [...pairs.values()];
}

/** Undefined where the ids that would join are of different sites, which may number patients alike. */
function apartBySite({ count }: Groups, into: Groups | undefined, hierarchy: CheckInput['data']['hierarchy'] = {}) {
  if (!into) return undefined;
  const isApart = Object.keys(hierarchy)
    .filter(saysSite)
    .some((name) => {
      const { codes } = knownGroups(hierarchy[name], into.codes.length);
      return new Set(Array.from(codes, (site, row) => `${site} ${into.codes[row]}`)).size >= count;
    });
  return isApart ? undefined : into;
}

/** Words that stand for no patient. */
const WORDS =
  /^(unknown|n ?[/.] ?a\.?|#n\/a|<na>|none|null|undefined|missing|blank|empty|anonymous|anonymi[sz]ed|not ?(available|known|recorded|applicable|given)|no[ _-]?(id|mrn|number|name)|dummy|default|unbekannt|inconnu|desconocido|sconosciuto|\?+|-+|\.+|_+|x{3,})$/i;
/** Numbers and short words that often do, but may be ids as well. */
const CODES = /^(0+|-[19]|-?9{2,}|-?8{3,}|12345(6(7(89?)?)?)?|na|nan|nil|unk|anon|tb[ad])$/i;
/** Such a one that has so many times the rows of any other id stands for several; ids may be numbered by their rows. */
const OFTEN = 4;
/** So does one of more rows than any other, to which the next id is so far, and the only one below 0. */
const FAR = 100;

/** The id that reads like a placeholder and has several rows, the one of most rows. */
function placeholder({ codes, count, ids }: Groups): { readonly code: number; readonly rows: number } | undefined {
  const sizes = tally(codes, count);
  const order = Array.from(sizes, (_, code) => code).sort((a, b) => sizes[b] - sizes[a]);
  const found = order.find((code) => {
    const text = String(ids[code]).normalize('NFKC').trim();
    if (sizes[code] < 2) return false;
    if (WORDS.test(text)) return true;
    if (!CODES.test(text) || order.length < 2) return false;
    const most = sizes[order[0] === code ? order[1] : order[0]];
    if (sizes[code] >= OFTEN * most) return true;
    const value = Number(text);
    const isAlone = (other: Label) => !(Math.abs(Number(other) - value) < FAR) || (value < 0 && Number(other) >= 0);
    return sizes[code] > most && ids.every((id, other) => other === code || isAlone(id));
  });
  return found === undefined ? undefined : { code: found, rows: sizes[found] };
}

/** A number as spreadsheets shorten it: `1.23457E+17`. */
const SHORTENED = /^\d([.,]\d+)?e\+\d+$/i;
/** Above 2^24 floats of 32 bits hold even numbers alone. So many ids tell. */
const [SINGLE, TELLING] = [2 ** 24, 10];
/** No id is a larger number. */
const LARGEST = 1e21;

/** Ids that are numbers beyond what numbers hold exactly. */
function inexactIds(ids: readonly Label[]): { readonly count: number; readonly what: string } | undefined {
  const large = ids.filter((id) => typeof id === 'number' && Number.isInteger(id) && Math.abs(id) < LARGEST);
  const unsafe = large.filter((id) => !Number.isSafeInteger(id)).length;
  if (unsafe > 0) return { count: unsafe, what: 'whole numbers beyond 2^53, which numbers do not hold exactly' };
  const shortened = ids.filter((id) => typeof id === 'string' && SHORTENED.test(id)).length;
  if (shortened > 0) return { count: shortened, what: 'written as spreadsheets shorten long numbers' };
  const single = (large as number[]).filter((id) => Math.abs(id) > SINGLE);
  if (single.length < TELLING || single.some((id) => id % 2 !== 0 || id !== Math.fround(id))) return undefined;
  return { count: single.length, what: 'whole numbers beyond 2^24 as floats of 32 bits hold them, not exactly' };
}
