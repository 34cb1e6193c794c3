/** From voxel (i, j, k) to millimetres. */
import type { NIFTI1, NIFTI2 } from 'nifti-reader-js';

/**
 * The affine of a NIfTI, 4 x 4: the sform where it has one, else the qform, else the sizes of voxels, in the order of the
 * NIfTI-1 standard and of nibabel. nifti-reader-js 0.8 takes the qform where its code is the larger number, and gives NaN where
 * the squares of a quaternion sum to a little more than 1.
 *
 * @param bytes the header as it is stored
 */
export function niftiAffine(header: NIFTI1 | NIFTI2, bytes: Uint8Array): number[][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { littleEndian, pixDims } = header;
  const last = [0, 0, 0, 1];
  if (header.sform_code > 0) {
    // The first is a header of 348 bytes, the second of 540.
    const isFirst = view.getInt32(0, littleEndian) === 348;
    const at = (place: number) =>
      isFirst ? view.getFloat32(280 + 4 * place, littleEndian) : view.getFloat64(400 + 8 * place, littleEndian);
    return [...[0, 4, 8].map((row) => [0, 1, 2, 3].map((column) => at(row + column))), last];
  }
  const [x, y, z] = pixDims.slice(1, 4);
  if (header.qform_code > 0) {
    // The quaternion has length 1. Half a turn may be a little more, as its parts are rounded.
    const parts = [header.quatern_b, header.quatern_c, header.quatern_d];
    const sum = parts.reduce((total, part) => total + part * part, 0);
    const a = Math.sqrt(Math.max(0, 1 - sum));
    const [b, c, d] = parts.map((part) => part / Math.sqrt(Math.max(1, sum)));
    const depth = pixDims[0] < 0 ? -z : z;
    return [
      [(a * a + b * b - c * c - d * d) * x, 2 * (b * c - a * d) * y, 2 * (b * d + a * c) * depth, header.qoffset_x],
      [2 * (b * c + a * d) * x, (a * a + c * c - b * b - d * d) * y, 2 * (c * d - a * b) * depth, header.qoffset_y],
      [2 * (b * d - a * c) * x, 2 * (c * d + a * b) * y, (a * a + d * d - c * c - b * b) * depth, header.qoffset_z],
      last,
    ];
  }
  return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], last];
}
