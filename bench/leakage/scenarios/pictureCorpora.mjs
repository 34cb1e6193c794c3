/** More kinds of pictures of other patients: scenes, eyes, ultrasound, cells, photographs, each `(random, side, row)`. */
import { between, list, normal } from './pictureKinds.mjs';

const below = (random, n) => Math.floor(n * random.random());
const smoothStep = (value, width) => 1 / (1 + Math.exp(-value / width));

/** A grey picture from a function of places from -1 to 1. */
const draw = (side, at) => {
  const out = new Float32Array(side * side);
  for (let y = 0, to = 0; y < side; y++) {
    for (let x = 0; x < side; x++, to++) out[to] = at((2 * y + 1) / side - 1, (2 * x + 1) / side - 1);
  }
  return out;
};
const asBytes = (picture) => picture.map((value) => Math.min(255, Math.max(0, Math.round(value))));

/** Discs of all sizes that hide each other (dead leaves: Lee, Mumford & Huang 2001): like photographs of things. */
function leaves(random, side) {
  const discs = list(60, () => [
    between(random, -1.2, 1.2),
    between(random, -1.2, 1.2),
    0.08 / (0.08 + random.random()),
    random.random(),
  ]);
  const shape = draw(side, (y, x) => {
    for (const [cy, cx, size, shade] of discs) if (Math.hypot(y - cy, x - cx) < size) return shade;
    return 0.5;
  });
  return shape.map((value) => value + 0.02 * normal(random));
}

/** An eye's ground: a bright disc, a spot where the nerve is, vessels from there. Most of it is alike in all. */
function retina(random, side) {
  const left = random.random() < 0.5 ? -1 : 1;
  const [ny, nx] = [0.05 * normal(random), left * (0.4 + 0.05 * normal(random))];
  const vessels = list(9, () => ({
    turn: between(random, 0, 6.28),
    bend: 1.5 * normal(random),
    wide: between(random, 0.02, 0.05),
    dark: between(random, 0.1, 0.3),
  }));
  const spots = list(below(random, 6), () => [between(random, -0.6, 0.6), between(random, -0.6, 0.6)]);
  const shape = draw(side, (y, x) => {
    const r = Math.hypot(y, x);
    const rim = smoothStep(0.92 - r, 0.02);
    const [dy, dx] = [y - ny, x - nx];
    const away = Math.hypot(dy, dx);
    const nerve = 0.5 * Math.exp(-((away / 0.13) ** 2));
    const turn = Math.atan2(dy, dx);
    const lines = vessels.reduce((sum, { turn: own, bend, wide, dark }) => {
      const off = Math.sin((turn - own - bend * away) / 2) * 2 * away;
      return sum + (Math.cos(turn - own - bend * away) > 0 ? dark * Math.exp(-((off / wide) ** 2)) : 0);
    }, 0);
    const drusen = spots.reduce((sum, [a, b]) => sum + 0.3 * Math.exp(-((y - a) ** 2 + (x - b) ** 2) / 0.004), 0);
    return rim * (0.5 - 0.15 * r + nerve - lines + drusen);
  });
  return shape.map((value) => value + 0.015 * normal(random));
}

/** Ultrasound: a fan, layers and a dark cyst, all under speckle. */
function speckle(random, side) {
  const grain = list(side * side, () => Math.hypot(normal(random), normal(random)));
  const [fast, phase, tilt] = [between(random, 5, 9), between(random, 0, 6.28), between(random, -0.4, 0.4)];
  const cyst = [between(random, -0.3, 0.5), between(random, -0.4, 0.4), between(random, 0.12, 0.3)];
  return draw(side, (y, x) => {
    const fan = Math.abs(x) < 0.35 + 0.35 * (y + 1) ? 1 : 0;
    const layer = 1 + 0.4 * Math.sin(fast * (y + tilt * x) + phase);
    const hole = smoothStep(Math.hypot(y - cyst[0], x - cyst[1]) - cyst[2], 0.03);
    return fan * layer * (0.2 + 0.8 * hole);
  }).map((value, at) => value * (grain[at] + (grain[at + 1] ?? 1) + (grain[at + side] ?? 1)));
}

/** Grey cells with a nucleus each under a microscope. */
function cells(random, side) {
  const all = list(14, () => [
    between(random, -1, 1),
    between(random, -1, 1),
    between(random, 0.14, 0.26),
    between(random, 0.3, 0.5),
  ]);
  return draw(side, (y, x) =>
    all.reduce((sum, [cy, cx, size, core]) => {
      const r = Math.hypot(y - cy, x - cx) / size;
      return sum - 0.3 * smoothStep(1 - r, 0.1) - 0.5 * smoothStep(core - r, 0.08);
    }, 1),
  ).map((value) => value + 0.03 * normal(random));
}

/** A colour photograph of skin `[side, side, 3]`, bytes: a mole with a rim of its own, hairs, a light from one side. */
function skin(random, side) {
  const rim = list(6, (k) => [(0.12 * normal(random)) / (k + 1), between(random, 0, 6.28)]);
  const [cy, cx, size] = [0.1 * normal(random), 0.1 * normal(random), between(random, 0.3, 0.6)];
  const mottle = list(16, () => [
    ...list(2, () => 9 * normal(random)),
    between(random, 0, 6.28),
    between(random, 0.02, 0.12),
  ]);
  const hairs = list(below(random, 5), () => [between(random, 0, 3.14), between(random, -0.8, 0.8)]);
  const light = 0.1 * normal(random);
  const tone = between(random, 0.85, 1.1);
  const dark = draw(side, (y, x) => {
    const turn = Math.atan2(y - cy, x - cx);
    const edge = rim.reduce((sum, [height, phase], k) => sum + height * Math.sin((k + 1) * turn + phase), size);
    const inner = mottle.reduce((sum, [a, b, c, height]) => sum + height * Math.sin(a * y + b * x + c), 0.6);
    const hair = hairs.some(([own, off]) => Math.abs(Math.cos(own) * y + Math.sin(own) * x - off) < 0.02) ? 0.4 : 0;
    return inner * smoothStep(edge - Math.hypot(y - cy, x - cx), 0.05) + hair + light * x;
  });
  const out = new Float32Array(3 * side * side);
  dark.forEach((value, at) => {
    [215, 165, 140].forEach((full, k) => {
      out[3 * at + k] = full * tone * (1 - (0.7 + 0.1 * k) * value) + 3 * normal(random);
    });
  });
  return asBytes(out);
}

/** A sum of waves whose height falls with their speed, to the finest the side can show: clouds, bark, trabeculae. */
function texture(random, side) {
  const fastest = Math.min(40, side / 2);
  const waves = list(60, () => {
    const [turn, speed] = [between(random, 0, 3.14), 2 * (fastest / 2) ** random.random()];
    return [speed * Math.cos(turn), speed * Math.sin(turn), between(random, 0, 6.28), normal(random) / speed ** 0.6];
  });
  return draw(side, (y, x) => waves.reduce((sum, [a, b, c, height]) => sum + height * Math.sin(a * y + b * x + c), 0));
}

/** A slice through a head: skull and halves alike in all, folds and ventricles of each one's own; air around it. */
function head(random, side) {
  const [a, b, turn] = [0.85 + 0.04 * normal(random), 0.66 + 0.04 * normal(random), 0.06 * normal(random)];
  const folds = list(14, () => [
    between(random, 6, 16) * (random.random() < 0.5 ? -1 : 1),
    between(random, 6, 16),
    between(random, 0, 6.28),
  ]);
  const hollow = between(random, 0.14, 0.26);
  return draw(side, (y, x) => {
    const [v, u] = [Math.cos(turn) * y + Math.sin(turn) * x, Math.cos(turn) * x - Math.sin(turn) * y];
    const r = Math.hypot(v / a, u / b);
    const skull = Math.exp(-(((r - 0.96) / 0.05) ** 2));
    const grey = folds.reduce((sum, [p, q, c]) => sum + Math.sin(p * v + q * Math.abs(u) + c), 0) / 14;
    const dark = smoothStep(1 - Math.hypot(v / hollow, (Math.abs(u) - 0.1) / (hollow / 2.5)), 0.1);
    return smoothStep(0.92 - r, 0.02) * (0.5 + 0.6 * grey * smoothStep(r - 0.3, 0.1) - 0.35 * dark) + 0.8 * skull;
  }).map((value) => Math.max(0, value + 0.02 * normal(random)));
}

export const CORPORA = { leaves, retina, speckle, cells, skin, texture, head };
