/** Small data sets with everything that a splitter may need, for the splitter suite. */
import type { Label } from '../../src/data/labels.js';
import type { SideData } from '../../src/data/sideData.js';

export interface SplitterData {
  readonly name: string;
  readonly n: number;
  /** Labels, or rows of 0/1 for several labels. */
  readonly y: ArrayLike<Label | number[]>;
  readonly side: SideData;
}

/** Three data sets: uneven mixed groups, many classes with named groups, sorted classes with groups of one class. */
export function smallDataSets(): SplitterData[] {
  return [
    withPlaces(
      'uneven groups',
      Array.from({ length: 41 }, (_, row) => (noise(row, 1) < 0.35 ? 1 : 0)),
      Array.from({ length: 41 }, (_, row) => Math.floor(14 * noise(row, 2) * noise(row, 3))),
    ),
    withPlaces(
      'three classes and named groups',
      Array.from({ length: 60 }, (_, row) => ['mild', 'none', 'severe'][Math.floor(3 * noise(row, 4))]),
      Array.from({ length: 60 }, (_, row) => `patient ${Math.floor(20 * noise(row, 5))}`),
    ),
    withPlaces(
      'sorted classes in groups of three rows',
      Array.from({ length: 36 }, (_, row) => row >= 18),
      Array.from({ length: 36 }, (_, row) => Math.floor(row / 3)),
    ),
  ];
}

/** A number in [0, 1) that looks random and is always the same. */
function noise(row: number, salt: number): number {
  const value = Math.sin(row * 12.9898 + salt * 78.233) * 43758.5453;
  return value - Math.floor(value);
}

function withPlaces(name: string, y: Label[], groups: Label[]): SplitterData {
  const rows = Array.from(y.keys());
  const timestamps = rows.map((row) => Math.floor(row / 2) * 10);
  return {
    name,
    n: y.length,
    y,
    side: {
      groups,
      timestamps,
      labelEndTimes: timestamps.map((time) => time + 5),
      coordinates: rows.map((row) => [100 * noise(row, 6), 100 * noise(row, 7)]),
      hierarchy: { site: groups.map((id) => `site of ${id}`), patient: groups },
      environment: { temperature: rows.map((row) => 20 * noise(row, 8)) },
    },
  };
}
