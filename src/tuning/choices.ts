import { sortedQuantile } from '../core/quantiles.js';
import type { Distribution, Params, ParamValue } from '../core/tuningTrial.js';
import { countOf } from './distribution.js';

export interface ChoiceOfParameter {
  /** The values that were chosen, by fold; undefined where the parameter was not asked for. */
  readonly values: readonly (ParamValue | undefined)[];
  /** The value that most folds chose, the first of equally frequent ones, and the share of folds that did. */
  readonly mostFrequent: ParamValue | undefined;
  readonly share: number;
  /** Smallest, median and largest number; null where values are no numbers. */
  readonly range: { readonly low: number; readonly median: number; readonly high: number } | null;
  /** Folds whose value is the smallest or the largest one that was allowed, and better than that of every other trial. */
  readonly atEdge: number;
  /** The folds chose very different values: most another choice, or numbers more than half of the range apart. */
  readonly isUnstable: boolean;
}

export interface Stability {
  readonly nFolds: number;
  readonly nDifferent: number;
  readonly share: number;
  readonly byParameter: Readonly<Record<string, ChoiceOfParameter>>;
}

/** `rivals`: of each fold, the parameters of other trials that were as good as the chosen one. */
export function stabilityOf(
  chosen: readonly Params[],
  distributions: Readonly<Record<string, Distribution>>,
  rivals: readonly (readonly Params[])[] = [],
): Stability {
  const names = [...new Set(chosen.flatMap((params) => Object.keys(params)))];
  const of = (params: Params, name: string) => (Object.hasOwn(params, name) ? params[name] : undefined);
  // In lists: a parameter that was not asked for is not one that is null.
  const sets = mostFrequent(
    chosen.map((params) => names.map((name) => (Object.hasOwn(params, name) ? [params[name]] : []))),
  );
  return {
    nFolds: chosen.length,
    nDifferent: sets.nDifferent,
    share: sets.share,
    byParameter: Object.fromEntries(
      names.map((name) => {
        const values = chosen.map((params) => of(params, name));
        const { value, share } = mostFrequent(values);
        const distribution = Object.hasOwn(distributions, name) ? distributions[name] : undefined;
        const edges = edgesOf(distribution);
        const isTied = (fold: number) => rivals[fold]?.some((params) => of(params, name) !== values[fold]) ?? false;
        const range = rangeOf(values);
        return [
          name,
          {
            values,
            mostFrequent: value,
            share,
            range,
            atEdge: values.filter((each, fold) => edges.includes(each) && !isTied(fold)).length,
            isUnstable: isWide(range, distribution) ?? share < 0.5,
          },
        ];
      }),
    ),
  };
}

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

function isWide(range: ChoiceOfParameter['range'], distribution: Distribution | undefined): boolean | undefined {
  if (!range || !distribution || distribution.kind === 'categorical') return undefined;
  const scale = (value: number) => (distribution.log ? Math.log(value) : value);
  const { low, high } = distribution;
  return high > low && scale(range.high) - scale(range.low) > (scale(high) - scale(low)) / 2;
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
