import { nameText } from '../../core/foreignText.js';
import { counted, wholeNumber } from '../../core/format.js';
import { power } from '../../core/numbers.js';
import { presentIn } from '../../core/numbersWhere.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather, type Label, type Labels, rowNumbers } from '../../data/labels.js';
import type { Rows } from '../../data/rows.js';
import { type Groups, knownGroups } from '../../data/sideData.js';
import { hasSeveralTargets } from '../../data/targets.js';
import { isNumeric } from '../../data/writtenNumbers.js';
import { normalTail } from '../../intervals/normalTail.js';
import { type Check, notApplicable, passed } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { columnHash } from '../features/contentHash.js';
import { contradictingRows, labelHash } from '../features/contradictingRows.js';
import { equalPairs, equalRows } from '../features/equalRows.js';
import { tableOf } from '../features/features.js';
import { saysPatient } from '../features/nameWords.js';
import { centred, dot } from '../features/orthonormalBasis.js';
import { holdsIntegers, saysId, suspicionOf } from '../features/suspects.js';
import { EXAMPLES } from '../overlap.js';
import { patientCodes } from '../patientCodes.js';
import { LEAST, repeatedId } from './repeatedId.js';

/** Chance that noise is called an id, over all columns: less than .01, for codes of few values are no pure noise. */
const ALPHA = 0.001;

function lookedFor({ data }: CheckInput): string {
  const ids = data.groups
    ? 'columns that go along with the patients'
    : 'numbers that repeat as patients do, and names such as `patient_id`';
  return `Looked for were dates and times, counters, text that is different in every row, and ${ids}; a random number for each row under another name is not seen.`;
}

interface Suspect {
  readonly feature: string;
  readonly kind: 'patient' | 'id' | 'time';
  readonly why: string;
  /** It may be something else as well. */
  readonly isQuestion?: true;
}

/** What CVL011 found. */
export type IdentifierDetails = {
  /** Features that look like an id or a time. */
  readonly features: number;
  readonly examples?: readonly Omit<Suspect, 'isQuestion'>[];
};

/**
 * CVL011: no feature is an id or a time by its looks. A patient id among the features means rows of a patient that
 * folds may split, and an id or a time can stand for the label where rows were collected class by class.
 *
 * Source: Kaufman et al. 2012, ACM TKDD 6(4):15 (patient ids and times that leaked in data competitions).
 */
export const identifierColumns: Check<IdentifierDetails> = {
  code: 'CVL011',
  type: 'identifier',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL011.md',
  description: 'A feature looks like an id or a time: a patient number, a counter of rows, a date.',
  needs: ['X'],
  async assess(input) {
    const features = await input.features();
    const columns = tableOf(features);
    if (columns.length === 0) {
      return notApplicable(`${features.images ? 'Images have' : 'X has'} no columns that could be ids.`);
    }
    const suspects = await suspectsOf(input);
    const examined = counted(columns.length, 'feature');
    if (suspects.length === 0)
      return passed(`No feature looks like an id or a time (${examined}). ${lookedFor(input)}`, { features: 0 });
    const shown = suspects.slice(0, EXAMPLES);
    const more = suspects.length > shown.length ? ` and ${suspects.length - shown.length} more` : '';
    return {
      status: 'needs_review',
      severity: suspects.some(({ kind }) => kind === 'patient') ? 'medium' : 'low',
      message: `${wholeNumber(suspects.length)} of ${examined} ${suspects.length === 1 ? 'looks' : 'look'} like an id or a time: ${shown.map(({ feature, why }) => `${nameText(feature)} (${why})`).join(', ')}${more}.`,
      evidence: { features: suspects.length, examples: shown.map(({ isQuestion, ...example }) => example) },
      concerns: { count: suspects.length, of: columns.length, unit: 'feature' },
      fix: fixOf(suspects, input),
    };
  },
};

/** Found once for all checks of a call. */
const known = new WeakMap<CheckInput, Promise<readonly Suspect[]>>();

function suspectsOf(input: CheckInput): Promise<readonly Suspect[]> {
  const found = known.get(input) ?? findSuspects(input);
  known.set(input, found);
  return found;
}

/**
 * Columns that may hold ids, which no finding prints: the groups, levels of the hierarchy, suspects, and names that say
 * so.
 */
export async function privateColumns(input: CheckInput): Promise<(column: Column) => boolean> {
  const { columns } = await input.features();
  if (columns.every(({ kind, texts }) => kind === 'number' && !texts)) return () => false;
  const { groups, hierarchy = {} } = input.data;
  const known = [groups, ...Object.values(hierarchy)].flatMap((ids) => (ids ? [knownGroups(ids, input.folds.n)] : []));
  const named = new Set((await suspectsOf(input)).map(({ feature }) => feature));
  return (column) => named.has(column.name) || saysId(column.name) || known.some((ids) => isOnePerPatient(column, ids));
}

async function findSuspects(input: CheckInput): Promise<Suspect[]> {
  const columns = tableOf(await input.features());
  const { groups } = input.data;
  const patients = groups && patientCodes(groups as ArrayLike<Label>, input.folds.n);
  const certain: Suspect[] = [];
  const others: Column[] = [];
  for (const column of columns) {
    await yieldToPage();
    const own = () => (isCandidate(column) ? namedId(column, input.y) : undefined);
    const why = suspicionOf(column) ?? (groups && patients ? namesPatients(column, groups, patients) : own());
    if (why) certain.push({ feature: column.name, ...why });
    else others.push(column);
  }
  // One row of each known patient: their rows repeat values anyway, so that a patient's age would look like an id.
  const rows = patients && firstRows(patients);
  const features = rows ? others.map((column) => ({ ...column, values: gather(column.values, rows) })) : others;
  const numbered = numberings(features, rows ? input.y?.take(rows) : input.y);
  const candidates = features.filter((column, at) => !numbered[at] && isCandidate(column));
  const random = input.random('identifier');
  const tested: Suspect[] = [];
  for (const column of candidates) {
    await yieldToPage();
    const test = repeatedId(column, features, random);
    if (!test || test.pValue > ALPHA / candidates.length) continue;
    if (!saysId(column.name) && isOneOfSeries(column, features)) continue;
    const why = `${test.ids} values; in the other features, rows of the same value are ${Math.round(100 * test.alike)} % closer to each other than rows of neighbouring values`;
    tested.push({ feature: column.name, kind: 'patient', why });
  }
  const rowwise = features.flatMap(({ name: feature }, at): Suspect[] => {
    const why = numbered[at];
    return why ? [{ feature, kind: 'id', why, isQuestion: true }] : [];
  });
  return [...tested, ...certain, ...rowwise];
}

function firstRows({ codes, count }: Groups): Int32Array {
  const rows = new Int32Array(count).fill(-1);
  codes.forEach((code, row) => {
    if (rows[code] < 0) rows[code] = row;
  });
  return rows;
}

/** Measurements are no ids. */
const isCandidate = (column: Column) => column.kind === 'category' || holdsIntegers(column);

function fixOf(suspects: readonly Suspect[], { data, X }: CheckInput): string {
  const asksPatients = data.groups === undefined;
  const of = (is: (suspect: Suspect) => boolean) => suspects.filter(is).map(({ feature }) => feature);
  const patients = asksPatients ? of(({ kind }) => kind === 'patient') : [];
  const times = of(({ kind }) => kind === 'time');
  const questions = of(({ isQuestion }) => isQuestion === true);
  const plain = of(({ kind, isQuestion }) => kind !== 'time' && !isQuestion && !(asksPatients && kind === 'patient'));
  const pass = data.timestamps ? '' : ', and pass it as timestamps where the model is to predict the future';
  const ask = (features: readonly string[], [one, several]: readonly [string, string], rest: string) => {
    const [is, what, them] = features.length === 1 ? ['Is', one, 'it'] : ['Are', several, 'them'];
    return `${is} ${namesOf(features, 'and')} ${what}? If so, leave ${them} out of the features${rest}.`;
  };
  const passOne = times.length === 1 ? pass : pass.replace('pass it', 'pass one of them');
  const numbers = ['a number that was given to the row', 'numbers that were given to the row'] as const;
  return [
    ...(patients.length > 0 ? [patientQuestion(patients, X)] : []),
    ...(plain.length > 0 ? [`Leave ${namesOf(plain, 'and')} out of the features.`] : []),
    ...(times.length > 0 ? [ask(times, ['a time', 'times'], passOne)] : []),
    ...(questions.length > 0 ? [ask(questions, numbers, '; the rank of a measurement may stay')] : []),
  ].join(' ');
}

const namesOf = (features: readonly string[], word: string) => {
  const shown = features.slice(0, EXAMPLES).map((feature) => nameText(feature));
  const rest = features.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} ${word} ${last}` : `${last}`;
};

/** Asked once: the rows have one list of patients. The first column is the likeliest. */
function patientQuestion(features: readonly string[], X: Rows | undefined): string {
  const isNamed = (feature: string) => saysId(feature) || saysPatient(feature);
  const [first] = [...features.filter(isNamed), ...features];
  const pass = `(patientIds: ${valuesOf(first, X)})`;
  if (features.length > 1) {
    return `Did you forget \`patientIds\`? ${namesOf(features, 'and')} may each name the patient of a row: leave out of the features what does, and pass the one of them that does ${pass}; a score or a measurement may stay.`;
  }
  return isNamed(first)
    ? `Did you forget \`patientIds\`? Leave ${nameText(first)} out of the features, and pass it as such ${pass}.`
    : `Does each value of ${nameText(first)} stand for one patient? A score or a measurement, as an age, may stay; an id does not belong to the features: pass it as \`patientIds\` ${pass}.`;
}

/** A feature as JavaScript, for the ways of giving rows in which it is short. */
function valuesOf(feature: string, X: Rows | undefined): string {
  const { kind, rowShape, featureNames } = X ?? {};
  // What cannot be shown as it is cannot be copied either.
  if (nameText(feature) !== feature) return `the column '${nameText(feature)}'`;
  const key = /^[A-Za-z_$][\w$]*$/.test(feature) ? `.${feature}` : `[${JSON.stringify(feature)}]`;
  const place = featureNames?.indexOf(feature) ?? /^feature (\d+)$/.exec(feature)?.[1];
  if (kind === 'records') return `X.map((row) => row${key})`;
  if (kind === 'columns') return `X${key}`;
  if (kind === 'arrays' && rowShape?.length === 1 && place !== undefined) return `X.map((row) => row[${place}])`;
  return `the column '${nameText(feature)}'`;
}

/** The label is the same in all rows of an id by chance at most so often. */
const AGREEING_BY_CHANCE = 0.001;

/**
 * A repeated id, text or whole numbers: its whole name says patient, or a word of it says id and all rows that share a
 * value have the same label, which chance would not give.
 */
function namedId(
  column: Column,
  y: Labels | undefined,
): { readonly kind: 'patient'; readonly why: string } | undefined {
  const isPatient = saysPatient(column.name);
  if (!isPatient && !(y && saysId(column.name))) return undefined;
  const { codes, count } = equalRows(columnHash(column));
  const repeating = codes.map((code, row) => (Number.isNaN(column.values[row]) ? -1 : code));
  const repeats = repeating.filter((code) => code >= 0).length - count;
  if (count < LEAST.values || repeats < LEAST.pairs) return undefined;
  if (isPatient) return { kind: 'patient', why: `${count} repeated values, and its name` };
  if (!y || contradictingRows(y, repeating) > 0) return undefined;
  const agreeing = equalPairs(labelHash(y)) / ((y.length * (y.length - 1)) / 2);
  if (power(agreeing, repeats) >= AGREEING_BY_CHANCE) return undefined;
  return { kind: 'patient', why: `${count} repeated values; all rows that share one have the same label` };
}

const [OTHERS, CLOSE, ROWS] = [2, 0.75, 20];
const COMPARED = 1000;

/** One quantity measured again and again goes closely with several columns; the number of a patient with hardly any. */
function isOneOfSeries(column: Column, columns: readonly Column[]): boolean {
  if (column.kind === 'category') return false;
  let found = 0;
  for (const other of columns) {
    if (other === column || other.kind === 'category') continue;
    if (Math.abs(rankCorrelation(column, other)) >= CLOSE && ++found >= OTHERS) return true;
  }
  return false;
}

/** Over the rows that have both values, of ranks among all rows; 0 where they are too few. */
function rankCorrelation(a: Column, b: Column): number {
  const [first, second] = [columnRanks(a).ranks, columnRanks(b).ranks];
  const both = rowNumbers(first.length).filter((row) => !Number.isNaN(first[row] + second[row]));
  if (both.length < ROWS) return 0;
  const step = Math.ceil(both.length / COMPARED);
  const rows = both.filter((_, at) => at % step === 0);
  const [u, v] = [first, second].map((ranks) => centred(gather(ranks, rows)));
  const spread = Math.sqrt(dot(u, u) * dot(v, v));
  return spread > 0 ? dot(u, v) / spread : 0;
}

const LEAST_PATIENTS = 10;
/** Share of the patients that may share a value with another, or have several: two of one name, a slip of the pen. */
const SLIPS = 0.05;
/** Numbers say who it is by themselves from so many digits on, as numbers of patients in hospitals have. */
const DIGITS = 6;

/**
 * Rows share a value of the column where they share a patient, and there alone; missing values and patients (-1) do not
 * count.
 */
function isOnePerPatient({ values }: Pick<Column, 'values'>, { codes }: Pick<Groups, 'codes'>): boolean {
  const rows = rowNumbers(codes.length).filter((row) => codes[row] >= 0 && !Number.isNaN(values[row]));
  const partners = (keyOf: ArrayLike<number>, itemOf: ArrayLike<number>) => {
    const sets = new Map<number, Set<number>>();
    for (const row of rows) sets.set(keyOf[row], (sets.get(keyOf[row]) ?? new Set()).add(itemOf[row]));
    return Array.from(sets.values(), ({ size }) => size);
  };
  const sharing = partners(values, codes).reduce((sum, size) => sum + (size > 1 ? size : 0), 0);
  const ofPatients = partners(codes, values);
  const changing = ofPatients.filter((size) => size > 1).length;
  return ofPatients.length > 0 && Math.max(sharing, changing) <= SLIPS * ofPatients.length;
}

/**
 * The groups themselves, text of its own for each patient, or numbers that can be no measurement: whole ones whose name
 * says so, or all of the same number of digits, six or more, and not round.
 */
function namesPatients(
  column: Column,
  ids: ArrayLike<unknown>,
  groups: Groups,
): { readonly kind: 'id'; readonly why: string } | undefined {
  const { values, levels } = column;
  if (values.every((value, row) => String(ids[row]) === (levels ? levels[value] : String(value)))) {
    return { kind: 'id', why: 'the groups themselves' };
  }
  if (groups.count < LEAST_PATIENTS || !(isText(column) || isCode(column, groups))) return undefined;
  return isOnePerPatient(column, groups)
    ? { kind: 'id', why: levels ? 'text of its own for each patient' : 'a whole number of its own for each patient' }
    : undefined;
}

/** Text, and not numbers with a few words among them, such as `pending`. */
const isText = ({ levels }: Column) => levels !== undefined && levels.filter(isNumeric).length <= levels.length / 2;

function isCode(column: Column, { count }: Groups): boolean {
  if (column.kind === 'category' || column.dates || !holdsIntegers(column)) return false;
  if (saysId(column.name) || saysPatient(column.name)) return true;
  const values = presentIn(column.values);
  // Where each patient has one row, every measurement has one value for each patient.
  if (values.length - count < LEAST_PATIENTS) return false;
  const digits = String(values[0]).length;
  return digits >= DIGITS && values.every((value) => String(value).length === digits && value > 0) && !areRound(values);
}

const areRound = (values: Float64Array) => values.filter((value) => value % 10 === 0).length > values.length / 2;

// Is a column a number of the row: each whole number once, in any order, or such numbers scaled?

/** Fewer values in equal steps look like anything. */
const LEAST_STEPS = 10;
/** What a float of 32 bits keeps of a value, and the share of a step that may be off. */
const [FLOAT, OFF] = [2 ** -22, 0.05];
/** Of numbers with gaps, as after exclusions: how many at least, and the range that they may have, by their number. */
const GAPS = { least: 50, range: 1.25 };
const RANKED = 3;
/** Columns that ranks are compared with; chance that a number of the row goes with one of them. */
const [RANKS_COMPARED, RANK_ALPHA] = [64, 0.001];

interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly count: number;
  readonly gaps: boolean;
}

/**
 * Equal steps from the lowest value to the highest, each once. Of whole numbers a few may not be there: no measurement
 * has so many values in so small a range and none twice.
 */
function equalSteps({ kind, dates, values }: Column): Steps | undefined {
  if (kind !== 'number' || dates) return undefined;
  let [count, from, to] = [0, Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count++;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  const gaps = holdsIntegers({ values }) && count >= GAPS.least && to - from >= count && to - from < GAPS.range * count;
  const step = gaps ? 1 : (to - from) / (count - 1);
  if (count < LEAST_STEPS || !(step > 0) || !Number.isFinite(step)) return undefined;
  const off = Math.max(1e-6 * step, FLOAT * Math.max(Math.abs(from), Math.abs(to)));
  if (off > OFF * step) return undefined;
  const taken = new Uint8Array(Math.round((to - from) / step) + 1);
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const place = Math.round((value - from) / step);
    if (taken[place] || Math.abs(value - from - place * step) > off) return undefined;
    taken[place] = 1;
  }
  return { from, to, step, count, gaps };
}

/**
 * Why each column is a number of the row, or undefined. A rank of a measurement looks the same: several columns of a
 * table of ranks do, and a rank goes with another column among rows of one label, which a number of the row does not.
 */
export function numberings(columns: readonly Column[], y: Labels | undefined): (string | undefined)[] {
  const found = columns.map((column) => equalSteps(column));
  const numbers = columns.filter(({ kind }) => kind === 'number').length;
  const keyOf = ({ count, step }: Steps) => `${count} of ${step.toPrecision(5)}`;
  const alike = new Map<string, number>();
  for (const steps of found) if (steps) alike.set(keyOf(steps), (alike.get(keyOf(steps)) ?? 0) + 1);
  return found.map((steps, at) => {
    if (!steps) return undefined;
    const column = columns[at];
    const whole = Number.isInteger(steps.from) && Number.isInteger(steps.step);
    if (!saysId(column.name)) {
      const several = alike.get(keyOf(steps)) as number;
      if (several >= RANKED || (several > 1 && 2 * several >= numbers)) return undefined;
      // A grid of values that someone chose is the only feature of many an example.
      if ((!whole && columns.length === 1) || goesWithAnother(column, columns, y)) return undefined;
    }
    // Without the numbers themselves, which may be ids.
    const what =
      whole && steps.step === 1
        ? `${wholeNumber(steps.count)} whole numbers ${steps.gaps ? 'with some gaps' : 'without a gap'}, each once`
        : `${wholeNumber(steps.count)} values in equal steps, each once`;
    return `${what}, as ${whole ? 'numbers' : 'scaled numbers'} of rows are; ranks look the same`;
  });
}

/** The ranks of a column go with those of another, after what both have in common with the labels. */
function goesWithAnother(column: Column, columns: readonly Column[], y: Labels | undefined): boolean {
  const rows = rowNumbers(column.values.length).filter((row) => !Number.isNaN(column.values[row]));
  const own = withoutLabel(column, rows, y);
  const others = columns.filter((other) => other !== column && other.kind === 'number');
  const step = Math.max(1, others.length / RANKS_COMPARED);
  const chosen = others.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return chosen.some((other) => {
    const values = withoutLabel(other, rows, y);
    const size = dot(own, own) * dot(values, values);
    if (!(size > 0)) return false;
    // Fisher's z of Spearman's coefficient: its standard error is 1.03 / sqrt(n - 3) (Fieller et al. 1957, Biometrika).
    const z = Math.atanh(Math.min(0.999999, Math.abs(dot(own, values)) / Math.sqrt(size)));
    return 2 * normalTail((z * Math.sqrt(rows.length - 3)) / 1.03) < RANK_ALPHA / chosen.length;
  });
}

/** Ranks less their mean among rows of one class, or less what follows from the rank of a measured label. */
function withoutLabel(column: Column, rows: Int32Array, y: Labels | undefined): Float64Array {
  const { ranks, order } = columnRanks(column);
  const own = gather(ranks, rows).map((rank) => (Number.isNaN(rank) ? (order.length + 1) / 2 : rank));
  if (!y || y.shape || y.task === 'multilabel' || hasSeveralTargets(y)) return centred(own);
  if (y.task === 'regression') {
    const labels = centred(gather(columnRanks({ values: y.numbers }).ranks, rows));
    const rest = centred(own);
    const slope = dot(rest, labels) / (dot(labels, labels) || 1);
    return rest.map((value, at) => value - slope * labels[at]);
  }
  const [sums, sizes] = [new Float64Array(y.classes.length), new Int32Array(y.classes.length)];
  rows.forEach((row, at) => {
    sums[y.codes[row]] += own[at];
    sizes[y.codes[row]]++;
  });
  return own.map((rank, at) => rank - sums[y.codes[rows[at]]] / sizes[y.codes[rows[at]]]);
}
