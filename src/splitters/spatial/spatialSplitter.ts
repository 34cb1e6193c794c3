/** What the spatial splitters share: places from two doors, one seed per instance, folds with buffers. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { arrayLike, type OptionShape, type OptionTable, randomState } from '../../core/options.js';
import { freshSeed, isRandomSource, type RandomSource, type RandomState, randomSource } from '../../core/random.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { BaseSplitter, given, type SplitData, type SplitInput, type SplitterClaims, splitInput } from '../splitter.js';

/** The options of every spatial splitter. */
export const placeOptions = (drawn: string) => ({
  randomState: randomState().default(null).describe(`Seed of the draw: ${drawn}.`),
  coordinates: arrayLike<ArrayLike<number>>('[number, number][]')
    .nullable()
    .default(null)
    .describe('Place of each row, if not given to split.'),
});

interface PlaceChoice {
  readonly randomState: RandomState;
  readonly coordinates: ArrayLike<ArrayLike<number>> | null;
}

/** The seed of an instance, drawn once: the number of folds may hang on it, and two calls must tell one story. */
export const seedOf = (state: RandomState): number | string =>
  isRandomSource(state) ? state.uint32() : (state ?? freshSeed());

/** Base of the spatial splitters. */
export abstract class SpatialSplitter<S extends OptionShape & ReturnType<typeof placeOptions>> extends BaseSplitter<S> {
  readonly #seed: number | string;

  constructor(table: OptionTable<S>, input: unknown) {
    super(table, input);
    this.#seed = seedOf((this.options as PlaceChoice).randomState);
  }

  override get claims(): SplitterClaims {
    return {
      ...this.facts.claims,
      onEarth: (this.options as { distanceMetric?: string }).distanceMetric === 'haversine',
    };
  }

  /** The stream of this instance from its beginning. */
  protected source(): RandomSource {
    return randomSource(this.#seed);
  }

  /** Coordinates come with the data or from the constructor; from both they could contradict each other. */
  protected override read(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): SplitInput {
    const { coordinates } = this.options as PlaceChoice;
    if (coordinates === null) return super.read(X, y, data);
    const { name } = this.facts;
    const input = splitInput(name, X, y, data);
    if (input.data.coordinates !== undefined) {
      throw new InvalidDataError(
        sentence(name, 'be given `coordinates` once', phrase('them in the constructor and in split')),
      );
    }
    return super.read(input.X, input.y, { ...input.data, coordinates });
  }

  /** The coordinates of checked input. */
  protected coordinatesOf({ data }: SplitInput): ArrayLike<ArrayLike<number>> {
    return given(this.facts.name, 'coordinates', data.coordinates);
  }
}
