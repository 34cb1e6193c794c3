/** CVL003 on windows of signals and tiles of slides: overlapping ones on two sides, and sets of which none overlap. */
import { KFold } from 'cvkit';
import { between, KINDS, list, normal } from './pictureKinds.mjs';

const uint32 = (random) => Math.floor(random.random() * 2 ** 32);
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: uint32(random) });

/** Recordings of `length` times and some channels: each value follows from the last one. */
const recording = (random, length, channels) => {
  const state = list(channels, () => normal(random));
  return list(length, () => state.map((_, k) => (state[k] = 0.9 * state[k] + normal(random))));
};

/** Windows of every recording, `step` apart. */
const windowed = (recordings, length, step) =>
  recordings.flatMap((values) =>
    list(Math.floor((values.length - length) / step) + 1, (at) => values.slice(at * step, at * step + length)),
  );
const flat = (windows) => windows.map((window) => window.flat());

const planted = (id, effect, make) => ({
  id: `windows-planted-${id}`,
  check: 'CVL003',
  kind: 'planted',
  corpus: 'windows and tiles that overlap',
  n: 200,
  effect,
  make: (random) => ({ X: make(random), cv: shuffled(random) }),
});
const clean = (id, effect, make) => ({
  id: `windows-clean-${id}`,
  check: 'CVL003',
  kind: 'clean',
  corpus: `windows: ${id}`,
  n: 200,
  effect,
  make: (random) => ({ X: make(random), cv: shuffled(random) }),
});

/** A slide, and tiles of it. */
function tiles(random, side, step) {
  const wide = 6 * side;
  const slide = KINDS.noise(random, wide).map((value, at, all) => value + 0.7 * (all[at - 1] ?? 0));
  const starts = list(Math.floor((wide - side) / step) + 1, (at) => at * step);
  return starts.flatMap((top) =>
    starts.map((left) =>
      list(side, (y) => Array.from(slide.slice((top + y) * wide + left, (top + y) * wide + left + side))),
    ),
  );
}

const sine = (random, n, length, round) =>
  list(n, () => {
    const [speed, phase, height] = [between(random, 0.1, 0.6), between(random, 0, 6.28), between(random, 0.5, 2)];
    return list(length, (t) => round(height * Math.sin(speed * t + phase)));
  });

export const windows = [
  planted('flat', 'windows of 100 values, each half of the last', (r) =>
    flat(
      windowed(
        list(4, () => recording(r, 2600, 1)),
        100,
        50,
      ),
    ),
  ),
  planted('channels', 'windows [64, 3], half of the last', (r) =>
    windowed(
      list(4, () => recording(r, 1700, 3)),
      64,
      32,
    ),
  ),
  planted('quarter', 'windows [48, 2], three quarters of the last', (r) =>
    windowed(
      list(4, () => recording(r, 640, 2)),
      48,
      12,
    ),
  ),
  planted('quantised', 'windows of 128 whole numbers, half of the last', (r) =>
    flat(
      windowed(
        list(4, () => recording(r, 3300, 1).map((row) => row.map((v) => Math.round(4 * v)))),
        128,
        64,
      ),
    ),
  ),
  planted('few', 'three windows of 200 moved by a third, among others', (r) => {
    const X = flat(
      windowed(
        list(200, () => recording(r, 90, 1)),
        60,
        60,
      ),
    );
    list(3, (at) => X.splice(199 - at, 1, [...X[at].slice(20), ...list(20, () => normal(r))]));
    return X;
  }),
  planted('tiles', 'tiles of 32 x 32, half of the last', (r) => tiles(r, 32, 16)),
  clean('apart', 'windows of 100 values of one recording, none overlaps', (r) =>
    flat(windowed([recording(r, 20_000, 1)], 100, 100)),
  ),
  clean('periodic', 'sines of 128 values', (r) => sine(r, 200, 128, (v) => v)),
  clean('periodicQuantised', 'sines of 128 whole numbers from -20 to 20', (r) =>
    sine(r, 200, 128, (v) => Math.round(10 * v)),
  ),
  clean('onePeriod', 'one rhythm of period 20 with noise in some, whole numbers', (r) =>
    list(200, () => {
      const from = Math.floor(20 * r.random());
      return list(120, (t) => Math.round(20 * Math.sin(((t + from) * Math.PI) / 10)) + (r.random() < 0.02 ? 1 : 0));
    }),
  ),
  clean('silent', 'windows of 100 values, silent but for one burst', (r) =>
    list(200, () => {
      const from = Math.floor(80 * r.random());
      return list(100, (t) => (t >= from && t < from + 12 ? normal(r) : 0));
    }),
  ),
  clean('spikes', 'one shape of spike at any time in silence', (r) =>
    list(200, () => {
      const from = Math.floor(70 * r.random());
      return list(100, (t) => (t >= from && t < from + 25 ? Math.round(30 * Math.sin((t - from) / 3)) : 0));
    }),
  ),
  clean('beats', 'windows of 100 whole numbers with beats of one form at any time', (r) =>
    list(200, () => {
      const starts = [Math.floor(30 * r.random()), 45 + Math.floor(30 * r.random())];
      const beat = (t) =>
        t < 0 || t > 24 ? 0 : Math.round(60 * Math.exp(-((t - 6) ** 2) / 4) + 15 * Math.exp(-((t - 16) ** 2) / 12));
      return list(100, (t) => starts.reduce((sum, from) => sum + beat(t - from), 0));
    }),
  ),
  clean('doses', 'a dose that falls, from any time on', (r) =>
    list(200, () => {
      const from = Math.floor(50 * r.random());
      return list(64, (t) => 100 * 0.95 ** (from + t));
    }),
  ),
  clean('padded', 'whole numbers of noise, then zeros', (r) =>
    list(200, () => {
      const end = 20 + Math.floor(60 * r.random());
      return list(100, (t) => (t < end ? Math.round(5 * normal(r)) : 0));
    }),
  ),
  clean('sparse', 'sparse masks of 32 x 32', (r) =>
    list(200, () => {
      const [y, x] = [Math.floor(28 * r.random()), Math.floor(28 * r.random())];
      return list(32, (i) => list(32, (j) => (i >= y && i < y + 4 && j >= x && j < x + 4 ? 1 : 0)));
    }),
  ),
  clean('tilesApart', 'tiles of 32 x 32 of one slide, none overlaps', (r) => [
    ...tiles(r, 32, 32),
    ...tiles(r, 32, 32),
  ]),
];
