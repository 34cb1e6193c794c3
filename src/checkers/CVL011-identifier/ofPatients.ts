/** Does a column hold the patients that the caller named? */
import type { Groups } from '../../data/sideData.js';
import { isNumeric } from '../../data/writtenNumbers.js';
import type { Column } from '../features/columns.js';
import { saysPatient } from '../features/nameWords.js';
import { holdsIntegers, saysId } from '../features/suspects.js';

/** Fewer patients may differ in anything. */
const LEAST_PATIENTS = 10;
/** Share of the patients that may share a value with another, or have several: two of one name, a slip of the pen. */
const SLIPS = 0.05;
/** Numbers say who it is by themselves from so many digits on, as numbers of patients in hospitals have. */
const DIGITS = 6;

/**
 * Rows share a value of the column where they share a patient, and there alone. Rows without a value or a patient
 * (code -1) are left out.
 */
export function isOnePerPatient({ values }: Pick<Column, 'values'>, { codes }: Pick<Groups, 'codes'>): boolean {
  const [ofValue, ofPatient] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()];
  const add = (sets: Map<number, Set<number>>, key: number, item: number) => {
    const set = sets.get(key);
    if (set) set.add(item);
    else sets.set(key, new Set([item]));
  };
  codes.forEach((code, row) => {
    if (code < 0 || Number.isNaN(values[row])) return;
    add(ofValue, values[row], code);
    add(ofPatient, code, values[row]);
  });
  const sharing = [...ofValue.values()].reduce((sum, { size }) => sum + (size > 1 ? size : 0), 0);
  const changing = [...ofPatient.values()].filter(({ size }) => size > 1).length;
  return ofPatient.size > 0 && Math.max(sharing, changing) <= SLIPS * ofPatient.size;
}

/**
 * An id of the known patients: the ids themselves, or text of its own for each patient. Numbers with one value for each
 * patient are named where they can be no measurement: whole numbers whose name says id or patient, or that all have the
 * same number of digits, six or more, and are no round numbers.
 */
export function namesPatients(
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
  const values = column.values.filter((value) => !Number.isNaN(value));
  // Where each patient has one row, every measurement has one value for each patient.
  if (values.length - count < LEAST_PATIENTS) return false;
  const digits = String(values[0]).length;
  return digits >= DIGITS && values.every((value) => String(value).length === digits && value > 0) && !areRound(values);
}

const areRound = (values: Float64Array) => values.filter((value) => value % 10 === 0).length > values.length / 2;
