import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { arrayLike, randomState } from '../../core/options.js';
import { freshSeed, isRandomSource, type RandomState } from '../../core/random.js';
import type { SplitterClaims } from '../claims.js';
import { type SplitInput, splitInput } from '../splitInput.js';

export const placeOptions = (drawn: string) => ({
  randomState: randomState().default(null).describe(`Seed of the draw: ${drawn}.`),
  coordinates: arrayLike<ArrayLike<number>>('[number, number][]')
    .nullable()
    .default(null)
    .describe('Place of each row, if not given to split.'),
});

/** Drawn once per instance: the number of folds may depend on it, and two calls must give the same folds. */
export const seedOf = (state: RandomState): number | string =>
  isRandomSource(state) ? state.uint32() : (state ?? freshSeed());

/** Coordinates come with the data or from the constructor; from both they could contradict each other. */
export const withPlaces =
  (owner: string) =>
  (input: SplitInput, { coordinates }: { readonly coordinates: ArrayLike<ArrayLike<number>> | null }): SplitInput => {
    if (coordinates === null) return input;
    if (input.data.coordinates === undefined) {
      return splitInput(owner, input.X, input.y, { ...input.data, coordinates });
    }
    throw new InvalidDataError(
      sentence(owner, 'be given `coordinates` once', phrase('them in the constructor and in split')),
    );
  };

export const earthClaims = (
  { distanceMetric }: { readonly distanceMetric: string },
  claims: SplitterClaims,
): SplitterClaims => ({ ...claims, geographic: distanceMetric === 'haversine' });
