/** The quantile of ascending values at a share from 0 to 1: between two of them on a straight line, as `numpy.quantile`. */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  const part = at - Math.floor(at);
  return part < 0.5 ? below + (above - below) * part : above - (above - below) * (1 - part);
}
