/** A small NIfTI-1 file of its own making: header of 348 bytes, sform, voxels x first. */
import { gzipSync } from 'node:zlib';

const TYPES = { uint8: [2, 1], int64: [1024, 8], float32: [16, 4] } as const;

export function niftiBytes(
  values: readonly number[],
  [width, height, depth]: readonly [number, number, number],
  { type = 'uint8', spacing = [1, 1, 1] }: { type?: keyof typeof TYPES; spacing?: readonly number[] } = {},
): Buffer {
  const [code, bytes] = TYPES[type];
  const view = new DataView(new ArrayBuffer(352 + values.length * bytes));
  view.setInt32(0, 348, true);
  for (const [at, size] of [3, width, height, depth, 1, 1, 1, 1].entries()) view.setInt16(40 + 2 * at, size, true);
  view.setInt16(70, code, true);
  view.setInt16(72, 8 * bytes, true);
  for (const [at, size] of [1, ...spacing].entries()) view.setFloat32(76 + 4 * at, size, true);
  view.setFloat32(108, 352, true);
  view.setInt16(254, 1, true);
  for (const axis of [0, 1, 2]) view.setFloat32(280 + 20 * axis, spacing[axis], true);
  for (const [at, letter] of [...Buffer.from('n+1\0')].entries()) view.setUint8(344 + at, letter);
  for (const [at, value] of values.entries()) {
    const place = 352 + at * bytes;
    if (type === 'int64') view.setBigInt64(place, BigInt(value), true);
    else if (type === 'float32') view.setFloat32(place, value, true);
    else view.setUint8(place, value);
  }
  return gzipSync(Buffer.from(view.buffer));
}
