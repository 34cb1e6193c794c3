/** Exact Euclidean distances on a grid of two or three axes. */

/**
 * Squared distance of every voxel to the nearest one that is a target, in the unit of `spacing`; Infinity where there is no
 * target. Its root is `scipy.ndimage.distance_transform_edt(targets == 0, sampling=spacing)`. Linear in the number of voxels: one axis
 * after the other, each line the lower envelope of parabolas.
 *
 * @param targets 0 or 1 per voxel, row-major
 * @param spacing distance between neighbours along each axis of `shape`
 *
 * Source: Felzenszwalb & Huttenlocher 2012, Theory of Computing 8:415; Maurer, Qi & Raghavan 2003 (spacing).
 */
export function squaredDistances(
  targets: ArrayLike<number>,
  shape: readonly number[],
  spacing: readonly number[],
): Float64Array {
  const squares = new Float64Array(targets.length);
  for (let at = 0; at < squares.length; at++) squares[at] = targets[at] ? 0 : Infinity;
  for (let axis = shape.length - 1, step = 1; axis >= 0; axis--) {
    const count = shape[axis];
    if (count > 1) alongLines(squares, count, step, spacing[axis]);
    step *= count;
  }
  return squares;
}

/** Every line of one axis: `count` voxels, `step` from one to the next. */
function alongLines(squares: Float64Array, count: number, step: number, width: number): void {
  const line = new Float64Array(count);
  /** The parabolas of the envelope: the voxel of each lowest point, its height, and from where on it is the lowest. */
  const voxels = new Int32Array(count);
  const heights = new Float64Array(count);
  const from = new Float64Array(count + 1);
  for (let block = 0; block < squares.length; block += count * step) {
    for (let first = block; first < block + step; first++) {
      let last = -1;
      for (let at = 0, voxel = first; at < count; at++, voxel += step) {
        const height = squares[voxel];
        if (height === Infinity) continue;
        const place = at * width;
        const value = height + place * place;
        let begin = -Infinity;
        for (; last >= 0; last--) {
          const other = voxels[last] * width;
          begin = (value - heights[last] - other * other) / (2 * (place - other));
          if (begin > from[last]) break;
        }
        last++;
        voxels[last] = at;
        heights[last] = height;
        from[last] = begin;
      }
      if (last < 0) continue;
      from[last + 1] = Infinity;
      for (let at = 0, lowest = 0; at < count; at++) {
        const place = at * width;
        while (from[lowest + 1] < place) lowest++;
        const way = (at - voxels[lowest]) * width;
        line[at] = heights[lowest] + way * way;
      }
      for (let at = 0, voxel = first; at < count; at++, voxel += step) squares[voxel] = line[at];
    }
  }
}
