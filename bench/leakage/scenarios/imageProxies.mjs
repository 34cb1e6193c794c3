/** What whole images give away (CVL009): markers, borders and brightness of one class; clean twins differ by the disease. */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const between = (random, low, high) => low + (high - low) * random.random();
const chance = (random, share) => random.random() < share;
const SIDE = 32;
const SIZE = SIDE * SIDE;

/** A body of some brightness on a dark ground, with noise and perhaps a lesion, 0 to 255. */
function body(random, { bright = 0, lesion = 0, noise = 12 }) {
  const [x0, y0] = [between(random, 13, 19), between(random, 13, 19)];
  const [a, b] = [between(random, 8, 12), between(random, 8, 12)];
  const level = 110 + 15 * normal(random) + bright;
  const [x1, y1] = [x0 + between(random, -4, 4), y0 + between(random, -4, 4)];
  const spot = Math.max(1, lesion + normal(random));
  return Float32Array.from({ length: SIZE }, (_, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    const inside = ((x - x0) / a) ** 2 + ((y - y0) / b) ** 2 < 1;
    const ill = lesion > 0 && (x - x1) ** 2 + (y - y1) ** 2 < spot ** 2;
    const value = (inside ? level : 20) + (ill ? 60 : 0) + noise * normal(random);
    return Math.max(0, Math.min(254, Math.round(value)));
  });
}

function burnIn(random, image) {
  const [x0, y0] = [1 + Math.floor(2 * random.random()), 1 + Math.floor(2 * random.random())];
  for (const [x, y] of [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 2],
    [2, 2],
  ])
    image[(y0 + y) * SIDE + x0 + x] = 255;
}

function letterbox(random, image) {
  const lines = 2 + Math.floor(3 * random.random());
  image.fill(0, 0, lines * SIDE);
  image.fill(0, SIZE - lines * SIDE);
}

const make = (n, draw) => (random) => {
  const share = between(random, 0.3, 0.5);
  const y = Array.from({ length: n }, (_, row) => (row < 20 ? row % 2 : Number(chance(random, share))));
  const data = new Float32Array(n * SIZE);
  y.forEach((ill, row) => {
    data.set(draw(random, ill), row * SIZE);
  });
  const cv = new KFold({ nSplits: 5, shuffle: true, randomState: Math.floor(2 ** 31 * random.random()) });
  return { X: { data, shape: [n, SIDE, SIDE] }, y, cv };
};

const scenario = (kind, id, n, effect, draw) => ({
  id: `image-proxies/${id}-${n}`,
  check: 'CVL009',
  kind,
  n,
  effect,
  ...(kind === 'clean' ? { corpus: 'images' } : {}),
  make: make(n, draw),
});

/** The image with what `change` does to it in a share of the ill. */
const ofIll = (share, change) => (random, ill) => {
  const image = body(random, { lesion: 3 * ill });
  if (ill && chance(random, share)) change(random, image);
  return image;
};

export const imageProxies = [
  ...[300, 1000].flatMap((n) => [
    scenario('planted', 'marker', n, 'a marker in 70 % of the ill alone', ofIll(0.7, burnIn)),
    scenario('planted', 'border', n, 'a border in 70 % of the ill alone', ofIll(0.7, letterbox)),
    scenario('planted', 'brightness', n, 'images of the ill brighter, AUC .99', (random, ill) =>
      body(random, { bright: 60 * ill }),
    ),
    scenario('planted', 'sharpness', n, 'another device for the ill: a third less noise', (random, ill) =>
      body(random, { noise: ill ? 8 : 12 }),
    ),
    scenario('clean', 'lesions', n, 'none: lesions', (random, ill) =>
      body(random, { lesion: between(random, 2, 4) * ill }),
    ),
    scenario('clean', 'brighter', n, 'none: the disease makes images brighter, AUC .8', (random, ill) =>
      body(random, { bright: 20 * ill }),
    ),
    scenario('clean', 'marked', n, 'none: markers and borders of both classes', (random, ill) => {
      const image = body(random, { lesion: 3 * ill });
      if (chance(random, 0.5)) letterbox(random, image);
      if (chance(random, ill ? 0.5 : 0.3)) burnIn(random, image);
      return image;
    }),
  ]),
];
