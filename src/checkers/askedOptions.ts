/** What a caller may ask of the checks themselves, outside a run; loaded with what judges. */
import { number, refuseIdle, seed } from '../core/options.js';
import type { SideData } from '../data/sideData.js';

export const askedShape = {
  randomState: seed().default(42).describe('Seed of permutations.'),
  featureThreshold: number({ above: 0, max: 1 })
    .default(0.95)
    .describe(
      'Correlation of a feature with the label above which it is to be reviewed. Another value than the default decides: a correlation above it fails.',
    ),
};

/** A distance needs places. */
export function refuseIdleThreshold(
  owner: string,
  {
    spatialThreshold,
    data,
  }: { readonly spatialThreshold?: number | undefined; readonly data: Pick<SideData, 'coordinates'> },
): void {
  if (spatialThreshold !== undefined && !data.coordinates) {
    refuseIdle(owner, 'spatialThreshold', 'no `coordinates` were given');
  }
}
