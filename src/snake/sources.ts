/** Which object of cvkit stands behind a spelled one, and the other way round. */
const sources = new WeakMap<object, object>();
const spellings = new WeakMap<object, object>();

/** The object of cvkit behind a spelled one; undefined for anything else. */
export const sourceOf = (spelled: object): object | undefined => sources.get(spelled);

/** The spelled form of an object of cvkit, where it was made before. */
export const spelledOf = (source: object): object | undefined => spellings.get(source);

/** Notes that `spelled` stands for `source`. */
export function link<T extends object>(source: object, spelled: T): T {
  sources.set(spelled, source);
  spellings.set(source, spelled);
  return spelled;
}

const places = new WeakMap<object, string>();

/** Where a spelled object without a class was read first, in words. */
export const placeOf = (spelled: object): string | undefined => places.get(spelled);

/** Notes where `spelled` was read. */
export function placed<T>(spelled: T, place: string): T {
  if (typeof spelled === 'object' && spelled !== null && sources.has(spelled) && !places.has(spelled)) {
    places.set(spelled, place);
  }
  return spelled;
}
