/** Ids that hold more than the patient: `baseline_7` and `followup_7`, `SITE1-7` beside `7`. */
import type { Label } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';
import { joined } from '../features/respelled.js';

/** Parts of an id that say when or what was taken, and not of whom. */
const OCCASION =
  /^(baseline|base|bl|follow|followup|up|fu\d*|pre|post|before|after|screening|admission|discharge|visit\d*|time\d*|timepoint\d*|tp\d+|week\d*|month\d*|day\d*|year\d*|scan\d*|rescan|ses\d*|session\d*|repeat\d*|retest|left|right|od|os)$/;
/** At the end alone: before the number of a patient they may be a site. */
const AT_END = /^[vt]\d+$/;
/** The number after such a word belongs to it: `visit 2`, `ses-01`. */
const NUMBERED = /^(visit|time|timepoint|week|month|day|year|scan|ses|session|repeat|fu)$/;
const SIGNS = /[-\s_/\\:|#,;.]+/;

/**
 * The groups of which parts that name an occasion are left out, and a prefix where the rest is an id as well and no other
 * prefix has it. `spelled` are the groups by spelling, whose ids are one anyway. Undefined when all remain apart.
 */
export function withoutPrefix(groups: Groups, spelled: Groups = groups): Groups | undefined {
  if (typeof groups.ids[0] !== 'string' || !groups.ids.some(mayHoldMore)) return undefined;
  const keys = originals(groups, spelled).map(withoutOccasion);
  const owners = new Map<string, number>();
  for (const key of keys) {
    const rest = numberOf(key);
    if (rest && !isNumber(key)) owners.set(rest, (owners.get(rest) ?? 0) + 1);
  }
  const known = new Set(keys.filter(isNumber).map(numberOf));
  return joined(
    spelled,
    keys.map((key) => {
      const rest = numberOf(key);
      return rest && known.has(rest) && (isNumber(key) || owners.get(rest) === 1) ? rest : key;
    }),
  );
}

const isNumber = (key: string) => /^\d+$/.test(key);

/** It has a sign, or is a number that others may have behind a prefix. */
const mayHoldMore = (id: Label) => /[^\p{L}\d]|^\d+$/u.test(String(id));

/** An id of each group, as it was given. */
function originals(groups: Groups, spelled: Groups): string[] {
  if (spelled === groups) return groups.ids.map(String);
  const found = new Array<string>(spelled.count);
  groups.codes.forEach((code, row) => {
    found[spelled.codes[row]] ??= String(groups.ids[code]);
  });
  return found;
}

/** As it is where nothing else would be left. */
function withoutOccasion(id: string): string {
  const text = id.normalize('NFKC').trim();
  const parts = text.split(SIGNS).filter(Boolean);
  const left = parts.filter((given, at) => {
    const part = given.toLowerCase();
    if (OCCASION.test(part) || (at > 0 && at === parts.length - 1 && AT_END.test(part))) return false;
    return !(at > 0 && /^\d+$/.test(part) && NUMBERED.test(parts[at - 1].toLowerCase()));
  });
  return left.length < parts.length && left.some((part) => /\d|../.test(part)) ? left.map(shortened).join('-') : text;
}

const shortened = (part: string) => part.replace(/^([a-z]*)0+(?=(?!0)\d+$|0$)/i, '$1');

/** The number at the end of an id whose prefix has a letter: `7` of `site1-7` and of `p7`; itself for a number. */
function numberOf(key: string): string | undefined {
  const [digits] = /(?<!\d)\d+$/.exec(key) ?? [''];
  const prefix = key.slice(0, key.length - digits.length);
  const isPrefix =
    prefix === '' || /^[a-z]+$/i.test(prefix) || (/[a-z]/i.test(prefix) && /[-\s_/\\:|#,;]$/.test(prefix));
  return digits && isPrefix ? digits.replace(/^0+(?=\d)/, '') : undefined;
}
