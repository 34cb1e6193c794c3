/**
 * Squared distances between two blocks of rows along a few directions: four at a time where WebAssembly has SIMD, which
 * is about six times as fast as numbers one by one. Both ways write the same hits.
 */

/** Rows of a block and of a part of it, and directions. */
export const [BLOCK, PART, AXES] = [64, 16, 16];
/** Directions after which most pairs are given up. */
const FIRST = 8;

/** Places in a block, from a multiple of four to another. */
export type Places = readonly [from: number, to: number];

/** Two blocks of rows to compare. Rows that are left over must be far from all others. */
export interface BlockKernel {
  /** `[BLOCK, AXES]`, row-major. */
  readonly rows: Float32Array;
  /** The other block, `[AXES, BLOCK]`. */
  readonly columns: Float32Array;
  /** Calls `hit` with those places of some rows and others whose squared distance along the directions is at most `bound`. */
  compare(bound: number, rows: Places, others: Places, hit: (row: number, other: number) => void): void;
}

/** The fastest kernel that this platform runs. */
export const blockKernel = (): BlockKernel => simdKernel() ?? plainKernel();

export function plainKernel(): BlockKernel {
  const rows = new Float32Array(BLOCK * AXES);
  const columns = new Float32Array(AXES * BLOCK);
  return {
    rows,
    columns,
    compare(bound, [from, to], [first, end], hit) {
      for (let row = from; row < to; row++) {
        for (let other = first; other < end; other++) {
          let sum = 0;
          for (let axis = 0; axis < AXES && sum <= bound; axis++) {
            const gap = rows[row * AXES + axis] - columns[axis * BLOCK + other];
            sum += gap * gap;
          }
          if (sum <= bound) hit(row, other);
        }
      }
    },
  };
}

/** Bytes of memory: the columns, the rows behind them, then the hits. */
const [ROWS_AT, HITS_AT, PAGES] = [AXES * BLOCK * 4, 2 * AXES * BLOCK * 4, 2];

/** Undefined where WebAssembly is absent, forbidden or without SIMD. */
export function simdKernel(): BlockKernel | undefined {
  const code = moduleBytes();
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(code)) return undefined;
  let exported: WebAssembly.Exports;
  try {
    exported = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  } catch (error) {
    // A page whose policy forbids WebAssembly says so only here.
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
  const { buffer } = exported.memory as WebAssembly.Memory;
  const compare = exported.compare as (bound: number, ...addresses: number[]) => number;
  const hits = new Uint32Array(buffer);
  return {
    rows: new Float32Array(buffer, ROWS_AT, BLOCK * AXES),
    columns: new Float32Array(buffer, 0, AXES * BLOCK),
    compare(bound, [from, to], [first, last], hit) {
      // The loops run once at least.
      if (from >= to || first >= last) return;
      const end = compare(bound, ROWS_AT + from * AXES * 4, ROWS_AT + to * AXES * 4, first * 4, last * 4) / 4;
      for (let at = HITS_AT / 4; at < end; at++) {
        // Address of the row, then that of four others, whose last four bits say which of them.
        const row = (hits[at] / 1024 - ROWS_AT) / (AXES * 4);
        const other = (hits[at] & 1008) / 4;
        for (let lane = 0; lane < 4; lane++) if ((hits[at] >> lane) & 1) hit(Math.floor(row), other + lane);
      }
    },
  };
}

/** Instructions of WebAssembly that the kernel is made of. */
const OP = {
  block: [0x40],
  loop: [0x03],
  if: [0x04],
  end: [0x0b],
  branchIf: [0x0d],
  get: [0x20],
  set: [0x21],
  tee: [0x22],
  store: [0x36],
  int: [0x41],
  less: [0x49],
  add: [0x6a],
  shiftLeft: [0x74],
  load4: [0xfd, 0x00],
  loadOneAsFour: [0xfd, 0x09],
  fourOf: [0xfd, 0x13],
  atMost4: [0xfd, 0x45],
  any: [0xfd, 0x53],
  signs: [0xfd, 0xa4, 0x01],
  add4: [0xfd, 0xe4, 0x01],
  subtract4: [0xfd, 0xe5, 0x01],
  multiply4: [0xfd, 0xe6, 0x01],
} as const;
const [INT, FLOAT, FOUR] = [0x7f, 0x7d, 0x7b];

/** A number in the variable-length form of WebAssembly; the signed one ends with a zero bit for what is not negative. */
function leb(value: number, signed = false): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < (signed ? 64 : 128)) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** The kernel as a module with a memory and one function from the bound and the addresses of rows and others to the end of the hits. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const section = (id: number, ...bytes: number[]) => [id, ...leb(bytes.length), ...bytes];
  const name = (text: string) => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
  const body = kernelBody();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 5, FLOAT, INT, INT, INT, INT, 1, INT),
    ...section(3, 1, 0),
    ...section(5, 1, 0, PAGES),
    ...section(7, 2, ...name('memory'), 2, 0, ...name('compare'), 0, 0),
    ...section(10, 1, ...leb(body.length), ...body),
  ]);
}

/**
 * For each row, its numbers spread to four lanes; for each four others, the sums of squares over the first directions,
 * over the rest where one of the four is still near, and a hit where one is near then.
 */
function kernelBody(): number[] {
  // Parameters; addresses, the mask of a hit; then the bound, sum and gap as four, and the row.
  const [bound, firstRow, endRow, firstOther, endOther] = [0, 1, 2, 3, 4];
  const [row, other, hits, mask, limit, sum, gap, cells] = [5, 6, 7, 8, 9, 10, 11, 12];
  const get = (local: number) => [...OP.get, local];
  const set = (local: number) => [...OP.set, local];
  const int = (value: number) => [...OP.int, ...leb(value, true)];
  const square = (axis: number) => [
    ...[...get(other), ...OP.load4, 4, ...leb(axis * BLOCK * 4), ...get(cells + axis), ...OP.subtract4],
    ...[...OP.tee, gap, ...get(gap), ...OP.multiply4],
  ];
  const add = (axis: number) => [...get(sum), ...square(axis), ...OP.add4, ...set(sum)];
  const axes = (from: number, to: number, code: (axis: number) => number[]) =>
    Array.from({ length: to - from }, (_, at) => code(from + at)).flat();
  const isNear = [...get(sum), ...get(limit), ...OP.atMost4];
  const step = (local: number, by: number, end: number) => [
    ...get(local),
    ...int(by),
    ...OP.add,
    ...OP.tee,
    local,
    ...get(end),
    ...OP.less,
    ...OP.branchIf,
    0,
  ];
  return [
    ...[2, 4, INT, AXES + 3, FOUR],
    ...[...get(bound), ...OP.fourOf, ...set(limit), ...int(HITS_AT), ...set(hits), ...get(firstRow), ...set(row)],
    ...[...OP.loop, ...OP.block],
    ...axes(0, AXES, (axis) => [...get(row), ...OP.loadOneAsFour, 2, ...leb(axis * 4), ...set(cells + axis)]),
    ...[...get(firstOther), ...set(other), ...OP.loop, ...OP.block],
    ...[...square(0), ...set(sum), ...axes(1, FIRST, add)],
    ...[...isNear, ...OP.any, ...OP.if, ...OP.block, ...axes(FIRST, AXES, add)],
    ...[...isNear, ...OP.signs, ...OP.tee, mask, ...OP.if, ...OP.block],
    ...[...get(hits), ...get(row), ...int(10), ...OP.shiftLeft, ...get(other), ...OP.add, ...get(mask), ...OP.add],
    ...[...OP.store, 2, 0, ...get(hits), ...int(4), ...OP.add, ...set(hits), ...OP.end, ...OP.end],
    ...[...step(other, 16, endOther), ...OP.end],
    ...[...step(row, AXES * 4, endRow), ...OP.end],
    ...[...get(hits), ...OP.end],
  ];
}
