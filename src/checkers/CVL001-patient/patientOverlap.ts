import { show } from '../../core/errors.js';
import { counted, wholeNumber } from '../../core/format.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { tally } from '../../data/encode.js';
import type { Label } from '../../data/labels.js';
import { type Groups, knownGroups } from '../../data/sideData.js';
import { type Check, notApplicable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { saysSite } from '../features/nameWords.js';
import { joined, respelled, respelledIds, SPELL } from '../features/respelled.js';
import {
  bothSides,
  EXAMPLES,
  inFolds,
  keepPatientsWhole,
  lookedAt,
  overlapOf,
  type SplitExample,
  splitEvidence,
  splitExamples,
} from '../overlap.js';
import { patientCodes } from '../patientCodes.js';

/** What CVL001 counted. */
export type PatientDetails = IdQuestions['evidence'] & {
  /** Patients on both sides of a fold; where there are none, all patients. */
  readonly patients: number;
  /** The first folds with such patients; where there are none, the number of folds. */
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

/**
 * CVL001: no patient has rows on both sides of a fold. Exact, over every fold.
 *
 * Source: Saeb et al. 2017, GigaScience 6(5) (record-wise splits inflate performance).
 */
export const patientOverlap: Check<PatientDetails> = {
  code: 'CVL001',
  type: 'patient',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL001.md',
  description: 'A patient (group) has rows on both the training and the test side of a fold.',
  needs: ['groups'],
  whenMissing({ independentRows, unnamed, folds: { n }, repeatedIds = {} }) {
    if (!independentRows && unnamed) {
      const [set, option] = unnamed === 'test' ? ['test', 'testPatientIds'] : ['training', 'patientIds'];
      return undecided(`The patients of the ${set} rows are not known.`, `Pass \`${option}\`, too.`);
    }
    if (!independentRows) {
      return undecided(
        'It is not known which rows belong to the same patient.',
        'Pass `patientIds` (or `groups`), or `independentRows: true` if each row is its own patient.',
      );
    }
    const word = `On the author's word each of the ${counted(n, 'row')} is its own patient (\`independentRows\`)`;
    const [found] = Object.entries(repeatedIds);
    if (!found) return notApplicable(`${word}, so no fold can split one.`, { authorsWord: 'independentRows' });
    const [name, values] = found;
    return {
      status: 'needs_review',
      severity: 'medium',
      message: `${word}, but the column ${show(name)} has ${wholeNumber(values)} values in them.`,
      evidence: { patients: values },
      fix: `If these are patients, pass \`groups: ${show(name)}\` to readTable in place of \`independentRows\`.`,
    };
  },
  async assess(input) {
    const { folds, data } = input;
    const groups = patientCodes(data.groups as ArrayLike<Label>, folds.n);
    await yieldToPage();
    const overlap = overlapOf(folds, groups.codes, groups.count);
    await yieldToPage();
    const patients = counted(groups.count, 'patient');
    const { merged, notes, fixes, evidence } = idQuestions(groups, input);
    await yieldToPage();
    const note = notes.map((text) => ` ${text}`).join('');
    const split = overlap.split.length;
    if (split > 0) {
      return {
        status: 'failed',
        severity: 'critical',
        fold: overlap.folds[0],
        message: `${wholeNumber(split)} of ${patients} ${split === 1 ? 'is' : 'are'} ${bothSides(input)}${inFolds(overlap.folds.length, input)}.${note}`,
        evidence: { patients: split, ...evidence, ...splitEvidence(overlap, input, groups.ids) },
        concerns: overlap.concerns,
        fix: keepPatientsWhole(input),
      };
    }
    const message = `No patient is ${bothSides(input)} ${lookedAt([patients], input)}.`;
    const facts = { patients: groups.count, ...evidence, folds: folds.length };
    if (notes.length === 0) return passed(message, facts);
    const between = merged && overlapOf(folds, merged.codes, merged.count);
    const torn = between?.split.length ?? 0;
    const also = torn > 0 ? ` ${counted(torn, 'such patient')} would be ${bothSides(input)}.` : '';
    return {
      status: 'needs_review',
      severity: torn > 0 ? 'medium' : 'low',
      ...(between && torn > 0 ? { fold: between.folds[0], concerns: between.concerns } : {}),
      message: `${message} But${note}${also}`,
      evidence: { ...facts, ...(between && torn > 0 ? { examples: splitExamples(between, input) } : {}) },
      fix: fixes.join(' '),
    };
  },
};

interface IdQuestions {
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
    readonly alike?: readonly (readonly { readonly patient: string; readonly row: number }[])[];
    /** Rows that share an id which reads like a placeholder. */
    readonly placeholderRows?: number;
    /** Ids that numbers cannot hold exactly. */
    readonly inexact?: number;
  };
}

const DEPENDS = 'The number of patients and the intervals depend on it.';

export function idQuestions(groups: Groups, { data: { hierarchy }, nameOf, rowOf }: CheckInput): IdQuestions {
  const spelled = respelled(groups);
  const prefixed = separateBySite(spelled ?? groups, withoutPrefix(groups, spelled), hierarchy);
  const merged = prefixed ?? spelled;
  const doubles = spelled ? groups.count - spelled.count : 0;
  const cut = prefixed ? (spelled ?? groups).count - prefixed.count : 0;
  const named = (row: number) => ({ patient: nameOf(groups.ids[groups.codes[row]]), row: rowOf(row) });
  const alike = merged ? pairsOf(groups, merged).map((rows) => rows.map(named)) : [];
  const [pair = []] = alike;
  const such =
    pair.length > 0 ? `, such as ${pair.map(({ patient, row }) => `${patient} of row ${row}`).join(' and ')}` : '';
  const held = placeholder(groups);
  const inexact = inexactIds(groups.ids);
  const differs = cut === 1 ? 'differs' : 'differ';
  const questions = [
    doubles > 0 && { note: `${respelledIds(doubles)}${such}.`, fix: SPELL, evidence: { respelled: doubles } },
    cut > 0 && {
      note: `${counted(cut, 'id')} ${differs} from another in a prefix or an occasion alone${doubles > 0 ? '' : such}.`,
      fix: 'If ids that differ in a prefix or an occasion are one patient, pass the patient alone.',
      evidence: { prefixed: cut },
    },
    merged && {
      note: `If such ids are one, ${counted(groups.count - merged.count, 'patient')} would join another, which makes ${wholeNumber(merged.count)} in place of ${wholeNumber(groups.count)}.`,
      fix: '',
      evidence: { alike },
    },
    held && {
      note: `${counted(held.rows, 'row')} share the id ${nameOf(groups.ids[held.code])}, which reads like a placeholder, and count as one patient.`,
      fix: 'If the patients of these rows are unknown, leave the rows out, or give each an id of its own.',
      evidence: { placeholderRows: held.rows },
    },
    inexact && {
      note: `${counted(inexact.count, 'id')} ${inexact.count === 1 ? 'is' : 'are'} ${inexact.what}, so that several patients may have become one.`,
      fix: 'Read such ids as text.',
      evidence: { inexact: inexact.count },
    },
  ].filter((each) => typeof each === 'object');
  return {
    merged,
    notes: questions.length > 0 ? [...questions.map(({ note }) => note), DEPENDS] : [],
    fixes: questions.map(({ fix }) => fix).filter(Boolean),
    evidence: Object.assign({}, ...questions.map(({ evidence }) => evidence)),
  };
}

function pairsOf(groups: Groups, merged: Groups): number[][] {
  const [first, pairs] = [new Map<number, number>(), new Map<number, number[]>()];
  for (let row = 0; row < groups.codes.length && pairs.size < EXAMPLES; row++) {
    const into = merged.codes[row];
    const other = first.get(into);
    if (other === undefined) first.set(into, row);
    else if (!pairs.has(into) && groups.codes[other] !== groups.codes[row]) pairs.set(into, [other, row]);
  }
  return [...pairs.values()];
}

/** Undefined where the ids that would join are of different sites, which may number patients alike. */
function separateBySite({ count }: Groups, into: Groups | undefined, hierarchy: CheckInput['data']['hierarchy'] = {}) {
  if (!into) return undefined;
  const isSeparate = Object.keys(hierarchy)
    .filter(saysSite)
    .some((name) => {
      const { codes } = knownGroups(hierarchy[name], into.codes.length);
      return new Set(Array.from(codes, (site, row) => `${site} ${into.codes[row]}`)).size >= count;
    });
  return isSeparate ? undefined : into;
}

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
const LARGEST = 1e21;

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

// Ids that hold more than the patient: `baseline_7` and `followup_7`, `SITE1-7` beside `7`.

const OCCASION =
  /^(baseline|base|bl|follow|followup|up|fu\d*|pre|post|before|after|screening|admission|discharge|visit\d*|time\d*|timepoint\d*|tp\d+|week\d*|month\d*|day\d*|year\d*|scan\d*|rescan|ses\d*|session\d*|repeat\d*|retest|left|right|od|os)$/;
/** At the end alone: before the number of a patient they may be a site. */
const AT_END = /^[vt]\d+$/;
/** The number after such a word belongs to it: `visit 2`, `ses-01`. */
const NUMBERED = /^(visit|time|timepoint|week|month|day|year|scan|ses|session|repeat|fu)$/;
const SIGNS = /[-\s_/\\:|#,;.]+/;

/**
 * Without parts that name an occasion, nor a prefix where the rest is an id as well and no other prefix has it, if any
 * join.
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

const mayHoldMore = (id: Label) => /[^\p{L}\d]|^\d+$/u.test(String(id));

function originals(groups: Groups, spelled: Groups): string[] {
  if (spelled === groups) return groups.ids.map(String);
  const found = new Array<string>(spelled.count);
  groups.codes.forEach((code, row) => {
    found[spelled.codes[row]] ??= String(groups.ids[code]);
  });
  return found;
}

function withoutOccasion(id: string): string {
  const text = id.normalize('NFKC').trim();
  const parts = text.split(SIGNS).filter(Boolean);
  const kept = parts.filter((value, at) => {
    const part = value.toLowerCase();
    if (OCCASION.test(part) || (at > 0 && at === parts.length - 1 && AT_END.test(part))) return false;
    return !(at > 0 && /^\d+$/.test(part) && NUMBERED.test(parts[at - 1].toLowerCase()));
  });
  return kept.length < parts.length && kept.some((part) => /\d|../.test(part)) ? kept.map(shortened).join('-') : text;
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
