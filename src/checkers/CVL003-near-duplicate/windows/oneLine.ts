/** Whether rows that share values can be cut from recordings: then each row has one place on a line, or on a slide. */
import type { Overlap } from './overlapOf.js';

interface Link extends Overlap {
  readonly first: number;
  readonly second: number;
}

/**
 * Which of the pairs are those of a shape that recurs: among rows that are linked, some begin at two places of one
 * line. Three windows of a saw's teeth, each a third of a tooth further than the last one, are back where they began.
 *
 * @returns one answer for each pair: all those of rows that are linked, in whatever way, have the same
 */
export function contradictory(links: readonly Link[]): boolean[] {
  const linked = new Map<number, { readonly to: number; readonly steps: readonly number[] }[]>();
  const link = (from: number, to: number, steps: readonly number[]) => {
    const known = linked.get(from);
    if (known) known.push({ to, steps });
    else linked.set(from, [{ to, steps }]);
  };
  for (const { first, second, shift } of links) {
    link(first, second, shift);
    link(
      second,
      first,
      shift.map((step) => -step),
    );
  }
  const places = new Map<number, { readonly place: readonly number[]; readonly set: { contradicts: boolean } }>();
  for (const [start, [{ steps }]] of linked) {
    if (places.has(start)) continue;
    const set = { contradicts: false };
    places.set(start, { place: steps.map(() => 0), set });
    const open = [start];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const { place } = places.get(row)!;
      for (const { to, steps } of linked.get(row)!) {
        const reached = place.map((value, axis) => value + steps[axis]);
        const known = places.get(to);
        if (!known) {
          places.set(to, { place: reached, set });
          open.push(to);
        } else if (known.place.some((value, axis) => value !== reached[axis])) set.contradicts = true;
      }
    }
  }
  return links.map(({ first }) => places.get(first)!.set.contradicts);
}
