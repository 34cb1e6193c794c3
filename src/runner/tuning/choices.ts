/** How stable the choices of the outer folds are. */
import { sortedQuantile } from '../../core/sortedQuantile.js';
import { countOf, type Distribution, type Params, type ParamValue } from './distribution.js';

/** The values of one parameter over the folds. */
export interface ChoiceOfParameter {
  /** The values that were chosen, by fold; undefined where the parameter was not asked for. */
  readonly values: readonly (ParamValue | undefined)[];
  /** The value that most folds chose, the first of equally frequent ones, and the share of folds that did. */
  readonly mostFrequent: ParamValue | undefined;
  readonly share: number;
  /** Smallest, median and largest number; null where values are no numbers. */
  readonly range: { readonly low: number; readonly median: number; readonly high: number } | null;
  /** Folds whose value is the smallest or the largest one that was allowed. */
  readonly atEdge: number;
}

/** How alike the folds chose. */
export interface Stability {
  readonly nFolds: number;
  /** Number of different sets of parameters. */
  readonly nDifferent: number;
  /** Share of the folds that chose the most frequent set. */
  readonly share: number;
  readonly byParameter: Readonly<Record<string, ChoiceOfParameter>>;
}

/** `distributions`: what the parameters were chosen from, by name. */
export function stabilityOf(
  chosen: readonly Params[],
  distributions: Readonly<Record<string, Distribution>>,
): Stability {
  const names = [...new Set(chosen.flatMap((params) => Object.keys(params)))];
  const of = (params: Params, name: string) => (Object.hasOwn(params, name) ? params[name] : undefined);
  const sets = mostFrequent(chosen.map((params) => names.map((name) => [of(params, name)].filter(isGiven))));
  return {
    nFolds: chosen.length,
    nDifferent: sets.nDifferent,
    share: sets.share,
    byParameter: Object.fromEntries(
      names.map((name) => {
        const values = chosen.map((params) => of(params, name));
        const { value, share } = mostFrequent(values);
        const edges = edgesOf(Object.hasOwn(distributions, name) ? distributions[name] : undefined);
        return [
          name,
          {
            values,
            mostFrequent: value,
            share,
            range: rangeOf(values),
            atEdge: values.filter((each) => edges.includes(each)).length,
          },
        ];
      }),
    ),
  };
}

/** A parameter that was not asked for is not one that is null. */
const isGiven = (value: ParamValue | undefined): value is ParamValue => value !== undefined;

function mostFrequent<T>(values: readonly T[]) {
  const counts = new Map<string, { value: T; count: number }>();
  for (const value of values) {
    const key = JSON.stringify(value) ?? 'undefined';
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { value, count: 1 });
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  return { value: most.value, share: most.count / values.length, nDifferent: counts.size };
}

function rangeOf(values: readonly unknown[]): ChoiceOfParameter['range'] {
  const numbers = values.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b);
  if (numbers.length === 0 || numbers.length < values.length) return null;
  const sorted = Float64Array.from(numbers);
  return { low: sorted[0], median: sortedQuantile(sorted, 0.5), high: sorted[sorted.length - 1] };
}

/** The smallest and the largest value; none where values have no order, or where there are only two. */
function edgesOf(distribution: Distribution | undefined): readonly (ParamValue | undefined)[] {
  if (!distribution) return [];
  if (distribution.kind !== 'categorical')
    return countOf(distribution) < 3 ? [] : [distribution.low, distribution.high];
  const { choices } = distribution;
  if (choices.length < 3 || !choices.every((choice) => typeof choice === 'number')) return [];
  const numbers = choices as readonly number[];
  return [Math.min(...numbers), Math.max(...numbers)];
}
