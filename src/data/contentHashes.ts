/** docs/manifest.md says which bytes are hashed, so that others can compute the same hashes with their own tools. */
import { sha256 } from '#io';
import { InvalidDataError } from '../core/errors.js';
import type { FoldIndices } from '../core/fingerprint.js';
import type { Sha256 } from '../core/io.js';
import { isList } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { yieldToPage } from '../core/yieldToPage.js';
import { product } from './dense.js';
import type { Label, Labels } from './labels.js';
import { blocksOf, type Rows } from './rowKinds.js';
import { type SideData, timesWhereKnown } from './sideData.js';

/** SHA-256 (64 hexadecimal digits) of what a run was given. */
export interface ContentHashes {
  /**
   * By name: `X` (`X.scan` for an input of a record), `y`, and what was given beside them (`groups`, `hierarchy.site`,
   * `sampleWeight`, ...). Null where `reasons` says why.
   */
  readonly data: Readonly<Record<string, string | null>>;
  /** The row numbers of all folds of the plan, in order. */
  readonly folds: string;
  /** Why a hash of `data` is null, by its name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface HashedContent {
  readonly X: Rows;
  readonly y: Labels;
  readonly data: SideData;
  readonly auxiliary?: Readonly<Record<string, Labels>> | undefined;
  readonly weight?: ArrayLike<number> | undefined;
  readonly folds: Iterable<FoldIndices>;
}

const NOT_READ = 'rows that are read as they are needed are not read once more for a hash';
const NOT_PLAIN = 'some values are neither numbers nor texts';

export async function contentHashes(content: HashedContent): Promise<ContentHashes> {
  const { hashes, reasons } = await hashesOfRows(content.X);
  return {
    data: { ...hashes, ...(await sideHashes(content)) },
    folds: await hashOfFolds(content.folds),
    reasons,
  };
}

/** Of X alone, by input. */
export async function hashesOfRows(X: Rows) {
  const hashes: Record<string, string | null> = {};
  const reasons: Record<string, string> = {};
  const inputs: [string, Rows][] = X.parts
    ? Object.entries(X.parts).map(([input, part]) => [`X.${input}`, part])
    : [['X', X]];
  for (const [name, rows] of inputs) {
    const lazy = rows.kind === 'source';
    const hash = lazy ? undefined : await hashOfRows(rows);
    hashes[name] = hash ?? null;
    if (!hash) reasons[name] = lazy ? NOT_READ : NOT_PLAIN;
  }
  return { hashes, reasons };
}

/** Of all that stands beside X. */
export async function sideHashes({ y, data, auxiliary = {}, weight }: Omit<HashedContent, 'X' | 'folds'>) {
  const hashes: Record<string, string> = { y: await hashOfLabels(y) };
  for (const [name, labels] of Object.entries(auxiliary)) hashes[`auxiliary.${name}`] = await hashOfLabels(labels);
  for (const [name, numbers, shape] of numbersOfSideData(data, y.length))
    hashes[name] = await hashOfNumbers(numbers, shape);
  if (weight) hashes.sampleWeight = await hashOfNumbers(weight);
  // Pixels are what a run has that names no spacing.
  const spacing = y.masks?.spacing ?? new Float64Array();
  if (spacing.some((each) => each !== 1)) hashes.spacing = await hashOfNumbers(spacing, [spacing.length / y.length]);
  return hashes;
}

async function hashOfRows(X: Rows): Promise<string | undefined> {
  try {
    return await hashOfDense(X);
  } catch (error) {
    // Only text is refused as numbers here: the shape was checked when X was recognised.
    if (!(error instanceof InvalidDataError)) throw error;
    return hashOfCells(X);
  }
}

async function hashOfDense(X: Rows): Promise<string> {
  const hasher = new ValueHasher(await sha256());
  for (const block of blocksOf(X)) {
    const { data, shape } = await X.take(block).toDense();
    if (block[0] === 0) hasher.line(['numbers', [X.length, ...shape.slice(1)]]);
    hasher.numbers(data);
    await yieldToPage();
  }
  return hasher.digest();
}

async function hashOfCells(X: Rows): Promise<string | undefined> {
  const hasher = new ValueHasher(await sha256()).line(['rows', X.length]);
  for (const block of blocksOf(X)) {
    for (const row of await X.take(block).toArrays()) {
      const cells = isList(row) ? row : X.featureNames?.map((name) => (row as Record<string, unknown>)[name]);
      const plain = plainCell(cells);
      if (!Array.isArray(plain)) return undefined;
      hasher.line(plain);
    }
    await yieldToPage();
  }
  return hasher.digest();
}

/** A cell as JSON holds it: missing values are null. Undefined for what JSON does not hold. */
function plainCell(cell: unknown): unknown {
  if (isList(cell)) {
    const cells = Array.from(cell, plainCell);
    return cells.includes(undefined) ? undefined : cells;
  }
  if (cell === null || cell === undefined || typeof cell === 'string') return cell ?? null;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : cell.toISOString();
  if (typeof cell === 'bigint') return Number.isNaN(numberOf(cell)) ? String(cell) : numberOf(cell);
  return typeof cell === 'number' || typeof cell === 'boolean' ? Number(cell) : undefined;
}

async function hashOfLabels({ task, classes, codes, numbers, indicators, shape, length }: Labels): Promise<string> {
  if (task === 'regression') return hashOfNumbers(numbers, classes.length > 0 ? [classes.length] : []);
  if (task === 'survival') return hashOfNumbers(Float64Array.from([...numbers, ...codes]), [2]);
  if (task === 'multilabel') return hashOfNumbers(indicators, shape ?? [indicators.length / length]);
  return new ValueHasher(await sha256())
    .line(['classes', classes.map(String), length])
    .numbers(codes)
    .digest();
}

function* numbersOfSideData(data: SideData, n: number): Generator<[string, ArrayLike<number>, number[]?]> {
  const { groups, hierarchy = {}, timestamps, labelEndTimes, coordinates, environment = {} } = data;
  if (groups) yield ['groups', orderOfAppearance(groups)];
  for (const [level, ids] of Object.entries(hierarchy)) yield [`hierarchy.${level}`, orderOfAppearance(ids)];
  if (timestamps) yield ['timestamps', timesWhereKnown(timestamps, n).values];
  if (labelEndTimes) yield ['labelEndTimes', timesWhereKnown(labelEndTimes, n, 'labelEndTimes').values];
  const places = Array.from(coordinates ?? [], (place) => [0, 1].map((at) => place?.[at] ?? Number.NaN));
  if (coordinates) yield ['coordinates', places.flat(), [2]];
  for (const [name, values] of Object.entries(environment)) yield [`environment.${name}`, values];
}

/** Ids as 0, 1, 2, ... as they appear: a hash of ids themselves could be found by trying likely ids. */
function orderOfAppearance(ids: ArrayLike<Label | null>): Int32Array {
  const counts = new Map<string, number>();
  return Int32Array.from(ids as ArrayLike<unknown>, (id) => {
    const key = String(id);
    const code = counts.get(key) ?? counts.size;
    counts.set(key, code);
    return code;
  });
}

async function hashOfNumbers(values: ArrayLike<number>, rowShape: readonly number[] = []): Promise<string> {
  const n = values.length / product(rowShape);
  return new ValueHasher(await sha256())
    .line(['numbers', [n, ...rowShape]])
    .numbers(values)
    .digest();
}

export async function hashOfFolds(folds: Iterable<FoldIndices>): Promise<string> {
  const hasher = new ValueHasher(await sha256());
  for (const { train, test } of folds) {
    hasher.line(['fold', train.length, test.length]).integers(train).integers(test);
    await yieldToPage();
  }
  return hasher.digest();
}

export async function hashOfPredictions(
  rows: ArrayLike<number>,
  { yPred, yProba }: { readonly yPred: ArrayLike<number>; readonly yProba?: ArrayLike<number> | undefined },
): Promise<string> {
  await yieldToPage();
  const hasher = new ValueHasher(await sha256()).line(['predictions', rows.length]).integers(rows).numbers(yPred);
  return (yProba ? hasher.numbers(yProba) : hasher).digest();
}

/** Numbers are little-endian, as every platform is that runs JavaScript today. */
class ValueHasher {
  readonly #hash: Sha256;

  constructor(hash: Sha256) {
    this.#hash = hash;
  }

  line(content: unknown): this {
    this.#hash.update(new TextEncoder().encode(`${JSON.stringify(content)}\n`));
    return this;
  }

  /** As doubles; -0 counts as 0, and every NaN as the same NaN. */
  numbers(values: ArrayLike<number>): this {
    const doubles = new Float64Array(values);
    for (let i = 0; i < doubles.length; i++) {
      // A copied NaN may keep bits of its own; the sum with 0 turns -0, which has another bit, into 0.
      doubles[i] = Number.isNaN(doubles[i]) ? Number.NaN : doubles[i] + 0;
    }
    this.#hash.update(new Uint8Array(doubles.buffer));
    return this;
  }

  /** As signed integers of 32 bits. */
  integers(values: ArrayLike<number>): this {
    this.#hash.update(new Uint8Array(new Int32Array(values).buffer));
    return this;
  }

  digest(): string {
    return this.#hash.digest();
  }
}
