import { crossed } from '../splitters/spatial/blocks.js';
import { KdTree } from '../splitters/spatial/kdTree.js';
import { boundingBox, flatPlaces } from '../splitters/spatial/places.js';

/**
 * How the distinct places of a plane lie: the mean distance to the nearest other one, over what places at random in the
 * box around all of them would have, .5 √(area / places). 1 is chance, less is clumps, above 2 a lattice. NaN where the box
 * has no area.
 *
 * Source: Clark & Evans 1954, Ecology 35:445 (R, without a correction for the edge).
 */
export function clarkEvans(coordinates: ArrayLike<ArrayLike<number>>): {
  readonly distinct: number;
  readonly ratio: number;
} {
  const { map } = flatPlaces(coordinates);
  const [x, y] = [0, 1].map((axis) => map.filter((_, at) => at % 2 === axis));
  const { pairs } = crossed(x, y);
  const [width, height] = boundingBox(map).sides;
  const area = width * height;
  if (area === 0) return { distinct: pairs.length, ratio: Number.NaN };
  const places = Float64Array.from(pairs.flat());
  const tree = new KdTree(places, 2);
  const sum = pairs.reduce((total, _, row) => total + tree.nearest(places, row, row), 0);
  return { distinct: pairs.length, ratio: sum / pairs.length / (0.5 * Math.sqrt(area / pairs.length)) };
}
