/** Pictures of other patients in many kinds, and what is done to a picture to make a copy of it. Grey ones are `[side * side]`. */

export const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
export const list = (length, make) => Array.from({ length }, (_, at) => make(at));
export const between = (random, low, high) => low + (high - low) * random.random();
const below = (random, n) => Math.floor(n * random.random());

/** A grey picture from a function of places from -1 to 1. */
const draw = (side, at) => {
  const out = new Float32Array(side * side);
  for (let y = 0, to = 0; y < side; y++) {
    for (let x = 0; x < side; x++, to++) out[to] = at((2 * y + 1) / side - 1, (2 * x + 1) / side - 1);
  }
  return out;
};
const noisy = (random, picture, sd) => picture.map((value) => value + sd * normal(random));
const bump = (y, x, [cy, cx, size, height]) => height * Math.exp(-((y - cy) ** 2 + (x - cx) ** 2) / (2 * size * size));
/** 1 inside an ellipse, 0 outside, with a soft edge. */
const inside = (y, x, { cy, cx, a, b, turn = 0 }, soft = 0.05) => {
  const [dy, dx] = [y - cy, x - cx];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const r = Math.hypot((c * dx + s * dy) / a, (c * dy - s * dx) / b);
  return soft > 0 ? 1 / (1 + Math.exp((r - 1) / soft)) : Number(r < 1);
};

function spots(random, count, low = 0.3, high = 1) {
  return list(count, () => [
    between(random, -0.55, 0.55),
    between(random, -0.45, 0.45),
    between(random, 0.05, 0.15),
    between(random, low, high),
  ]);
}

function body(random, side, count, noise) {
  const trunk = { cy: 0, cx: 0, a: 0.7, b: 0.9 };
  const hot = spots(random, count);
  const shape = draw(side, (y, x) => inside(y, x, trunk) * 0.5 + hot.reduce((sum, each) => sum + bump(y, x, each), 0));
  return noisy(random, shape, noise);
}

function ellipse(random) {
  const [a, b] = [between(random, 0.1, 0.35), between(random, 0.1, 0.35)];
  return { cy: between(random, -0.6, 0.6), cx: between(random, -0.6, 0.6), a, b, turn: between(random, 0, 3.14) };
}

function mask(random, side, count) {
  const parts = list(count, () => ellipse(random));
  return draw(side, (y, x) => (parts.some((part) => inside(y, x, part, 0)) ? 1 : 0));
}

/** A sum of waves of every direction: smooth, with some detail. */
function field(random, side, waves = 24, fastest = 9) {
  const all = list(waves, () => {
    const [turn, speed] = [between(random, 0, 3.14), between(random, 1, fastest)];
    return [speed * Math.cos(turn), speed * Math.sin(turn), between(random, 0, 6.28), normal(random) / speed];
  });
  return draw(side, (y, x) => all.reduce((sum, [a, b, c, height]) => sum + height * Math.sin(a * y + b * x + c), 0));
}

/** What all of one template have in common, with a texture of their own. */
const template = [
  { cy: 0, cx: -0.4, a: 0.28, b: 0.65 },
  { cy: 0, cx: 0.4, a: 0.28, b: 0.65 },
  { cy: 0.2, cx: 0.1, a: 0.25, b: 0.3 },
];
function anatomy(random, side, noise) {
  const own = field(random, side, 12, 20);
  const shape = draw(side, (y, x) =>
    template.reduce((sum, part, at) => sum + (at < 2 ? -1 : 1) * inside(y, x, part), 0),
  );
  return noisy(random, shape, noise).map((value, at) => value + 0.6 * own[at]);
}

/** A chest: its own size and place, ribs, a heart, vessels; the scanner's border and burnt-in letters are everyone's. */
function chest(random, side) {
  const [cy, cx, size] = [0.04 * normal(random), 0.04 * normal(random), 1 + 0.05 * normal(random)];
  const lungs = [-1, 1].map((s) => ({
    cy,
    cx: cx + s * 0.4 * size,
    a: 0.28 * size * (1 + 0.08 * normal(random)),
    b: 0.62 * size * (1 + 0.08 * normal(random)),
    turn: s * 0.1 * normal(random),
  }));
  const heart = {
    cy: cy + 0.25,
    cx: cx + 0.12,
    a: 0.26 + 0.05 * normal(random),
    b: 0.26 + 0.04 * normal(random),
    turn: 0.3,
  };
  const [ribs, phase, tilt] = [between(random, 13, 18), between(random, 0, 6.28), between(random, 0.2, 0.5)];
  const vessels = spots(random, 14, -0.15, 0.25);
  const shape = draw(side, (y, x) => {
    const air = lungs.reduce((sum, lung) => sum + inside(y, x, lung), 0);
    const bone = 0.12 * Math.sin(ribs * (y + tilt * Math.abs(x - cx)) + phase);
    return (
      1 - 0.6 * air + bone * air + 0.4 * inside(y, x, heart) + vessels.reduce((sum, v) => sum + bump(y, x, v) * air, 0)
    );
  });
  return burntIn(noisy(random, shape, 0.03), side);
}
/** A black border and letters at the same place in every picture. */
function burntIn(picture, side) {
  const edge = Math.max(1, Math.round(side / 24));
  return picture.map((value, at) => {
    const [y, x] = [Math.floor(at / side), at % side];
    if (y < edge || x < edge || y >= side - edge || x >= side - edge) return 0;
    const letter = y < 4 * edge && x > side - 8 * edge && (x * 7 + y * 3) % 5 < 2;
    return letter ? 1.6 : value;
  });
}

/** Strokes of one of ten shapes, each written anew. */
function digit(random, side) {
  const which = below(random, 10);
  const points = list(5, (at) => {
    const bend = 0.06 * normal(random);
    return [
      0.6 * Math.sin(2.4 * which + 1.7 * at) + bend,
      0.5 * Math.cos(1.3 * which * at + at) + 0.06 * normal(random),
    ];
  });
  const pen = between(random, 0.07, 0.12);
  return draw(side, (y, x) => {
    let nearest = 9;
    for (let at = 1; at < points.length; at++) {
      const [[ay, ax], [by, bx]] = [points[at - 1], points[at]];
      const long = (by - ay) ** 2 + (bx - ax) ** 2 + 1e-9;
      const t = Math.min(1, Math.max(0, ((y - ay) * (by - ay) + (x - ax) * (bx - ax)) / long));
      nearest = Math.min(nearest, Math.hypot(y - ay - t * (by - ay), x - ax - t * (bx - ax)));
    }
    return Math.round(255 / (1 + Math.exp((nearest - pen) / 0.02)));
  });
}

/** Colour tiles of cells in a ground. */
function tissue(random, side) {
  const cells = list(30, () => ({
    cy: between(random, -1, 1),
    cx: between(random, -1, 1),
    a: between(random, 0.06, 0.13),
    b: between(random, 0.06, 0.13),
    turn: between(random, 0, 3),
  }));
  const ground = field(random, side, 10, 12);
  const nuclei = draw(side, (y, x) => cells.reduce((most, cell) => Math.max(most, inside(y, x, cell, 0.1)), 0));
  const stain = between(random, 0.8, 1.2);
  const out = new Float32Array(3 * side * side);
  for (let at = 0; at < nuclei.length; at++) {
    const [dark, pink] = [nuclei[at] * stain, 0.15 * ground[at]];
    out[3 * at] = 225 - 120 * dark + 20 * pink + 4 * normal(random);
    out[3 * at + 1] = 170 - 110 * dark - 60 * pink + 4 * normal(random);
    out[3 * at + 2] = 205 - 50 * dark - 10 * pink + 4 * normal(random);
  }
  return out;
}

/** A volume of a few slices through balls. */
function volume(random, side, depth = 6) {
  const balls = list(5, () => [
    ...list(3, () => between(random, -0.8, 0.8)),
    between(random, 0.2, 0.5),
    between(random, 0.3, 1),
  ]);
  return Float32Array.from(
    list(depth, (z) =>
      Array.from(
        draw(side, (y, x) => {
          const at = (2 * z + 1) / depth - 1;
          return (
            balls.reduce(
              (sum, [a, b, c, r, h]) => sum + h * Math.exp(-((at - a) ** 2 + (y - b) ** 2 + (x - c) ** 2) / r / r),
              0,
            ) +
            0.05 * normal(random)
          );
        }),
      ),
    ).flat(),
  );
}

const nearlyBlank = (random, side) =>
  random.random() < 0.4
    ? new Float32Array(side * side)
    : random.random() < 0.5
      ? noisy(random, new Float32Array(side * side), 0.01)
      : mask(random, side, 1).map((value) => value * 0.02);

/** Kinds of pictures, each by what makes one: `(random, side, row)`. */
export const KINDS = {
  lesion: (r, side, row) => body(r, side, row % 2, 0.03),
  spotsFew: (r, side) => body(r, side, below(r, 4), 0.02),
  spotsNoisy: (r, side) => body(r, side, below(r, 4), 0.15),
  masks: (r, side) => mask(r, side, below(r, 4)),
  smooth: (r, side) => field(r, side),
  bumps: (r, side) =>
    draw(
      side,
      (
        (each) => (y, x) =>
          each.reduce((sum, s) => sum + bump(y, x, s), 0)
      )(spots(r, 6)),
    ),
  anatomy: (r, side) => anatomy(r, side, 0.1),
  template: (r, side) =>
    noisy(
      r,
      draw(side, (y, x) => template.reduce((sum, part) => sum + inside(y, x, part), 0)),
      0.2,
    ),
  chest,
  digits: digit,
  tissue,
  volume: (r, side) => volume(r, side),
  blank: nearlyBlank,
  noise: (r, side) => noisy(r, new Float32Array(side * side), 1),
};
export const shapeOf = (kind, side) =>
  kind === 'tissue' || kind === 'skin' ? [side, side, 3] : kind === 'volume' ? [6, side, side] : [side, side];

/** A picture seen through a turn (degrees), a zoom and a shift (pixels), bilinear; the edge goes on beyond the picture. */
export function warped(picture, [height, width], { turn = 0, zoom = 1, dy = 0, dx = 0 }) {
  const channels = picture.length / height / width;
  const [c, s] = [Math.cos((turn * Math.PI) / 180) / zoom, Math.sin((turn * Math.PI) / 180) / zoom];
  const [my, mx] = [(height - 1) / 2, (width - 1) / 2];
  const clamp = (value, most) => Math.min(most, Math.max(0, value));
  const out = new Float32Array(picture.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fy = clamp(my + c * (y - my) + s * (x - mx) + dy, height - 1);
      const fx = clamp(mx - s * (y - my) + c * (x - mx) + dx, width - 1);
      const [y0, x0] = [Math.min(height - 2, Math.floor(fy)), Math.min(width - 2, Math.floor(fx))];
      const [py, px] = [fy - y0, fx - x0];
      for (let k = 0; k < channels; k++, to++) {
        const at = (y0 * width + x0) * channels + k;
        const down = width * channels;
        out[to] =
          (1 - py) * ((1 - px) * picture[at] + px * picture[at + channels]) +
          py * ((1 - px) * picture[at + down] + px * picture[at + down + channels]);
      }
    }
  }
  return out;
}

const sdOf = (picture) => {
  const mean = picture.reduce((sum, value) => sum + value, 0) / picture.length;
  return Math.sqrt(picture.reduce((sum, value) => sum + (value - mean) ** 2, 0) / picture.length);
};

/** Ways to copy a picture `(random, picture, [height, width])`. */
export const COPIES = {
  shifted: (r, picture, sides) => warped(picture, sides, { dy: 1 - 2 * below(r, 2), dx: below(r, 3) - 1 }),
  shifted2: (_, picture, sides) => warped(picture, sides, { dy: 2, dx: -1 }),
  cropped: (r, picture, sides) => warped(picture, sides, { zoom: 1 / between(r, 0.82, 0.92) }),
  turned: (r, picture, sides) => warped(picture, sides, { turn: r.random() < 0.5 ? 5 : -5 }),
  square(r, picture, [height, width]) {
    const side = Math.round(height * 0.25);
    const [y, x] = [below(r, height - side), below(r, width - side)];
    const channels = picture.length / height / width;
    const black = picture.reduce((least, value) => Math.min(least, value), Infinity);
    return picture.map((value, at) => {
      const [i, j] = [Math.floor(at / channels / width), Math.floor(at / channels) % width];
      return i >= y && i < y + side && j >= x && j < x + side ? black : value;
    });
  },
  augmented(r, picture, sides) {
    const moved = warped(picture, sides, {
      turn: between(r, -7, 7),
      zoom: 1 / between(r, 0.88, 1),
      dy: between(r, -1.5, 1.5),
      dx: between(r, -1.5, 1.5),
    });
    const [gain, noise] = [between(r, 0.8, 1.25), 0.1 * sdOf(picture)];
    return moved.map((value) => gain * value + 0.2 * noise + noise * normal(r));
  },
  mirrored: (_, picture, [height, width]) => {
    const channels = picture.length / height / width;
    return picture.map((__, at) => {
      const [pixel, k] = [Math.floor(at / channels), at % channels];
      return picture[(pixel - (pixel % width) + width - 1 - (pixel % width)) * channels + k];
    });
  },
};
