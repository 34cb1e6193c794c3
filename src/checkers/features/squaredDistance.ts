/** The squared distance of two rows of `[n, width]`, row-major; once it is above `enough`, the sum so far. */
export function squaredDistance(data: Float32Array, width: number, i: number, j: number, enough = Infinity): number {
  let a = i * width;
  let b = j * width;
  let sum = 0;
  for (const end = a + width; a < end && sum <= enough; ) {
    // Looked at once in 64 columns: a branch that cannot be foreseen costs as much as ten.
    const stop = Math.min(a + 64, end);
    // Four at a time: they do not wait for each other.
    for (; a + 4 <= stop; a += 4, b += 4) {
      const p = data[a] - data[b];
      const q = data[a + 1] - data[b + 1];
      const r = data[a + 2] - data[b + 2];
      const t = data[a + 3] - data[b + 3];
      sum += p * p + q * q + (r * r + t * t);
    }
    for (; a < stop; a++, b++) {
      const gap = data[a] - data[b];
      sum += gap * gap;
    }
  }
  return sum;
}
