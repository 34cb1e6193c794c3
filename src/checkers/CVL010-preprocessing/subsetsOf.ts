/** All parts of a list, each in its order: the whole list first, none last. */
export function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  const masks = Array.from({ length: 2 ** items.length }, (_, at) => 2 ** items.length - 1 - at);
  return masks.map((mask) => items.filter((_, at) => mask & (1 << at)));
}
