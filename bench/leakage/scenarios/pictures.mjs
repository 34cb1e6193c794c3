/** CVL003 on pictures: copies that were shifted, cropped, turned, covered or augmented, and sets without any. */
import { GroupKFold, KFold } from 'cvkit';
import { CORPORA } from './pictureCorpora.mjs';
import { COPIES, KINDS as FIRST, list, normal, shapeOf, warped } from './pictureKinds.mjs';

const KINDS = { ...FIRST, ...CORPORA };

const uint32 = (random) => Math.floor(random.random() * 2 ** 32);
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: uint32(random) });

/** Pictures as one array of `[n, ...shape]`. */
function stacked(pictures, shape) {
  const data = new Float32Array(pictures.length * pictures[0].length);
  pictures.forEach((picture, row) => {
    data.set(picture, row * picture.length);
  });
  return { data, shape: [pictures.length, ...shape] };
}

const clean = (kind, n, side) => ({
  id: `pictures-clean-${kind}-${n}x${side}`,
  check: 'CVL003',
  kind: 'clean',
  corpus: `pictures: ${kind}`,
  n,
  pixels: n * side * side,
  effect: `pictures of ${side} x ${side}: ${kind}`,
  make: (random) => ({
    X: stacked(
      list(n, (row) => KINDS[kind](random, side, row)),
      shapeOf(kind, side),
    ),
    cv: shuffled(random),
  }),
});

/** Slices of a patient, each a little further, in folds of whole patients. */
const slices = {
  id: 'pictures-clean-slices',
  check: 'CVL003',
  kind: 'clean',
  corpus: 'pictures: slices of patients',
  n: 300,
  effect: '30 patients with 10 slices each, folds of whole patients',
  make(random) {
    const pictures = list(30, () => KINDS.anatomy(random, 32)).flatMap((first) =>
      list(10, (at) =>
        warped(first, [32, 32], { zoom: 1 + at / 100, dy: at / 10 }).map((value) => value + 0.05 * normal(random)),
      ),
    );
    return {
      X: stacked(pictures, [32, 32]),
      groups: pictures.map((_, row) => `p${Math.floor(row / 10)}`),
      cv: new GroupKFold({ nSplits: 5, shuffle: true, randomState: uint32(random) }),
    };
  },
};

const planted = (how, kind, n, side) => ({
  id: `pictures-planted-${how}-${kind}-${n}x${side}`,
  check: 'CVL003',
  kind: 'planted',
  corpus: `pictures: ${how}`,
  n,
  pixels: n * side * side,
  effect: `${Math.max(3, Math.round(n / 40))} pictures ${how}, of ${side} x ${side}: ${kind}`,
  make(random) {
    const pictures = list(n, (row) => KINDS[kind](random, side, row));
    const sides = shapeOf(kind, side).slice(0, 2);
    for (let at = 0; at < Math.max(3, Math.round(n / 40)); at++) {
      pictures[n - 1 - at] = COPIES[how](random, pictures[at], sides);
    }
    return { X: stacked(pictures, shapeOf(kind, side)), cv: shuffled(random) };
  },
});

export const pictures = [
  ...Object.keys(KINDS).flatMap((kind) => [clean(kind, 120, 32), clean(kind, 400, kind === 'volume' ? 32 : 64)]),
  clean('spotsFew', 1000, 32),
  clean('masks', 1000, 32),
  clean('chest', 200, 128),
  slices,
  ...Object.keys(COPIES).flatMap((how) => [
    planted(how, 'chest', 200, 64),
    planted(how, 'anatomy', 300, 32),
    planted(how, 'smooth', 150, 48),
    planted(how, 'spotsNoisy', 200, 64),
    planted(how, 'tissue', 120, 48),
    planted(how, 'retina', 200, 64),
    planted(how, 'leaves', 120, 48),
    planted(how, 'skin', 150, 64),
    planted(how, 'speckle', 150, 48),
  ]),
];
