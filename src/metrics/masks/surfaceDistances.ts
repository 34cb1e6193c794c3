/**
 * Distances between the surfaces of two masks, as MONAI 1.5 (`monai.metrics`, `use_subvoxels=False`) has them.
 *
 * **Empty masks.** MONAI: neither has a surface, `nan` for the Hausdorff distance and the surface Dice, left out of means; one has none,
 * `inf` and 0 (its percentiles give `nan` instead, by which a missed structure leaves the mean: MONAI issue 9095).
 * MetricsReloaded, the implementation that the authors of Metrics Reloaded publish (Maier-Hein et al. 2024, Nature Methods 21:195): neither, the best
 * value (Dice 1, NSD 1, distance 0); one, Dice and NSD 0, a distance that "need[s] to [be] set to worse case in aggregation".
 * Here: shares (Dice, IoU, NSD) follow MetricsReloaded, 1 where both are empty, so that all are about the same images, and 0 where one is. A distance is never
 * made up. Both: MONAI, not counted. One: no mean may leave it out.
 */
import { sortedQuantile } from '../../core/quantiles.js';
import { squaredDistances } from './distanceTransform.js';
import type { MaskPair } from './maskPair.js';

/** Of each element of one surface to the nearest of the other, ascending. Infinity to a mask that is empty. */
export interface SurfaceDistances {
  readonly fromTruth: Float64Array;
  readonly fromPrediction: Float64Array;
}

/**
 * Where each voxel of a mask has a face to what is not in it: the mask XOR its erosion by the cross; what lies outside of the image is
 * not in the mask. As `get_mask_edges` of MONAI.
 */
export function surfaceOf(mask: Uint8Array, shape: readonly number[]): Uint8Array {
  const surface = new Uint8Array(mask.length);
  for (let axis = shape.length - 1, step = 1; axis >= 0; axis--) {
    const block = step * shape[axis];
    for (let first = 0; first < mask.length; first += block) {
      for (let place = 0, at = first; place < block; place++, at++) {
        if (!mask[at]) continue;
        if (place < step || place >= block - step || !mask[at - step] || !mask[at + step]) surface[at] = 1;
      }
    }
    step = block;
  }
  return surface;
}

/** In the unit of the spacing. */
export function surfaceDistances({ truth, prediction, shape, spacing }: MaskPair): SurfaceDistances {
  const [surface, other] = [truth, prediction].map((mask) => surfaceOf(mask, shape));
  const between = (from: Uint8Array, to: Uint8Array) => {
    const squares = squaredDistances(to, shape, spacing);
    const distances = new Float64Array(from.reduce((count, each) => count + each, 0));
    for (let at = 0, element = 0; at < from.length; at++) if (from[at]) distances[element++] = Math.sqrt(squares[at]);
    return distances.sort();
  };
  return { fromTruth: between(surface, other), fromPrediction: between(other, surface) };
}

/**
 * The larger of the two 95th percentiles of distances from one surface to the other, as MONAI's
 * `compute_hausdorff_distance(percentile=95)`, null where a mask is empty. Percentiles are numpy's (linear).
 */
export function hausdorffDistance({ fromTruth, fromPrediction }: SurfaceDistances): number | null {
  if (fromTruth.length === 0 || fromPrediction.length === 0) return null;
  return Math.max(...[fromTruth, fromPrediction].map((distances) => sortedQuantile(distances, 0.95)));
}

/** A distance that is the tolerance but for rounding is within it: MONAI compares 32-bit floats. */
const ROUNDING = 1e-9;

/**
 * Normalised surface distance (surface Dice): share of the elements of both surfaces that are within `tolerance` of the other, as MONAI's
 * `compute_surface_dice(use_subvoxels=False)`. Two empty masks: 1, one: 0.
 *
 * Source: Nikolov et al. 2021, Journal of Medical Internet Research 23:e26151; Seidlitz et al. 2022, Medical Image Analysis 80:102488.
 */
export function normalisedSurfaceDistance({ fromTruth, fromPrediction }: SurfaceDistances, tolerance: number): number {
  const all = fromTruth.length + fromPrediction.length;
  const limit = tolerance * (1 + ROUNDING);
  const within = [fromTruth, fromPrediction].map((distances) => distances.filter((each) => each <= limit).length);
  return all === 0 ? 1 : (within[0] + within[1]) / all;
}
