/** How alike two pictures are once one is moved onto the other. */
import {
  align,
  composed,
  type Fixed,
  fixed,
  type GreyImage,
  IDENTITY,
  inverse,
  type Transform,
  warp,
} from './alignment.js';
import { detailsOf, inner, type Picture } from './localDetails.js';
import { robustCorrelation } from './robustCorrelation.js';

/** How one picture is moved onto another one, and how alike they are then, from 0 to 1. */
export interface Registration {
  readonly transform: Transform;
  readonly likeness: number;
}

/** A picture onto which others are moved. */
export interface Target {
  readonly picture: Picture;
  readonly full: Fixed;
  readonly half: Fixed;
}
export const target = (picture: Picture): Target => ({
  picture,
  full: fixed(picture.full),
  half: fixed(picture.half),
});

/** Turns, in radians, and zooms from which alignment starts. */
const STARTS: readonly Transform[] = [
  [0, 1],
  [0.09, 1],
  [-0.09, 1],
  [0, 0.9],
  [0, 1.1],
].map(([turn, zoom]) => ({ a: zoom * Math.cos(turn), b: zoom * Math.sin(turn), dy: 0, dx: 0 }));
/** Steps from each start, from the best, at full size, and at full size and the same scale. */
const STEPS = [1, 6, 3, 2] as const;

/** Where a picture lies best on another one, at half the size. */
export function registerCoarsely({ picture, half }: Target, moving: Picture): Registration {
  const seen = new Float32Array(half.values.length);
  let best: Registration = { transform: IDENTITY, likeness: 0 };
  for (const start of STARTS) {
    const transform = align(half, moving.half, start, STEPS[0], seen);
    if (!transform) continue;
    warp(moving.half, transform, seen);
    const likeness = robustCorrelation(half.values, seen, half.width);
    if (likeness > best.likeness) best = { transform, likeness };
  }
  const { a, b, dy, dx } = align(half, moving.half, best.transform, STEPS[1], seen) ?? best.transform;
  const times = picture.full.width / half.width;
  return { transform: { a, b, dy: times * dy, dx: times * dx }, likeness: best.likeness };
}

/** Where it lies best at full size, from where it lies coarsely, or as it is, and how alike they are there. */
export function register({ picture, full }: Target, moving: Picture, coarse: Transform): Registration {
  const unmoved = { transform: IDENTITY, likeness: robustCorrelation(full.values, moving.full.values, full.width) };
  const transform = align(full, moving.full, coarse, STEPS[2], new Float32Array(full.values.length));
  if (!transform) return unmoved;
  const moved = { transform, likeness: likenessUnder(picture, moving, transform) };
  return moved.likeness > unmoved.likeness ? moved : unmoved;
}

/**
 * The picture that shows more is moved before its details are taken, at the same scale and with the same edges, and once
 * more from there: details of another scale say only roughly where it lies.
 */
function likenessUnder(first: Picture, second: Picture, transform: Transform): number {
  const [still, moving, way] =
    Math.hypot(transform.a, transform.b) > 1 ? [second, first, inverse(transform)] : [first, second, transform];
  const near = detailsUnder(moving.grey, way);
  const rest = align(fixed(still.full), near, IDENTITY, STEPS[3], new Float32Array(near.values.length));
  const { values, width } = rest ? detailsUnder(moving.grey, composed(way, rest)) : near;
  return robustCorrelation(still.full.values, values, width);
}

/** Details of a picture that was moved; NaN outside of it. */
function detailsUnder(grey: GreyImage, transform: Transform): GreyImage {
  const { height, width } = grey;
  const [values, outside] = [new Float32Array(height * width), new Uint8Array(height * width)];
  warp(grey, transform, values, outside);
  const details = detailsOf({ height, width, values });
  const beyond = inner({ height, width, values: Float32Array.from(outside) }).values;
  for (let at = 0; at < beyond.length; at++) if (beyond[at] > 0) details.values[at] = Number.NaN;
  return details;
}
