/** A function in WebAssembly with SIMD, by its instructions. */

/** Instructions that kernels are made of. */
export const OP = {
  block: [0x40],
  loop: [0x03],
  if: [0x04],
  end: [0x0b],
  branchIf: [0x0d],
  get: [0x20],
  set: [0x21],
  tee: [0x22],
  store: [0x36],
  store8: [0x39],
  int: [0x41],
  less: [0x49],
  add: [0x6a],
  shiftLeft: [0x74],
  add8: [0xa0],
  load4: [0xfd, 0x00],
  loadOneAsFour: [0xfd, 0x09],
  constant: [0xfd, 0x0c],
  fourOf: [0xfd, 0x13],
  oneOfTwo: [0xfd, 0x21],
  atMost4: [0xfd, 0x45],
  any: [0xfd, 0x53],
  signs: [0xfd, 0xa4, 0x01],
  add4: [0xfd, 0xe4, 0x01],
  subtract4: [0xfd, 0xe5, 0x01],
  multiply4: [0xfd, 0xe6, 0x01],
  add2: [0xfd, 0xf0, 0x01],
  multiply2: [0xfd, 0xf2, 0x01],
} as const;
/** Types: a whole number or address, a number of 32 bits, and a vector of four of them or of two numbers of 64 bits. */
export const [INT, FLOAT, FOUR] = [0x7f, 0x7d, 0x7b];

/** A number in the variable-length form of WebAssembly; the signed one ends with a zero bit for what is not negative. */
export function leb(value: number, signed = false): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < (signed ? 64 : 128)) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** Instructions that read a local variable, write it, and give a number. */
export const get = (local: number): number[] => [...OP.get, local];
export const set = (local: number): number[] => [...OP.set, local];
export const int = (value: number): number[] => [...OP.int, ...leb(value, true)];

/** The end of a loop: adds to a local variable, and begins again where that is less than another. */
export const step = (local: number, by: number, end: number): number[] => [
  ...[...get(local), ...int(by), ...OP.add, ...OP.tee, local],
  ...[...get(end), ...OP.less, ...OP.branchIf, 0, ...OP.end],
];

/**
 * The function and its memory; undefined where WebAssembly is absent, forbidden, without SIMD or without memory.
 *
 * @param body local variables and instructions
 * @param pages of memory, 64 KB each
 */
export function simdFunction(
  parameters: readonly number[],
  results: readonly number[],
  body: readonly number[],
  pages: number,
): { readonly buffer: ArrayBuffer; readonly call: (...values: number[]) => number | undefined } | undefined {
  const code = moduleBytes(parameters, results, body, pages);
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(code)) return undefined;
  try {
    const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    return {
      buffer: (memory as WebAssembly.Memory).buffer,
      call: run as (...values: number[]) => number | undefined,
    };
  } catch (error) {
    // A page whose policy forbids WebAssembly says so only here; so does a process without room for its memory.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A module with a memory and one function. */
function moduleBytes(
  parameters: readonly number[],
  results: readonly number[],
  body: readonly number[],
  pages: number,
): Uint8Array<ArrayBuffer> {
  const section = (id: number, ...bytes: number[]) => [id, ...leb(bytes.length), ...bytes];
  const name = (text: string) => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, parameters.length, ...parameters, results.length, ...results),
    ...section(3, 1, 0),
    ...section(5, 1, 0, ...leb(pages)),
    ...section(7, 2, ...name('memory'), 2, 0, ...name('run'), 0, 0),
    ...section(10, 1, ...leb(body.length), ...body),
  ]);
}
