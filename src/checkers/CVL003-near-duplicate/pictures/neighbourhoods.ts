/** Pictures around each one, once aligned, and whether a pair is nearer than they explain. */
import { mean } from '../../../core/numbers.js';
import { BEHIND, type Jump, jumpIn, spreadOf, surenessOf } from './jumps.js';
import type { RegisteredPair } from './registeredPairs.js';

/** The nearest of a picture that tell how wide steps are around it. */
const USUAL = 12;
/** Pairs among so many nearest are judged, if they are nearer than the next by this at least, as a logarithm. */
const [NEAREST, CLEAR] = [2, 0.1];
/** Neighbours of a picture that is asked about, around which it is learnt, too. */
const AROUND = 8;

/** The candidates of each picture, the most alike first. */
export class Neighbourhoods {
  readonly #ranked = new Map<number, readonly RegisteredPair[]>();
  readonly #jumps = new Map<number, Jump>();

  /**
   * @param of candidates of a picture
   * @param base what holds for pictures of which `of` gives undefined
   */
  constructor(
    readonly of: (row: number) => readonly number[] | undefined,
    readonly pairOf: (first: number, second: number) => RegisteredPair,
    readonly base?: Neighbourhoods,
  ) {}

  ranked(row: number): readonly RegisteredPair[] {
    let known = this.#ranked.get(row);
    if (!known) {
      const candidates = this.of(row);
      known = candidates
        ? candidates.map((other) => this.pairOf(row, other)).sort((a, b) => a.gap - b.gap)
        : (this.base?.ranked(row) ?? []);
      this.#ranked.set(row, known);
    }
    return known;
  }

  /** Ascending distances of the nearest. */
  gaps(row: number): number[] {
    return this.ranked(row)
      .slice(0, USUAL)
      .map(({ gap }) => gap);
  }

  #jumpOf(row: number): Jump {
    let known = this.#jumps.get(row);
    if (!known) {
      known = jumpIn(this.gaps(row));
      this.#jumps.set(row, known);
    }
    return known;
  }

  /** The nearest of a picture that are clearly nearer than the ones behind them. */
  clear(row: number): readonly RegisteredPair[] {
    const nearest = this.ranked(row);
    const next = nearest[Math.min(NEAREST, nearest.length - 1)];
    return nearest.slice(0, NEAREST).filter(({ gap }) => Math.log(next.gap / gap) >= CLEAR);
  }

  /**
   * Whether around both pictures there is a jump behind their distance whose -log chance is above `enough`.
   *
   * @param scale mean of steps of the nearest, in steps of those behind
   */
  isSure({ first, second, gap }: RegisteredPair, scale: number, enough: number): boolean {
    return [first, second].every((row) => {
      const jump = this.#jumpOf(row);
      if (!(gap <= jump.from)) return false;
      const { spread, count } = this.#spreadAround(row);
      return surenessOf(jump, spread * scale, count) > enough;
    });
  }

  /** Steps between the neighbours of a row and of those, and how many tell. */
  #spreadAround(row: number) {
    const spreads: number[] = [];
    for (const { first, second } of this.ranked(row).slice(0, AROUND)) {
      const other = first === row ? second : first;
      const list = this.gaps(other);
      const { at } = this.#jumpOf(other);
      if (list.length - at > BEHIND) spreads.push(spreadOf(list.slice(at)));
    }
    const own = spreadOf(this.gaps(row).slice(this.#jumpOf(row).at));
    return { spread: mean([own, ...spreads]), count: 6 * (spreads.length + 1) };
  }
}
