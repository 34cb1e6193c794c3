import { AdapterError, InvalidOptionError, phrase, sentence, show, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isList, isPlainObject } from '../core/options.js';
import { copyInstance } from '../data/copyInstance.js';
import { type Dense, isDense, ownNumbers } from '../data/dense.js';
import type { Labels } from '../data/labels.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { isMissing } from '../data/tableColumns.js';
import { Resampler } from './resampler.js';
import { columnNames, rowsText, Stage, whenRead } from './table.js';
import { Transformer } from './transformer.js';

/** A transformer of the caller. Rows are arrays or records; images in typed arrays are `{ data, shape }`. */
export interface ForeignTransformer {
  /** Weights of the rows are given to a `fit` with three parameters, where the run has some. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of the caller, labels as written
  fit(X: any, y?: any[], sampleWeight?: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: rows of the caller
  transform(X: any): unknown;
  /** True for one that makes cells missing on purpose, such as a code for "not known". */
  readonly makesMissing?: boolean;
  /** Takes other options, by name; called on a copy. */
  // biome-ignore lint/suspicious/noExplicitAny: options of the caller
  setParams?(params: any): unknown;
}

export type AnyTransformer = Transformer | ForeignTransformer;

const isOurs = (step: AnyTransformer | Resampler): step is Transformer | Resampler =>
  step instanceof Transformer || step instanceof Resampler;

export const isTransformer = (value: unknown): value is AnyTransformer =>
  typeof (value as ForeignTransformer | null)?.fit === 'function' &&
  typeof (value as ForeignTransformer).transform === 'function';

export const learnsOf = (step: AnyTransformer): boolean =>
  step instanceof Transformer ? step.learns : step.fit.length > 0;

export async function copyOf(step: AnyTransformer | Resampler): Promise<AnyTransformer | Resampler> {
  if (!isOurs(step)) return copyInstance(step, { noun: 'transformer', is: isTransformer });
  return step instanceof Transformer && step.copy ? step.copy(copyOf) : step.clone();
}

/** A copy that is not fitted, at once: steps of the caller need a `clone` for it. */
export function cloneOf<S extends AnyTransformer | Resampler>(step: S, subject: string): S {
  if (isOurs(step)) return step.clone() as S;
  const copy = (step as { clone?(): S }).clone?.();
  if (copy && copy !== step && isTransformer(copy)) return copy;
  const must = 'have a `clone` that gives another one';
  throw new InvalidOptionError(sentence(subject, must, phrase(stepName(step))), { code: 'instance_refused' });
}

export const stepName = (step: AnyTransformer): string => {
  if (step instanceof Transformer) return step.name;
  const name = step.constructor?.name;
  return name && name !== 'Object' ? name : 'a transformer of the caller';
};

export const describedAs = (step: AnyTransformer | Resampler): string =>
  isOurs(step) ? step.describe() : stepName(step);

async function fitForeign(step: ForeignTransformer, stage: Stage, y?: Labels, weight?: Float64Array): Promise<void> {
  const X = await stage.rows().toShaped();
  try {
    await step.fit(X, y?.toArray(), ...(weight && step.fit.length >= 3 ? [Array.from(weight)] : []));
  } catch (error) {
    threw(`The fit of ${nameText(stepName(step))}`, `take ${rowsText(X)}`, 'fit_failed')(error);
  }
}

/** Throws {@link AdapterError} where the stage after the step has other rows. `isReading`: rows are read now, not later. */
export async function transformStep(step: AnyTransformer, stage: Stage, isReading = false): Promise<Stage> {
  const after = await stageAfter(step, stage, isReading);
  after.note = stage.note;
  return sameRows(step, stage, after);
}

export async function fitTransformStep(
  step: AnyTransformer,
  stage: Stage,
  y?: Labels,
  weight?: Float64Array,
): Promise<Stage> {
  if (step instanceof Transformer && !step.transformRows) {
    const prepared = await blockAfter(step, stage, { weight });
    if (prepared) return prepared;
    return sameRows(step, stage, new Stage({ table: await step.fitTransformTable(await stage.table(), y, weight) }));
  }
  if (step instanceof Transformer && step.fitTransformRows) {
    return sameRows(step, stage, new Stage({ rows: await step.fitTransformRows(stage.rows(), y, weight) }));
  }
  if (step instanceof Transformer) await step.fitRows(stage.rows());
  else await fitForeign(step, stage, y, weight);
  const after = await transformStep(step, stage);
  if (!(step instanceof Transformer) || step.isRowwise) await checkRowwise(step, stage, after);
  return after;
}

function sameRows(step: AnyTransformer, stage: Stage, after: Stage): Stage {
  if (after.length === stage.length) return after;
  const subject = `The transform of ${nameText(stepName(step))}`;
  const must = `give the ${stage.length} rows that it got`;
  const way = 'Leave rows out before the run, so that labels and groups go with them.';
  throw new AdapterError(sentence(subject, must, phrase(String(after.length)), way), { code: 'rows_changed' });
}

async function stageAfter(step: AnyTransformer, stage: Stage, isReading: boolean): Promise<Stage> {
  if (!(step instanceof Transformer)) return transformForeign(step, stage);
  if (step.transformRows) {
    const X = stage.rows();
    const prepare = (rows: Rows) => (step as Required<Transformer>).transformRows(rows);
    if (isReading || !step.isRowwise || X.kind !== 'source') return new Stage({ rows: await prepare(X) });
    return new Stage({ rows: whenRead(X, await prepare(X.take(Int32Array.of(0))), prepare) });
  }
  return (await blockAfter(step, stage)) ?? new Stage({ table: await step.transformTable(await stage.table()) });
}

/** The stage after a step that takes rows as the one block that they are. Undefined: the step takes a table. */
async function blockAfter(
  step: Transformer,
  stage: Stage,
  fit?: { readonly weight?: Float64Array },
): Promise<Stage | undefined> {
  if (!step.takesBlock || stage.known) return undefined;
  const rows = stage.rows();
  if (rows.kind !== 'dense' || rows.rowShape?.length !== 1 || rows.length === 0) return undefined;
  const names = columnNames(rows, rows.rowShape[0]);
  const block = await preparedBlock(step, rows, names, fit);
  if (!block) return undefined;
  let held: Rows | undefined = rowsOf(block, 'X', names);
  const again = whenRead(rows, held, async (X) => rowsOf((await preparedBlock(step, X, names)) as Dense, 'X', names));
  const now = () => held ?? again;
  // A block of numbers is handed over, not copied; who reads on has the rows prepared again.
  const toDense = async () => {
    const own = held ? block : again.toDense();
    held = undefined;
    return own;
  };
  const take = (places: Int32Array) => now().take(places);
  const [toArrays, toShaped] = [() => now().toArrays(), () => now().toShaped()];
  const [toColumns, toInputs] = [() => now().toColumns(), () => now().toInputs()];
  const after = Object.freeze({ ...again, take, toArrays, toShaped, toColumns, toDense, toInputs });
  return new Stage({ rows: after, isFinite: true });
}

async function preparedBlock(
  step: Transformer,
  rows: Rows,
  names: readonly string[],
  fit?: { readonly weight?: Float64Array },
): Promise<Dense | undefined> {
  const { data, shape } = await rows.toDense();
  const cells = data instanceof Float64Array ? data : Float64Array.from(data);
  return step.prepareBlock?.(cells, names, fit) ? { data: cells, shape } : undefined;
}

async function transformForeign(step: ForeignTransformer, stage: Stage): Promise<Stage> {
  const X = await stage.rows().toShaped();
  const name = nameText(stepName(step));
  const transformed = await (async () => step.transform(X))().catch(
    threw(`The transform of ${name}`, `take ${rowsText(X)}`, 'transform_failed'),
  );
  return new Stage({ rows: rowsOf(await ownNumbers(transformed), `X after ${name}`) });
}

export async function transformSteps(
  steps: readonly AnyTransformer[],
  stage: Stage,
  isReading = false,
): Promise<Stage> {
  let at = stage;
  for (const step of steps) at = await transformStep(step, at, isReading);
  return at;
}

export function stepToJSON(step: AnyTransformer | Resampler): unknown {
  if (isOurs(step)) return step.toJSON();
  const must = 'be of cvkit/preprocessing, so that its state is known';
  const subject = 'A step to be written as JSON';
  throw new InvalidOptionError(sentence(subject, must, phrase(show(step))), { code: 'not_plain' });
}

/** Relative; the sums of a library may differ a little with the number of rows. */
const TOLERANCE = 1e-6;
/** Rows that are compared from each end, and are read of a source. */
const ENDS = 8;

/**
 * Throws {@link AdapterError} where a row becomes another one when it is prepared alone: then test rows would be prepared by
 * statistics of each other, or would come back in another order.
 */
async function checkRowwise(step: AnyTransformer, before: Stage, after: Stage): Promise<void> {
  const transformed = async (rows: Rows) => (await transformStep(step, new Stage({ rows }))).rows();
  let [input, output] = [before.rows(), after.rows()];
  if (input.kind === 'source') {
    const first = Int32Array.from({ length: Math.min(ENDS, input.window ?? ENDS, input.length) }, (_, row) => row);
    input = rowsOf(await input.take(first).toShaped());
    output = await transformed(input);
  }
  const n = input.length;
  if (n < 2) return;
  const ends = await endsOf(output);
  // The first row that is not the same as its mirror image, so that another order shows. Row 0 where all are.
  const mirrored = ends.findIndex(([here, there]) => !same(here, there, []));
  const row = Math.max(0, mirrored);
  const scale = ends.flat().map(cellsOf);
  const [alone] = await listsOf(await transformed(input.take(Int32Array.of(row))));
  if (same(ends[row][0], alone, scale)) return;
  const must = 'prepare each row by itself';
  const got = phrase(`another result for row ${row} alone than for the same row among ${n}`);
  const way = 'Learn in `fit` what it needs to know of other rows.';
  const subject = `The transform of ${nameText(describedAs(step))}`;
  throw new AdapterError(sentence(subject, must, got, way), { code: 'not_rowwise' });
}

async function endsOf(rows: Rows): Promise<[here: unknown, there: unknown][]> {
  const count = Math.min(ENDS, Math.floor(rows.length / 2));
  const places = Int32Array.from({ length: 2 * count }, (_, at) => (at < count ? at : rows.length - 1 - (at - count)));
  const read = await listsOf(rows.take(places));
  return Array.from({ length: count }, (_, at) => [read[at], read[count + at]]);
}

/** Each row; an image in typed arrays as one list of its numbers. */
async function listsOf(rows: Rows): Promise<readonly unknown[]> {
  const read = await rows.toShaped();
  if (!isDense(read)) return read;
  const width = read.data.length / rows.length;
  return Array.from({ length: rows.length }, (_, row) => read.data.subarray(row * width, (row + 1) * width));
}

/** Numbers in a typed array are not copied: all that is asked of them is what lists have, too. */
const cellsOf = (row: unknown): readonly unknown[] =>
  ArrayBuffer.isView(row) ? (row as unknown as readonly unknown[]) : flatCells(row);

function flatCells(row: unknown): unknown[] {
  if (isList(row)) return Array.from(row as ArrayLike<unknown>).flatMap(flatCells);
  return isPlainObject(row) ? Object.values(row).flatMap(flatCells) : [row];
}

/** Whether rows hold the same. `scale`: cells of other rows, since what nearly is 0 beside them may differ by rounding. */
function same(left: unknown, right: unknown, scale: readonly (readonly unknown[])[]): boolean {
  const [a, b] = [cellsOf(left), cellsOf(right)];
  return a.length === b.length && a.every((cell, at) => sameCell(cell, b[at], () => scale.map((row) => row[at])));
}

function sameCell(a: unknown, b: unknown, others: () => readonly unknown[]): boolean {
  if (Object.is(a, b) || a === b || (isMissing(a) && isMissing(b))) return true;
  // Objects such as dates are not compared.
  if (typeof a !== 'number' || typeof b !== 'number') return Object(a) === a && Object(b) === b;
  const difference = Math.abs(a - b);
  if (difference <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))) return true;
  const sizes = others().map((cell) => (Number.isFinite(cell) ? Math.abs(cell as number) : 0));
  return difference <= TOLERANCE * Math.max(0, ...sizes);
}
