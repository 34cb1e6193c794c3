/** The distinct values in the order in which they come, and how often each is there. */
export function countValues<T>(items: ArrayLike<T>): { readonly values: T[]; readonly counts: number[] } {
  const places = new Map<T, number>();
  const counts: number[] = [];
  for (let at = 0; at < items.length; at++) {
    const place = places.get(items[at]);
    if (place !== undefined) counts[place]++;
    else {
      places.set(items[at], counts.length);
      counts.push(1);
    }
  }
  return { values: [...places.keys()], counts };
}
