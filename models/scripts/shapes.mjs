/** What the images show, by class. */
const SHAPES = {
  disc: (x, y, r) => Math.hypot(x, y) < r,
  ring: (x, y, r) => Math.abs(Math.hypot(x, y) - 0.8 * r) < 0.25 * r,
  cross: (x, y, r) => Math.min(Math.abs(x), Math.abs(y)) < 0.25 * r && Math.max(Math.abs(x), Math.abs(y)) < r,
};

/**
 * Grey images of `size` x `size` pixels with one shape each at a random place, in a random size and brightness, in
 * noise.
 *
 * @param {{ random(): number }} random A seeded stream, for example `randomSource(42)`.
 * @param {{ n: number, size?: number }} options
 * @returns {{ X: { data: Float32Array, shape: number[] }, y: string[] }} Images `[n, size, size, 1]` and class names.
 */
export function shapes(random, { n, size = 28 }) {
  const between = (low, high) => low + (high - low) * random.random();
  const names = Object.keys(SHAPES);
  const data = new Float32Array(n * size ** 2);
  const y = Array.from({ length: n }, (_, i) => names[i % names.length]);
  y.forEach((name, i) => {
    const r = between(0.15, 0.3) * size;
    const [cx, cy, light] = [between(r, size - r), between(r, size - r), between(0.3, 0.7)];
    for (let p = 0; p < size ** 2; p++) {
      const inside = SHAPES[name]((p % size) - cx, Math.floor(p / size) - cy, r);
      data[i * size ** 2 + p] = 0.3 * random.random() + (inside ? light : 0);
    }
  });
  return { X: { data, shape: [n, size, size, 1] }, y };
}
