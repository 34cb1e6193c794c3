/** In a file of their own, since score tables load with the root. */
import { InvalidDataError } from '../core/errors.js';
import { concat, gather, type MaskFacts, rowNumbers } from '../data/labels.js';
import { labelWidth, probaWidth, type ScoreTable } from './scoreTable.js';

export const copyTable = ({ classes, ...table }: ScoreTable): ScoreTable =>
  takeRows({ ...table, classes: [...classes] }, rowNumbers(table.length));

export function takeRows(table: ScoreTable, indices: Int32Array): ScoreTable {
  const pick = <T extends ArrayLike<number>>(values: T, width: number): T => {
    if (width === 1 && (values instanceof Int32Array || values instanceof Float64Array)) {
      return gather(values, indices) as unknown as T;
    }
    const out = new (values.constructor as { new (n: number): Float64Array })(indices.length * width);
    for (let i = 0; i < indices.length; i++) {
      for (let j = 0; j < width; j++) out[i * width + j] = values[indices[i] * width + j];
    }
    return out as unknown as T;
  };
  return {
    ...table,
    length: indices.length,
    yTrue: pick(table.yTrue, labelWidth(table)),
    yPred: pick(table.yPred, labelWidth(table)),
    ...(table.yProba ? { yProba: pick(table.yProba, probaWidth(table)) } : {}),
    ...(table.weight ? { weight: pick(table.weight, 1) } : {}),
    ...(table.masks
      ? { masks: { ...table.masks, spacing: pick(table.masks.spacing, table.masks.spacing.length / table.length) } }
      : {}),
    ...(table.event ? { event: pick(table.event, 1) } : {}),
    ...(table.patients ? { patients: pick(table.patients, 1) } : {}),
    ...(table.censoring ? { censoring: pick(table.censoring, table.classes.length + 1) } : {}),
  };
}

/**
 * The rows of several tables of one task, one after the other. Probabilities are kept when every table has them;
 * weights when any has them (1 elsewhere).
 */
export function joinTables(tables: readonly ScoreTable[]): ScoreTable {
  if (tables.length === 1) return tables[0];
  // A dozen metrics need the same rows in turn. Weakly kept: a table may be most of the memory.
  const last = joined.get(tables[0]);
  const known = last?.table.deref();
  if (known && last?.parts.length === tables.length && tables.every((table, at) => table === last.parts[at])) {
    return known;
  }
  const joinedTable = joinAfresh(tables);
  joined.set(tables[0], { parts: [...tables], table: new WeakRef(joinedTable) });
  return joinedTable;
}

/** The last join that a table was the first of. */
const joined = new WeakMap<
  ScoreTable,
  { readonly parts: readonly ScoreTable[]; readonly table: WeakRef<ScoreTable> }
>();

function joinAfresh(tables: readonly ScoreTable[]): ScoreTable {
  const { task, classes, positive, shape, masks, aggregate } = tables[0];
  for (const table of tables) {
    const same = table.task === task && table.positive === positive && table.shape?.join() === shape?.join();
    if (
      !same ||
      table.classes.length !== classes.length ||
      table.classes.some((label, code) => label !== classes[code])
    ) {
      throw new InvalidDataError(
        'Tables that are joined must be of one task with the same classes, and masks of one shape. Got different ones.',
      );
    }
  }
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const join = <T extends ArrayLike<number>>(part: (table: ScoreTable) => T): T => {
    const parts = tables.map(part);
    // Masks in bytes stay bytes: doubles would be eight times as many.
    const bytes = parts.every((values) => values instanceof Uint8Array);
    const out = new (bytes ? Uint8Array : Float64Array)(parts.reduce((sum, values) => sum + values.length, 0));
    let at = 0;
    for (const values of parts) {
      out.set(values, at);
      at += values.length;
    }
    return out as unknown as T;
  };
  const weighted = tables.some((table) => table.weight);
  const everyHas = (part: 'yProba' | 'event' | 'censoring' | 'masks' | 'patients') =>
    tables.every((table) => table[part]);
  return {
    task,
    classes,
    positive,
    ...(shape ? { shape } : {}),
    length,
    yTrue: join((table) => table.yTrue),
    yPred: join((table) => table.yPred),
    ...(everyHas('yProba') ? { yProba: join((table) => table.yProba as Float64Array) } : {}),
    ...(everyHas('masks')
      ? { masks: { ...(masks as MaskFacts), spacing: join((table) => (table.masks as MaskFacts).spacing) } }
      : {}),
    ...(aggregate ? { aggregate } : {}),
    ...(everyHas('patients') ? { patients: concat(tables.map((table) => table.patients as Int32Array)) } : {}),
    ...(everyHas('event') ? { event: concat(tables.map((table) => table.event as Int32Array)) } : {}),
    ...(everyHas('censoring') ? { censoring: join((table) => table.censoring as Float64Array) } : {}),
    ...(weighted ? { weight: join((table) => table.weight ?? new Float64Array(table.length).fill(1)) } : {}),
  };
}
