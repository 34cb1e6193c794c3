/**
 * Drawings of chest X-rays from the front, not X-rays: dark lungs between bright spine, heart, ribs and diaphragm, in noise
 * and at any exposure. Every second one, on average, has an opacity: one to three bright clouds in the lungs, some of them
 * faint. Drawn by these formulas alone; no picture of a patient went into them.
 *
 * @param {{ random(): number }} random A seeded stream, for example `randomSource(42)`.
 * @param {{ n: number, size?: number }} options
 * @returns {{ X: { data: Float32Array, shape: number[] }, y: number[] }} Images `[n, size, size, 1]` of 0 to 1; 1 is an opacity.
 */
export function chestDrawings(random, { n, size = 28 }) {
  const between = (low, high) => low + (high - low) * random.random();
  const data = new Float32Array(n * size ** 2);
  // Image after image, so that the first ones are the same whatever n is.
  const y = Array.from({ length: n }, (_, image) => {
    const opacity = random.random() < 0.5 ? 1 : 0;
    const density = chest(between, opacity ? 1 + Math.floor(3 * random.random()) : 0);
    const [contrast, brightness] = [between(0.75, 1.15), between(-0.08, 0.12)];
    for (let p = 0; p < size ** 2; p++) {
      const [across, down] = [((p % size) + 0.5) / size, (Math.floor(p / size) + 0.5) / size];
      // The sum of three draws is close to normal noise.
      const noise = 0.06 * (random.random() + random.random() + random.random() - 1.5);
      data[image * size ** 2 + p] = Math.min(1, Math.max(0, contrast * density(across, down) + brightness + noise));
    }
    return opacity;
  });
  return { X: { data, shape: [n, size, size, 1] }, y };
}

/** Density at a place of one chest; places and sizes are parts of the image, from its upper left corner. */
function chest(between, clouds) {
  const [shiftX, shiftY, scale, tilt] = [
    between(-0.04, 0.04),
    between(-0.05, 0.05),
    between(0.9, 1.1),
    between(0.3, 0.7),
  ];
  const [lungWidth, lungHeight, heart, rib] = [
    between(0.15, 0.19),
    between(0.28, 0.36),
    between(0.13, 0.19),
    between(0, 0.08),
  ];
  const sides = [-0.2, 0.2];
  /** 1 inside an ellipse, 0 outside of it, with a soft edge. */
  const ellipse = (x, y, cx, cy, rx, ry) => soft(6 * (1 - Math.hypot((x - cx) / rx, (y - cy) / ry)));
  const found = Array.from({ length: clouds }, () => {
    const [angle, far] = [between(0, 2 * Math.PI), Math.sqrt(between(0, 0.7))];
    return {
      x: sides[between(0, 1) < 0.5 ? 0 : 1] + lungWidth * far * Math.cos(angle),
      y: -0.02 + lungHeight * far * Math.sin(angle),
      radius: between(0.05, 0.14),
      strength: between(0.1, 0.4),
    };
  });
  return (across, down) => {
    const [x, y] = [(across - 0.5 - shiftX) / scale, (down - 0.5 - shiftY) / scale];
    const lungs = Math.max(...sides.map((side) => ellipse(x, y, side, -0.02, lungWidth, lungHeight)));
    const air = lungs * (1 - soft(40 * (y - 0.27))) * (1 - ellipse(x, y, 0.06, 0.15, heart, heart));
    const ribs = rib * Math.max(0, Math.sin(2 * Math.PI * (6 * y + tilt * Math.abs(x) * 4)));
    const spine = 0.15 * Math.exp(-((x / 0.05) ** 2));
    const cloud = found.reduce(
      (sum, each) =>
        sum + each.strength * Math.exp(-(((x - each.x) / each.radius) ** 2) - ((y - each.y) / each.radius) ** 2),
      0,
    );
    return 0.62 + spine + ribs - air * Math.max(0, 0.4 - cloud);
  };
}

const soft = (t) => 1 / (1 + Math.exp(-t));
